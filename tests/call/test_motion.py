"""Where the ball's speed stands, from the beams' times alone."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.call import kalman
from firmware.core.call.curve import BINS, LOW_TURN_S, PRIOR_TURN_S2, STEP_TURN_S, Curve
from firmware.core.call.kalman import MotionState

STEP = 1 / 3  # turns: three beams
NOISE = 0.01  # of the variances: what little the arithmetic itself leaves


def knee() -> Curve:
    """Of a track that slows the ball thrice as hard above .8 turn/s."""
    curve = Curve()
    curve.values = [
        0.03 + 0.06 * min(max(LOW_TURN_S + n * STEP_TURN_S - 0.6, 0.0) / 0.2, 1.0)
        for n in range(BINS)
    ]
    curve.lessons = [50.0] * BINS
    curve.fill()
    return curve


def rolled(curve: Curve, speed: float, scale: float, *, until: float) -> list[tuple[float, float]]:
    """(s, turn/s) at each beam, by strides far finer than the filter's."""
    found = []
    time = way = 0.0
    stride = 0.0005
    while speed > until:
        before = speed
        speed -= curve.at(speed - curve.at(speed) * scale * stride / 2) * scale * stride
        ahead = way + (before + speed) / 2 * stride
        if ahead // STEP != way // STEP or not found:
            part = (ahead // STEP * STEP - way) / (ahead - way) if found else 0.0
            found.append((time + part * stride, before + part * (speed - before)))
        time, way = time + stride, ahead
    return found


def followed(curve: Curve, seen: list[tuple[float, float]], *, spread: float = 0.03) -> MotionState:
    """Told nothing but the times, from the first whole lap on."""
    moved = kalman.start(curve, 1.0 / (seen[3][0] - seen[0][0]), spread=spread)
    for before, after in pairwise(seen[3:]):
        moved, _ = kalman.step(curve, moved, STEP, after[0] - before[0], noise=NOISE, stamp_s=1e-6)
    return moved


@pytest.mark.parametrize("curve", [Curve(), knee()], ids=["level", "knee"])
@pytest.mark.parametrize("speed", [1.15, 1.0, 0.85])
def test_without_noise_the_speed_is_the_balls_own(curve: Curve, speed: float) -> None:
    seen = rolled(curve, speed, 1.0, until=0.5)
    moved = followed(curve, seen)
    assert moved.speed == pytest.approx(seen[-1][1], rel=1e-3)
    assert moved.scale == pytest.approx(1.0, abs=0.01)
    # The lap's mean speed alone had been further off.
    first = kalman.start(curve, 1.0 / (seen[3][0] - seen[0][0]), spread=0.03)
    assert first.speed == pytest.approx(seen[3][1], rel=0.03)


@pytest.mark.parametrize("scale", [0.9, 0.95, 1.05, 1.1])
def test_a_ball_that_slows_differently_is_told_apart(scale: float) -> None:
    curve = knee()
    seen = rolled(curve, 1.1, scale, until=0.5)
    moved = followed(curve, seen, spread=0.1)
    assert moved.scale == pytest.approx(scale, abs=0.02)
    assert moved.speed == pytest.approx(seen[-1][1], rel=1e-3)
    assert moved.scale_var < 0.1 * 0.1 / 20  # and it knows that it knows


@pytest.mark.parametrize("scale", [0.9, 1.0, 1.1])
@pytest.mark.parametrize("curve", [Curve(), knee()], ids=["level", "knee"])
def test_the_time_to_a_speed_is_when_the_ball_has_it(curve: Curve, scale: float) -> None:
    seen = rolled(curve, 1.1, scale, until=0.45)
    for begin in range(0, len(seen) - 1, 3):
        time, speed = seen[begin]
        moved = MotionState(speed, scale, 1e-8, 0.0, 1e-6)
        for later, slower in seen[begin + 1 :]:
            left_s, var = kalman.time_to(curve, moved, slower, noise=1.0)
            assert left_s == pytest.approx(later - time, rel=0.08, abs=1e-3)
            assert var > 0.0
        later, slower = seen[begin + 1]  # of the next beam, where calls are timed
        left_s, _ = kalman.time_to(curve, moved, slower, noise=1.0)
        assert left_s == pytest.approx(later - time, abs=1e-3)
        took_s, after = kalman.travel(curve, moved, STEP)
        assert (took_s, after) == pytest.approx((later - time, slower), rel=1e-3)


def test_a_speed_that_is_past_was_some_time_ago() -> None:
    moved = MotionState(0.5, 1.0, 1e-6, 0.0, 1e-4)
    left_s, var = kalman.time_to(Curve(), moved, 0.6, noise=1.0)
    assert left_s == pytest.approx(-0.1 / PRIOR_TURN_S2)
    assert var == pytest.approx(1e-6)


def test_the_filters_doubt_is_as_large_as_its_errors() -> None:
    """Balls shaken as PHYSICS.md has it: 3 % from coup to coup, 5 % within one."""
    curve = knee()
    chance = Random(1)
    off = []
    for _ in range(250):
        scale, flutter = chance.gauss(1.0, 0.03), 0.0
        speed, time, way, stride = 1.0, 0.0, 0.0, 0.005
        keep = 1 - stride / 0.3
        seen = []
        while speed > 0.55:
            flutter = keep * flutter + 0.05 * sqrt(1 - keep * keep) * chance.gauss(0.0, 1.0)
            slower = speed - curve.at(speed) * scale * (1 + flutter) * stride
            ahead = way + (speed + slower) / 2 * stride
            if ahead // STEP != way // STEP:
                part = (ahead // STEP * STEP - way) / (ahead - way)
                at = time + part * stride + chance.gauss(0.0, 0.0002)
                seen.append((at, speed + part * (slower - speed)))
            speed, time, way = slower, time + stride, ahead
        moved = kalman.start(curve, 1.0 / (seen[3][0] - seen[0][0]), spread=0.03)
        for before, after in pairwise(seen[3:]):
            moved, _ = kalman.step(curve, moved, STEP, after[0] - before[0], noise=1.0)
        off.append((moved.speed - seen[-1][1]) / sqrt(moved.speed_var))
    assert abs(sum(off) / len(off)) < 0.4
    assert 0.4 < sqrt(sum(one * one for one in off) / len(off)) < 1.4


@given(
    st.lists(st.tuples(st.floats(0.01, 20.0), st.sampled_from([0.125, STEP, 2 / 3, 1.0, 2.0]))),
    st.floats(0.2, 2.0),
    st.floats(0.05, 16.0),
)
def test_whatever_the_stamps_say_its_numbers_stay_numbers(
    steps: list[tuple[float, float]], lap_turn_s: float, noise: float
) -> None:
    curve = knee()
    moved = kalman.start(curve, lap_turn_s, spread=0.05)
    for took_s, turns in steps:
        moved, step = kalman.step(curve, moved, turns, took_s, noise=noise)
        assert step.var > 0.0 and step.expected_s > 0.0
        assert all(isfinite(number) for number in moved)
        assert moved.speed > 0.0 and 0.3 <= moved.scale <= 3.0
        assert moved.speed_var >= 0.0 and moved.scale_var >= 0.0
        left_s, var = kalman.time_to(curve, moved, 0.5, noise=noise)
        assert isfinite(left_s) and var >= 0.0


@given(st.floats(0.4, 1.3), st.floats(0.0, 0.8), st.floats(0.0, 0.5))
def test_a_slower_speed_comes_later(speed: float, drop: float, further: float) -> None:
    moved = MotionState(speed, 1.0, 1e-6, 0.0, 1e-4)
    to = max(speed - drop, 0.35)
    sooner, _ = kalman.time_to(knee(), moved, to, noise=1.0)
    later, _ = kalman.time_to(knee(), moved, max(to - further, 0.3), noise=1.0)
    assert later >= sooner >= 0.0
