"""What the evidence says of a coup's throw, drop and settling, against what really happened."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from harness.any_wheel import BOARDS, Wheel
from harness.places import PITCH
from harness.playing import ROULETTE
from harness.sessions import Truth
from harness.taught import remembering
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.call import gap_forecast
from firmware.core.coup import states
from firmware.core.coup.restart_state import FRESH

COUPS = 12
KEYS = ("gap", "gaps_ppm", "slowing_ppm", "launch_place", "rotor_uturn_s", "settled_us")


@functools.cache
def played() -> tuple[WheelSession, list[tuple[Truth, Any]]]:
    """Coups of a wheel that has learned: the session, and the truth and evidence of each.

    `begun_us` is put to the evidence: when its times begin.
    """
    session = WheelSession(11, wheel="W1")
    for _ in range(COUPS):
        plan = session.plan()
        plan.start_button_s = None
        plan.settled_s = 14.0
        session.play(plan)
    watched = Watched(ROULETTE.controller(restart_state=remembering()))
    watched.run(session)
    begun = [fact.at_us for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    bodies = [body for kind, body in watched.durable if kind == "evidence"]
    said = [body | {"begun_us": at_us} for body, at_us in zip(bodies, begun, strict=True)]
    assert [type(end) for end in watched.ends] == [facts.Result] * COUPS
    return session, list(zip(session.truths, said, strict=True))


def passed(session: WheelSession, truth: Truth) -> list[tuple[float, int]]:
    """When the ball of a coup stood before which beam, in order."""
    assert truth.launch_us is not None
    assert truth.drop_us is not None
    found = []
    for beam in range(3):
        for begin, end in session.dark[f"rim{beam}"]:
            if truth.launch_us <= begin * 1e6 <= truth.drop_us + 1:
                found.append(((begin + end) / 2, beam))
    return sorted(found)


def test_the_gap_is_that_after_the_last_beam_in_the_balls_own_direction() -> None:
    session, coups = played()
    for truth, said in coups:
        (_, before), (_, last) = passed(session, truth)[-2:]
        is_ccw = (last - before) % 3 == 1
        assert said["gap"] == (last if is_ccw else (last - 1) % 3)
        assert len(said["gaps_ppm"]) == 3
        assert sum(said["gaps_ppm"]) == gap_forecast.WHOLE_PPM


def test_the_place_of_the_launch_is_the_compartment_that_passed_the_first_beam_then() -> None:
    session, coups = played()
    assert ["launch_place" in said for _, said in coups] == [False] + [True] * (COUPS - 1)
    for truth, said in coups[1:]:  # before the first one's ball no mark had proved the count
        at = next(at for at, beam in passed(session, truth) if beam == 0)
        # Compartment k is centred at the rotor's angle less k / 37 (contracts/trace.md).
        places = session.rotor.at(at) / PITCH % 37
        off = (places - said["launch_place"] + 18.5) % 37 - 18.5
        assert abs(off) < 0.6


def test_the_rotors_speed_is_that_at_the_drop() -> None:
    session, coups = played()
    for truth, said in coups:
        assert truth.drop_us is not None
        at = truth.drop_us / 1e6 + 0.5
        speed = abs(session.rotor.at(at + 0.1) - session.rotor.at(at - 0.1)) / 0.2 * 1e6
        assert said["rotor_uturn_s"] == pytest.approx(speed, rel=0.03)


def test_a_ball_is_settled_when_the_first_sensor_sees_it_in_its_place() -> None:
    _, coups = played()
    for truth, said in coups:
        assert truth.settle_us is not None
        first_us = said["votes"][0][3]
        assert said["settled_us"] == first_us - said["drop"]["at_us"]
        # It passes the next sensor within a third of a turn; it may hop there for a bounce before.
        a_third_us = 1e12 / 3 / said["rotor_uturn_s"]
        assert -300_000 < said["begun_us"] + first_us - truth.settle_us < a_third_us * 1.1


def test_a_ball_that_slows_as_the_wheel_has_learned_says_so_absolutely() -> None:
    """W1 slows a ball by some .09 turn/s2 there, PHYSICS.md; the prior is .055."""
    _, coups = played()
    for _, said in coups:
        assert 400_000 < said["slowing_ppm"] < 900_000


def test_a_wheel_that_has_not_learned_foretells_nothing() -> None:
    wheel = Wheel("roulette_ref")
    wheel.play_on()
    for said in (body for kind, body in wheel.durable if kind == "evidence"):
        assert "gap" in said
        assert "gaps_ppm" not in said
        assert "slowing_ppm" not in said


def test_a_beam_that_has_missed_the_ball_before_the_drop_leaves_its_gap_open() -> None:
    session = WheelSession(11, wheel="W1")
    plan = session.plan()
    plan.settled_s = 14.0
    truth = session.play(plan)
    at, beam = passed(session, truth)[-2]
    session.cut[f"rim{beam}"].append((at - 0.05, at + 0.05))
    watched = Watched(ROULETTE.controller(restart_state=remembering()))
    watched.run(session)
    said = watched.evidence()
    assert "drop" in said
    assert "gap" not in said
    assert "gaps_ppm" not in said


@pytest.mark.parametrize("board", BOARDS)
def test_each_apparatus_says_what_it_can(board: str) -> None:
    wheel = Wheel(board, FRESH)
    wheel.play_on()
    for said in (body for kind, body in wheel.durable if kind == "evidence"):
        expected = {
            "roulette_ref": {"gap", "rotor_uturn_s", "settled_us"},
            "vingt_trois_ref": {"rotor_uturn_s", "settled_us"},
            "boule_ref": {"settled_us"},
        }[board]
        assert {key for key in KEYS if key in said} - {"launch_place"} == expected
        assert said["settled_us"] >= 0
        if board == "boule_ref":
            ((_, dark_us),) = said["cups"]
            assert said["settled_us"] == max(dark_us - said["drop"]["at_us"], 0)


def test_a_call_by_silence_foretells_nothing_for_the_ball_may_have_left() -> None:
    session, _ = played()
    watched = Watched(ROULETTE.controller(restart_state=remembering()))
    watched.start(session.levels())
    game = watched.core.game
    for edge in session.edges():
        watched.edge(*edge)
        if watched.core.state == states.BALL_IN_TRACK and game.predictor._due is not None:
            break
    game._call(watched.at_us, "silence")
    assert game.predictor._called is None
