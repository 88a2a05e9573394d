"""The driven plate: set in motion after the call, let run out after the coup."""

from __future__ import annotations

from typing import Any

import pytest
from harness.places import LINES
from harness.plate import PlateSession
from harness.playing import VINGT_TROIS, in_coups
from harness.watched import Watched

from firmware.core import facts
from firmware.core.coup import states as coup_states
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import CCW, CW, UNKNOWN

START = LINES.index("btn_start")
VOID = LINES.index("btn_void")
PRESS_US = 2_000_000


def pressed(*, delay_us: int = 0, **options: Any) -> Watched:
    """A driven plate at rest, its button just pressed."""
    watched = Watched(VINGT_TROIS.controller(driven=True, **options), delay_us=delay_us)
    watched.start(None)
    watched.edge(PRESS_US, START, 1)
    watched.edge(PRESS_US + 100_000, START, 0)
    return watched


def driven(session: PlateSession, **options: Any) -> Watched:
    """The session under a motor that turns the plate whenever its hand does."""
    watched = Watched(VINGT_TROIS.controller(driven=True, **options))
    watched.run(session)
    return watched


@pytest.mark.req("FR-47.call_first")
@pytest.mark.parametrize(
    ("call_us", "after_us"), [(0, 1_000_000), (400_000, 1_000_000), (1_500_000, 1_500_000)]
)
def test_the_plate_is_driven_when_the_call_is_spoken_and_a_second_after_the_press(
    call_us: int, after_us: int
) -> None:
    """Article 47: « Il annonce "Rien ne va plus" avant d'effectuer cette manoeuvre. »"""
    watched = pressed(call_us=call_us)
    watched.until(PRESS_US + after_us - 1)
    assert watched.core.state == coup_states.NO_MORE_BETS
    assert not watched.drives
    watched.until(PRESS_US + after_us)
    assert watched.drives == [CW]


@pytest.mark.req("FR-47.reversed")
@pytest.mark.parametrize("last", [CCW, CW])
def test_the_motor_turns_against_the_last_actuation(last: int) -> None:
    """Article 47: « actionner chaque fois le cylindre dans un sens opposé au précédent »."""
    restart_state = FRESH._replace(coup=1, seq=1, rotor=last)
    watched = pressed(restart_state=restart_state)
    watched.until(PRESS_US + 2_000_000)
    assert watched.drives == [-last]


def test_the_motor_waits_until_its_direction_is_durable() -> None:
    watched = pressed(delay_us=400_000)
    watched.until(PRESS_US + 1_399_999)
    assert not watched.drives
    watched.until(PRESS_US + 1_400_000)
    assert watched.drives == [CW]


def test_a_void_between_call_and_motor_keeps_the_plate_at_rest() -> None:
    watched = pressed()
    watched.edge(PRESS_US + 500_000, VOID, 1)
    watched.until(PRESS_US + 5_000_000)
    assert not watched.drives


def test_a_void_while_the_actuation_is_being_recorded_keeps_the_plate_at_rest() -> None:
    watched = pressed(delay_us=400_000)
    watched.edge(PRESS_US + 1_200_000, VOID, 1)
    watched.until(PRESS_US + 5_000_000)
    assert not any(watched.drives)
    assert [end.reason for end in watched.ends] == ["croupier"]


def test_a_plate_that_was_kept_at_rest_was_not_actuated() -> None:
    """Article 47: « actionner chaque fois le cylindre dans un sens opposé au précédent »."""
    restart_state = FRESH._replace(coup=1, seq=1, rotor=CCW)
    watched = pressed(delay_us=400_000, restart_state=restart_state)
    watched.edge(PRESS_US + 1_200_000, VOID, 1)
    watched.until(PRESS_US + 5_000_000)
    assert not any(watched.drives)
    kind, body = watched.durable[-1]
    assert (kind, body["rotor"]) == ("void", CCW)  # after the actuation that was none
    watched.edge(PRESS_US + 6_000_000, START, 1)
    watched.until(PRESS_US + 8_000_000)
    assert [way for way in watched.drives if way] == [CW]


def test_a_void_before_the_plate_has_moved_takes_the_order_back() -> None:
    watched = pressed()
    watched.edge(PRESS_US + 1_100_000, VOID, 1)
    assert watched.drives == [CW, UNKNOWN]


def test_a_trouble_while_the_actuation_is_being_recorded_keeps_the_plate_at_rest() -> None:
    watched = pressed(delay_us=400_000)
    watched.event(facts.Trouble(PRESS_US + 1_200_000, "M13", ""))
    watched.until(PRESS_US + 5_000_000)
    assert not any(watched.drives)


