"""Bands and what would have been seen, against the figures that were measured for the design."""

from __future__ import annotations

import random

import pytest

from firmware.health import figures


@pytest.mark.parametrize(
    ("coups", "less", "more"),
    [
        (20_000, -0.19, 0.218),
        (50_000, -0.13, 0.14),
        (150_000, -0.075, 0.079),
        (500_000, -0.043, 0.044),
    ],
)
def test_the_band_of_an_even_count(coups: int, less: float, more: float) -> None:
    low, high = figures.band(round(coups / 37), coups, 37)
    assert low * 37 - 1 == pytest.approx(less, abs=0.006)
    assert high * 37 - 1 == pytest.approx(more, abs=0.006)


@pytest.mark.parametrize(("count", "coups"), [(0, 0), (0, 10), (10, 10), (0, 100_000), (1, 1)])
def test_a_band_is_within_0_and_1_whatever_came(count: int, coups: int) -> None:
    low, high = figures.band(count, coups, 37)
    assert 0.0 <= low < high <= 1.0


def test_bands_hold_the_true_chance_at_all_times() -> None:
    draw = random.Random("bands")
    for _ in range(10):
        counts = [0] * 37
        for coups in range(1, 3_001):
            counts[draw.randrange(37)] += 1
            if coups % 500 == 0:
                for count in counts:
                    low, high = figures.band(count, coups, 37)
                    assert low <= 1 / 37 <= high


@pytest.mark.parametrize(
    ("coups", "pocket", "sector"),
    [(50_000, 0.195, 0.052), (150_000, 0.11, 0.030), (500_000, 0.06, 0.017)],
)
def test_what_would_have_been_seen_by_now(coups: int, pocket: float, sector: float) -> None:
    found = figures.seen_by(coups, figures.POCKET_NATS, 1, 37)
    assert found == pytest.approx(pocket, rel=0.03)
    assert figures.seen_by(coups, figures.SECTOR_NATS, 9, 37) == pytest.approx(sector, rel=0.04)
    assert figures.coups_until(found or 0, figures.POCKET_NATS, 1, 37) == pytest.approx(
        coups, rel=0.01
    )
    assert figures.seen_by(0, figures.POCKET_NATS, 1, 37) is None


@pytest.mark.parametrize(("drops", "kappa"), [(12_200, 0.1), (2_880, 0.2), (462, 0.5)])
def test_which_lean_of_drops_would_have_been_seen(drops: int, kappa: float) -> None:
    third = [1 / 3] * 3
    found = figures.lean_seen_by(drops, figures.DROP_NATS, (0.0, 120.0, 240.0), third)
    assert found == pytest.approx(kappa / 2, rel=0.04)
    assert figures.lean_seen_by(10, figures.DROP_NATS, (0.0, 120.0, 240.0), third) is None
    assert figures.lean_seen_by(0, figures.DROP_NATS, (0.0, 120.0, 240.0), third) is None
    assert figures.lean_seen_by(drops, figures.DROP_NATS, (0.0, 120.0), (1.0, 0.0)) is None


def test_a_lean_is_seen_after_as_many_drops_as_it_would_have_been_seen_by() -> None:
    beams, chances = (0.0, 120.0, 240.0), (0.3, 0.4, 0.3)
    drops = figures.drops_until(0.1, figures.DROP_NATS, beams, chances)
    assert drops is not None
    assert figures.lean_seen_by(drops, figures.DROP_NATS, beams, chances) == pytest.approx(
        0.1, rel=0.001
    )
    assert figures.drops_until(0.1, figures.DROP_NATS, beams, (1.0, 0.0, 0.0)) is None
