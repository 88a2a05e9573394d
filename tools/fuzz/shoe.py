"""A card table against a shoe that has its key and says anything, and a shoe against such a table.

What is said is rightly signed, so that all that lies behind the codes is reached; what is not must
change nothing.
"""

from __future__ import annotations

from typing import Any

from drivers import shoe_end
from drivers import shoe_messages as messages
from drivers.croupier_keyboard import CroupierKeys, KeysIgnored, SerialKeyboard
from drivers.shoe_barcode import ShoeBarcode
from drivers.shoe_end import ShoeEnd
from drivers.shoe_messages import Message
from drivers.shoe_serial import ShoeSerial
from firmware.bus import frame
from firmware.core.cards import facts
from tools.fuzz.choices import Choices

_TURNS_MAX = 64  # a run
_KEY = bytes(range(32))
_SESSION = 7
_BOOTS = (1009, 1010)
_FRAME_MAX = 100  # bytes: the longest message, framed
_COUNTS = (0, 1, 2, 3, 4, 5, 63, 64, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)


def _number(choose: Choices) -> int:
    return choose.one(_COUNTS) if choose.below(4) else choose.number(4)


def _name(choose: Choices) -> bytes:
    return choose.one((bytes(16), messages.name_bytes("S17-0345"), choose.run(16)))


