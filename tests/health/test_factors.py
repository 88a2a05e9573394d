"""A sound wheel's evidence neither grows nor shrinks in the mean: each factor's mean is 1."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from firmware.core.health import bank, budget, loose, misses
from firmware.core.health.bank import GAINS, NUMBERS, SCATTERS, Bank, Shape, shapes
from firmware.core.health.drops import Drops

RINGS = (37, 36, 27, 18, 9)


def mean(m: int, shape: Shape, tolerance: float) -> Fraction:
    inside, outside = bank.factors(m, shape, tolerance)
    return (shape.width * Fraction(inside) + (m - shape.width) * Fraction(outside)) / m


@pytest.mark.parametrize("m", RINGS)
def test_an_even_wheels_factors_have_the_mean_1(m: int) -> None:
    for forms in (NUMBERS, SCATTERS):
        for shape in shapes(m, forms):
            assert abs(mean(m, shape, 0.0) - 1) < 1e-15, shape
            exact = [Fraction(str(1 + shape.more))] * shape.width
            outside = (m - sum(exact)) / (m - shape.width)
            assert sum(exact) + outside * (m - shape.width) == m  # the law itself, without rounding


@pytest.mark.parametrize("m", RINGS)
def test_a_wheel_within_the_tolerance_has_a_mean_of_no_more_than_1(m: int) -> None:
    tolerance = bank.own_tolerance(m)
    assert tolerance == pytest.approx({37: 1 / 36}.get(m, 1 / 8))
    for shape in shapes(m, GAINS, above=tolerance):
        assert shape.more > tolerance
        by_in, by_out = bank.factors(m, shape, tolerance)
        for favoured in (-tolerance, 0.0, tolerance):  # of the set: its share, by so much more
            inside = (1.0 + favoured) / m
            outside = (1.0 - shape.width * inside) / (m - shape.width)
            found = shape.width * by_in * inside + (m - shape.width) * by_out * outside
            assert found <= 1.0 + 1e-12, (shape, favoured)


@pytest.mark.parametrize("m", RINGS)
def test_weights_of_every_ring_are_1_in_all(m: int) -> None:
    above = bank.own_tolerance(m)
    found = [shapes(m), shapes(m, GAINS, above=above), shapes(m, SCATTERS, above=above)]
    for alternatives in found:
        assert abs(sum(shape.weight for shape in alternatives) - 1.0) < 1e-12
        assert all(0 < shape.width < m for shape in alternatives)
        apart = [(shape.width, shape.more) for shape in alternatives]
        assert len(set(apart)) == len(apart)


@pytest.mark.parametrize("m", RINGS)
def test_sums_and_weights_have_the_same_bits_where_sum_compensates(
    m: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Python does from 3.12 on."""
    found, given = shapes(m), random.Random(m).choices(range(m), k=50)
    watch = [Bank(m, found) for _ in range(2)]
    for at, each in enumerate(watch):
        monkeypatch.setattr(bank, "_SUM_IN_ORDER", not at)
        assert shapes(m) == found
        each.start_over(0.25)
        for place in given:
            each.add(place, 1e-6)
    assert watch[0].total == watch[1].total


def test_sums_are_added_in_order_where_sum_compensates(monkeypatch: pytest.MonkeyPatch) -> None:
    values = [1.0, 1e100, 1.0, -1e100]
    assert bank.add_up(values, 0.5) == 0.0
    monkeypatch.setattr(bank, "_SUM_IN_ORDER", False)
    monkeypatch.setattr(bank, "sum", lambda *_: 2.5, raising=False)
    assert bank.add_up(values, 0.5) == 0.0


def test_the_ring_of_37_has_629_alternatives() -> None:
    assert 37 * len(shapes(37)) == 629


@pytest.mark.parametrize("beams", [(0.0, 120.0, 240.0), (10.0, 50.0), (0.0, 90.0, 100.0, 200.0)])
@pytest.mark.parametrize("ball", [1, -1])
def test_drops_that_come_as_foretold_have_the_mean_1(beams: tuple[float, ...], ball: int) -> None:
    chances = [0.5, 0.3, 0.15, 0.05][: len(beams)]
    chances = [chance / sum(chances) for chance in chances]
    begun = Drops(beams)
    begun.start_over(1.0)
    means = [0.0] * len(begun._sums)
    for gap, chance in enumerate(chances):
        drops = Drops(beams)
        drops.start_over(1.0)
        drops.add((ball, gap, chances), 0.0)
        means = [mean + chance * each for mean, each in zip(means, drops._sums, strict=True)]
    for mean, weight in zip(means, begun._sums, strict=True):  # of each alternative
        assert abs(mean / weight - 1.0) < 1e-12


def test_a_sensor_at_its_limit_has_the_mean_1_and_a_better_one_less() -> None:
    for chance, most in ((misses.LIMIT, 1.0 + 1e-12), (0.0, 1.0), (0.005, 1.0)):
        mean = 0.0
        for missed, part in ((True, chance), (False, 1.0 - chance)):
            judge = misses.Misses(0)
            judge.start_over(1.0)
            judge.add(missed, 0.0)
            mean += part * judge.total
        assert mean <= most


@pytest.mark.parametrize("m", RINGS)
def test_balls_that_settle_soon_anywhere_have_the_mean_1(m: int) -> None:
    for is_soon in (False, True):
        mean = 0.0
        for place in range(m):
            judge = loose.LooseFrets(m)
            judge.start_over(1.0)
            judge.add((place, is_soon), 0.0)
            mean += judge.total / m
        assert abs(mean - 1.0) < 1e-12


def test_a_year_begins_with_no_more_than_1() -> None:
    year = 1_000
    grants = budget.Grants()
    begun = year * budget.a_coup(year) + sum(grants.grant(0) for _ in range(20))
    assert 0.999 < begun <= 1.0
    assert grants.grant(1) == 0.25  # another year
    assert grants.grant(1) == 0.125
