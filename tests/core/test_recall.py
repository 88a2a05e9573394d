"""After a restart the table stands as its last coup ended, and the next begins as after any."""

from __future__ import annotations

from typing import Any

import pytest
from harness.any_wheel import BOARDS, Wheel

import boards
from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.restart_state import LastOutcome, RestartState
from firmware.core.facts import UNKNOWN

PRESS = [name for name, _ in boards.load("boule_ref")["inputs"]].index("btn_start")


def remembered(wheel: Wheel, **change: Any) -> RestartState:
    """What a restart now would be told, from what is durable alone."""
    rotor, ball, last, seq, ended = UNKNOWN, UNKNOWN, None, 0, 0
    corrections = []
    for kind, body in wheel.durable:
        if kind == "actuation":
            rotor = body["rotor"]
        if kind in ("result", "void"):
            ended, rotor, ball = body["coup"], body["rotor"], body["ball"]
        if kind == "correction":
            corrections.append((body["coup"], body["seq"]))
        if kind in ("result", "void", "correction"):
            seq = body["seq"]
            if body["coup"] == ended:
                last = LastOutcome(seq, body.get("number"), body.get("colour"), body.get("reason"))
    begun = wheel.core.table.coup if wheel.core.table.open else 0
    restart_state = RestartState(ended, seq, rotor, ball, begun, None, last, tuple(corrections))
    return restart_state._replace(**change)


def restarted(wheel: Wheel, board: str, **change: Any) -> Wheel:
    """The same wheel after a restart, with what is left of its two coups."""
    again = Wheel(board, remembered(wheel, **change), after=wheel)
    again.durable[:0] = wheel.durable
    return again


@pytest.mark.req("IL-660b.recall")
@pytest.mark.parametrize("board", BOARDS)
def test_the_last_number_is_shown_again_under_its_own_seq(board: str) -> None:
    wheel = Wheel(board)
    wheel.until_state(states.CONFIRMED)
    again = restarted(wheel, board)
    assert again.core.view() == wheel.core.view()
    assert [order for order in again.orders if isinstance(order, facts.View)] == [wheel.core.view()]
    assert not again.facts
    assert again.durable == wheel.durable


@pytest.mark.parametrize("ended", ["result", "void"])
@pytest.mark.parametrize("board", BOARDS)
def test_the_next_coups_begin_and_end_as_after_any(board: str, ended: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    restart_state = remembered(wheel)
    if ended == "void":
        restart_state = restart_state._replace(last=LastOutcome(2, None, None, "croupier"))
    again = Wheel(board, restart_state)
    assert again.core.state == (states.VOID if ended == "void" else states.CONFIRMED)
    again.play_on()
    assert again.kinds() == [facts.Result, facts.Result]
    assert [body["seq"] for body in again.bodies()] == [3, 4]
    assert [body["number"] for body in again.bodies()] == [
        body["number"] for body in wheel.bodies()
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_buttons_and_the_pace_hold_for_a_recalled_number(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    again = Wheel(board, remembered(wheel), pace_us=60_000_000, driven=board != "boule_ref")
    again._left = []
    again.at_us = 1_000_000
    again.press("btn_void")
    again.press("btn_start")
    assert again.core.state == states.CONFIRMED
    assert {fact.code for fact in again.facts if isinstance(fact, facts.Fault)} == {"P11"}
    again.until(70_000_000)
    again.press("btn_start")
    again.until(again.at_us + 3_000_000)
    if board == "roulette_ref":  # its coup begins as the rotor moves
        assert again.orders[-1] == facts.Drive(-remembered(wheel).rotor, None)
    else:
        assert facts.CoupStarted in map(type, again.facts)


@pytest.mark.req("IL-660b.recall")
@pytest.mark.parametrize("board", BOARDS)
def test_the_last_void_is_shown_again_and_a_corrected_number_as_corrected(board: str) -> None:
    wheel = Wheel(board)
    wheel.until_state(states.CONFIRMED)
    wheel.event(facts.CorrectionAsked(wheel.at_us, 1, None, None, "anna", "weber", "two balls"))
    again = restarted(wheel, board)
    view = again.core.view()
    assert (view.state, view.number, view.reason, view.seq) == (states.VOID, None, "croupier", 2)
    colour = "red" if board == "vingt_trois_ref" else None  # elsewhere 5 has one
    again.event(facts.CorrectionAsked(again.at_us, 1, 5, colour, "anna", "weber", "one ball"))
    view = restarted(again, board).core.view()
    assert (view.state, view.number, view.seq) == (states.CONFIRMED, 5, 3)


@pytest.mark.parametrize("board", BOARDS)
def test_an_open_coup_is_void_as_ever_and_no_number_is_shown(board: str) -> None:
    wheel = Wheel(board)
    wheel.until_state(states.CONFIRMED)
    wheel.until_state(states.NO_MORE_BETS)
    again = restarted(wheel, board)
    views = [order for order in again.orders if isinstance(order, facts.View)]
    assert [view.number for view in views] == [None] * len(views)
    assert (views[-1].state, views[-1].reason, views[-1].seq) == (states.VOID, "interrupted", 2)


@pytest.mark.parametrize("board", BOARDS)
def test_a_correction_of_another_coup_leaves_no_number_that_a_display_would_refuse(
    board: str,
) -> None:
    """A display that has believed seq 3 shows nothing of seq 2 any more: the table shows none."""
    wheel = Wheel(board)
    wheel.play_on()
    wheel.event(facts.CorrectionAsked(wheel.at_us, 1, None, None, "anna", "weber", "film"))
    view = restarted(wheel, board).core.view()
    assert (view.state, view.number, view.seq) == (states.BETS_OPEN, None, 3)


def test_a_ball_thrown_after_a_restart_is_not_that_of_the_void_coup_before() -> None:
    """At boule a throw without a press is the coup's that was void before its throw, if any."""
    wheel = Wheel("boule_ref")
    wheel.until_state(states.BETS_OPEN)
    wheel.event(facts.VoidAsked(wheel.at_us, "anna"))
    again = restarted(wheel, "boule_ref")
    again._left = [(at_us, line, level) for at_us, line, level in again._left if line != PRESS]
    while again._left:
        again.edge(*again._left.pop(0))
    assert [fact.reason for fact in again.facts if isinstance(fact, facts.Void)] == [
        "moved_before_call",
        "moved_before_call",
    ]
