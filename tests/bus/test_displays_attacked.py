"""A recorded, delayed, forged stream on the line of the displays: nothing of it is lit."""

from typing import Any

import pytest
from hand import framed
from played import S, next_coup, payloads, played

from firmware.bus import frame, message_bytes, messages, record
from firmware.bus.frame import Deframer
from firmware.bus.messages import Answer, Envelope
from firmware.bus.receiver import DARK
from firmware.bus.slots import FRESH_US
from tools.bench.busbench import Ledger


@pytest.mark.parametrize("delay_us", [100_000, 900_000, 1_000_000, 5_000_000, 60_000_000])
def test_a_stream_delayed_by_any_constant_is_dark(delay_us: int) -> None:
    """Whatever the controller says comes later: asks and heartbeats, each whole and unchanged."""
    bench = played(1)
    display = bench.displays.pop()
    late: list[tuple[int, bytes]] = []

    class Delayed:
        """The display behind a box that holds everything back."""

        def feed(self, data: bytes, now_us: int) -> bytes:
            late.append((now_us + delay_us, data))
            return b""

        def tick(self, now_us: int) -> None:
            while late and late[0][0] <= now_us:
                reply = display.feed(late.pop(0)[1], now_us)
                if reply:
                    bench.wire.send(self, reply, now_us)
            while display.work():
                pass
            display.tick(now_us)

    delayed = Delayed()
    bench.stations = lambda: [delayed]  # type: ignore[method-assign]
    bench.run(FRESH_US)
    for turn in range(int(min(delay_us, 5 * S) / S) + 2):
        bench.view(*bench.ledger.result(17 + turn % 2))
        for _ in range(100):
            bench.run(10_000)
            assert display.lit == DARK


@pytest.mark.req("IEC-CR-3.6")
@pytest.mark.parametrize("delay_us", [300_000, 1_000_000, 5_000_000])
def test_heartbeats_held_back_are_never_older_than_a_second(delay_us: int) -> None:
    """Only what the controller tells all is delayed: asks and answers pass at once."""
    bench = played(1)
    display = bench.displays.pop()
    late: list[tuple[int, bytes]] = []
    changed_us: list[int] = []

    class Delayed:
        def feed(self, data: bytes, now_us: int) -> bytes:
            if Deframer().feed(data)[0][1] == messages.ASK:
                return display.feed(data, now_us)
            late.append((now_us + delay_us, data))
            return b""

        def tick(self, now_us: int) -> None:
            while late and late[0][0] <= now_us:
                display.feed(late.pop(0)[1], now_us)
            while display.work():
                pass
            display.tick(now_us)

    delayed = Delayed()
    bench.stations = lambda: [delayed]  # type: ignore[method-assign]
    bench.run(2 * S)
    bench.view(*bench.ledger.result(18))
    changed_us.append(bench.now_us)
    for _ in range(800):
        bench.run(10_000)
        if bench.now_us - changed_us[0] >= FRESH_US:
            assert display.lit.number in (None, 18)
    assert (display.lit.number == 18) == (delay_us < FRESH_US)


