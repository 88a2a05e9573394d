"""How the ball slows at each speed, learned from its laps."""

from __future__ import annotations

from itertools import pairwise
from math import tau
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.call.curve import (
    BINS,
    LIMITS_TURN_S2,
    LOW_TURN_S,
    PRIOR_TURN_S2,
    RELEARN,
    STEP_TURN_S,
    TRUSTED,
    Curve,
)
from tools.sim.parameters import PRESETS
from tools.sim.track import Drag

TOP_TURN_S = LOW_TURN_S + (BINS - 1) * STEP_TURN_S
W1 = Drag(PRESETS["W1"].deceleration)


def slowing(speed: float) -> float:
    """W1's, turn/s2: it has the knee."""
    return W1.at(speed * tau) / tau


def test_a_new_wheel_has_one_deceleration_at_all_speeds() -> None:
    curve = Curve()
    assert {curve.at(speed / 100) for speed in range(1, 300)} == {PRIOR_TURN_S2}


def test_it_learns_a_curve_with_a_knee_between_the_speeds_it_saw() -> None:
    """PHYSICS.md: two regimes, the knee near 5 rad/s (.8 turn/s)."""
    chance = Random(1)
    curve = Curve()
    for _ in range(300):
        speeds = [chance.uniform(0.46, 1.10) for _ in range(6)]
        curve.learn([(speed, slowing(speed) * chance.gauss(1.0, 0.03)) for speed in speeds])
    for hundredth in range(50, 106):
        speed = hundredth / 100
        assert curve.at(speed) == pytest.approx(slowing(speed), rel=0.06)


def test_where_nothing_was_learned_the_nearest_value_holds() -> None:
    curve = Curve()
    place = LOW_TURN_S + 5 * STEP_TURN_S
    other = LOW_TURN_S + 15 * STEP_TURN_S
    for _ in range(10):
        curve.learn([(place, 0.03), (other, 0.12)])
    for speed in (0.05, LOW_TURN_S, place, LOW_TURN_S + 10 * STEP_TURN_S):
        assert curve.at(speed) == pytest.approx(0.03)
    for speed in (LOW_TURN_S + 11 * STEP_TURN_S, other, TOP_TURN_S, 3.0):
        assert curve.at(speed) == pytest.approx(0.12)


def test_a_first_lesson_changes_nothing_until_there_are_more() -> None:
    curve = Curve()
    curve.learn([(0.61, 0.10)])
    assert curve.at(0.61) == PRIOR_TURN_S2
    curve.learn([(0.61, 0.10)] * 4)
    assert curve.at(0.61) == pytest.approx(0.10)


@pytest.mark.parametrize("place", range(BINS - 1))
def test_a_lesson_exactly_at_a_place_of_the_table_is_that_places(place: int) -> None:
    curve = Curve()
    for _ in range(4):
        curve.learn([(LOW_TURN_S + place * STEP_TURN_S, 0.10)])
    assert curve.lessons[place] == pytest.approx(4.0, abs=1e-9)
    assert curve.values[place] == pytest.approx(0.10)


def test_a_change_is_learned_quickly_once_it_is_known() -> None:
    """Another ball: as if each speed had had but a few lessons."""
    curve, slow = Curve(), Curve()
    for one in (curve, slow):
        one.learn([(0.60, 0.05)] * 500)
    curve.fade()
    assert max(curve.lessons) == RELEARN and curve.at(0.60) == pytest.approx(0.05)
    for one in (curve, slow):
        one.learn([(0.60, 0.06)] * 10)
    assert curve.at(0.60) == pytest.approx(0.06, abs=0.004)
    assert slow.at(0.60) == pytest.approx(0.05, abs=0.001)


@given(st.floats(0.05, 1.6), st.floats(-1.0, 1.0))
def test_what_no_ball_does_teaches_nothing(speed: float, deceleration: float) -> None:
    low, high = LIMITS_TURN_S2
    curve = Curve()
    curve.learn([(speed, deceleration)] * 5)
    if not low <= deceleration <= high or not LOW_TURN_S <= speed < TOP_TURN_S:
        assert curve.lessons == [0.0] * BINS and curve.values == [PRIOR_TURN_S2] * BINS
    else:
        assert curve.at(speed) == pytest.approx(deceleration) or max(curve.lessons) < TRUSTED


@given(st.lists(st.tuples(st.floats(0.0, 2.0), st.floats(0.0, 0.6)), max_size=60))
def test_it_never_leaves_what_any_track_has(lessons: list[tuple[float, float]]) -> None:
    curve = Curve()
    for lesson in lessons:
        curve.learn([lesson])
    low, high = LIMITS_TURN_S2[0] * 0.6, LIMITS_TURN_S2[1] / 0.6  # as far as it runs out
    for hundredth in range(300):
        assert low <= curve.at(hundredth / 100) <= high
    # And it is one line: no jump from one speed to the next.
    tops = [curve.at(LOW_TURN_S + step * STEP_TURN_S / 10) for step in range(BINS * 10)]
    assert max(abs(b - a) for a, b in pairwise(tops)) <= (high - low) / 9


def test_below_what_it_saw_it_runs_on_downwards_but_not_far() -> None:
    """No whole lap's mean is as slow as the ball is when it leaves."""
    curve = Curve()
    for place, slows in ((5, 0.04), (6, 0.05), (7, 0.06)):
        curve.learn([(LOW_TURN_S + place * STEP_TURN_S, slows)] * 10)
    below = [curve.at(LOW_TURN_S + place * STEP_TURN_S) for place in range(6)]
    assert below == sorted(below) and below[5] == pytest.approx(0.04)
    assert 0.03 <= below[4] < 0.04 and 0.02 < below[0] < 0.03
    assert curve.at(0.1) == below[0]
