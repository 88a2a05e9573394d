"""A terminal against a controller that has its key; a controller against its stations' keys.

What is said is rightly signed, so that all that lies behind the codes is reached.
"""

from __future__ import annotations

import struct
from typing import Any

import rules
from firmware.bus import frame, mac, message_bytes, messages, terminal_bytes, terminal_messages
from firmware.bus.display_host import DisplayHost
from firmware.bus.frame import Deframer
from firmware.bus.line import TableLine
from firmware.bus.messages import Answer, Envelope
from firmware.bus.terminal import TOLD_MAX, WAITING_MAX, Terminal
from firmware.bus.terminal_host import TerminalHost
from firmware.bus.terminal_messages import (
    Payments,
    Poll,
    PutIn,
    Reply,
    Sentence,
    SignOff,
    SignOn,
    Stake,
    TakeBack,
)
from firmware.stakes.accounts import DESK, Accounts
from firmware.stakes.book import Book
from firmware.stakes.terminal_book import STAKES_MAX, account_key
from firmware.stakes.terminal_book import WAITING_MAX as SETTLED_MAX
from tools.bench.busbench import TABLE, Ledger
from tools.fuzz.choices import Choices

_TURNS_MAX = 64  # a run
_KEY = bytes(range(32))
_COUNTS = (0, 1, 2, 3, 4, 7, 8, 64, 255, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)
_PAID_MAX = 0xFF  # `paid` is one byte
_BAUD = 115_200
_BOOT = 1009
_ACCOUNT_KEYS = {account: account_key(_KEY, account) for account in (1, 2)}


def _number(choose: Choices) -> int:
    return choose.one(_COUNTS) if choose.below(2) else choose.number(4)


def _ask(choose: Choices) -> Any:
    """What a player might want."""
    way = choose.below(8)
    if way == 0:
        account = choose.one((1, 1, 2, 3, _number(choose)))
        return SignOn(account, choose.one((_ACCOUNT_KEYS[1], _ACCOUNT_KEYS[2], choose.run(32))))
    if way == 1:
        return SignOff()
    if way == 2:
        return TakeBack(_number(choose))
    if way == 3:
        return PutIn(choose.one((500, 10_000, _number(choose))))
    bet = choose.one(terminal_messages.BETS)[1]
    on = tuple(choose.run(choose.below(1 + terminal_messages.ON_MAX)))
    coup = choose.one((7, 7, 7, 0, _number(choose)))
    cents = choose.one((500, 1_000, 10_000, _number(choose)))
    return Stake(coup, bet, cents, on)


