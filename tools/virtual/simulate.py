"""Plays coups on the virtual wheel in virtual time, through the loop and drivers of the real one.

Deterministic: the same seed gives the same facts at the same times. The truth of each coup comes
from the wheel and never reaches the controller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from firmware.config import Config
from firmware.config.game import Game
from firmware.core.coup.restart_state import FRESH, RestartState
from firmware.core.house import CROUPIER, VOID
from firmware.loop import LEAP_US, Core
from firmware.ports import Edges, EventSource, FactListener
from firmware.run import app
from firmware.shims.virtual import VirtualMachine
from firmware.text.trace import Edge as TracedEdge
from firmware.text.trace import TraceWriter
from tools.sim.ports import SLOT_US, Bridge, JumpingWheel
from tools.sim.table import Table, virtual_table
from tools.virtual import hardware as virtual_hardware
from tools.virtual.memory_store import MemoryStore
from tools.virtual.score import Score

# A coup takes some 45 s: a croupier and a rotor that wait for each other would play for ever.
COUP_MAX_US = 900_000_000
END_MAX_US = 10_000_000  # a rotor that something drives on and on may never settle
_STEPS_UNTIMED = 100  # a second or so between two looks at that limit


class Simulation:
    """One table, from its first coup to its last."""

    def __init__(
        self,
        game: Game,
        *,
        preset: str | None = None,
        seed: int,
        hand: bool = False,
        config: Config | None = None,
        changes: Sequence[str] = (),
        within: Callable[[Table], Table] = lambda table: table,
        restart_state: RestartState = FRESH,
        event_sources: Sequence[EventSource] = (),
        store: MemoryStore | None = None,
        bus: Any = None,
        fact_listeners: Sequence[FactListener] = (),
        tap: Callable[[Core, Sequence[int]], Core] = lambda core, _: core,
    ) -> None:
        """`preset`: a wheel of tools.sim; None: the first of this apparatus.

        With `hand` the croupier turns the rotor, whatever board and `config` say. `config`: what
        the house chose, but for the call: it takes no time, as in a replay, so that the trace of a
        simulation gives the same. The croupier confirms and keeps the pace where it says so.
        `changes`: of the wheel's parameters; raises ValueError for one that cannot be.
        `within`: puts the table into a world with faults. `restart_state`: what the wheel has kept.
        `bus`: the line to the displays, Bus and EventSource in one, as in a wheel that plays.
        `tap`: who listens between loop and core; takes the lines' levels too.
        """
        config = config or Config()
        self.machine = machine = VirtualMachine()
        board = game.board
        self.board = board
        hand = hand or (config.drive or board["rotor"]) == "hand"
        self.wheel = within(
            virtual_table(
                board,
                game.rules,
                preset,
                seed,
                hand,
                confirms=config.confirm == CROUPIER,
                pace_us=config.pace_us,
                changes=changes,
            )
        )
        self.score = Score(turns=board["rotor"] != "none")
        self.store = store or MemoryStore()
        self._facts: list[Any] = []
        self._edges = edges = JumpingWheel(
            self.wheel, Bridge(board, machine, LEAP_US), _encoder(board)
        )
        hardware = virtual_hardware.hardware(board, machine, self.wheel, edges)
        self._tap = _Tap(hardware.edges)
        self.levels = hardware.levels
        drive = "hand" if hand else config.drive
        self._loop, self._controller = app.build(
            game=game,
            config=replace(config, drive=drive, call_us=0, undetected=VOID),
            hardware=hardware._replace(edges=self._tap),
            store=self.store,
            restart_state=restart_state,
            bus=bus,
            event_sources=event_sources if bus is None else (*event_sources, bus),
            fact_listeners=(self, *fact_listeners),
            leaps=True,
            tap=lambda core: tap(core, hardware.levels),
        )

    @property
    def edges(self) -> int:
        """How many edges the controller has taken."""
        return self._tap.count

    def set_input(self, pin: int, level: int) -> None:
        """Drives an input of the machine itself, a safety input: the loop looks at it soon."""
        self.machine.set_input(pin, level)
        self._edges.call()
        self._loop.poll_soon()

    def take_fact(self, fact: Any) -> None:
        """The port `FactListener`."""
        self._facts.append(fact)
        self.score.add(fact, self._controller.speed_uturn_s(fact.at_us))

    def play(self, coups: int, trace: TraceWriter | None = None) -> Iterator[Any]:
        """Plays, and yields facts as they are decided and each coup judged once it is over.

        `trace` takes every edge, and is closed at the end.
        """
        self._tap.trace = trace
        loop, wheel = self._loop, self.wheel
        step = loop.step
        loop.begin_play()
        finished, limit_us = 0, COUP_MAX_US
        while finished < coups and self._tap.now_us() < limit_us:
            for _ in range(_STEPS_UNTIMED):
                step()
                if self._facts:
                    yield from self._take()
                if wheel.finished != finished:
                    finished = wheel.finished
                    limit_us = self._tap.now_us() + COUP_MAX_US
                    yield from self.score.judge(wheel.truths)
                    break
        yield from self._end()
        if trace is not None:
            trace.close(self._tap.now_us())

    def _end(self) -> Iterator[Any]:
        """Brings the core up to the wheel's time; a coup that is open then is void, interrupted."""
        self._tap.wait_max_us = SLOT_US  # a rotor at work leaves no longer one without an edge
        limit_us = self._tap.now_us() + END_MAX_US
        while not self._tap.settled and self._tap.now_us() < limit_us:
            self._loop.step()
        self._loop.finish(0)
        yield from self._take()
        yield from self.score.judge(self.wheel.truths, final=True)

    def _take(self) -> list[Any]:
        facts, self._facts = self._facts, []
        return facts


def _encoder(board: dict[str, Any]) -> frozenset[int]:
    return frozenset(
        line for line, (name, *_) in enumerate(board["inputs"]) if name.startswith("enc_")
    )


class _Tap:
    """The port `Edges` of the wheel, with a counter and a trace on it."""

    def __init__(self, wheel: Edges) -> None:
        self.now_us = wheel.now_us
        self.trace: TraceWriter | None = None
        self.count = 0
        self._until_us = wheel.now_us()  # of the last wait
        self._quiet = True  # no edge came in it
        self.wait_max_us: int | None = None
        self._read = wheel.read

    @property
    def settled(self) -> bool:
        """No edge since the last wait, and that has brought time up to now."""
        return self._quiet and self._until_us == self.now_us()

    def read(self, until_us: int) -> Sequence[TracedEdge]:
        if self.wait_max_us is not None:
            until_us = min(until_us, self.now_us() + self.wait_max_us)
        edges = self._read(until_us)
        self._until_us = until_us
        self._quiet = not edges
        if edges:
            self.count += len(edges)
            if self.trace is not None:
                for at_us, line, level in edges:
                    self.trace.edge(at_us, line, level)
        return edges
