"""What the first coups of a new wheel teach, and the other direction from them."""

from __future__ import annotations

from itertools import chain
from math import tau

import pytest
from call_balls import balls, geometry, kept, missing_us, run

from firmware.core.call.curve import KNOWN_COUPS, PRIOR_TURN_S2
from firmware.core.call.predictor import EARNED_COUPS, CallPredictor
from tools.sim.parameters import PRESETS


@pytest.mark.parametrize("beams", [1, 3, 8])
@pytest.mark.parametrize("wheel", ["W1", "W2"])
def test_the_first_drops_tell_both_directions_how_fast_the_ball_leaves(
    wheel: str, beams: int
) -> None:
    """Though nothing was known of how it slows: its own last laps have shown it."""
    leaves_at = PRESETS[wheel].exit_speed_rad_s / tau
    for seed in range(6):
        call_predictor = CallPredictor(geometry(beams), None, call_us=0)
        for ball in balls(wheel, EARNED_COUPS, seed=seed, beams=beams):
            run(call_predictor, ball)
        for model in call_predictor.learned.models:
            assert model.margin.mean() == pytest.approx(leaves_at, rel=0.07)
            # So that the call is safe by the drops' own doubt.
            assert model.margin.call_speed(1e-6, 0.0) > 1.1 * leaves_at


def test_a_direction_slows_as_the_other_until_its_own_balls_have_shown_it() -> None:
    call_predictor = CallPredictor(geometry(3), None, call_us=0)
    one, other = call_predictor.learned.models
    found = [ball for ball in balls("W1", 40, seed=3) if ball.direction == 1]
    for ball in found[:KNOWN_COUPS]:
        run(call_predictor, ball)
    assert one.coups == KNOWN_COUPS and other.coups == 0
    assert other.curve.values == one.curve.values
    assert other.curve.at(0.47) < 0.6 * PRIOR_TURN_S2  # W1 slows balls less than what was guessed
    held = list(other.curve.values)
    for ball in found[KNOWN_COUPS:]:
        run(call_predictor, ball)
    assert other.curve.values == held != one.curve.values


def test_a_first_ball_of_whose_last_lap_too_little_is_kept_teaches_what_was_followed() -> None:
    call_predictor = CallPredictor(geometry(3), None, call_us=0)
    (ball,) = balls("W2", 1, seed=1)
    *most, whole = kept(ball.crossings)
    for seen in [*most, whole[-2:]]:
        call_predictor.crossed(seen, ball.direction)
    list(chain.from_iterable(call_predictor.left(missing_us(ball.crossings))))
    assert call_predictor.learned.earning() == 1


def test_what_beams_see_while_a_drop_is_being_learned_is_not_learned_of_it() -> None:
    """The track keeps its crossings in one list, and goes on with it."""
    (ball,) = balls("W2", 1, seed=1)
    learned = []
    for later in ([], [ball.crossings[-1]._replace(at_us=ball.crossings[-1].at_us + 90_000)]):
        call_predictor = CallPredictor(geometry(3), None, call_us=0)
        *before, last = map(list, kept(ball.crossings))
        for seen in [*before, last]:
            call_predictor.crossed(seen, ball.direction)
        lesson = call_predictor.left(missing_us(ball.crossings))
        last += later
        list(lesson)
        learned.append(call_predictor.plain())
    assert learned[0] == learned[1]
