"""Flipped, lost, invented, repeated and late bytes on the line: the money still adds up."""

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from players import on
from wire import KEYS, Bench

from firmware.bus import terminal_bytes, terminal_messages
from firmware.bus.frame import Deframer, decode, encode
from firmware.bus.terminal import Decided, Settled, Terminal
from firmware.bus.terminal_host import TerminalHost
from firmware.bus.terminal_messages import Envelope, Payments, Poll, Stake, TakeBack


class Hurt:
    """What a bad line, or somebody between two ttys, does to what is carried."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._old: list[bytes] = []
        self.on = True

    def __call__(self, who: Any, data: bytes) -> list[bytes]:
        if not self.on:
            return [data]
        self._old = [*self._old[-50:], data]
        do = self._chance.randrange(12)
        if do == 0:
            return []
        if do == 1:
            flipped = bytearray(data)
            flipped[self._chance.randrange(len(data))] ^= 1 << self._chance.randrange(8)
            return [bytes(flipped)]
        if do == 2:
            return [data, data]
        if do == 3:
            return [self._chance.choice(self._old), data]
        if do == 4:
            return [data, self._chance.choice(self._old)]
        if do == 5:
            return [data[: self._chance.randrange(len(data))]]
        if do == 6:
            return [self._chance.randbytes(self._chance.randrange(1, 30)), data]
        return [data]


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_whatever_the_line_does_the_money_adds_up(seed: int) -> None:
    chance = random.Random(seed)
    bench = Bench(2)
    hurt = bench.wire.hurt = Hurt(chance)
    asked: dict[int, list[Any]] = {1: [], 2: []}
    for address, terminal in enumerate(bench.terminals, 1):
        terminal.ask(on(f"player {address}"))
        for _ in range(6):
            stake = Stake(0, "rouge", chance.randrange(500, 2_000, 2), ())
            asked[address].append(stake.cents)
            terminal.ask(stake)
        terminal.ask(TakeBack(3))
    bench.run(chance.randrange(500_000, 3_000_000))
    record = bench.book.close(7)
    bench.run(500_000)
    hurt.on = False
    assert bench.run(20_000_000, lambda: all(terminal.idle for terminal in bench.terminals))
    end = {"coup": 7, "seq": 7, "number": 1, "colour": "red", "stakes": record["seal"]}
    bench.book.ended(end)
    bench.run(3_000_000)
    assert bench.troubles in ([], [("T13", "1")], [("T13", "2")], [("T13", "1"), ("T13", "2")])
    for address, terminal in enumerate(bench.terminals, 1):
        lay = [(one["id"], one["cents"]) for one in record["stakes"] if one["terminal"] == address]
        decided = bench.of(terminal, Decided)
        accepted = {one.request: one.ask for one in decided if one.accepted}
        back = [ask.id for ask in accepted.values() if isinstance(ask, TakeBack)]
        believed = sorted(
            (number, ask.cents)
            for number, ask in accepted.items()
            if isinstance(ask, Stake) and number not in back
        )
        # What it believes to lie is what lay, no more and no less, and nothing twice.
        assert believed == sorted(lay)
        assert len(decided) == 8
        assert [one.ask.cents for one in decided if isinstance(one.ask, Stake)] == asked[address]
        told = [entry for one in bench.of(terminal, Settled) for entry in one.entries]
        assert sorted(told) == sorted((number, cents, cents) for number, cents in lay)


def answered(terminal: Terminal, data: bytes, now_us: int = 0) -> list[terminal_messages.Reply]:
    """The replies to some bytes."""
    found = []
    for payload in Deframer().feed(terminal.feed(data, now_us)):
        opened = terminal_bytes.open_reply(payload, KEYS[1])
        assert opened is not None
        found.append(opened[1])
    return found


def poll(counter: int, boot: int, echo: int, session: int = 5, **more: Any) -> bytes:
    told = Poll(boot, echo, "BETS_OPEN", 7, 7, 0, 0, 0, 0, 1, 2_500, None, None)._replace(**more)
    return encode(terminal_bytes.poll_bytes(Envelope(1, session, counter), told, KEYS[1]))


def linked() -> Terminal:
    """A terminal with boot 9 that has heard session 5 up to its poll 2."""
    terminal = Terminal(1, KEYS[1], 9)
    assert [reply.number for reply in answered(terminal, poll(1, 0, 0))] == [1]
    assert terminal.standing.state is None  # nothing is believed before it has echoed us
    assert [reply.number for reply in answered(terminal, poll(2, 9, 1))] == [2]
    assert terminal.standing.state == "BETS_OPEN"
    return terminal


def test_a_poll_that_comes_again_or_late_is_neither_believed_nor_answered() -> None:
    terminal = linked()
    assert answered(terminal, poll(5, 9, 2, state="NO_MORE_BETS")) != []
    for counter in (1, 2, 4, 5):
        assert answered(terminal, poll(counter, 9, 2, state="CONFIRMED")) == []
        assert terminal.standing.state == "NO_MORE_BETS"


def test_a_stake_whose_payment_was_heard_before_its_answer_is_not_told_to_be_lost() -> None:
    terminal = linked()
    terminal.ask(Stake(0, "rouge", 500, ()))
    (asked,) = answered(terminal, poll(3, 9, 2))
    paid = {"coup": 8, "settled": 7, "paid": 1}
    part = Payments(1, "red", 0, ((asked.request, 500, 500),))
    assert answered(terminal, poll(4, 9, 3, part=part, **paid)) != []
    assert answered(terminal, poll(5, 9, 4, answered=asked.request, verdict=1, **paid)) != []
    assert answered(terminal, poll(6, 9, 5, coup=9, settled=8)) != []
    assert [type(one) for one in terminal.take_events()] == [Settled, Decided]


def test_a_controller_that_says_the_last_request_is_answered_is_asked_nothing() -> None:
    """Whoever has the terminal's key: no number is left above, and the terminal lives on."""
    terminal = linked()
    terminal.ask(Stake(0, "rouge", 500, ()))
    (reply,) = answered(terminal, poll(3, 9, 2, answered=0xFFFFFFFF))
    assert (reply.request, reply.ask) == (0, None)
    (reply,) = answered(terminal, poll(4, 9, 3))
    assert (reply.request, reply.ask) == (1, Stake(7, "rouge", 500, ()))


