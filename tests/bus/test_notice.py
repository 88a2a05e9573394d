"""Who asks to be the first supervisor, told to the displays beside the number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.bus import display_host, message_bytes, messages, record, slots
from firmware.bus.message_bytes import answered, notice_bytes, open_heartbeat, open_notice
from firmware.bus.receiver import NOTICE_US
from tools.bench.busbench import Bench

KEY, OTHER = b"k" * 32, b"o" * 32
FRESH, OLD = b"challeng", b"challold"
VIEW = ("BETS_OPEN", 3, 0, 1, None, None, None)


def notice(name: str = "paul", counter: int = 1) -> bytes:
    return answered(notice_bytes(7, counter, name), [(1, KEY, FRESH), (2, OTHER, OLD)])


# --- the bytes ------------------------------------------------------------------------------------


def test_a_notice_is_read_by_each_display_that_it_answers() -> None:
    assert open_notice(notice(), 1, KEY, [OLD, FRESH]) == (7, 1, "paul", 1)
    assert open_notice(notice(), 2, OTHER, [OLD]) == (7, 1, "paul", 0)


def test_a_notice_of_nobody_is_none() -> None:
    assert open_notice(notice(), 3, KEY, [FRESH]) is None  # it answers others
    assert open_notice(notice(), 1, OTHER, [FRESH]) is None
    assert open_notice(notice(), 1, KEY, [OLD]) is None
    assert open_notice(notice(), 1, KEY, []) is None
    assert open_notice(notice(""), 1, KEY, [FRESH]) is None


@pytest.mark.parametrize("name", ["\u202eluap", "pa\u2066ul", "pa\nul", "pa\u200bul", "\x1b[2J"])
def test_a_name_that_would_turn_or_spoil_a_line_is_none(name: str) -> None:
    """Signed as it may be: a display draws what it believes."""
    assert open_notice(notice(name), 1, KEY, [FRESH]) is None


def test_the_longest_name_fits_whole_and_a_longer_one_is_cut_between_two_characters() -> None:
    longest = "\U0001f3b0" * 40
    assert open_notice(notice(longest), 1, KEY, [FRESH]) == (7, 1, longest, 0)
    found = open_notice(notice("é" * 81), 1, KEY, [FRESH])
    assert found is not None and found[2] == "é" * 80


def test_a_notice_with_any_bit_changed_is_none() -> None:
    told = notice()
    signed = len(told) - messages.ANSWERED_SIZE  # what is the other's is not looked at
    for at in range(signed):
        for bit in range(8):
            changed = told[:at] + bytes([told[at] ^ 1 << bit]) + told[at + 1 :]
            assert open_notice(changed, 1, KEY, [FRESH]) is None


def test_no_heartbeat_is_a_notice_and_no_notice_a_heartbeat() -> None:
    assert open_heartbeat(notice(), 1, KEY, [FRESH]) is None
    padded = notice("x" * (messages.HEARTBEAT_SIZE - messages.NOTICE_SIZE))
    assert open_heartbeat(padded, 1, KEY, [FRESH]) is None


@given(st.binary(max_size=400))
def test_no_bytes_are_more_than_none(data: bytes) -> None:
    for head in (b"", bytes([messages.VERSION, messages.NOTICE])):
        assert open_notice(head + data, 1, KEY, [FRESH]) is None


def test_a_notice_is_no_longer_than_the_longest_record() -> None:
    """The line has time for that between two heartbeats, however many displays there are."""
    assert display_host.NOTICE_SHARE >= 16
    answers = [(at, KEY, FRESH) for at in range(display_host.NOTICE_SHARE)]
    told = answered(notice_bytes(7, 1, "\U0001f3b0" * 40), answers)
    assert len(told) <= messages.RECORD_SIZE + record.RECORD_MAX


# --- on the line ----------------------------------------------------------------------------------


def asks(bench: Bench) -> set[str | None]:
    return {display.asks for display in bench.displays}


def lit(bench: Bench) -> set[str]:
    return {display.lit.state for display in bench.displays}


def bench_of(displays: int) -> Bench:
    bench = Bench(displays)
    bench.view(*VIEW)
    assert bench.run(5_000_000, lambda: lit(bench) == {"BETS_OPEN"})
    return bench


@pytest.mark.parametrize("displays", [1, 3, slots.displays_max(115_200)])
def test_the_displays_show_who_asks_for_as_long_as_he_does_and_the_number_stays(
    displays: int,
) -> None:
    bench = bench_of(displays)
    assert asks(bench) == {None}
    bench.display_host.tell_asks("\U0001f3b0" * 40)
    assert bench.run(6_000_000, lambda: asks(bench) == {"\U0001f3b0" * 40})
    for _ in range(50):
        bench.run(100_000)
        assert asks(bench) == {"\U0001f3b0" * 40}
        assert lit(bench) == {"BETS_OPEN"}
    bench.display_host.tell_asks(None)
    assert bench.run(NOTICE_US + 500_000, lambda: asks(bench) == {None})
    assert lit(bench) == {"BETS_OPEN"}


def test_another_name_takes_the_place_of_the_first() -> None:
    bench = bench_of(2)
    for name in ("eve", "paul"):
        bench.display_host.tell_asks(name)
        assert bench.run(3_000_000, lambda name=name: asks(bench) == {name})


def test_a_notice_that_comes_again_changes_nothing() -> None:
    bench = bench_of(1)
    (display,) = bench.displays
    bench.display_host.tell_asks("eve")
    assert bench.run(3_000_000, lambda: asks(bench) == {"eve"})
    sent = display._notices
    held = answered(
        notice_bytes(display._session, sent, "mallory"),
        bench.display_host._displays.answers(bench.now_us),
    )
    display.receive_payloads([held], bench.now_us)  # rightly signed, but told before
    assert asks(bench) == {"eve"}


def test_a_display_that_hears_nobody_shows_nobody() -> None:
    bench = bench_of(1)
    bench.display_host.tell_asks("eve")
    assert bench.run(3_000_000, lambda: asks(bench) == {"eve"})
    bench.displays[0].drop()
    assert asks(bench) == {None}


def test_a_display_of_before_passes_a_notice_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows no message of that kind, and lights what it lights."""
    monkeypatch.setattr("firmware.bus.receiver.Receiver._notice", lambda *_: None)
    bench = bench_of(2)
    bench.display_host.tell_asks("eve")
    for _ in range(30):
        bench.run(100_000)
        assert (asks(bench), lit(bench)) == ({None}, {"BETS_OPEN"})


def test_who_has_no_display_tells_nobody() -> None:
    assert message_bytes.kind(notice()) == messages.NOTICE
    bench = Bench(0)
    bench.view(*VIEW)
    bench.display_host.tell_asks("eve")
    assert bench.display_host.poll(1_000_000) == []


def test_a_line_on_which_nobody_asks_looks_at_no_display_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = bench_of(3)
    displays = bench.display_host._displays
    looked, beats = [], []
    answers, beat = displays.answers, displays.beat
    monkeypatch.setattr(displays, "answers", lambda now_us: looked.append(1) or answers(now_us))
    monkeypatch.setattr(displays, "beat", lambda: beats.append(1) or beat())
    bench.run(2_000_000)
    assert beats
    assert len(looked) == len(beats)
