"""A virtual card table in real time, as `cylindre run` is handed it: shoe, keyboard and hands."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from drivers import plain_shoe
from drivers.card_keys import OK, CardKeys
from drivers.croupier_keyboard import CroupierKeys
from drivers.shoe_barcode import ShoeBarcode
from firmware.config.card_game import open_card_table
from firmware.core.cards import facts, states
from firmware.keys.folder import read_shoe, read_terminals
from firmware.lib.language import Message
from firmware.run import app
from firmware.run.card_play import CardHardware, house_of, open_parts
from firmware.run.keyboard_port import told_of
from firmware.run.parts import RunOptions
from firmware.shims.virtual import VirtualMachine
from rules.cards import deck
from rules.cards.stakes import CardTable as Limits
from tools.sim.card_players import SEATS, Players
from tools.virtual.card_hands import CardHands, Setup, players_of

STAKES_US = 8_000_000  # for people at terminals, whom the built-in croupier waits for
_BETWEEN = (states.CONFIRMED, states.VOID)


class QuietEdges:
    """The port Edges of a table whose lines nobody moves: a clock to wait by."""

    def now_us(self) -> int:
        """Returns the machine's time."""
        return time.monotonic_ns() // 1000

    def read(self, until_us: int) -> Sequence[tuple[int, int, int]]:
        """Waits until then; nothing comes."""
        time.sleep(max(0, until_us - self.now_us()) / 1e6)
        return ()


class ShoeUart:
    """The table's end of the line to the virtual shoe, as a machine's UART."""

    def __init__(self) -> None:
        """Nothing is on its way."""
        self.to_table = bytearray()
        self.to_shoe = bytearray()

    def read(self) -> bytes:
        """Returns what has come."""
        data, self.to_table = bytes(self.to_table), bytearray()
        return data

    def write(self, data: bytes) -> int:
        """Takes what is sent."""
        self.to_shoe += data
        return len(data)

    def deinit(self) -> None:
        """Does nothing: the line stays."""


class RealTimeHands(CardHands):
    """For the loop an EventSource, and a FactListener: the guide is what the croupier obeys."""

    def __init__(
        self,
        limits: Limits,
        setup: Setup,
        clock: Callable[[], int],
        terminals: Sequence[int] = (),
    ) -> None:
        """`clock`: the loop's, in us; `terminals`: seats at which nobody lays chips."""
        CardHands.__init__(self, limits, setup, clock())
        self.croupier.players = players_of(limits, setup.seed, setup.style, _without(terminals))
        self.uart = ShoeUart()
        self._clock = clock
        self._keys, self._card_keys, self._barcode = CroupierKeys(), CardKeys(), ShoeBarcode()
        self._events: list[Any] = []
        if setup.reader != facts.SHOE:
            boot = self.rng.getrandbits(64)
            loaded = plain_shoe.loaded(setup.reader, limits.decks, boot, self.now_us)
            self._events.append(loaded)
        self._state = ""

    def take_events(self) -> Sequence[Any]:
        """Returns what was pressed, typed and asked since the last call."""
        self.now_us = self._clock()
        self.sense()
        self.uart.to_table += self.shoe_says()
        heard, self.uart.to_shoe = bytes(self.uart.to_shoe), bytearray()
        self.shoe_hears(heard)
        self.act()
        self._events += told_of(self._keys.tick(self.now_us))
        events, self._events = self._events, []
        return events

    def decided(self, refusal: str | None) -> None:
        """Takes that what was asked is not done, or is."""
        if refusal is not None:
            self.croupier.refused()

    def take_fact(self, fact: Any) -> None:
        """Sees what the croupier's screen shows."""
        kind = type(fact)
        if kind is facts.CardView:
            self._state = fact.state
        elif kind is facts.Guide:
            self.show_guide(fact, is_between=self._state in _BETWEEN)
        elif kind is facts.RoundStarted:
            self.croupier.begin_round()

    def feed(self, key: str, level: int) -> None:
        """Takes that a key or switch of the croupier's goes down or up."""
        self._events += told_of(self._keys.feed(key, level, self.now_us))

    def type_card(self, card: int) -> None:
        """Takes a card that is typed on the keys for cards."""
        text = deck.text_of(card)
        for key in (text[0], text[1], OK):
            told = self._card_keys.press(key, self.now_us)
            self._events += told

    def read_line(self, data: bytes) -> None:
        """Takes what a barcode reader says of a card."""
        self._events += self._barcode.receive(data, self.now_us)

    def ask(self, event: Any) -> None:
        """Takes what people ask of the machine, or lay on the cloth."""
        self._events.append(event)

    def count_shoe(self) -> None:
        """Does nothing: the table has the shoe counted by its own guide."""


class LaidStakes:
    """The players of a virtual table whose shoe and keyboard are real: as a round opens, their
    stakes lie there. An EventSource of the loop, and a FactListener.
    """

    def __init__(self, players: Players, clock: Callable[[], int]) -> None:
        """`clock`: the loop's, in us."""
        self._players = players
        self._clock = clock
        self._events: list[Any] = []

    def take_events(self) -> Sequence[Any]:
        """Returns the stakes that were laid since the last call."""
        events, self._events = self._events, []
        return events

    def decided(self, refusal: str | None) -> None:
        """Does nothing: a stake that is refused is told as P10."""

    def take_fact(self, fact: Any) -> None:
        """Sees that a round opens."""
        if type(fact) is facts.RoundStarted:
            self._events.append(facts.StakesLaid(self._clock(), self._players.stakes()))


def _without(terminals: Sequence[int]) -> list[int]:
    """The seats of a table that have no terminal."""
    return [seat for seat in range(1, SEATS + 1) if seat not in terminals]


@dataclass(frozen=True)
class BuiltInTable:
    """The card table of a virtual board, in real time: built in, but for what is at ports of its
    own where the configuration names these.
    """

    seed: int | None = None  # any

    def __call__(self, options: RunOptions, stack: contextlib.ExitStack) -> CardHardware:
        """Makes it. Raises Failure."""
        board, config = options.game.board, options.config
        seed = int.from_bytes(os.urandom(4)) if self.seed is None else self.seed
        machine = VirtualMachine()
        edges = QuietEdges()
        levels = [0] * len(board["inputs"])
        name = Message("the virtual {board}, seed {seed}", board=board["name"], seed=seed)
        limits = open_card_table(options.game, config)
        reader = house_of(config).reader
        if config.keyboard is not None:
            parts = open_parts(options, edges.now_us, None, stack)
            laid = LaidStakes(players_of(limits, seed), edges.now_us)
            found = app.Hardware(machine, edges, levels, (*parts.ports, laid))
            return CardHardware(found, name, parts.open_shoe, (*parts.listeners, laid))
        # Another shoe at each start, with the key that the table has.
        setup = Setup(
            options.game.rules["name"],
            seed,
            key=read_shoe(options.keys),
            reader=reader,
            serial=int.from_bytes(os.urandom(2)),
        )
        terminals: tuple[int, ...] = ()
        if options.port is not None and config.stakes_minimum_cents is not None:
            terminals = tuple(read_terminals(options.keys, config.terminals))
        hands = RealTimeHands(limits, setup, edges.now_us, terminals)
        if terminals:
            hands.croupier.stakes_us = STAKES_US
        found = app.Hardware(machine, edges, levels, (hands,))
        opener = (lambda: hands.uart) if reader == facts.SHOE else None
        return CardHardware(found, name, opener, (hands,))
