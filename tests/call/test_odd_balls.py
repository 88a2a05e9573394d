"""Beams that are blind, and pulses that are not the ball's."""

from __future__ import annotations

import pytest
from call_balls import balls, geometry, kept, run

from firmware.core.call.predictor import CallPredictor
from firmware.core.sense.beams import Crossing


@pytest.mark.parametrize("early_turn", [0.05, 0.08, 0.11])
def test_a_pulse_that_comes_too_soon_makes_no_call_later(early_turn: float) -> None:
    """A ball does not speed up: what came so soon was something else, or a stamp gone wrong."""
    call_predictor = CallPredictor(geometry(3), None, call_us=0)
    taught = list(balls("W2", 80, seed=5))
    for ball in taught[:60]:
        run(call_predictor, ball)
    for ball in taught[60:]:
        call_predictor.forget_coup()
        due = None
        for seen in kept(ball.crossings[:-1]):
            due = call_predictor.crossed(seen, ball.direction)
        last, before = ball.crossings[-1], ball.crossings[-2]
        speed = (last.turned_uturn - before.turned_uturn) / (last.at_us - before.at_us)
        soon = Crossing(last.at_us - int(early_turn * 1e6 / speed), last.beam, last.turned_uturn)
        assert call_predictor.crossed([*ball.crossings[-9:-1], soon], ball.direction) <= due


def test_a_beam_that_misses_the_ball_makes_no_call_a_cautious_one() -> None:
    """Whichever it is: some 6 s on this wheel."""
    call_predictor = CallPredictor(geometry(3), None, call_us=0)
    *taught, ball = balls("W1", 61, seed=4)
    for one in taught:
        run(call_predictor, one)
    state = call_predictor.plain()
    before_us = []
    for missed in range(len(ball.crossings) - 12, len(ball.crossings) - 1):
        seen = ball._replace(crossings=ball.crossings[:missed] + ball.crossings[missed + 1 :])
        called_us = run(CallPredictor(geometry(3), state, call_us=0), seen)
        before_us.append(ball.drop_us - called_us)
    assert 0 < min(before_us) and max(before_us) < 3_000_000