@pytest.mark.parametrize("fast", [1, 10])
def test_a_recorded_day_played_to_a_display_that_restarted_lights_nothing(fast: int) -> None:
    bench = played(1, coups=3)
    day = [(at_us // fast, data) for at_us, who, data in bench.wire.log if who is bench.line]
    display = bench.join(1)
    answers = 0
    for at_us, data in day + day:
        answers += bool(display.feed(data, at_us))
        assert (display.lit, display.work()) == (DARK, False)
        assert display._record_chain.newest == (0, 0)
    assert answers > 10  # it answers who asks: its challenge is a new one each time


def test_a_display_whose_boot_is_no_random_number_is_open_to_a_replay() -> None:
    """Why docs/bus.md asks for 64 random bits."""
    bench = played(1)
    day = [(at_us, data) for at_us, who, data in bench.wire.log if who is bench.line]
    bench.boots = 0
    display = bench.join(1)  # with the number it had
    lit = set()
    for at_us, data in day:
        display.feed(data, at_us)
        lit.add(display.lit.state)
    assert "BETS_OPEN" in lit


def test_a_recorded_day_played_beside_the_controller_changes_nothing() -> None:
    bench = played(1, coups=3)
    next_coup(bench)
    bench.run(S)
    before = bench.displays[0].lit
    seq = before.seq
    for _, who, data in list(bench.wire.log):
        if who is not bench.displays[0]:
            bench.displays[0].feed(data, bench.now_us)
            while bench.displays[0].work():
                pass
            bench.displays[0].tick(bench.now_us)
            assert bench.displays[0].lit == before
            assert bench.displays[0].lit.seq == seq


def test_the_retired_key_signs_no_more_for_a_display_that_is_up_to_date() -> None:
    bench = played(1)
    old = bench.ledger.signer
    bench.ledger.rotate(b"second key of the wheel.........")
    bench.start()
    bench.run(3 * S)
    display = bench.displays[0]
    assert display._record_chain.kid == bench.ledger.signer.kid
    stolen = Ledger()
    stolen.signer = old
    stolen.result(17)
    stolen.result(36)
    display.feed(framed(stolen.records[1]), bench.now_us)
    assert not display.work()  # no heartbeat names it


def test_forged_counters_change_nothing() -> None:
    """Somebody who knows every address and session, and no key."""
    bench = played(1)
    display, display_host = bench.displays[0], bench.display_host
    top, key = 2**32 - 1, bytes(32)
    before = dict(vars(display)), dict(vars(display._record_chain))
    envelope = Envelope(1, display_host._session, top)
    forged = [message_bytes.ask_bytes(envelope, key)]
    beats = payloads(bench, messages.HEARTBEAT)
    forged += [beat[:10] + b"\xff\xff\xff\xff" + beat[14:] for beat in beats[-3:]]
    for payload in forged:
        assert display.feed(frame.encode(payload), bench.now_us) == b""
    after = dict(vars(display)), dict(vars(display._record_chain))
    for part in (*before, *after):
        part.pop("_deframer", None)
    assert before == after
    place = display_host._displays.places[0]
    known = dict(vars(place))
    answer = Answer(1, bytes(8), top, top, bytes(4), top, bytes(8), bytes(4))
    counter = Envelope(1, display_host._session, place.counter)
    for told in (envelope, counter):
        display_host.feed(message_bytes.answer_bytes(told, answer, key), bench.now_us)
    assert dict(vars(place)) == known
    assert display_host.troubles() == []


def test_no_record_is_verified_that_nobody_named_or_asked_for() -> None:
    bench = played(1, coups=2)
    display = bench.displays[0]
    other = Ledger()
    for number in (36, 36, 36, 36):
        other.result(number)
    for data in [*other.records, bytes(200), b""]:
        display.feed(framed(data) if data else b"\0\0", bench.now_us)
        assert not display.work()
    bench.run(S)
    assert bench.numbers() == [17]


def test_a_flood_of_forged_records_leaves_what_is_named_its_turn() -> None:
    bench = played(1, coups=2)
    display = bench.displays[0]
    forged = Ledger(b"somebody else's key.............")
    for _ in range(6):
        forged.result(36)
    real = bench.ledger
    view = real.result(18)
    # In the wheel's name, but not by its key.
    lies = [data.replace(forged.signer.kid, real.signer.kid) for data in forged.records]
    assert record.kid(lies[2]) == real.signer.kid

    def hurt(who: Any, data: bytes) -> list[bytes]:
        return [framed(lie) for lie in lies] * 3 + [data]

    bench.wire.hurt = hurt
    bench.view(*view)
    assert bench.run(200_000, lambda: bench.numbers() == [18])
    assert display.lit.history == ((17, "black"), (17, "black"), (18, "red"))
