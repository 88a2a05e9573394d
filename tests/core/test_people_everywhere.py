"""Confirmation, manual mode and pace at every apparatus: what people may is the same at each."""

from __future__ import annotations

import random

import pytest
from harness.any_wheel import BOARDS, Wheel
from harness.mess import DELAYS_US, anything
from harness.watched import ENDS

from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.manual import MANUAL_US

CALLED = (states.NO_MORE_BETS, states.BALL_DROPPED)
PACE_US = 600_000_000


@pytest.mark.parametrize("board", BOARDS)
def test_both_coups_are_clean_unless_people_meddle(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    assert wheel.kinds() == [facts.Result, facts.Result]
    assert not any("manual" in body for body in wheel.bodies())


@pytest.mark.req("FR-46.verified")
@pytest.mark.parametrize("by_button", [True, False])
@pytest.mark.parametrize("board", BOARDS)
def test_the_croupier_confirms_and_the_record_says_so(board: str, by_button: bool) -> None:
    """Luxembourg art. 37-1 and France art. 46: the croupier verifies the detected number."""
    wheel = Wheel(board, confirm="croupier")
    wheel.until_state(states.DETECTED)
    assert wheel.core.view().number is None
    wheel.until(wheel.at_us + 500_000)
    assert not wheel.kinds()
    if by_button:
        wheel.press("btn_start")
    else:
        wheel.event(facts.ConfirmAsked(wheel.at_us, "anna"))
    assert wheel.kinds() == [facts.Result]
    (body,) = wheel.bodies()
    assert wheel.evidence()["who"] == ("croupier" if by_button else "anna")
    assert "manual" not in body
    assert wheel.core.view().number == body["number"]
    assert [type(fact) for fact in wheel.facts].count(facts.CoupStarted) == 1


@pytest.mark.parametrize("state", CALLED)
@pytest.mark.parametrize("board", BOARDS)
def test_people_enter_a_number_and_play_goes_on(board: str, state: str) -> None:
    """French arrêté of 14 May 2007, art. 67-5: alternation, record and broadcast go on."""
    wheel = Wheel(board)
    wheel.until_state(state)
    while board != "boule_ref" and facts.RotorMoving not in map(type, wheel.facts):
        wheel.edge(*wheel._left.pop(0))  # vingt-trois is called for before it is set in motion
    wheel.enter(7)
    assert wheel.core.view().number == 7
    (body,) = wheel.bodies()
    assert body["manual"] == ["anna", "weber"]
    several = list(wheel.rules["layout"]).count(7) > 1
    assert (body["compartment"] is None) == (several and board == "boule_ref")
    wheel.play_on()
    assert wheel.kinds() == [facts.Result, facts.Result]
    assert "manual" not in wheel.bodies()[1]


@pytest.mark.parametrize("board", BOARDS)
def test_people_are_asked_where_the_sensors_gave_up(board: str) -> None:
    wheel = Wheel(board, undetected="manual")
    wheel.until_state(states.BALL_DROPPED)
    wheel.core.table.sensors_failed("sensors_disagree")
    wheel.take(wheel.at_us, wheel.core.table.take_outputs())
    begun_us = wheel.at_us
    wheel.until_state(states.MANUAL)
    wheel.until(begun_us + 5_000_000)
    wheel.press("btn_start")
    assert wheel.core.state == states.MANUAL
    wheel.enter(7)
    assert wheel.kinds() == [facts.Result]
    assert wheel.evidence()["undetected"] == "sensors_disagree"


@pytest.mark.parametrize("board", BOARDS)
def test_nobody_came_to_enter_it(board: str) -> None:
    wheel = Wheel(board, undetected="manual")
    wheel.until_state(states.BALL_DROPPED)
    wheel.core.table.sensors_failed("timeout")
    wheel.take(wheel.at_us, wheel.core.table.take_outputs())
    since_us = wheel.at_us
    wheel.until(since_us + MANUAL_US)
    (end,) = [fact for fact in wheel.facts if isinstance(fact, facts.Void)]
    assert (end.reason, end.at_us) == ("timeout", since_us + MANUAL_US)


@pytest.mark.parametrize("board", BOARDS)
def test_what_people_enter_before_the_call_is_called_for_first(board: str) -> None:
    wheel = Wheel(board)
    wheel.until_state(states.BETS_OPEN, states.NO_MORE_BETS)
    wheel.enter(7)
    kinds = [type(fact) for fact in wheel.facts]
    assert kinds.count(facts.NoMoreBets) == 1
    assert kinds.index(facts.NoMoreBets) < kinds.index(facts.Result)


@pytest.mark.parametrize("board", BOARDS)
def test_a_coup_is_recorded_as_it_begins_before_anything_else_of_it(board: str) -> None:
    """Ontario 3.2.3: an interrupted game is preserved. At boule nothing is actuated to tell it."""
    wheel = Wheel(board)
    wheel.play_on()
    begun = [body["coup"] for kind, body in wheel.durable if kind == "begun"]
    assert begun == [1, 2]
    for coup_now in begun:
        kinds = [kind for kind, body in wheel.durable if body.get("coup") == coup_now]
        assert kinds[0] == "begun"


@pytest.mark.parametrize("driven", [True, False])
@pytest.mark.parametrize("board", BOARDS[1:])
def test_a_press_before_the_pace_allows_begins_no_coup(board: str, driven: bool) -> None:
    """UK casino technical requirements 1.1. Here the button begins the coup."""
    wheel = Wheel(board, pace_us=PACE_US, driven=driven and board != "boule_ref")
    wheel.until_state(states.NO_MORE_BETS)
    wheel.event(facts.VoidAsked(wheel.at_us, "anna"))
    wheel.until(wheel.at_us + 20_000_000)
    for _ in range(3):
        wheel.press("btn_start")
        wheel.until(wheel.at_us + 10_000_000)
    kinds = [type(fact) for fact in wheel.facts]
    assert kinds.count(facts.CoupStarted) == 1
    assert {fact.code for fact in wheel.facts if isinstance(fact, facts.Fault)} == {"P11"}
    wheel.until(PACE_US + 20_000_000)
    wheel.press("btn_start")
    wheel.until(wheel.at_us + 3_000_000)
    assert [type(fact) for fact in wheel.facts].count(facts.CoupStarted) == 2


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("board", BOARDS[1:])
def test_people_who_are_asked_among_edges_at_random_break_nothing(board: str, seed: int) -> None:
    """Held by harness.watched: order of coups and records, views, one end a coup."""
    r = random.Random(seed)
    wheel = Wheel(
        board,
        undetected="manual",
        confirm=r.choice(("auto", "croupier")),
        driven=r.random() < 0.5 and board != "boule_ref",
        pace_us=r.choice((0, 30_000_000)),
    )
    wheel.delay_us = DELAYS_US[seed % 4]
    at_us = 0
    for _ in range(1_500):
        at_us += r.randrange(r.choice((2_000, 60_000, 600_000)))
        level = -1 if r.random() < 0.01 else r.randrange(2)
        wheel.edge(at_us, r.randrange(len(wheel.lines)), level)
        if r.random() < 0.03:
            wheel.event(anything(r, wheel.at_us))
        at_us = wheel.at_us
    wheel.end()
    started = [fact.coup for fact in wheel.facts if isinstance(fact, facts.CoupStarted)]
    assert [fact.coup for fact in wheel.facts if isinstance(fact, ENDS)] == started


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("board", BOARDS)
def test_people_who_are_asked_among_clean_coups_break_nothing(board: str, seed: int) -> None:
    r = random.Random(seed)
    wheel = Wheel(board, undetected="manual", confirm=r.choice(("auto", "croupier")))
    reasons = ("sensors_disagree", "encoder", "timeout", "ball_lost")
    for edge in tuple(wheel._left):
        wheel.edge(*edge)
        if r.random() < 0.003:
            wheel.core.table.sensors_failed(r.choice(reasons))
            wheel.take(wheel.at_us, wheel.core.table.take_outputs())
        if r.random() < 0.002:
            wheel.event(anything(r, wheel.at_us))
    wheel.end()
    started = [fact.coup for fact in wheel.facts if isinstance(fact, facts.CoupStarted)]
    assert [fact.coup for fact in wheel.facts if isinstance(fact, ENDS)] == started
