"""The sliding-lap threshold, tuned by the last laps before this wheel's own drops."""

from __future__ import annotations

from random import Random
from statistics import quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.call.guard import FIRST, LONGEST_S, SHORTEST_S, Guard


def test_at_first_it_is_the_shortest_lap_that_any_drop_followed() -> None:
    guard = Guard()
    for lap_s in (2.0, 1.8, 2.1, 1.9):
        guard.learn(lap_s)
    assert guard.lap_s == 1.8 and guard.coups == 4


def test_it_settles_where_half_of_the_last_laps_are_longer() -> None:
    chance = Random(1)
    laps = [chance.uniform(1.7, 2.3) for _ in range(2_000)]
    guard = Guard()
    held = []
    for lap_s in laps:
        guard.learn(lap_s)
        held.append(guard.lap_s)
    assert sum(held[500:]) / 1_500 == pytest.approx(quantiles(laps, n=2)[0], rel=0.03)


def test_one_freak_is_forgotten() -> None:
    """One early drop must not make the wheel call early for ever."""
    guard = Guard()
    for lap_s in [2.1, 0.9] + [2.1] * 100:
        guard.learn(lap_s)
    assert 2.0 < guard.lap_s < 2.2


@given(st.lists(st.floats(0.0, 100.0), max_size=50))
def test_it_stays_within_what_a_lap_can_be(laps: list[float]) -> None:
    guard = Guard()
    for lap_s in laps:
        guard.learn(lap_s)
    assert SHORTEST_S <= guard.lap_s <= LONGEST_S
    assert guard.coups == min(len(laps), FIRST)
