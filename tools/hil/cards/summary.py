"""What a campaign of card tables comes to: by fault how its rounds ended, and every rule broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from tools.hil.campaign.summary import CONFIDENCE, rate_bound
from tools.hil.cards import faults
from tools.hil.cards.oracle import (
    CONFIRMED,
    OPEN,
    RULES,
    VOID_SHORT,
    WRONG_CARDS,
    WRONG_DECISION,
    WRONG_PAY,
)
from tools.hil.faults.entry import VOID

DRAWN_MOST = 20  # so often a fault may be drawn and never come about
ALWAYS_SAID = (WRONG_CARDS, WRONG_PAY, WRONG_DECISION, VOID_SHORT)
CLEAN = "(none)"  # rounds that no fault touched


class Cell(NamedTuple):
    """The rounds in which one fault came about. `drawn`: so often it was to."""

    drawn: int = 0
    rounds: int = 0
    confirmed: int = 0
    void: int = 0
    held: int = 0  # of them, at some time
    broken: int = 0


class Total:
    """Takes rows in any order; the same rows give the same total."""

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        """`rows`: of work.row_of."""
        self.rows = sorted(rows, key=lambda row: int(row["job"]))
        rounds = [one for row in self.rows for one in row["rounds"]]
        self.rounds = len(rounds)
        self.confirmed = sum(one["verdict"] == CONFIRMED for one in rounds)
        self.void = sum(one["verdict"] == VOID for one in rounds)
        self.open = sum(one["verdict"] == OPEN for one in rounds)
        self.held = sum(one["held"] for one in rounds)
        self.clean = sum(not one["uses"] for one in rounds)
        self.uses = sum(len(one["own"]) for one in rounds)
        self.not_begun = sum(row["not_begun"] for row in self.rows)
        self.table_s = sum(row["table_s"] for row in self.rows)
        self.voids = Counter(one["reason"] for one in rounds if one["verdict"] == VOID)
        self.drawn = Counter(name for row in self.rows for name in row["drawn"])
        self.broken = Counter(each["rule"] for row in self.rows for each in row["broken"])

    @property
    def good(self) -> bool:
        """Whether no rule is broken, and each fault that was drawn often came about."""
        return not self.broken and not self.never()

    def never(self) -> list[str]:
        """The faults that were drawn often, and never came about."""
        came = {name for name, cell in self.cells().items() if cell.rounds}
        return [name for name in self.drawn if self.drawn[name] > DRAWN_MOST and name not in came]

    def failed(self) -> list[dict[str, Any]]:
        """The rows in which a rule is broken."""
        return [row for row in self.rows if row["broken"]]

    def cells(self) -> dict[str, Cell]:
        """By fault, in the catalogue's order; last the rounds that none touched."""
        names = [*(fault.name for fault in faults.FAULTS), CLEAN]
        found = {name: Cell(self.drawn[name]) for name in names}
        for row in self.rows:
            wrong = Counter(each["round"] for each in row["broken"])
            for one in row["rounds"]:
                for name in one["own"] or ([] if one["uses"] else [CLEAN]):
                    cell = found[name]
                    found[name] = Cell(
                        cell.drawn,
                        cell.rounds + 1,
                        cell.confirmed + (one["verdict"] == CONFIRMED),
                        cell.void + (one["verdict"] == VOID),
                        cell.held + one["held"],
                        cell.broken + wrong[one["number"]],
                    )
        return found

    def table(self) -> str:
        """The cells as lines of a table."""
        head = ("drawn", "came", "confirmed", "void", "held", "broken")
        lines = [f"{'fault':<24}" + "".join(f"{each:>10}" for each in head)]
        for name, cell in self.cells().items():
            lines.append(f"{name:<24}" + "".join(f"{each:>10}" for each in cell))
        return "\n".join(lines)

    def sentence(self) -> str:
        """The whole in one line."""
        parts = [
            f"{self.broken[rule]} {words}"
            for rule, words in RULES
            if rule in ALWAYS_SAID or self.broken[rule]
        ]
        never = f" Drawn, and never come about: {', '.join(self.never())}." if self.never() else ""
        return (
            f"{self.rounds} rounds, {self.uses} faults: {self.confirmed} confirmed,"
            f" {self.void} void, {self.held} held; {', '.join(parts)}.{never}"
        )

    def bound_sentence(self) -> str:
        """What the count shows of wrong rounds; empty of too few."""
        bound = rate_bound(self.broken[WRONG_CARDS] + self.broken[WRONG_PAY], self.rounds)
        if bound is None:
            return ""
        share = f"fewer than 1 in {int(1 / bound):,}"
        return f"With {CONFIDENCE * 100:.0f} % confidence: wrong rounds {share}."

    def as_json(self) -> dict[str, Any]:
        """The figures, for programs."""
        return {
            "event": "card_campaign",
            "rounds": self.rounds,
            "confirmed": self.confirmed,
            "void": self.void,
            "held": self.held,
            "clean": self.clean,
            "faults": self.uses,
            "not_begun": self.not_begun,
            "voids": dict(sorted(self.voids.items())),
            "broken": {rule: self.broken[rule] for rule, _ in RULES},
            "cells": {name: cell._asdict() for name, cell in self.cells().items()},
            "good": self.good,
        }
