"""How a line's second is shared out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import loop
from firmware.bus import messages, record, slots


@pytest.mark.parametrize(
    ("baud", "terminals", "most"),
    [
        (115_200, 0, 32), (115_200, 1, 32), (115_200, 4, 25), (115_200, 8, 17),
        (57_600, 0, 18), (38_400, 0, 11), (19_200, 0, 4), (19_200, 1, 1), (9_600, 0, 0),
    ],
)  # fmt: skip
def test_a_line_has_time_for_so_many_displays(baud: int, terminals: int, most: int) -> None:
    assert slots.displays_max(baud, terminals) == most


@given(
    st.sampled_from([19_200, 38_400, 57_600, 115_200, 230_400]),
    st.integers(1, 32),
    st.integers(0, 16),
)
def test_a_round_a_heartbeats_interval_and_a_heartbeat_fit_into_a_second(
    baud: int, displays: int, terminals: int
) -> None:
    """With all silent, beside a decision; counted again, slot by slot."""
    plan = slots.plan(baud, displays, terminals)
    assert (plan is not None) == (displays <= slots.displays_max(baud, terminals))
    if plan is None:
        return
    beat_us = slots.heartbeat_us(baud, displays) + slots.LOOP_US
    assert plan.slot_us % slots.LOOP_US == 0
    beat_us += slots.LATE_US
    record_us = slots.record_us(baud) + slots.LOOP_US + slots.LATE_US
    busy_us = (
        (displays + plan.retries) * plan.slot_us + slots.terminals_us(baud, terminals) + record_us
    )
    round_us = 0
    while round_us < busy_us + (round_us // slots.HEARTBEAT_US + 2) * beat_us:
        round_us += slots.LOOP_US
        assert round_us + slots.HEARTBEAT_US + beat_us <= slots.FRESH_US + slots.LOOP_US
    answer_us = slots.frame_us(messages.ANSWER_SIZE, baud)
    assert plan.answer_us - answer_us >= slots.ANSWER_LEAST_US
    assert plan.apart_us >= max(slots.REPEAT_US, slots.record_us(baud))


def test_fewer_displays_have_longer_to_answer() -> None:
    found = [slots.plan(115_200, count, 0) for count in (1, 16, 32)]
    windows = [plan.answer_us for plan in found if plan is not None]
    assert windows == sorted(windows, reverse=True)
    assert windows[0] > 40_000 > 15_000 > windows[2]


def test_the_loop_is_as_quick_as_the_slots_take_it_to_be() -> None:
    assert loop.BUS_PERIOD_US == slots.LOOP_US
    assert slots.LOOP_US % slots.CARD_LOOP_US == 0


def test_a_record_is_on_the_line_for_30_ms_at_most() -> None:
    assert slots.record_us(115_200) <= 30_000
    assert record.RECORD_MAX == 320


def test_a_line_without_displays_has_more_time_for_terminals() -> None:
    assert slots.terminals_max(115_200) == 23
    assert slots.terminals_max(115_200, 8) == 12
    assert slots.terminals_max(19_200, 4) == 0
