"""A self-test as a table for people."""

from __future__ import annotations

from tools.technician.selftest.part import FAILED, INCOMPLETE, NOT_TESTED, PASSED, Part

_COLOURS = {PASSED: "green", FAILED: "red", INCOMPLETE: "yellow", NOT_TESTED: "yellow"}


def line(part: Part) -> str:
    """One part, in 80 columns but for its note."""
    name = f"{part.name:<27.27}"
    return f"{part.outcome:<11}{name} {part.measured:>17} {part.limits:>15}  {part.note}".rstrip()


def colour(outcome: str) -> str | None:
    """Of an outcome, on a terminal."""
    return _COLOURS.get(outcome)
