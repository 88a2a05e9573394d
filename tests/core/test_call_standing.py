"""Where the prediction of the call stands is told as a coup has ended, and never within one."""

from __future__ import annotations

from typing import Any

import pytest
from harness.any_wheel import Wheel

import boards
from firmware.core import facts
from firmware.core.call.predictor import (
    EARNED_COUPS,
    LEARNING,
    REFUSED,
    CallPredictor,
)
from firmware.core.coup import states


def told(wheel: Wheel) -> list[Any]:
    return [order for order in wheel.orders if isinstance(order, facts.CallProgress)]


def standings(wheel: Wheel, *changes: facts.CallProgress) -> None:
    """The caller's standing is these, one after the other, each time a ball has left the track."""
    call_predictor = wheel.core.game.predictor
    left = call_predictor.left
    waiting = list(changes)

    def leaves(missing_us: int) -> Any:
        if waiting:
            standing = waiting.pop(0)
            call_predictor.progress = lambda at_us: standing._replace(at_us=at_us)
        return left(missing_us)

    call_predictor.left = leaves


def test_a_new_wheel_says_so_before_anything_else_is_shown() -> None:
    wheel = Wheel("roulette_ref")
    assert [type(order) for order in wheel.orders] == [facts.CallProgress, facts.View]
    assert told(wheel) == [facts.CallProgress(0, 0, None, "new")]


def test_what_a_coup_taught_is_told_with_its_end_and_not_before() -> None:
    wheel = Wheel("roulette_ref")
    first = facts.CallProgress(0, 1, 1_900_000, "learning")
    second = facts.CallProgress(0, 2, 1_700_000, "learning")
    standings(wheel, first, second)
    wheel.until_state(states.DETECTED, states.CONFIRMED)
    kinds = [type(order) for order in wheel.orders]
    assert kinds.index(facts.BallDropped) < kinds.index(facts.Result)
    assert kinds[kinds.index(facts.Result) :] == [facts.Result, facts.CallProgress, facts.View]
    wheel.play_on()
    assert [(fact.coups, fact.lead_us) for fact in told(wheel)[1:]] == [first[1:3], second[1:3]]
    ends = [fact.at_us for fact in wheel.facts if isinstance(fact, facts.Result)]
    assert [fact.at_us for fact in told(wheel)[1:]] == ends


def test_what_stands_as_it_stood_is_not_told_again() -> None:
    wheel = Wheel("roulette_ref")
    standings(wheel, *[facts.CallProgress(0, 7, 900_000, "learned")] * 2)
    wheel.play_on()
    assert len([fact for fact in wheel.facts if isinstance(fact, facts.Result)]) == 2
    assert [fact.coups for fact in told(wheel)] == [0, 7]


def test_a_coup_that_a_restart_interrupted_ends_first() -> None:
    wheel = Wheel("roulette_ref")
    wheel.until_state(states.BALL_IN_TRACK)
    restart_state = facts_memory(wheel)
    again = Wheel("roulette_ref", restart_state, after=wheel)
    kinds = [type(order) for order in again.orders]
    assert kinds.index(facts.Void) < kinds.index(facts.CallProgress)
    assert len(told(again)) == 1


def facts_memory(wheel: Wheel) -> Any:
    from firmware.core.coup.restart_state import FRESH

    return FRESH._replace(open_coup=wheel.core.table.coup)


@pytest.mark.parametrize("board", ["vingt_trois_ref", "boule_ref"])
def test_where_nothing_is_predicted_nothing_stands_anywhere(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    assert told(wheel) == []
    assert len(wheel.kinds()) == 2


def test_it_is_for_status_and_displays_and_no_event() -> None:
    fact = facts.CallProgress(1, 2, 3, "learned")
    assert facts.fact_line(fact) is None
    assert facts.croupiers_line(fact) is None


def test_what_could_not_be_used_is_told_until_the_margins_are_earned() -> None:
    """By drops of both directions together: the one teaches the other."""
    call_predictor = CallPredictor(boards.load("roulette_ref")["geometry"], ["damaged"], call_us=0)
    call_predictor.learned.coups = EARNED_COUPS
    call_predictor.learned.models[0].coups = EARNED_COUPS - 1
    assert call_predictor.progress(0).why == REFUSED
    call_predictor.learned.models[1].coups = 1
    assert call_predictor.progress(0).why == LEARNING
