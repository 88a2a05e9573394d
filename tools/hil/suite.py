"""Plays scenarios one after the other, and tells what came of each: rows of a table, JUnit XML."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib.errors import Failure
from tools.hil import places
from tools.hil.faults import catalogue
from tools.hil.places import Ran
from tools.hil.scenario import Scenario
from tools.hil.verdict import CRASHED, LATE, NEVER, TOLD, Broken, crash_text
from tools.testing import junit
from tools.virtual.score import RIGHT, VOID, WRONG

NAME_WIDTH = 27
_HEAD = ("scenario", "coups", "right", "wrong", "void", "late", "told", "s")


class Played(NamedTuple):
    """What came of one scenario. `ran` None: it was not played to its end, or not at all."""

    scenario: Scenario
    ran: Ran | None = None
    broken: tuple[Broken, ...] = ()
    skipped: str = ""  # why it was not begun
    spent_s: float = 0.0


def unmade(scenario: Scenario, place: str) -> str:
    """Says why it cannot be played at that place; empty: it can."""
    for use in scenario.faults:
        can = catalogue.find(use.fault).places
        if place not in can:
            return f"{use.fault} cannot be made at {place}: use --place {' or '.join(can)}."
    return ""


def play(scenarios: Sequence[Scenario], place: str, folder: Path | None) -> Iterator[Played]:
    """Yields what came of each when it is over. One of many that crashes has broken a rule.

    Raises Failure if the place cannot be used any more; what crashes alone is the caller's.
    """
    for scenario in scenarios:
        if why := unmade(scenario, place):
            yield Played(scenario, skipped=why)
            continue
        start_s = time.monotonic()
        ran = None
        broken: Sequence[Broken]
        try:
            ran = places.load(place).run(scenario, folder)
            broken = ran.verdict.broken
        except Exception as error:
            of_place = isinstance(error, Failure) and not isinstance(error, places.Unplayed)
            if of_place or len(scenarios) == 1:
                raise
            broken = (Broken(CRASHED, None, crash_text(error)),)
        yield Played(scenario, ran, tuple(broken), spent_s=time.monotonic() - start_s)


def row(played: Played | None) -> str:
    """One scenario as a line of a table; of None the table's head."""
    if played is None:
        return _line(_HEAD)
    name = played.scenario.name
    if played.skipped:
        return f"{name:<{NAME_WIDTH}} not played: {played.skipped}"
    verdict = "BROKEN" if played.broken else "holds"
    if played.ran is None:
        return f"{_line((name, *['-'] * 6, f'{played.spent_s:.1f}'))}  {verdict}"
    coups = played.ran.verdict.coups
    verdicts = Counter(coup.verdict for coup in coups)
    due = [each for each in played.ran.verdict.noticed if each.how in (TOLD, LATE, NEVER)]
    cells = (
        name,
        len(coups),
        *(verdicts[each] for each in (RIGHT, WRONG, VOID)),
        sum(coup.late for coup in coups),
        f"{sum(each.how == TOLD for each in due)}/{len(due)}" if due else "-",
        f"{played.spent_s:.1f}",
    )
    return f"{_line(cells)}  {verdict}"


def _line(cells: Sequence[Any]) -> str:
    name, *figures = cells
    return f"{name:<{NAME_WIDTH}}" + "".join(f"{each!s:>7}" for each in figures)


def sentence(all_: Sequence[Played]) -> str:
    """Sums them up in one line."""
    begun = [each for each in all_ if not each.skipped]
    coups = sum(len(each.ran.verdict.coups) for each in begun if each.ran is not None)
    failed = sum(bool(each.broken) for each in begun)
    return (
        f"{len(begun)} scenarios played, {coups} coups: a rule is broken in {failed};"
        f" {len(all_) - len(begun)} cannot be played here."
    )


def as_json(all_: Sequence[Played]) -> dict[str, Any]:
    """The same, for programs."""
    return {
        "event": "run",
        "scenarios": len(all_),
        "held": [each.scenario.name for each in all_ if not (each.broken or each.skipped)],
        "failed": [each.scenario.name for each in all_ if each.broken],
        "skipped": [each.scenario.name for each in all_ if each.skipped],
    }


def as_junit(all_: Sequence[Played], place: str) -> str:
    """The file: a test case for each scenario, of that place's class."""
    cases = [
        junit.Case(
            place,
            each.scenario.name,
            [f"{broken.rule}: {broken.text}" for broken in each.broken],
            each.skipped,
            each.spent_s,
        )
        for each in all_
    ]
    return junit.text(junit.suite("cylindre hil run", cases))
