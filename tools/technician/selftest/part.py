"""One line of a self-test: what was measured, its limits, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from firmware.lib.language import N_, Message, translated

PASSED = N_("passed")
FAILED = N_("failed")
NOT_TESTED = N_("not tested")
NOT_FITTED = N_("not fitted")
INCOMPLETE = N_("incomplete")  # of a whole test: nothing failed, and something was not tested


class Limit(NamedTuple):
    """What a measurement is held against: from `low` to `high`, why there, and what to do about
    one that is not within."""

    low: float
    high: float
    unit: str
    why: str
    digits: int = 0
    remedy: str = ""


class Part(NamedTuple):
    """One part of the wheel. `value` None: nothing was measured, and `note` says why. `tries`: how
    often it was measured, with a hand, until it was left as it is."""

    group: str
    name: str
    value: float | None
    limit: Limit | None
    outcome: str
    note: str = ""
    tries: int = 1

    def as_json(self) -> dict[str, Any]:
        """Its line with --json."""
        limit = self.limit
        return {
            "event": "part",
            "group": self.group,
            "part": self.name,
            "value": None if self.value is None else round(self.value, 3),
            "unit": limit.unit if limit else None,
            "low": limit.low if limit else None,
            "high": limit.high if limit else None,
            "outcome": self.outcome,
            "why": limit.why if limit else None,
            "note": self.note,
            "remedy": self.remedy,
            "tries": self.tries,
        }

    @property
    def remedy(self) -> str | None:
        """What to do about it; None where nothing failed."""
        return self.limit.remedy if self.limit and self.outcome == FAILED else None

    @property
    def tried(self) -> str:
        """How often, where that was more than once."""
        return Message("tried {n} times", n=self.tries) if self.tries > 1 else ""

    @property
    def measured(self) -> str:
        """The value as people read it."""
        if self.value is None or self.limit is None:
            return "-"
        text = f"{self.value:.{self.limit.digits}f}"
        unit = self.limit.unit
        return Message("{value} {unit}", value=text, unit=Message(unit)) if unit else text

    @property
    def limits(self) -> str:
        """The limits as people read them."""
        if self.limit is None:
            return "-"
        low, high = (f"{each:.{self.limit.digits}f}" for each in (self.limit.low, self.limit.high))
        return low if low == high else Message("{low} to {high}", low=low, high=high)


def judged(group: str, name: str, value: float | None, limit: Limit, note: str = "") -> Part:
    """A measurement held against its limits. None was to be measured, and could not: failed."""
    good = value is not None and limit.low <= value <= limit.high
    return Part(group, name, value, limit, PASSED if good else FAILED, note)


def untested(group: str, name: str, why: str) -> Part:
    """A part that nobody could measure. Not tested is never passed."""
    return Part(group, name, None, None, NOT_TESTED, why)


def unfitted(group: str, name: str, why: str) -> Part:
    """A part that this wheel does not have."""
    return Part(group, name, None, None, NOT_FITTED, why)


class Total(NamedTuple):
    """What a whole self-test says."""

    outcome: str
    passed: int
    failed: int
    not_tested: int
    not_fitted: int

    @property
    def words(self) -> str:
        """For the journal and for people."""
        tested = self.passed + self.failed
        values = {"outcome": Message(self.outcome), "passed": self.passed, "tested": tested}
        if not self.not_tested:
            return Message("{outcome}, {passed} of {tested} passed", **values)
        values["left"] = self.not_tested
        return Message("{outcome}, {passed} of {tested} passed, {left} not tested", **values)


def total(parts: Sequence[Part]) -> Total:
    """The whole of a self-test: passed only where everything that is fitted was tested."""
    counts = dict.fromkeys((PASSED, FAILED, NOT_TESTED, NOT_FITTED), 0)
    for part in parts:
        counts[part.outcome] += 1
    outcome = PASSED
    if counts[NOT_TESTED] or not counts[PASSED]:
        outcome = INCOMPLETE
    if counts[FAILED]:
        outcome = FAILED
    return Total(outcome, *counts.values())


_COLOURS = {PASSED: "green", FAILED: "red", INCOMPLETE: "yellow", NOT_TESTED: "yellow"}


def part_line(part: Part) -> str:
    """One part, in 80 columns but for its note."""
    outcome, name, *notes = map(translated, (part.outcome, part.name, part.note, part.tried))
    note = ", ".join(filter(None, notes))
    measured, limits = translated(part.measured), translated(part.limits)
    return f"{outcome:<11}{name:<27.27} {measured:>17} {limits:>15}  {note}".rstrip()


def with_remedies(parts: Sequence[Part]) -> list[str]:
    """What failed, line by line, and behind those of one kind what to do about them."""
    failed = [part for part in parts if part.outcome == FAILED]
    by_remedy = {part.remedy: [each for each in failed if each.remedy == part.remedy]
                 for part in failed}  # fmt: skip
    lines = []
    for remedy, each in by_remedy.items():
        lines += [*map(part_line, each), f"  {translated(remedy or '')}"]
    return lines


def outcome_colour(outcome: str) -> str | None:
    """Of an outcome, on a terminal."""
    return _COLOURS.get(outcome)