class Seat:
    """One terminal, and a controller that lies to it."""

    def __init__(self, choices: Choices) -> None:
        self._choose = choices
        self._terminal = Terminal(1, _KEY, _BOOT)
        self._now_us = 0
        self._counter = 0
        self._told = Reply(_BOOT, 0, 0, 0, 0, 0, 0, None)
        self._poll = Poll(_BOOT, 0, "BETS_OPEN", 7, 7, 0, 0, 0, 0, 1, 10_000, None, None)
        self._asked = 0

    def play(self) -> None:
        """Does what the choices say. Raises AssertionError for what no terminal may do."""
        for _ in range(2):  # it believes who echoes it
            self._say(self._poll)
        turns = 0
        while self._choose.more and turns < _TURNS_MAX:
            turns += 1
            way = self._choose.below(8)
            if way < 4:
                self._say(self._next_poll())
            elif way == 4:
                self._player_asks()
            elif way == 5:
                body = self._choose.run(self._choose.below(120))
                self._feed(frame.encode(mac.signed(_KEY, b"\5\3\1" + body)))
            elif way == 6:
                self._now_us += self._choose.one((1_000, 1_000_000, 3_000_000))
                self._terminal.tick(self._now_us)
            else:
                self._feed(self._choose.run(self._choose.below(64)))
            self._terminal.take_events()
            self._check()

    def _player_asks(self) -> None:
        try:
            self._terminal.ask(_ask(self._choose))
            self._asked += 1
        except ValueError:
            pass  # as it says

    def _next_poll(self) -> Poll:
        choose = self._choose
        poll = self._poll._replace(answered=self._told.request, verdict=choose.below(4))
        for _ in range(choose.below(4)):
            name = choose.one(Poll._fields[:-1])
            value: Any = _number(choose)
            if name == "state":
                value = choose.one(messages.STATES)[1]
            elif name in ("flags", "verdict", "paid", "seat"):
                value = choose.number(1)
            elif name == "part":
                value = self._part()
            poll = poll._replace(**{name: value})
        self._poll = poll
        return poll

    def _part(self) -> Any:
        choose = self._choose
        if choose.below(4) == 0:
            return Sentence(
                choose.one(("art. 20-1", "", "\x1b]")), choose.one(("no", "", "é" * 100))
            )
        entry = (_number(choose), _number(choose), choose.one((-1, 0, 2**62, -(2**63))))
        count = choose.one((0, 1, 12, 25))
        first = choose.one((self._told.paid, 0, choose.number(1)))
        number = choose.one((17, 0, None, 200))
        colour = None if number is None else "red"
        return Payments(number, colour, first, (entry,) * count)

    def _say(self, poll: Poll) -> None:
        choose = self._choose
        self._counter += choose.one((1,) * 14 + (0, 1000))
        poll = poll._replace(echo=self._told.number) if choose.below(16) < 15 else poll
        envelope = Envelope(1, choose.one((5,) * 15 + (6,)), self._counter)
        payload = terminal_bytes.poll_bytes(envelope, poll, _KEY)
        if choose.below(16) == 15:
            at = 3 + choose.below(len(payload) - 3 - mac.SIZE)
            body = payload[: -mac.SIZE]
            payload = mac.signed(_KEY, body[:at] + choose.run(1) + body[at + 1 :])
        if len(payload) <= frame.PAYLOAD_MAX:
            self._feed(frame.encode(payload))

    def _feed(self, data: bytes) -> None:
        self._now_us += 1_000
        for payload in Deframer().feed(self._terminal.feed(data, self._now_us)):
            opened = terminal_bytes.open_reply(payload, _KEY)
            assert opened is not None, "a reply that nobody can read"
            self._told = opened[1]

    def _check(self) -> None:
        terminal = self._terminal
        assert len(terminal._asks) <= WAITING_MAX + 1
        assert len(terminal._entries) <= _PAID_MAX, f"{len(terminal._entries)} payments are kept"
        assert len(terminal._told) <= TOLD_MAX
        assert len(terminal._placed) <= self._asked
        assert len(terminal._deframer._held) <= frame.STUFFED_MAX


def _ledger() -> Ledger:
    ledger = Ledger(coup=4)
    ledger.result(17)
    ledger.result(18)
    return ledger


_LEDGER = _ledger()
_RULES = rules.load("roulette_lu")
_LIT = ("CONFIRMED", 6, 2, 1, 18, "red", None)
_VIEWS = (
    _LIT,
    *((state, 7, 2, 1, None, None, None) for state in ("BETS_OPEN", "NO_MORE_BETS", "FAULT")),
    ("VOID", 6, 2, 1, None, None, "timeout"),
)


