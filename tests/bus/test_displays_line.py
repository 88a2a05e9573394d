"""Controller and displays over a line that takes its time (tools/bench/busbench.py)."""

import random
from itertools import product
from typing import Any

import pytest
from played import S, next_coup, payloads, played, watched

from firmware.bus import message_bytes, messages, slots
from firmware.bus.frame import Deframer
from firmware.bus.receiver import DARK, STALE
from tools.bench.busbench import TABLE, Bench, lit_ms


@pytest.mark.parametrize(("baud", "most"), [(115_200, 32), (57_600, 18), (38_400, 11), (19_200, 4)])
def test_every_line_carries_as_many_displays_as_docs_bus_says(baud: int, most: int) -> None:
    """All stay lit for a whole coup, with the worst turnaround that is allowed."""
    assert slots.displays_max(baud) == most
    bench = Bench(most, baud=baud, latency_us=slots.ANSWER_LEAST_US - 1_000)
    bench.run(2 * S)
    for _ in range(2):
        bench.view(*bench.ledger.result(17))
        bench.run(2 * S)
        assert set(bench.numbers()) == {17}
        next_coup(bench)
        for _ in range(40):
            bench.run(50_000)
            assert STALE not in {display.lit.state for display in bench.displays}
    assert bench.troubles == []
    assert bench.wire.collisions == 0


