"""How far above the drop speed to call: what brackets of the drop speed teach."""

from __future__ import annotations

from math import isfinite, sqrt
from random import Random
from statistics import NormalDist

import pytest
from call_balls import balls, geometry, run
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.core.call import learned as learned_state
from firmware.core.call import normal
from firmware.core.call.margin import APART, SCATTERS, Margin, pair
from firmware.core.call.predictor import RELEARNED_COUPS, CallPredictor

TARGET = 1e-6
SIGMAS = -NormalDist().inv_cdf(TARGET)  # 4.75
LAP = 0.04  # the width of a bracket at three beams, as a share of the speed


def taught(coups: int, *, mean: float, scatter: float, seed: int = 1, width: float = LAP) -> Margin:
    """By drops of that mean speed (turn/s) and scatter, a share, each between two of its beams."""
    chance = Random(seed)
    margin = Margin()
    for _ in range(coups):
        dropped = mean * chance.gauss(1.0, scatter)
        low = dropped - chance.random() * width * mean
        margin.learn(low, low + width * mean, 1e-8)
    return margin


@pytest.mark.parametrize("mean", [0.44, 0.60])
@pytest.mark.parametrize("scatter", [0.003, 0.01, 0.025])
def test_the_brackets_tell_the_mean_and_the_scatter(mean: float, scatter: float) -> None:
    margin = taught(400, mean=mean, scatter=scatter)
    assert margin.mean() == pytest.approx(mean, rel=4 * sqrt(scatter**2 + LAP**2 / 12) / 20)
    assert 0.7 * scatter < margin.scatter() < 1.5 * scatter


@pytest.mark.parametrize("scatter", [0.003, 0.01, 0.025])
def test_what_is_learned_is_what_the_call_speed_says(scatter: float) -> None:
    """DESIGN section 3: late below 1e-6, 4.75 sigma; what is not known of them comes on top."""
    above = [
        taught(400, mean=0.5, scatter=scatter, seed=seed).call_speed(TARGET, 0.0) / 0.5 - 1.0
        for seed in range(8)
    ]
    assert SIGMAS * scatter * 0.9 < min(above)
    assert sum(above) / 8 < SIGMAS * scatter * 1.2 + 0.005
    late = [NormalDist().cdf(-one / scatter) for one in above]
    assert sum(late) / 8 < 2 * TARGET


def test_a_speed_that_is_less_sure_is_called_earlier() -> None:
    """All that is not known counts alike: the drop's scatter, and how fast this ball is."""
    margin = taught(400, mean=0.5, scatter=0.01)
    sure, unsure = [margin.call_speed(TARGET, var) - 0.5 for var in (0.0, 0.005**2)]
    assert unsure == pytest.approx(sure * sqrt(2.0), rel=0.1)


def test_the_margin_shrinks_as_coups_are_learned() -> None:
    speeds = [
        taught(coups, mean=0.5, scatter=0.01).call_speed(TARGET, 0.0)
        for coups in (0, 1, 4, 16, 64, 256)
    ]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[0] > 0.70  # of a new wheel, the cautious speed holds


# A bracket as a wheel gives one, and any pair of speeds.
BRACKETS = st.tuples(st.floats(0.35, 0.70), st.floats(0.002, 0.2), st.floats(0.0, 0.01))
ANY = st.tuples(st.floats(0.01, 9.0), st.floats(0.0, 3.0), st.floats(0.0, 1.0))


def learned(brackets: list[tuple[float, float, float]]) -> Margin:
    margin = Margin()
    for low, width, var in brackets:
        margin.learn(low, low + width, var)
    return margin


