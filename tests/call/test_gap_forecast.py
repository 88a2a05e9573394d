"""Where a ball leaves the track is foretold from its motion as it is called."""

from __future__ import annotations

from math import sqrt

import pytest
from even_launcher import Drop, drops

from firmware.core.call.ball_tracker import BallState
from firmware.core.call.direction_model import DirectionModel
from firmware.core.call.gap_forecast import WHOLE_PPM, GapForecast, gap_of
from firmware.core.call.kalman import MotionState
from firmware.core.facts import CCW, CW
from firmware.core.sense.beams import Crossing

PLACES = (0.0, 0.25, 0.75)  # unevenly


def taught(drop_turn_s: float = 0.5) -> DirectionModel:
    """A wheel whose balls leave at that speed, to within 1 %."""
    model = DirectionModel(len(PLACES))
    for _ in range(60):
        model.margin.learn(drop_turn_s * 0.99, drop_turn_s * 1.01, 1e-8)
    return model


def foretold(speed: float, beam: int, direction: int, *, var: float = 1e-8) -> list[int]:
    motion = MotionState(speed, 1.0, var, 0.0, 1e-6)
    known = BallState(Crossing(0, beam, 0), motion, (), (), ())
    forecast = GapForecast(known, taught(), direction, beams_turn=PLACES, early_turn=0.004)
    while forecast.go_on():
        pass
    return forecast.gaps_ppm()


def test_gaps_count_counter_clockwise_whichever_way_the_ball_runs() -> None:
    assert [gap_of(beam, CCW, 3) for beam in range(3)] == [0, 1, 2]
    assert [gap_of(beam, CW, 3) for beam in range(3)] == [2, 0, 1]


@pytest.mark.parametrize("direction", [CCW, CW])
@pytest.mark.parametrize("beam", range(3))
def test_a_ball_at_its_drop_speed_leaves_in_the_gap_ahead(beam: int, direction: int) -> None:
    gaps = foretold(0.502, beam, direction)
    assert gaps[gap_of(beam, direction, 3)] > 950_000


@pytest.mark.parametrize("direction", [CCW, CW])
def test_a_quicker_ball_leaves_in_the_gap_where_it_will_be_as_slow(direction: int) -> None:
    # .055 turn/s2: from .53 turn/s it takes .28 turns to .5, and the next beam is at a quarter.
    assert foretold(0.53, 0, direction)[1] > 900_000


def test_a_gap_twice_as_wide_is_as_much_likelier_where_nothing_is_known_of_the_motion() -> None:
    gaps = foretold(0.9, 0, CCW, var=0.02)
    assert 1.8 < gaps[1] / gaps[0] < 2.2
    assert 0.8 < gaps[2] / gaps[0] < 1.2


@pytest.mark.parametrize("speed", [0.2, 0.4, 0.7, 1.1])
def test_chances_are_whole_parts_of_a_million_and_none_is_negative(speed: float) -> None:
    gaps = foretold(speed, 1, CW, var=1e-4)
    assert sum(gaps) == WHOLE_PPM
    assert min(gaps) >= 0
    assert all(type(gap) is int for gap in gaps)


def test_as_many_balls_leave_in_each_gap_as_was_foretold() -> None:
    """Of an even launcher's, each way by itself; and the forecast knows more than their places."""
    for direction in (CCW, CW):
        found = [drop for drop in drops(400, tilt_deg=0.0, seed=8) if drop.direction == direction]
        assert len(found) > 190
        for gap in range(3):
            expected = sum(drop.chances[gap] for drop in found)
            var = sum(drop.chances[gap] * (1.0 - drop.chances[gap]) for drop in found)
            assert abs(_came(found, gap) - expected) < 4.0 * sqrt(var)
        hit = sum(drop.chances[drop.gap] for drop in found) / len(found)
        assert hit > 0.55, "blind, a third"


def _came(found: list[Drop], gap: int) -> int:
    return sum(drop.gap == gap for drop in found)
