"""Roulette: a ball in its pocket that no beam, or one alone, saw in the track: nobody could call.

French arrêté of 14 May 2007, art. 67-5: where the call cannot be detected the croupier enters the
number. Where the terminals still took stakes the coup is void: that number was open to stake on.
"""

from __future__ import annotations

from typing import Any

import pytest
from harness.ledger import Ledger
from harness.places import PITCH, RING_BALL
from harness.playing import ROULETTE, in_coups, outcomes
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.coup import states

BLIND = ("two_rims_dead", "all_rims_dead")
SILENT = {"two_rims_dead": ["Beam 0", "Beam 1"], "all_rims_dead": ["Beam 0", "Beam 1", "Beam 2"]}


def blind(trouble: str, seed: int = 1, *, coups: int = 2) -> WheelSession:
    """A coup whose beams fail, and clean ones after it."""
    session = WheelSession(seed)
    for number in range(coups):
        plan = session.plan()
        plan.start_button_s = None
        plan.settled_s = 16.0
        plan.troubles = [] if number else [trouble]
        session.play(plan)
    return session


def asked(trouble: str, seed: int = 1, **options: Any) -> tuple[Watched, WheelSession]:
    """Played until the coup is over or people are asked."""
    session = blind(trouble, seed)
    watched = Watched(ROULETTE.controller(undetected="manual", **options))
    watched.play(session, lambda: watched.core.state in (states.MANUAL, states.VOID))
    return watched, session


def named(told: list[Any]) -> list[str]:
    """The beams that a W22 names."""
    return [
        fact.text.split(": ")[1][:6]
        for fact in told
        if isinstance(fact, facts.Fault) and fact.code == "W22"
    ]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("trouble", BLIND)
def test_blind_beams_are_named_and_the_coup_is_void_before_the_next(
    trouble: str, seed: int
) -> None:
    session = blind(trouble, seed)
    told = Watched(ROULETTE.controller()).run(session)
    coups = in_coups(session.truths, told)
    assert outcomes(coups) == ["sensors_disagree", "result"]
    assert not coups[0].one(facts.NoMoreBets)
    assert coups[0].ends[0].at_us < session.truths[0].end_us
    assert named(told) == SILENT[trouble]


@pytest.mark.req("FR-67-5.call")
@pytest.mark.parametrize("trouble", BLIND)
def test_people_are_asked_once_the_table_has_called(trouble: str) -> None:
    watched, session = asked(trouble)
    drop_us = session.truths[0].drop_us
    assert drop_us is not None
    assert watched.core.state == states.MANUAL
    assert watched.at_us > drop_us
    assert watched.codes == ["W22"] * len(SILENT[trouble]) + ["P14"]
    assert [type(fact) for fact in watched.facts].count(facts.NoMoreBets) == 1
    entry = facts.ManualEntered(watched.at_us, 17, None, "anna", "weber", "beams dark")
    watched.event(entry)
    assert watched.ends[0].number == 17
    assert watched.evidence()["undetected"] == "sensors_disagree"


@pytest.mark.parametrize("trouble", BLIND)
def test_with_stakes_on_terminals_nobody_is_asked(trouble: str) -> None:
    book = Ledger()
    watched, _ = asked(trouble, book=book)
    assert [end.reason for end in watched.ends] == ["sensors_disagree"]
    assert book.told == [("begin", 1), ("ended", 1, None, "sensors_disagree")]


@pytest.mark.parametrize("seed", range(6))
def test_a_ball_that_made_no_turns_is_void_however_few_beams_are_left(seed: int) -> None:
    """A weak launch is the coup's fault, not the beams': nobody is asked for its number."""
    session = WheelSession(seed)
    plan = session.plan()
    plan.launch_turn_s = 0.7
    plan.troubles = ["two_rims_dead"]
    session.play(plan)
    watched = Watched(ROULETTE.controller(undetected="manual"))
    watched.run(session)
    assert [end.reason for end in watched.ends] == ["too_few_turns"]
    assert not named(watched.facts)


def test_the_ball_of_the_last_coup_is_no_ball_that_the_beams_missed() -> None:
    """It lies in the wheel until it is lifted, and the rotor may turn for the next coup by then."""
    session = WheelSession(5)
    plan = session.plan()
    plan.start_button_s, plan.settled_s, plan.launch_s = 0.1, 16.0, 12.0
    rest = session.play(plan).rests[0][2]
    plan = session.plan()
    plan.start_button_s, plan.launch_s, plan.lands = 0.1, 12.0, rest
    truth = session.play(plan)
    begun_s = truth.motion_us / 1e6
    session._fixed(-rest * PITCH, RING_BALL, begun_s, begun_s + 9.0)
    coups = ROULETTE.coups(session)
    assert outcomes(coups) == ["result", "result"]
