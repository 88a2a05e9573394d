"""What people do to buttons and safety inputs (tools/hil/faults/people.py)."""

from random import Random

import pytest
from small_world import START, VOID, SmallWorld, pulse, seen

from tools.hil import places
from tools.hil.faults.people import Pressed, Safety
from tools.hil.scenario import FaultInjection, Scenario

HAMMERED = {"buttons": "btn_start", "presses": 3, "gap_ms": 20}
HELD = {"buttons": "btn_start", "presses": 1, "gap_ms": 20}


def test_a_hammered_button_is_pressed_so_often_and_held_at_last() -> None:
    told = seen(Pressed, [], 400_000, **HAMMERED)
    assert [(at_us, level) for at_us, line, level in told if line == START] == [
        (0, 1), (80_000, 0), (100_000, 1), (180_000, 0), (200_000, 1),
    ]  # fmt: skip


def test_both_buttons_are_pressed_at_the_same_time() -> None:
    told = seen(Pressed, [], 10_000, buttons="both", presses=1, gap_ms=20)
    assert told == [(0, START, 1), (0, VOID, 1)]


def test_a_button_that_is_held_does_not_fall_when_the_croupier_lets_go_of_it() -> None:
    told = seen(Pressed, pulse(START, 50_000, 80_000), 400_000, **HELD)
    assert {level for _, _, level in told} == {1}


def test_a_button_held_is_as_the_croupier_has_it_afterwards() -> None:
    world = SmallWorld()
    fault = Pressed(world, HELD, Random(1))  # type: ignore[arg-type]
    fault.begin_fault(0)
    fault.edges([], 1_000)
    assert fault.end_fault(2_000) == [(2_000, START, 0)]


def test_the_emergency_stop_is_a_safety_input_and_no_edge() -> None:
    world = SmallWorld()
    fault = Safety(world, {"input": "estop"}, Random(1))  # type: ignore[arg-type]
    assert fault.begin_fault(5) == []
    assert world.safety == {"estop": 1}
    assert fault.end_fault(9) == []
    assert world.safety == {"estop": 0}


@pytest.mark.parametrize("apparatus", ["roulette", "vingt_trois", "boule"])
def test_a_croupier_whose_confirmation_was_not_felt_presses_again(apparatus: str) -> None:
    held = FaultInjection(
        "start_held", 1, "rest", lasts_us=30_000_000, parameters=tuple(HELD.items())
    )
    scenario = Scenario("t", "T.", apparatus, 4, confirm="croupier", faults=(held,))
    verdict = places.load("virtual").run(scenario).verdict
    assert len(verdict.coups) >= 3 and not verdict.broken
    assert {coup.verdict for coup in verdict.coups[-2:]} == {"right"}


@pytest.mark.parametrize("moment", ["launch", "rest"])
def test_a_current_limit_that_speaks_for_an_instant_is_seen_where_time_jumps(moment: str) -> None:
    spoke = FaultInjection(
        "overcurrent", 2, moment, after_us=1_234_567, lasts_us=20_000,
        parameters=(("input", "overcurrent"),),
    )  # fmt: skip
    scenario = Scenario("t", "T.", "roulette", 4, faults=(spoke,))
    verdict = places.load("virtual").run(scenario).verdict
    assert not verdict.broken
    assert [(told.code, told.how) for told in verdict.noticed] == [("M13", "told")]
