"""Displays that are silent, lie, or are two: the controller is told (B11 to B14)."""

from typing import Any

import pytest
from played import S, next_coup, played, watched
from wire import one_behind_the_other

from firmware.bus import frame, message_bytes, messages
from firmware.bus.frame import Deframer
from firmware.bus.receiver import DARK, STALE
from tools.bench.busbench import Bench, Ledger, display_key


def test_a_silent_display_is_told_once_until_it_is_back() -> None:
    bench = played(2)
    gone = bench.displays.pop()
    bench.run(10 * S)
    assert bench.troubles == [("B11", "2")]
    bench.displays.append(gone)
    bench.run(2 * S)
    bench.displays.remove(gone)
    bench.run(5 * S)
    assert bench.troubles == [("B11", "2")] * 2


def test_the_end_of_a_silence_is_told_once_at_its_answer() -> None:
    bench = played(2)
    assert bench.line.ended() == []  # nobody was silent
    gone = bench.displays.pop()
    bench.run(10 * S)
    assert bench.line.ended() == []
    bench.displays.append(gone)
    bench.run(2 * S)
    assert bench.line.ended() == [("B11", "2")]
    bench.run(5 * S)
    assert bench.line.ended() == []


def test_a_silence_is_not_over_because_nobody_was_asked_for_a_while() -> None:
    """The port was gone meanwhile: that a display is asked again is no answer of it."""
    bench = played(2)
    gone = bench.displays.pop()
    bench.run(10 * S)
    bench.now_us += 60 * S
    bench.run(10 * S)
    assert bench.line.ended() == []
    bench.displays.append(gone)
    bench.run(2 * S)
    assert bench.line.ended() == [("B11", "2")]


def test_a_display_never_heard_is_told_once() -> None:
    bench = Bench(1)
    bench.displays = []
    bench.run(2_900_000)
    assert bench.troubles == []
    bench.run(10 * S)
    assert bench.troubles == [("B11", "1")]


def test_who_was_not_asked_for_a_while_is_not_silent() -> None:
    """The controller was stopped, or its port was gone."""
    bench = played(1)
    bench.now_us += 60 * S
    bench.run(2 * S)
    assert bench.troubles == []
    assert bench.numbers() == [17]


@pytest.mark.req("IEC-CR-1.2")
@pytest.mark.req("EN-5.4-4")
def test_swapped_keys_are_silence_and_light_nothing() -> None:
    bench = Bench(2)
    bench.displays = []
    bench.join(1, display_key(2))
    bench.join(2, display_key(1))
    bench.view(*bench.ledger.result(17))
    bench.run(5 * S)
    assert [display.lit for display in bench.displays] == [DARK, DARK]
    assert sorted(bench.troubles) == [("B11", "1"), ("B11", "2")]


def test_two_displays_at_one_address_are_told() -> None:
    bench = played(1)
    twin = bench.join(1)
    one_behind_the_other(bench)
    bench.run(3 * S)
    assert ("B13", "1") in bench.troubles
    for display in bench.displays:
        assert display.lit.number in (None, 17)
    bench.displays.remove(twin)
    bench.run(5 * S)
    assert bench.numbers() == [17]
    bench.displays.append(twin)
    bench.run(3 * S)
    assert bench.troubles.count(("B13", "1")) == 2


def test_a_display_that_restarts_is_no_second_one() -> None:
    bench = played(1)
    for _ in range(3):
        bench.displays = []
        bench.join(1)
        bench.run(S)
    assert bench.troubles == []


class Liar:
    """A display with its own key that says it lights something else."""

    def __init__(self, bench: Bench, **said: Any) -> None:
        self.display = bench.displays.pop()
        self.said = said
        bench.stations = lambda: [self]  # type: ignore[method-assign]

    def feed(self, data: bytes, now_us: int) -> bytes:
        reply = self.display.feed(data, now_us)
        while self.display.work():
            pass
        self.display.tick(now_us)
        if not reply:
            return b""
        key = display_key(1)
        opened = message_bytes.open_answer(Deframer().feed(reply)[0], key)
        assert opened is not None
        answer = opened[1]._replace(**self.said)
        return frame.encode(message_bytes.answer_bytes(opened[0], answer, key))

    def tick(self, now_us: int) -> None:
        self.display.tick(now_us)


