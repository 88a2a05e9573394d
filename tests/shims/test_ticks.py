import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.shims.ticks import PERIOD, ticks_add, ticks_diff, ticks_us

TICKS = st.integers(0, PERIOD - 1)
DELTAS = st.integers(-PERIOD // 2 + 1, PERIOD // 2 - 1)


@given(TICKS, DELTAS)
def test_diff_undoes_add(ticks, delta):
    assert ticks_diff(ticks_add(ticks, delta), ticks) == delta


@given(TICKS, TICKS)
def test_a_difference_is_the_shorter_way_round(end, start):
    diff = ticks_diff(end, start)
    assert -PERIOD // 2 <= diff < PERIOD // 2
    assert (start + diff) % PERIOD == end


@given(TICKS, DELTAS)
def test_a_sum_is_a_tick_again(ticks, delta):
    assert 0 <= ticks_add(ticks, delta) < PERIOD


@pytest.mark.parametrize("delta", [PERIOD // 2, -PERIOD // 2, PERIOD])
def test_half_a_period_cannot_be_added(delta):
    with pytest.raises(OverflowError):
        ticks_add(0, delta)


def test_ticks_go_on():
    start = ticks_us()
    while ticks_us() == start:
        pass
    assert 0 < ticks_diff(ticks_us(), start) < 60_000_000