def test_a_controller_that_pays_more_stakes_than_it_says_is_not_followed() -> None:
    terminal = linked()
    many = Payments(1, "red", 0, ((1, 500, 500),) * 25)
    for turn in range(11):
        part = many._replace(first=25 * turn)
        told = {"coup": 8, "settled": 7, "paid": 255, "part": part}
        (reply,) = answered(terminal, poll(3 + turn, 9, 2 + turn, **told))
    assert reply.paid == 255
    (settled,) = terminal.take_events()
    assert len(settled.entries) == 255


def test_a_session_of_the_past_is_not_believed() -> None:
    terminal = linked()
    # Recorded yesterday, played again: it cannot echo what we have only said now.
    for counter in range(1, 20):
        answered(terminal, poll(counter, 9, counter, session=4, state="CONFIRMED"))
        assert terminal.standing.state == "BETS_OPEN"
        assert terminal.standing.coup == 7


def test_a_terminal_that_restarted_believes_nothing_of_before() -> None:
    old = [poll(1, 0, 0), poll(2, 9, 1), poll(3, 9, 2)]
    again = Terminal(1, KEYS[1], 10)
    for data in old * 2:
        answered(again, data)
        assert again.standing.state is None


def test_polls_are_the_same_byte_by_byte() -> None:
    terminal = linked()
    replies = [
        reply for byte in b"noise\0" + poll(3, 9, 2) for reply in answered(terminal, bytes([byte]))
    ]
    assert [reply.number for reply in replies] == [3]


def test_a_poll_behind_which_others_spoke_is_too_late_to_answer() -> None:
    terminal = linked()
    other = terminal_bytes.poll_bytes(Envelope(2, 5, 4), Poll(*_nothing()), KEYS[2])
    assert answered(terminal, poll(3, 9, 2) + encode(other)) == []
    assert answered(terminal, encode(other) + poll(5, 9, 2)) != []


def _nothing() -> tuple[Any, ...]:
    return (0, 0, "BETS_OPEN", 7, 0, 0, 0, 0, 0, 0, 0, None, None)