def test_a_display_that_lights_another_number_is_told() -> None:
    bench = played(1)
    lit = messages.lit_digest("CONFIRMED", 18, 1, 1)
    liar = Liar(bench, lit=lit)
    bench.run(S)
    assert bench.troubles == [("B12", "1")]
    liar.said = {}
    bench.run(S)
    liar.said = {"lit": lit}
    bench.run(S)
    assert bench.troubles == [("B12", "1")] * 2


def test_a_display_that_goes_on_lighting_the_old_number_is_told() -> None:
    bench = played(1)
    bench.displays[0].tick(bench.now_us)
    Liar(bench, lit=messages.lit_digest("CONFIRMED", 17, 1, 1))
    bench.run(S)
    next_coup(bench)
    bench.run(S)
    assert bench.troubles == []
    bench.run(S)
    assert bench.troubles == [("B12", "1")]


@pytest.mark.parametrize("lit", [("CONFIRMED", None, 1, 1), (STALE, None, 0, 0)])
def test_a_dash_that_stays_is_told_after_3_s(lit: Any) -> None:
    bench = played(1)
    Liar(bench, lit=messages.lit_digest(*lit))
    bench.run(2_800_000)
    assert bench.troubles == []
    bench.run(S)
    assert bench.troubles == [("B12", "1")]


def test_numbers_that_are_never_lit_are_told_though_the_next_coup_begins_soon() -> None:
    bench = played(1)
    liar = Liar(bench)
    for seq in (2, 3):
        assert bench.troubles == []
        next_coup(bench)
        bench.run(5 * S)
        bench.view(*bench.ledger.result(17))
        liar.said = {"lit": messages.lit_digest("CONFIRMED", None, 1, seq)}
        bench.run(2 * S)
        liar.said = {}
    assert bench.troubles == [("B12", "1")]
    next_coup(bench)  # told once, until it lights one
    bench.run(5 * S)
    bench.view(*bench.ledger.result(17))
    bench.run(2 * S)
    liar.said = {"lit": messages.lit_digest("CONFIRMED", None, 1, 4)}
    bench.run(4 * S)
    assert bench.troubles == [("B12", "1")] * 2


def test_a_display_may_take_a_while_when_the_line_is_back() -> None:
    bench = played(1)
    liar = Liar(bench, lit=messages.lit_digest(STALE, None, 0, 0))
    bench.stations = list  # type: ignore[method-assign]
    bench.run(100_000)  # the next ask is the last one's second try
    bench.stations = lambda: [liar]  # type: ignore[method-assign]
    bench.now_us += 60 * S
    bench.run(2_800_000)
    assert bench.troubles == []
    liar.said = {}
    bench.run(2 * S)
    assert bench.troubles == []


def test_a_display_with_another_wheels_key_shows_a_dash_and_is_told() -> None:
    bench = Bench(1)
    bench.displays = []
    ledger, bench.ledger = bench.ledger, Ledger(b"another wheel's own key.........")
    bench.join(1)
    bench.ledger = ledger
    bench.view(*ledger.result(17))
    assert {number for _, number, _ in watched(bench, 6 * S)} == {None}
    assert bench.troubles == [("B12", "1")]


def test_a_journal_that_lost_its_end_is_told_and_its_numbers_are_not_lit() -> None:
    bench = played(1, coups=3)
    bench.ledger.records = bench.ledger.records[:1]
    bench.start()
    bench.view("CONFIRMED", 1, 1, 1, 17, "black", None)
    assert {number for _, number, seq in watched(bench, 5 * S) if seq == 1} == {None}
    assert ("B14", "1") in bench.troubles
    again = bench.join(1)
    bench.displays = [again]
    bench.run(3 * S)
    assert bench.numbers() == [17]  # a display that knows nothing cannot tell