@pytest.mark.parametrize("late_us", [0, 1_000])
@pytest.mark.parametrize("baud", [115_200, 57_600, 38_400, 19_200])
def test_the_last_one_stays_lit_though_all_others_fall_silent_as_a_result_comes(
    baud: int, late_us: int
) -> None:
    """Whichever it is, and whenever that happens; with a loop that comes late to its periods."""
    most = slots.displays_max(baud)
    for kept, phase_us, moment_us in product(
        sorted({0, most // 2, most - 1}), (0, 70_000, 130_000), (20_000, 300_000)
    ):
        bench = Bench(most, baud=baud, late_us=late_us)
        bench.run(2 * S)
        bench.view(*bench.ledger.result(17))
        bench.run(S + phase_us)
        bench.displays = [bench.displays[kept]]
        for turn in range(200):
            if turn * 10_000 == moment_us:
                bench.view(*bench.ledger.result(18))
            bench.run(10_000)
            assert bench.displays[0].lit.state != STALE, (kept, phase_us, moment_us, turn)


@pytest.mark.parametrize("baud", [115_200, 19_200])
def test_an_answer_may_take_all_of_its_window(baud: int) -> None:
    plan = slots.plan(baud, 1, 0)
    assert plan is not None
    latency_us = plan.answer_us - slots.frame_us(messages.ANSWER_SIZE, baud) - 1_000
    bench = Bench(1, baud=baud, latency_us=latency_us)
    bench.view(*bench.ledger.result(17))
    assert bench.run(S, lambda: bench.numbers() == [17])
    for _ in range(40):
        bench.run(100_000)
        assert bench.numbers() == [17]
    assert bench.wire.collisions == 0


def test_the_others_stay_lit_though_all_but_one_fall_silent() -> None:
    bench = played(32)
    bench.displays = bench.displays[:1]
    bench.run(S)
    assert watched(bench, 5 * S) == {("CONFIRMED", 17, 1)}


def test_a_decision_is_lit_on_32_displays_within_100_ms() -> None:
    assert lit_ms(32, 115_200, moments=4) <= 100


def test_a_result_goes_out_three_times_and_nobody_asks_for_it() -> None:
    bench = played(2)
    bench.run(3 * S)
    told = payloads(bench, messages.RECORD)
    assert told == [message_bytes.record_bytes(bench.ledger.records[0])] * 3


def lose(bench: Bench, copies: int) -> list[int]:
    """The wire swallows the next copies of a record; returns how many it still will, in a list."""
    left = [copies]

    def hurt(who: Any, data: bytes) -> list[bytes]:
        (payload,) = Deframer().feed(data)
        if message_bytes.kind(payload) == messages.RECORD and left[0]:
            left[0] -= 1
            return []
        return [data]

    bench.wire.hurt = hurt
    return left


@pytest.mark.parametrize("lost", [1, 2])
def test_a_lost_record_comes_again(lost: int) -> None:
    bench = Bench(1)
    bench.run(S)
    left = lose(bench, lost)
    bench.view(*bench.ledger.result(17))
    assert bench.run(200_000, lambda: bench.numbers() == [17])
    assert left == [0]


def test_all_three_copies_lost_are_asked_for() -> None:
    bench = Bench(1)
    bench.run(S)
    left = lose(bench, 3)
    bench.view(*bench.ledger.result(17))
    assert bench.run(S, lambda: bench.numbers() == [17])
    assert left == [0]


@pytest.mark.parametrize("percent", [10, 50])
def test_whatever_share_is_lost_nothing_wrong_is_lit_and_all_is_well_2_s_later(
    percent: int,
) -> None:

    chance = random.Random(percent)
    bench = played(4)
    bench.wire.hurt = lambda who, data: [] if chance.randrange(100) < percent else [data]
    bench.view(*bench.ledger.result(18))
    assert watched(bench, 10 * S) <= {
        ("CONFIRMED", 17, 1), ("CONFIRMED", 18, 2), ("CONFIRMED", None, 2), (STALE, None, 0),
    }  # fmt: skip
    bench.wire.hurt = lambda who, data: [data]
    bench.run(2 * S)
    assert bench.numbers() == [18] * 4


def test_a_display_that_starts_shows_number_history_and_table() -> None:
    bench = played(1, coups=5)
    bench.displays = []
    again = bench.join(1)
    assert bench.run(2 * S, lambda: again.lit.number == 17)
    bench.run(3 * S)
    assert again.lit.history == ((17, "black"),) * 5
    assert again.lit.table == TABLE
    assert (again.lit.wheel, again.lit.layout_verified) == ("table 7", True)


def test_32_displays_that_start_at_once_light_the_number_within_2_s() -> None:
    bench = played(32, coups=2)
    bench.displays = []
    for address in bench.keys:
        bench.join(address)
    assert bench.run(2 * S, lambda: bench.numbers() == [17] * 32)


def test_a_controller_that_restarts_is_believed_after_a_second() -> None:
    bench = played(2, coups=2)
    bench.start()
    assert bench.run(2 * S, lambda: bench.display_host._displays.answers(bench.now_us) != [])
    assert bench.run(2 * S, lambda: bench.numbers() == [17] * 2)
    bench.view(*bench.ledger.result(18))
    assert bench.run(100_000, lambda: bench.numbers() == [18] * 2)


def test_a_controller_that_falls_silent_is_a_dash_within_a_second() -> None:
    bench = played(1)
    bench.wire.hurt = lambda who, data: [] if who is bench.line else [data]
    assert bench.run(S, lambda: bench.displays[0].lit == DARK)


def test_a_display_that_verifies_slowly_stays_lit_and_gets_there() -> None:
    """Seconds for a signature, as on a microcontroller that does other things meanwhile."""
    bench = played(1)
    display = bench.displays[0]
    work = display.work
    display.work = lambda: False  # type: ignore[method-assign]
    bench.view(*bench.ledger.result(18))
    assert watched(bench, 2_500_000) <= {("CONFIRMED", None, 2), ("CONFIRMED", 17, 1)}
    display.work = work  # type: ignore[method-assign]
    bench.run(20_000)
    assert bench.numbers() == [18]
    assert bench.troubles == []


def test_a_controller_that_is_about_to_leave_knows_who_has_missed_the_end() -> None:
    bench = played(2)
    assert not bench.line.is_behind()
    bench.wire.hurt = lambda who, data: [] if who is bench.line else [data]
    bench.view(*bench.ledger.result(18))
    bench.run(300_000)
    assert bench.line.is_behind()
    bench.wire.hurt = lambda who, data: [data]
    assert bench.run(2 * S, lambda: not bench.line.is_behind())
    assert bench.numbers() == [18] * 2


def test_nobody_waits_for_a_display_that_never_came_or_cannot_light_it() -> None:
    bench = Bench(1)
    absent, bench.displays = bench.displays, []
    bench.run(S)
    assert not bench.line.is_behind()
    bench.displays = absent
    for _ in range(2):
        bench.view(*bench.ledger.result(17))
        bench.run(2 * S)
    bench.ledger.records.clear()  # an older copy of the journal
    bench.start()
    bench.view(*bench.ledger.result(18))
    bench.run(3 * S)
    assert bench.troubles[-1] == ("B14", "1")
    assert not bench.line.is_behind()


def test_nobody_waits_for_a_display_that_has_gone_silent() -> None:
    bench = played(2)
    bench.displays.pop()
    bench.view(*bench.ledger.result(18))
    bench.run(2 * S)
    assert bench.line.is_behind()  # it may come back
    bench.run(2 * S)
    assert bench.troubles == [("B11", "2")]
    assert not bench.line.is_behind()