def test_replies_are_the_same_byte_by_byte() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    exchange = bench.line.exchange

    def one_by_one(data: bytes, now_us: int) -> list[bytes]:
        cut = [bytes([byte]) for byte in data]
        return [framed for part in [*cut, b""] for framed in exchange(part, now_us)]

    bench.line.exchange = one_by_one  # type: ignore[method-assign]
    assert bench.asked(anna, on("anna")).accepted


def replied(terminal: Terminal, framed: bytes, now_us: int) -> bytes:
    """The payload of a terminal's reply to a poll."""
    payload = decode(terminal.feed(framed, now_us)[1:-1])
    assert payload is not None
    return payload


def test_a_reply_counts_in_its_slot_and_once() -> None:
    bench = Bench(1)
    anna = bench.terminals[0]
    bench.asked(anna, on("anna"))
    host: TerminalHost = bench.host
    now_us = bench.now_us + 2_000_000
    anna.ask(Stake(0, "rouge", 500, ()))
    reply = replied(anna, host.poll(now_us), now_us)
    assert host.arbiter.listening(now_us + 1_000)
    host.feed(reply, now_us + 100_000)  # when another may have the word
    assert bench.book.accepted_stakes(1) == []
    reply = replied(anna, host.poll(now_us + 200_000), now_us + 200_000)
    host.feed(reply, now_us + 201_000)
    assert len(bench.book.accepted_stakes(1)) == 1
    assert not host.arbiter.listening(now_us + 201_000)
    for at_us in (202_000, 300_000, 900_000):
        host.feed(reply, now_us + at_us)
        host.poll(now_us + at_us)
    assert len(bench.book.accepted_stakes(1)) == 1


def test_another_terminals_reply_places_nothing_here() -> None:
    bench = Bench(2)
    anna, bert = bench.terminals
    bench.asked(anna, on("anna"))
    bert.ask(Stake(0, "rouge", 500, ()))

    def swapped(who: Any, data: bytes) -> list[bytes]:
        """Replies of terminal 2 with the address of terminal 1 written over them."""
        if who is not bert:
            return [data]
        (payload,) = Deframer().feed(data)
        return [encode(payload[:2] + b"\x01" + payload[3:])]

    bench.wire.hurt = swapped
    bench.run(2_000_000)
    assert bench.book.close(7)["stakes"] == []
    assert bench.displays[0].lit.state == "BETS_OPEN"


def silent_bench() -> tuple[Bench, Terminal]:
    """A seated terminal that says only what a test lets it say."""
    bench = Bench(1)
    (anna,) = bench.terminals
    bench.asked(anna, on("anna"))
    bench.now_us += 2_000_000
    return bench, anna


def exchanged(bench: Bench, anna: Terminal) -> bytes:
    """The terminal's reply to the next poll; the controller has yet to hear it."""
    bench.now_us += 200_000
    return replied(anna, bench.host.poll(bench.now_us), bench.now_us)


def test_a_reply_to_an_earlier_poll_does_not_count_for_this_one() -> None:
    bench, anna = silent_bench()
    anna.ask(Stake(0, "rouge", 500, ()))
    kept_back = exchanged(bench, anna)
    exchanged(bench, anna)
    bench.host.feed(kept_back, bench.now_us + 1_000)
    assert bench.book.accepted_stakes(1) == []
    assert bench.host.arbiter.listening(bench.now_us + 1_000)


def test_what_was_refused_stays_refused_however_often_it_is_asked() -> None:
    bench, anna = silent_bench()
    bench.book.employee("claire", False)
    anna.ask(Stake(0, "rouge", 500, ()))
    bench.host.feed(exchanged(bench, anna), bench.now_us)
    bench.book.employee("claire", True)  # the answer was lost; it is asked again
    lost_us = bench.now_us + 200_000
    bench.host.poll(lost_us)
    bench.now_us = lost_us
    for _ in range(3):
        bench.host.feed(exchanged(bench, anna), bench.now_us)
    assert bench.book.accepted_stakes(1) == []
    (decided,) = [one for one in anna.take_events() if isinstance(one, Decided)]
    assert (decided.accepted, decided.rule) == (False, "art. 20-1")
