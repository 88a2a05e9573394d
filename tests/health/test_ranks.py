"""Ranks among all before: uniform while nothing changes, and telling what does."""

from __future__ import annotations

import random

import pytest

from firmware.core.health.ranks import DRAWING, TIES, Change, Ranks

LINE = 1_000.0


def ranks_of(values: list[int], seed: int) -> list[float]:
    draw, ranks = random.Random(seed), Ranks()
    found = [ranks.rank(value, draw.randrange(TIES)) for value in values]
    assert found[:DRAWING] == [None] * DRAWING
    return [rank for rank in found if rank is not None]


@pytest.mark.parametrize("spread", [0, 1, 40, 100_000])
def test_ranks_are_uniform_however_many_values_are_alike(spread: int) -> None:
    draw = random.Random(spread)
    found = sorted(ranks_of([draw.randint(0, spread) for _ in range(20_000)], 1))
    apart = max(abs(rank - (at + 0.5) / len(found)) for at, rank in enumerate(found))
    assert apart < 1.95 / len(found) ** 0.5  # Kolmogorov, one in a thousand


def change_told(values: list[int]) -> tuple[int, str]:
    change = Change()
    change.start_over(0.25)
    for at, rank in enumerate(ranks_of(values, 2)):
        change.add(rank, 0.5 / 150_000)
        if change.total >= LINE:
            return at + DRAWING, change.strongest()[0]
    return len(values), ""


@pytest.mark.parametrize("seed", range(4))
def test_another_ball_is_told_within_hundreds_and_wear_as_a_track(seed: int) -> None:
    """Slowing 1 % more at once; 4 % more in 60 000 coups; 1.5 % of scatter from coup to coup."""
    draw = random.Random(seed)
    usual = [int(draw.gauss(0, 15_000)) for _ in range(9_000)]
    at, kind = change_told([value + 10_000 * (n > 2_000) for n, value in enumerate(usual)])
    assert kind == "ball"
    assert 2_000 < at < 2_300
    at, kind = change_told([value + n * 2 // 3 for n, value in enumerate(usual)])
    assert kind == "track"
    assert change_told(usual) == (len(usual), "")


def test_the_middle_is_near_the_median() -> None:
    ranks, draw = Ranks(), random.Random(3)
    assert ranks.middle() is None
    for _ in range(2_000):
        ranks.rank(int(draw.gauss(5_000, 100)), 0)
    assert abs((ranks.middle() or 0) - 5_000) < 20
