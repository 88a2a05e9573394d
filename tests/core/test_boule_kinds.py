"""Every kind of trouble of boule_bench.py, judged against its truth, in dishes of all sizes."""

from __future__ import annotations

import bisect
from typing import Any

import pytest
from boule_bench import KINDS, Session, Truth
from core_bench import ENDS, Watched

import boards.boule_ref
import rules
from firmware.core import facts
from firmware.core.controller import Controller
from rules import layouts

EARLY_US = 600_000  # a ball thrown without a press opens its coup a lap after the launch


def run(session: Session) -> list[Any]:
    """What the core says of a session."""
    board = boards.boule_ref.board(session.cups)
    assert session.lines == [name for name, _ in board["inputs"]]
    watched = Watched(Controller(board, rules.load("boule_fr", layouts.boule(session.cups))))
    watched.start(session.levels())
    for edge in session.edges():
        watched.edge(*edge)
    watched.end()
    return watched.facts


def complaints(session: Session, told: list[Any]) -> list[str]:
    """All that is wrong, by the truth in whose time each coup began."""
    starts = [truth.start_us - EARLY_US for truth in session.truths]
    lines: list[list[Any]] = [[] for _ in session.truths]
    owner: dict[int, int] = {}
    for fact in told:
        if isinstance(fact, facts.CoupStarted):
            owner[fact.coup] = max(0, bisect.bisect_right(starts, fact.at_us) - 1)
        if not isinstance(fact, facts.Fault):
            lines[owner[fact.coup]].append(fact)
    bad = []
    for truth, of_it in zip(session.truths, lines, strict=True):
        bad += [f"{truth.kind}: {why}: {of_it}" for why in _wrong(truth, of_it)]
    return bad


def _wrong(truth: Truth, lines: list[Any]) -> list[str]:
    ends = [fact for fact in lines if isinstance(fact, ENDS)]
    results = [fact for fact in ends if isinstance(fact, facts.Result)]
    calls = [fact for fact in lines if isinstance(fact, facts.NoMoreBets)]
    why = []
    if len(ends) not in truth.coups:
        why.append("so many coups")
    if any(result.compartment != truth.lies(result.at_us) for result in results):
        why.append("a wrong number")
    if truth.expect == "void" and results:
        why.append("a number")
    if truth.expect == "result" and not results:
        why.append("no number")
    if results and calls[0].at_us > truth.drop_us:
        why.append("a late call")
    return why


@pytest.mark.parametrize("cups", [9, 18, 36])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_coup_ends_as_its_truth_says(kind: str, cups: int) -> None:
    session = Session(5, cups=cups)
    for _ in range(6):
        session.play(kind)
        session.play("clean")
    assert not complaints(session, run(session))


@pytest.mark.parametrize("seed", range(12))
def test_troubles_in_any_order_leave_nothing_behind(seed: int) -> None:
    session = Session(seed, cups=(9, 18, 36)[seed % 3])
    for _ in range(24):
        session.play(session.random.choice(KINDS))
    assert not complaints(session, run(session))