@given(
    st.lists(BRACKETS, max_size=30),
    st.floats(1e-9, 0.1),
    st.floats(1.0, 1_000.0),
    st.floats(0.0, 1e-3),
    st.floats(0.0, 1e-3),
)
# Scatters whose means lie apart: between them the tail bends.
@example(
    [
        (0.625, 0.125, 0.0),
        (0.5, 0.125, 0.0),
        (0.4375, 0.1875, 0.0),
        (0.625, 0.125, 0.001953125),
        (0.375, 0.125, 0.0),
        (0.375, 0.125, 0.0),
    ],
    0.0625,
    3.0,
    0.0,
    0.0,
)
@settings(max_examples=60)
def test_less_risk_and_more_doubt_both_call_earlier(
    brackets: list[tuple[float, float, float]],
    target: float,
    riskier: float,
    var: float,
    doubt: float,
) -> None:
    margin = learned(brackets)
    speed = margin.call_speed(target, var)
    found = 1e-4  # it is sought so finely
    assert margin.call_speed(min(target * riskier, 0.2), var) <= speed + found
    # Where a scatter's mean lies above the speed, as at a risk far from ours it may, doubt about it
    # moves its balls out of the way as well.
    held = [
        mean
        for mean, weight in zip(margin.means, margin.weights, strict=True)
        if weight > target / 1000.0
    ]
    if speed >= max(held):
        assert margin.call_speed(target, var + doubt) >= speed - found
    assert speed > margin.mean()


@given(st.lists(ANY, max_size=30), st.sampled_from([1e-9, 1e-6, 1e-3]))
@settings(max_examples=60)
def test_no_bracket_makes_a_number_that_is_none(
    brackets: list[tuple[float, float, float]], target: float
) -> None:
    margin = learned(brackets)
    numbers = margin.means + margin.vars + margin.trust + margin.weights
    assert all(isfinite(number) for number in numbers)
    assert isfinite(margin.call_speed(target, 1e-4)) and isfinite(margin.scatter())
    assert min(margin.vars) > 0.0 and max(margin.trust) == 0.0
    assert sum(margin.weights) == pytest.approx(1.0)
    # Any bracket has some chance, and none more than all.
    for low, width, var in brackets:
        assert 0.0 < margin.chance(low, low + width, var) <= 1.0


@pytest.mark.parametrize("freak", [0.25, 0.40, 0.62, 1.2])
def test_one_freak_does_not_move_the_margin(freak: float) -> None:
    """A beam missed at the wrong moment, a ball that was struck."""
    margin = taught(200, mean=0.5, scatter=0.01)
    before = margin.call_speed(TARGET, 0.0)
    margin.learn(freak, freak * (1.0 + LAP), 1e-8)
    after = margin.call_speed(TARGET, 0.0)
    assert margin.mean() == pytest.approx(0.5, rel=0.005)
    assert abs(after - before) < 0.015
    for low in [0.49] * 60:
        margin.learn(low, low + 0.5 * LAP, 1e-8)
    assert margin.call_speed(TARGET, 0.0) < before + 0.0025


def test_a_wandering_mean_is_followed() -> None:
    """A track wears over weeks: .5 % in 500 coups is no drift to be told of."""
    chance = Random(3)
    margin = taught(300, mean=0.5, scatter=0.01)
    for coup in range(500):
        low = 0.5 + 0.000005 * coup + chance.gauss(0.0, 0.005) - chance.random() * 0.5 * LAP
        margin.learn(low, low + 0.5 * LAP, 1e-8)
    assert margin.mean() == pytest.approx(0.5025, rel=0.002)


def test_chance_is_that_of_the_mixture() -> None:
    """Against the sum written out, by the standard library."""
    margin = taught(30, mean=0.5, scatter=0.01)
    low, high, var, shift = 0.48, 0.53, 1e-5, 0.01
    expected = 0.0
    for weight, mean, own, scatter in zip(
        margin.weights, margin.means, margin.vars, SCATTERS, strict=True
    ):
        normal_dist = NormalDist(mean + shift, sqrt(own + (scatter * mean) ** 2 + var))
        expected += weight * (normal_dist.cdf(high) - normal_dist.cdf(low))
    assert margin.chance(low, high, var, shift=shift) == pytest.approx(expected, rel=0.01)