class Controller:
    """A controller with two displays and two terminals, each of which lies with its own key.

    The second terminal has an honest stake, which nobody else may touch.
    """

    def __init__(self, choices: Choices) -> None:
        self._choose = choices
        self._keys = {address: bytes([address]) * 32 for address in (1, 2)}
        money = Accounts()
        for account, player in ((1, "anna"), (2, "berta")):
            money.add_row("account", money.open(player, "claire"))
            put_in = money.deposit(account, 1_000_000, terminal=DESK, who="claire")
            money.add_row("money", put_in)
        self._book = Book(
            _RULES, minimum_cents=500, terminals=(1, 2), coup=7,
            money=money, keys=_ACCOUNT_KEYS, put_in=True,
        )  # fmt: skip
        self._book.employee("claire", True)
        self._book.sign_on(2, 2)
        self._book.stake(2, 1, coup=7, bet="rouge", on=(), cents=500)
        display_host = DisplayHost(
            5, self._keys, _LEDGER.record_of, kid=_LEDGER.signer.kid, table=TABLE
        )
        host = TerminalHost(6, {1: self._keys[1]}, self._book, baud=_BAUD, displays=2)
        self._line = TableLine(display_host, host)
        self._view(*_LIT)
        self._asked = Envelope(1, 5, 0)
        self._polled = Envelope(1, 6, 0)
        self._request = 0
        self._now_us = 0

    def play(self) -> None:
        """Does what the choices say. Raises AssertionError for what no controller may do."""
        turns = 0
        while self._choose.more and turns < _TURNS_MAX:
            turns += 1
            way = self._choose.below(8)
            said = b""
            if way < 3:
                said = self._reply()
            elif way < 6:
                said = self._answer()
            elif way == 6:
                said = self._choose.run(self._choose.below(64))
            elif self._choose.below(4) == 0:
                self._view(*self._choose.one(_VIEWS))
            self._exchange(said)
            self._check()

    def _view(self, *view: Any) -> None:
        self._line.display_host.set_view(*view)
        if self._line.terminal_host is not None:
            self._line.terminal_host.set_state(view[0])

    def _exchange(self, said: bytes) -> None:
        for _ in range(1 + self._choose.below(4) * 8):
            for framed in self._line.exchange(said, self._now_us):
                (payload,) = Deframer().feed(framed)
                if message_bytes.kind(payload) in (messages.ASK, terminal_messages.POLL):
                    envelope = message_bytes.envelope_of(payload)
                    if message_bytes.kind(payload) == messages.ASK:
                        self._asked = envelope
                    else:
                        self._polled = envelope
            said = b""
            self._now_us += self._choose.one((5_000, 5_000, 5_000, 100_000))
        assert len(self._line.troubles()) <= 16

    def _answer(self) -> bytes:
        choose = self._choose
        envelope = self._asked
        address = envelope.address if choose.below(8) else choose.one((1, 2))
        answer = Answer(
            choose.one((1, 1, 2, choose.number(8))), choose.run(8), _number(choose),
            _number(choose), choose.run(4), _number(choose),
            choose.one((_LEDGER.signer.kid, choose.run(8))), choose.run(4),
        )  # fmt: skip
        told = Envelope(address, envelope.session, envelope.counter - (choose.below(8) == 7))
        if told.counter < 0:
            return b""
        return frame.encode(message_bytes.answer_bytes(told, answer, self._keys[address]))

    def _reply(self) -> bytes:
        choose = self._choose
        ask = _ask(choose) if choose.below(4) else None
        self._request = choose.one((self._request, self._request + 1, _number(choose))) % 2**32
        request = 0 if ask is None else max(1, self._request)
        reply = Reply(
            choose.one((1, 1, 1, 2, choose.number(4))), _number(choose), _number(choose),
            choose.one((7, 6, _number(choose))), choose.number(1),
            choose.one((1, 1, 0, choose.number(1))), request, ask,
        )  # fmt: skip
        try:
            payload = terminal_bytes.reply_bytes(self._polled, reply, self._keys[1])
        except struct.error:
            return b""
        if choose.below(8) == 7:
            body = payload[: -mac.SIZE]
            at = messages.ENVELOPE_SIZE + choose.below(len(body) - messages.ENVELOPE_SIZE)
            payload = mac.signed(self._keys[1], body[:at] + choose.run(1) + body[at + 1 :])
        return frame.encode(payload)

    def _check(self) -> None:
        book = self._book
        assert book.accepted_stakes(2) == [(1, 500)], "another's stake is another than it was"
        assert book.player(2) == "berta"
        assert len(book.accepted_stakes(1)) <= STAKES_MAX
        assert sum(cents for _, cents in book.accepted_stakes(1)) <= 0xFFFFFFFF * STAKES_MAX
        assert len(book._settled.get(1, ())) <= SETTLED_MAX
        assert len(book.take_asked()) <= 1, "two deposits of one terminal are under way"


def play_terminal(data: bytes) -> None:
    """Says to a terminal what these bytes choose."""
    Seat(Choices(data)).play()


def play_controller(data: bytes) -> None:
    """Says to a controller what these bytes choose."""
    Controller(Choices(data)).play()
