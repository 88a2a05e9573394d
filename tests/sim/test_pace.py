"""The clock of a wheel that is faster than real time, and what keeps ours beside it."""

import itertools
from types import SimpleNamespace
from typing import Any, cast

import pytest

import boards
from firmware.lib.errors import USAGE, Failure
from firmware.loop import BUS_PERIOD_US
from firmware.run.paced import PromptStore, RealTimeBus
from tools.sim.pace import PACE_MAX, PacedClock
from tools.virtual.choice import check_pace

SECOND_US = 1_000_000


class Ours:
    """Real time, which goes on only as somebody sleeps, or stalls."""

    def __init__(self) -> None:
        self.ns = 7_000_000_000

    def clock_ns(self) -> int:
        return self.ns

    def sleep_s(self, s: float) -> None:
        assert s > 0
        self.ns += round(s * 1e9)


def paced(pace: int) -> tuple[PacedClock, Ours]:
    ours = Ours()
    return PacedClock(pace, ours.clock_ns, ours.sleep_s), ours


@pytest.mark.parametrize("pace", [2, 5, PACE_MAX])
def test_a_second_of_ours_is_as_many_of_the_wheels(pace: int) -> None:
    clock, ours = paced(pace)
    begun_us, begun_ns = clock.now_us(), ours.ns
    assert begun_us == begun_ns // 1000
    while ours.ns < begun_ns + 1_000_000_000:
        clock.sleep_us(10_000)
    assert clock.now_us() - begun_us == pytest.approx(pace * SECOND_US, abs=10_000)


def test_it_stands_between_two_sleeps_however_long_they_are_apart() -> None:
    clock, ours = paced(5)
    before_us = clock.now_us()
    ours.ns += 10_000_000_000
    assert clock.now_us() == before_us
    clock.sleep_us(10_000)
    assert clock.now_us() == before_us + 10_000


def test_a_stall_is_not_made_up_for_and_what_a_sleep_overshoots_is() -> None:
    clock, ours = paced(5)
    clock.sleep_us(10_000)
    ours.ns += 10_000_000_000
    begun_ns = ours.ns
    for _ in range(100):
        ours.ns += 1_000_000  # half of what each sleep takes goes by before it
        clock.sleep_us(10_000)
    assert ours.ns - begun_ns == pytest.approx(200_000_000, abs=25_000_000)


def test_slowed_down_it_goes_as_ours() -> None:
    clock, ours = paced(5)
    clock.sleep_us(10_000)
    clock.slow_down()
    begun_us, begun_ns = clock.now_us(), ours.ns
    clock.sleep_us(SECOND_US)
    assert clock.now_us() - begun_us == SECOND_US
    assert ours.ns - begun_ns == pytest.approx(1_000_000_000, abs=1000)


def test_a_bus_is_polled_by_our_time_and_no_oftener_than_ever() -> None:
    ours_us, polled = [500], []
    bus = SimpleNamespace(show_view=None, due_us=None, is_behind=None, poll=polled.append)
    timed = RealTimeBus(cast(Any, bus), lambda: ours_us[0])
    for _ in range(1000):
        timed.poll(9_999_999_999)
        ours_us[0] += BUS_PERIOD_US // 5
    assert 199 <= len(polled) <= 201
    assert polled[0] == 500
    gaps = {after - before for before, after in itertools.pairwise(polled)}
    assert gaps == {BUS_PERIOD_US}


def test_after_a_stall_a_bus_is_polled_at_once_but_not_twice() -> None:
    ours_us, polled = [0], []
    bus = SimpleNamespace(show_view=None, due_us=None, is_behind=None, poll=polled.append)
    timed = RealTimeBus(cast(Any, bus), lambda: ours_us[0])
    timed.poll(0)
    ours_us[0] = 20 * BUS_PERIOD_US
    for _ in range(3):
        timed.poll(0)
    assert polled == [0, 20 * BUS_PERIOD_US]


def test_a_record_is_waited_for_unless_writing_fails() -> None:
    waited: list[float] = []
    trouble: list[str | None] = [None]
    journal = SimpleNamespace(
        put=None, trouble=lambda: trouble[0], wait=waited.append, done=lambda: (1,)
    )
    store = PromptStore(cast(Any, journal))
    assert store.done() == (1,)
    assert len(waited) == 1
    trouble[0] = "the disk is full"
    assert store.done() == (1,)
    assert len(waited) == 1


@pytest.mark.parametrize("pace", [-1, 0, PACE_MAX + 1])
def test_a_pace_that_no_wheel_goes_is_a_mistake(pace: int) -> None:
    with pytest.raises(Failure, match=f"1 to {PACE_MAX}") as failure:
        check_pace(pace, boards.load("roulette_ref"))
    assert failure.value.exit_code == USAGE


def test_a_real_wheel_and_one_elsewhere_go_at_their_own() -> None:
    with pytest.raises(Failure, match="real one") as failure:
        check_pace(5, boards.load("pi4"))
    assert failure.value.exit_code == USAGE
    with pytest.raises(Failure, match="own clock") as failure:
        check_pace(5, boards.load("roulette_ref"), "/dev/pts/7")
    assert failure.value.exit_code == USAGE
    check_pace(1, boards.load("pi4"))
    check_pace(1, boards.load("roulette_ref"), "/dev/pts/7")
