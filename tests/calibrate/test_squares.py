"""Least squares find what is known, say how surely, and refuse what is left open."""

from math import sqrt
from random import Random

import pytest

from tools.technician.calibrate.squares import fitted


def noisy(seed, count=60, sd=0.1):
    chance = Random(seed)
    rows = [[1.0, chance.uniform(-120, 120)] for _ in range(count)]
    return rows, [2.0 + 0.003 * row[1] + chance.gauss(0, sd) for row in rows]


def test_what_is_exact_is_found_exactly():
    rows, values = noisy(1, sd=0.0)
    found, sds = fitted(rows, values)
    assert found == pytest.approx([2.0, 0.003])
    assert max(sds) < 1e-9


def test_the_told_deviation_is_that_of_many_trials():
    trials = [fitted(*noisy(seed)) for seed in range(300)]
    for at, true in enumerate((2.0, 0.003)):
        spread = sqrt(sum((found[at] - true) ** 2 for found, _ in trials) / len(trials))
        told = sqrt(sum(sds[at] ** 2 for _, sds in trials) / len(trials))
        assert spread == pytest.approx(told, rel=0.15)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[1.0, 2.0], [1.0, 3.0]],  # no equation is left to say how sure they are
        [[1.0, 100.0], [1.0, 100.0], [1.0, 100.0]],  # one speed tells no delay
        [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]],
    ],
)
def test_what_the_equations_leave_open_is_refused(rows):
    with pytest.raises(ValueError, match="equations"):
        fitted(rows, [1.0] * len(rows))
