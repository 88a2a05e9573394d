"""What a campaign's rows come to: one place where they are added up, for every report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import exp, lgamma, log
from typing import Any, NamedTuple

from tools.hil.campaign.plan import PAIR
from tools.hil.verdict import (
    BROKEN,
    CRASHED,
    FALSE_ALARM,
    LATE,
    LATE_CALL,
    LIT_LATE,
    LIT_WRONG,
    LOST,
    MASKED,
    NEVER,
    NO_ENDING,
    NOT_BEGUN,
    NOT_DUE,
    OUTCOME,
    TOLD,
    TWICE,
    UNNOTICED,
    WRONG_NUMBER,
)

CLEAN_VOID_SHARE = 1 / 2000  # of the coups that no fault touched
CONFIDENCE = 0.95  # of the bound that a count gives

# The rules, in the order of how bad it is, and what a report calls it if one is broken.
RULES = (
    (WRONG_NUMBER, "wrong numbers"),
    (LIT_WRONG, "numbers lit that must not be"),
    (LATE_CALL, "late calls"),
    (NO_ENDING, "coups without an ending"),
    (UNNOTICED, "faults unnoticed"),
    (TWICE, "coups ended twice"),
    (FALSE_ALARM, "false alarms"),
    (NOT_BEGUN, "faults that never began"),
    (OUTCOME, "coups that ended otherwise than they should"),
    (LOST, "records lost"),
    (LIT_LATE, "numbers lit late, or not"),
    (BROKEN, "promises of a place broken"),
    (CRASHED, "crashes"),
)
ALWAYS_SAID = (WRONG_NUMBER, LATE_CALL, NO_ENDING, UNNOTICED)  # of the others only what is broken


class Cell(NamedTuple):
    """How one fault went at one apparatus and place."""

    uses: int = 0
    idle: int = 0  # of them: nothing came that they could change
    noticed: int = 0
    right: int = 0  # of the coups in which it began
    void: int = 0
    broken: int = 0
    after_ms: tuple[int, ...] = ()  # from its beginning to its code


class Total:
    """Takes rows in any order; the same rows give the same total."""

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self.rows = sorted(rows, key=lambda row: int(row["job"]))
        self.coups = sum(row["coups"] for row in self.rows)
        self.right = sum(row["right"] for row in self.rows)
        self.void = sum(row["void"] for row in self.rows)
        self.late_void: int = sum(row["late_void"] for row in self.rows)
        self.clean: int = sum(row["clean"] for row in self.rows)
        self.wheel_s = sum(row["wheel_s"] for row in self.rows)
        self.paired = sum(row["coups"] for row in self.rows if row["kind"] == PAIR)
        self.clean_voids = _sum(row["clean_voids"] for row in self.rows)
        self.voids = _sum(row["voids"] for row in self.rows)
        self.broken = Counter(each["rule"] for row in self.rows for each in row["broken"])
        self.uses = sum(use["verdict"] is not None for row in self.rows for use in row["uses"])
        self.idle = sum(use["idle"] for row in self.rows for use in row["uses"])
        self.due = self._told_so(TOLD, LATE, NEVER)
        self.masked = self._told_so(MASKED)
        self.not_due = self._told_so(NOT_DUE)
        self.lead_ms = sorted(lead for row in self.rows for lead in row["lead_ms"])
        self.rest_ms = sorted(rest for row in self.rows for rest in row["rest_ms"])

    @property
    def clean_voids_allowed(self) -> int:
        """So many clean coups may be void: none of fewer than 2 000."""
        return int(self.clean * CLEAN_VOID_SHARE)

    @property
    def good(self) -> bool:
        """Whether no rule is broken."""
        return not self.broken and sum(self.clean_voids.values()) <= self.clean_voids_allowed

    @property
    def bounds(self) -> dict[str, float | None]:
        """What the counts show of wrong numbers, late calls, clean voids: `rate_bound` of each."""
        return {
            WRONG_NUMBER: rate_bound(self.broken[WRONG_NUMBER], self.coups),
            LATE_CALL: rate_bound(self.broken[LATE_CALL], self.coups),
            "clean_void": rate_bound(sum(self.clean_voids.values()), self.clean),
        }

    def bounds_sentence(self) -> str:
        """`bounds` in one line."""
        words = ("wrong numbers", "late calls", "clean voids")
        parts = [
            f"{name} fewer than 1 in {int(1 / bound):,}"
            for name, bound in zip(words, self.bounds.values(), strict=True)
            if bound is not None
        ]
        return f"With {CONFIDENCE * 100:.0f} % confidence: {', '.join(parts)}." if parts else ""

    def _told_so(self, *how: str) -> int:
        return sum(use["how"] in how for row in self.rows for use in row["uses"])

    def failed(self) -> list[dict[str, Any]]:
        """The rows in which a rule is broken."""
        return [row for row in self.rows if row["broken"]]

    def cells(self) -> dict[tuple[str, str, str], Cell]:
        """By fault, apparatus and place."""
        cells: dict[tuple[str, str, str], Cell] = {}
        for row in self.rows:
            for use in row["uses"]:
                key = (use["fault"], row["apparatus"], row["place"])
                cells[key] = _with(cells.get(key, Cell()), use)
            for name in {each["fault"] for each in row["broken"]} - {None}:
                key = (name, row["apparatus"], row["place"])
                cell = cells.get(key, Cell())
                cells[key] = cell._replace(broken=cell.broken + 1)
        return cells

    def sentence(self) -> str:
        """The whole in one line."""
        beside = {
            LATE_CALL: f" ({self.late_void} more in coups void for another reason)",
            UNNOTICED: f" ({self.due} of {self.uses} uses had to be told)",
        }
        parts = [
            f"{self.broken[rule]} {words}{beside.get(rule, '')}"
            for rule, words in RULES
            if rule in ALWAYS_SAID or self.broken[rule]
        ]
        voids = sum(self.clean_voids.values())
        return (
            f"{self.coups} coups, {self.uses} faults: {', '.join(parts)};"
            f" {voids} of {self.clean} clean coups void."
        )

    def as_json(self) -> dict[str, Any]:
        """The figures, for programs."""
        return {
            "event": "campaign",
            "coups": self.coups,
            "right": self.right,
            "void": self.void,
            "late_void": self.late_void,
            "pairs": self.paired,
            "faults": self.uses,
            "idle": self.idle,
            "due": self.due,
            "masked": self.masked,
            "not_due": self.not_due,
            "clean": self.clean,
            "clean_voids": sum(self.clean_voids.values()),
            "clean_voids_allowed": self.clean_voids_allowed,
            "broken": {rule: self.broken[rule] for rule, _ in RULES},
            "bounds": self.bounds,
            "good": self.good,
        }


def _with(cell: Cell, use: dict[str, Any]) -> Cell:
    if use["verdict"] is None:  # the scenario ended before it began
        return cell
    after = () if use["after_ms"] is None else (use["after_ms"],)
    return cell._replace(
        uses=cell.uses + 1,
        idle=cell.idle + use["idle"],
        noticed=cell.noticed + (use["code"] is not None),
        right=cell.right + (use["verdict"] == "right"),
        void=cell.void + (use["verdict"] == "void"),
        after_ms=cell.after_ms + after,
    )


def _sum(counts: Iterable[dict[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return total


def rate_bound(seen: int, coups: int) -> float | None:
    """The rate a coup that is not exceeded, with a confidence of CONFIDENCE; None if it may be any.

    Of what was seen so often in so many coups, each for itself: the Poisson mean under which so few
    come by chance once in twenty times (one-sided; of none 3.0 in all those coups).
    """
    low, high = float(seen), 2.0 * seen + 10.0
    for _ in range(60):
        mean = (low + high) / 2
        if _at_most(seen, mean) > 1 - CONFIDENCE:
            low = mean
        else:
            high = mean
    return high / coups if coups > high else None


def _at_most(seen: int, mean: float) -> float:
    """The probability of `seen` or fewer where `mean` are expected."""
    return sum(exp(count * log(mean) - mean - lgamma(count + 1)) for count in range(seen + 1))
