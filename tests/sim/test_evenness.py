"""No pocket of the simulated wheel is favoured, either way it turns."""

from collections import Counter

import pytest

COUPS = 750
CHI_SQUARE_99 = 58.6  # 36 degrees of freedom: passed once in a hundred by an even wheel


@pytest.mark.req("ON-21.1.2.confidence", "UK-2.1.random")
@pytest.mark.parametrize("preset", ["W1", "W2"])
def test_every_pocket_comes_as_often_at_99_percent_confidence(preset, wheel_of):
    wheel = wheel_of(preset, hand=True)
    while wheel.finished < COUPS:
        wheel.advance(wheel.now_us + 1_000_000, 0)
    came = Counter(truth.compartment for truth in wheel.truths[:COUPS])
    expected = COUPS / 37
    assert sum((came[at] - expected) ** 2 / expected for at in range(37)) < CHI_SQUARE_99