@given(st.floats(-30, 30), st.floats(-30, 30))
def test_the_normal_distribution_is_that_of_the_standard_library(a: float, b: float) -> None:
    low, high = min(a, b), max(a, b)
    assert normal.below(low) == pytest.approx(NormalDist().cdf(low), rel=1e-9, abs=1e-15)
    between = NormalDist().cdf(high) - NormalDist().cdf(low)
    assert normal.between(low, high) == pytest.approx(between, abs=1e-12)
    assert normal.density(low) == pytest.approx(NormalDist().pdf(low), rel=1e-12, abs=1e-30)


def test_a_far_tail_keeps_its_digits() -> None:
    """Taken from 1, a chance of 1e-20 would be nothing."""
    assert normal.between(9.0, 10.0) == pytest.approx(normal.below(-9.0), rel=1e-3)
    assert 1e-20 < normal.between(9.0, 10.0) < 1e-18


# --- two directions -----------------------------------------------------------------------------
def both_new() -> tuple[Margin, Margin]:
    one, other = Margin(), Margin()
    pair(one, other)
    return one, other


def drops(margin: Margin, coups: int, *, mean: float, scatter: float, seed: int = 5) -> None:
    chance = Random(seed)
    for _ in range(coups):
        low = mean * chance.gauss(1.0, scatter) - chance.random() * LAP * mean
        margin.learn(low, low + LAP * mean, 1e-8)


def test_what_one_direction_learns_the_other_knows() -> None:
    """The scatter is one; the mean is the same to within what two directions may differ by."""
    one, other = both_new()
    before = other.scatter()
    drops(one, 200, mean=0.45, scatter=0.003)
    assert other.scatter() == one.scatter() < 0.007 < before
    assert other.mean() == pytest.approx(0.45, abs=APART)
    doubt = [sqrt(margin.vars[10]) for margin in (one, other)]
    assert doubt[0] < 0.3 * APART < doubt[1] == pytest.approx(APART, rel=0.1)
    assert other.call_speed(TARGET, 0.0) > one.call_speed(TARGET, 0.0) + 3 * APART
    drops(other, 200, mean=0.45, scatter=0.02)  # and from now on, at every drop
    assert other.scatter() == pytest.approx(one.scatter()) and one.scatter() > 0.012


def test_directions_that_differ_are_both_learned() -> None:
    """By more than expected: what one was taught of the other gives way to its own drops."""
    one, other = both_new()
    for coup in range(60):
        drops(one, 1, mean=0.45, scatter=0.005, seed=coup)
        drops(other, 1, mean=0.47, scatter=0.005, seed=coup)
    assert other.mean() - one.mean() == pytest.approx(0.02, abs=0.003)


def paired(learned: learned_state.Learned) -> bool:
    """Both have one scatter, and a drop of either moves it for both."""
    one, other = [model.margin for model in learned.models]
    for first, second in ((one, other), (other, one)):
        before = second.scatter()
        first.learn(0.3, 0.3 + LAP, 1e-8)
        if second.scatter() == before or second.weights != pytest.approx(first.weights):
            return False
    return True


def test_both_directions_are_still_paired_after_a_restart() -> None:
    wheel = geometry(3)
    call_predictor = CallPredictor(wheel, None, call_us=0)
    for ball in balls("W2", 40, seed=1):
        run(call_predictor, ball)
    again, why = learned_state.restore(call_predictor.plain(), wheel)
    assert why is None
    for before, after in zip(call_predictor.learned.models, again.models, strict=True):
        assert after.margin.weights == pytest.approx(before.margin.weights, rel=1e-3, abs=1e-6)
    assert paired(again) and paired(call_predictor.learned)


def test_both_directions_are_paired_anew_when_all_is_learned_again() -> None:
    learned = learned_state.Learned(3)
    assert paired(learned)
    old = [model.margin for model in learned.models]
    learned.relearn(RELEARNED_COUPS)
    assert not any(model.margin in old for model in learned.models)
    assert paired(learned)