class Shoe:
    """One table, and a shoe that lies to it."""

    def __init__(self, choices: Choices) -> None:
        self._choose = choices
        self._now_us = 0
        self._key = choices.one((None, _KEY))
        self._table = ShoeSerial(_SESSION, 0, self._key)
        self._counter = 0
        self._n = 0
        self._session = _SESSION + 1
        self._boot = _BOOTS[0]
        self._told_n: int | None = None  # of the last card
        self._troubles: list[str] = []

    def play(self) -> None:
        """Does what the choices say. Raises AssertionError for what no table may make of it."""
        self._say(messages.HELLO, (bytes(16), bytes(16), 6, 1, 0))
        turns = 0
        while self._choose.more and turns < _TURNS_MAX:
            turns += 1
            way = self._choose.below(16)
            if way < 10:
                self._event()
            elif way == 10:
                self._say(messages.BEAT, (self._n, self._now_us // 1000, self._choose.below(8)))
            elif way == 11:
                self._session += self._choose.below(3)
                self._boot = self._choose.one(_BOOTS)
                first = 1 + self._choose.below(4)
                self._n = first - 1
                about = (_name(self._choose), _name(self._choose), 6, first, _number(self._choose))
                self._say(messages.HELLO, about)
            elif way == 12:
                self._now_us += self._choose.one((10_000, 300_000, 1_000_000, 4_000_000))
                self._take(self._table.receive(b"", self._now_us))
            elif way == 13:
                self._order()
            elif way == 14:
                self._take(self._table.receive(self._choose.run(30) + b"\0", self._now_us))
            else:
                self._n = self._choose.one((self._n, self._n + 1, self._n + 2, 0))
            assert len(self._table.take_bytes()) <= 5 * _FRAME_MAX

    def _order(self) -> None:
        order = self._choose.below(4)
        if order == 0:
            self._table.again()
        elif order == 1:
            self._table.count()
        else:
            self._table.release(order == 2)

    def _event(self) -> None:
        self._n += 1
        head = (self._n, self._now_us // 1000)
        way = self._choose.below(8)
        if way < 4:
            self._say(messages.EDGE, (*head, self._choose.one((messages.IN, messages.OUT))))
        elif way < 7:
            card = self._choose.below(53)
            reads = self._choose.one(((card, card), (card, 0), (255, card)))
            self._say(messages.CARD, (*head, card, _name(self._choose), *reads))
        else:
            self._say(self._choose.one((messages.CUT, messages.EMPTY, messages.JAM)), head)

    def _say(self, kind: int, fields: tuple[Any, ...]) -> None:
        self._counter += 1
        self._now_us += 10_000
        message = Message(kind, self._session, self._boot, self._counter, fields)
        if self._key is not None:
            self._take(self._table.receive(b"", self._now_us))
            bare = frame.encode(messages.written(message, None))
            assert self._table.receive(bare, self._now_us) == [], "nobody signed it"
        said = frame.encode(messages.written(message, self._key))
        self._take(self._table.receive(said, self._now_us))

    def _take(self, told: list[Any]) -> None:
        for fact in told:
            assert fact.at_us == self._now_us
            if isinstance(fact, facts.ShoeLoaded):
                assert (fact.model + fact.serial).isprintable()
                self._told_n = None
            elif isinstance(fact, facts.CardRead):
                assert fact.card is None or 0 <= fact.card < messages.CARDS
                assert self._told_n is None or fact.n > self._told_n, "counted twice"
                self._told_n = fact.n
            elif isinstance(fact, facts.ShoeTrouble):
                assert fact.what not in self._troubles, "told twice"
                self._troubles.append(fact.what)
            elif isinstance(fact, facts.ShoeTroubleEnded):
                self._troubles.remove(fact.what)
            elif isinstance(fact, facts.ShoeCounted):
                assert len(fact.counts) == messages.CARDS


class Orders:
    """One shoe, and a table that orders anything."""

    def __init__(self, choices: Choices) -> None:
        self._choose = choices
        self._now_us = 0
        self._shoe = ShoeEnd("fuzzed", "1", 6, boot=_BOOTS[0], key=_KEY)
        self._counter = 0
        self._heard = 0  # frames that the shoe has said

    def play(self) -> None:
        """Does what the choices say. Raises AssertionError for what no shoe may do."""
        turns = 0
        while self._choose.more and turns < _TURNS_MAX:
            turns += 1
            self._now_us += self._choose.one((1_000, 100_000, 200_000, 1_000_000))
            way = self._choose.below(8)
            if way < 4:
                self._order()
            elif way == 4:
                self._shoe.receive(self._choose.run(40) + b"\0", self._now_us)
            else:
                for _ in range(1 + self._choose.below(70)):
                    self._shoe.edge(messages.IN, self._now_us)
            said = frame.Deframer().feed(self._shoe.take_bytes(self._now_us))
            self._heard += len(said)
            assert len(said) <= messages.WINDOW + 2
            assert len(self._shoe._waiting) <= shoe_end.WAITING_MAX
            assert self._shoe.due_us > self._now_us

    def _order(self) -> None:
        kind = self._choose.one((messages.WHO, *messages.FROM_TABLE))
        session = self._choose.one((7, 7, 8, 0))
        self._counter = self._choose.one((self._counter + 1, self._counter + 1, self._counter))
        fields: tuple[int, ...] = ()
        if kind == messages.WHO:
            fields = (self._choose.one((self._heard, self._heard, _number(self._choose))),)
        elif kind == messages.ACK:
            fields = (_number(self._choose), _number(self._choose))
        elif kind in (messages.RELEASE, messages.COUNT):
            fields = (self._choose.below(2),)
        message = Message(kind, session, self._choose.one(_BOOTS), self._counter, fields)
        self._shoe.receive(frame.encode(messages.written(message, _KEY)), self._now_us)


def _lines(choices: Choices) -> None:
    """Lines of a barcode reader and of a keyboard: what has no right check is nothing."""
    data = choices.rest()
    for fact in ShoeBarcode().receive(data, 1):
        if isinstance(fact, facts.CardRead) and fact.card is not None:
            assert len(fact.ident.split("-")[1]) == 4
    for told in SerialKeyboard(CroupierKeys()).receive(data, 1):
        # All at one instant: nothing was pressed for long enough.
        assert isinstance(told, KeysIgnored | facts.KeySwitched)


def play(data: bytes) -> None:
    """Plays one side, the other, or lines."""
    choices = Choices(data)
    way = choices.below(8)
    if way < 5:
        Shoe(choices).play()
    elif way < 7:
        Orders(choices).play()
    else:
        _lines(choices)
