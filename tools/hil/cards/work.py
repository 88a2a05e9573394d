"""Plays the jobs of a plan, here or in worker processes: a row each, whatever comes of it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tools.hil.cards import scenario
from tools.hil.cards.places import PLACES, VIRTUAL
from tools.hil.cards.scenario import Plan
from tools.hil.verdict import CRASHED, crash_text


def rows(plan: Plan, jobs: int, place: str = VIRTUAL) -> Iterator[dict[str, Any]]:
    """The rows of all jobs of the plan, as they come, from so many processes."""
    indices = range(scenario.count(plan))
    if jobs == 1:
        yield from map(partial(row_of, plan, place=place), indices)
        return
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        chunk = 4 if place == VIRTUAL else 1
        yield from pool.imap_unordered(partial(row_of, plan, place=place), indices, chunk)


def row_of(plan: Plan, index: int, place: str = VIRTUAL) -> dict[str, Any]:
    """Plays job `index`, and tells; a crash breaks a rule like anything else."""
    played = scenario.job(plan, index)
    row: dict[str, Any] = {
        "job": index,
        "place": place,
        "kind": scenario.kind_of(plan, index),
        "game": played.setup.game,
        "drawn": [use.fault for use in played.uses],
    }
    try:
        ran = PLACES[place](played)
    except Exception as error:
        broken = {"rule": CRASHED, "round": None, "fault": None, "text": crash_text(error)}
        return row | {"rounds": [], "broken": [broken], "not_begun": 0, "table_s": 0}
    names = [use.fault for use in played.uses]
    return row | {
        "rounds": [
            {
                "number": one.number,
                "verdict": one.verdict,
                "reason": one.reason,
                "held": one.held,
                "uses": _named(names, one.uses),
                "own": _named(names, one.own),
            }
            for one in ran.verdict.rounds
        ],
        "broken": [
            {
                "rule": each.rule,
                "round": each.coup,
                "fault": None if each.use is None else names[each.use],
                "text": each.text,
            }
            for each in ran.verdict.broken
        ],
        "not_begun": sum(begun is None for begun in ran.log.begun),
        "table_s": ran.table_us // 1_000_000,
    }


def _named(names: Sequence[str], indices: Sequence[int]) -> list[str]:
    return [names[index] for index in indices]
