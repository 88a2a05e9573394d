"""A whole semi-automatic table in jumping time: wheel, loop, book, line, and two terminals."""

from types import SimpleNamespace
from typing import Any

from players import money

from firmware.bus.terminal import Decided, Terminal
from firmware.bus.terminal_host import TerminalHost
from firmware.bus.terminal_messages import Stake
from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.core.facts import EmployeePresent, NoMoreBets, Result, Trouble, UnseatAsked, VoidAsked
from firmware.core.facts import Void as VoidFact
from firmware.run import app
from firmware.shims.virtual import VirtualMachine, uart_pair
from firmware.store.checked_lines import Row
from firmware.store.replay_state import Recall
from tools.sim.ports import Bridge, JumpingWheel
from tools.sim.table import virtual_table
from tools.virtual import hardware as virtual_hardware
from tools.virtual.memory_store import MemoryStore

KEYS = {1: b"1" * 32, 2: b"2" * 32}
LIMIT_US = 300_000_000


class Uart:
    """What the port driver wants of a machine.UART, over one end of the pair."""

    def __init__(self, end: Any) -> None:
        self._end = end

    def write(self, data: bytes) -> int:
        return int(self._end.write(data))

    def read(self) -> bytes:
        return bytes(self._end.read(4096))

    def deinit(self) -> None:
        self._end.close()


class Desk:
    """Where a test says what people say at the service socket."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.refusals: list[str | None] = []

    def take_events(self) -> list[Any]:
        events, self.events = self.events, []
        return events

    def decided(self, refusal: str | None) -> None:
        self.refusals.append(refusal)


class SemiAutomatic:
    """One table with two terminals."""

    def __init__(
        self,
        board: str,
        seed: int = 3,
        killed: "SemiAutomatic | None" = None,
        *,
        relaunch: bool = False,
    ) -> None:
        """`killed`: the controller before this start; its journal and the terminals are there."""
        recall = Recall()
        for kind, body in () if killed is None else killed.store.records:
            recall.add_row(Row(0, "2025-11-21T20:15:03Z", kind, body))
        config = Config(stakes_minimum_cents=100, drive=None)
        game: Game = choose(board, config)
        machine = VirtualMachine()
        self.world = virtual_table(game.board, game.rules, None, seed, False)
        edges = JumpingWheel(self.world, Bridge(game.board, machine))
        near, self.far = uart_pair()
        self.store: MemoryStore = MemoryStore()
        known = money()
        for kind, body in () if killed is None else killed.store.records:
            known["money"].add_row(kind, body)
        self.book = app.stakes_book(
            game, config, tuple(KEYS), recall.restart_state, recall.stakes,
            relaunch=relaunch, **known,
        )  # fmt: skip
        host = TerminalHost(77 if killed is None else 78, KEYS, self.book, baud=115_200)
        line = app.display_line(
            lambda: Uart(near),
            "the line",
            game=game,
            config=config,
            journal=SimpleNamespace(record=None, epoch=1, kid=b"no kid..", rotations=()),
            displays={},
            host=host,
            session=1,
        )
        self.desk = Desk()
        self.facts: list[Any] = []
        self.terminals = [Terminal(at, key, 100 + at) for at, key in KEYS.items()]
        self.happened: list[list[Any]] = [[], []]
        if killed is not None:
            self.terminals, self.happened = killed.terminals, killed.happened
        self.loop = app.build(
            game=game,
            config=config,
            hardware=virtual_hardware.hardware(game.board, machine, self.world, edges),
            store=self.store,
            restart_state=recall.restart_state,
            book=self.book,
            bus=line,
            event_sources=(self.desk, line),
            fact_listeners=(self,),
        ).loop
        self.now_us = edges.now_us
        self.loop.begin_play()

    def take_fact(self, fact: Any) -> None:
        self.facts.append(fact)

    def kinds(self, *kinds: Any) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kinds)]

    def play_until(self, done: Any) -> None:
        """Steps until `done()`; a table that never gets there is a failure, not a hang."""
        limit_us = self.now_us() + LIMIT_US
        while not done():
            assert self.now_us() < limit_us, self.facts
            self.loop.step()
            came = self.far.read(4096)
            for at, terminal in enumerate(self.terminals):
                self.far.write(terminal.feed(came, self.now_us()))
                self.happened[at] += terminal.take_events()

    def called(self) -> bool:
        return self.kinds(NoMoreBets) != []

    def ended(self) -> bool:
        return self.kinds(Result, VoidFact) != []

    def asks(self, event: Any) -> None:
        self.desk.events.append(event)

    def employee(self, who: str = "claire", present: bool = True) -> None:
        self.asks(EmployeePresent(0, who, present))

    def unseat(self, terminal: int) -> None:
        self.asks(UnseatAsked(0, "claire", terminal, "another's name"))

    def void(self) -> None:
        self.asks(VoidAsked(0, "claire"))

    def asked(self, at: int, *asks: Any) -> list[Decided]:
        """What became of what a terminal asks."""
        before = len(self.of(at, Decided))
        for ask in asks:
            self.terminals[at].ask(ask)
        self.play_until(lambda: self.terminals[at].idle)
        return self.of(at, Decided)[before:]

    def of(self, at: int, kind: Any) -> list[Any]:
        return [one for one in self.happened[at] if isinstance(one, kind)]

    def recorded(self, kind: str) -> list[Any]:
        return [body for known, body in self.store.records if known == kind]


def stake(bet: str, cents: int, *on: int) -> Stake:
    return Stake(0, bet, cents, on)


__all__ = ["SemiAutomatic", "Trouble", "stake"]