@pytest.mark.parametrize("seed", range(4))
def test_the_plate_runs_out_once_the_coup_has_ended(seed: int) -> None:
    session = PlateSession(seed)
    session.way = CCW  # so that the hand goes on as the motor begins: cw
    for knobs in ({}, {"balls": 2}, {}):
        plan = session.plan()
        plan.press_s, plan.rest_s = 1.5, 2.0
        for name, value in knobs.items():
            setattr(plan, name, value)
        session.play(plan)
    watched = driven(session)
    coups = in_coups(session.truths, watched.facts)
    assert not VINGT_TROIS.wrong_numbers(coups)
    assert [coup.outcome for coup in coups] == ["result", "two_balls", "result"]
    told = [
        order
        for order in watched.orders
        if isinstance(order, (facts.Drive, facts.Result, facts.Void))
    ]
    for order, (drive, end, release) in enumerate(zip(*[iter(told)] * 3, strict=True)):
        assert drive.direction == (CW, CCW)[order % 2]
        assert isinstance(end, (facts.Result, facts.Void))
        assert release == facts.RUN_OUT


def test_a_plate_that_turns_against_its_command_is_void() -> None:
    session = PlateSession(8)
    plan = session.plan()
    plan.press_s = 1.5
    session.play(plan)
    ways = [fact.rotor for fact in driven(session).facts if isinstance(fact, facts.RotorMoving)]
    # The motor is told the opposite of what the state says, so here of what the hand will do.
    restart_state = FRESH._replace(coup=1, seq=1, rotor=ways[0])
    watched = driven(session, restart_state=restart_state)
    assert [end.reason for end in watched.ends] == ["rotor_not_reversed"]


def test_a_plate_moved_by_hand_before_the_motor_is_not_driven_besides() -> None:
    session = PlateSession(8)
    plan = session.plan()
    plan.press_s, plan.accelerate_s, plan.rpm = 0.5, 0.3, 25.0
    session.play(plan)
    watched = driven(session)
    assert not any(watched.drives)
    assert [type(end) for end in watched.ends] == [facts.Result]


@pytest.mark.req("GLI-3.4.4.influence")
def test_a_motor_that_moves_the_plate_unasked_makes_a_void_coup() -> None:
    session = PlateSession(8)
    plan = session.plan()
    plan.press_s = None
    session.play(plan)
    assert [end.reason for end in driven(session).ends] == ["moved_before_call"]


def test_a_driven_plate_that_does_not_move_is_void_and_the_motor_off() -> None:
    watched = pressed()
    watched.until(PRESS_US + 2_000_000)
    watched.event(facts.Trouble(PRESS_US + 4_000_000, "M10", ""))
    assert watched.drives[1:] == [UNKNOWN] * (len(watched.drives) - 1) != []
    assert [end.reason for end in watched.ends] == ["rotor_not_reversed"]
    assert watched.codes == ["M10"]


def test_the_plate_runs_out_while_people_enter_the_number() -> None:
    """Arrêté of 14 May 2007, art. 67-5: the number is read from the plate, so that must stop."""
    session = PlateSession(8)
    session.way = CCW
    plan = session.plan()
    plan.press_s, plan.rest_s, plan.settled_s = 1.5, 2.0, 75.0
    plan.troubles = ["two_pockets_dead"]
    session.play(plan)
    watched = Watched(VINGT_TROIS.controller(driven=True, undetected="manual"))
    assert watched.play(
        session, lambda: watched.core.state == coup_states.MANUAL and watched.drives[-1] == UNKNOWN
    )
    assert watched.drives == [watched.drives[0], UNKNOWN]
    assert not watched.ends


@pytest.mark.req("SD-34.no_spin_out")
def test_a_ball_that_left_the_plate_has_no_number_to_enter() -> None:
    session = PlateSession(8)
    plan = session.plan()
    plan.lost_after, plan.settled_s = 2, 40.0
    session.play(plan)
    watched = Watched(VINGT_TROIS.controller(undetected="manual"))
    watched.run(session)
    assert [end.reason for end in watched.ends] == ["ball_lost"]


def test_a_restart_interrupts_the_open_coup_and_the_alternation_goes_on() -> None:
    restart_state = FRESH._replace(coup=6, seq=6, rotor=CW, open_coup=7)
    watched = Watched(VINGT_TROIS.controller(restart_state=restart_state, driven=True), open_coup=7)
    watched.start(None)
    assert [end.reason for end in watched.ends] == ["interrupted"]
    watched.edge(PRESS_US, START, 1)
    watched.until(PRESS_US + 2_000_000)
    assert watched.drives[-1] == CCW
