"""Plays coups on the virtual wheel in virtual time, through the loop and drivers of the real one.

Deterministic: the same seed gives the same facts at the same times. The truth of each coup comes
from the wheel and never reaches the controller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import rules
from firmware import app
from firmware.config import Config
from firmware.shims.virtual import VirtualMachine
from firmware.store.memory import MemoryStore
from tools.score import Score
from tools.sim.ports import Bridge, JumpingWheel
from tools.sim.wheel import VirtualWheel
from tools.trace import Edge, TraceWriter

# A coup takes some 45 s: a croupier and a rotor that wait for each other would play for ever.
COUP_MAX_US = 900_000_000


class Simulation:
    """One table, from its first coup to its last."""

    def __init__(
        self, board: dict[str, Any], *, preset: str, seed: int, hand: bool = False
    ) -> None:
        """`preset`: a wheel of tools.sim.parameters. With `hand` the croupier turns the rotor."""
        machine = VirtualMachine()
        self.wheel = VirtualWheel(board, rules.load(board["rules"]), preset, seed, hand)
        self.score = Score()
        self._facts: list[Any] = []
        self._tap = _Tap(JumpingWheel(self.wheel, Bridge(board, machine)))
        self._loop, self._controller = app.build(
            board=board,
            # The call takes no time, as in a replay: the trace of a simulation gives the same.
            config=Config(drive="hand" if hand else "driven", call_us=0),
            hardware=app.Hardware(machine, self._tap, self.wheel.initial_levels()),
            store=MemoryStore(),
            outlets=(self,),
        )

    @property
    def edges(self) -> int:
        """How many edges the controller has taken."""
        return self._tap.count

    def tell(self, fact: Any) -> None:
        """The port `Outlet`."""
        self._facts.append(fact)
        self.score.take(fact, self._controller.speed_uturn_s(fact.at_us))

    def play(self, coups: int, trace: TraceWriter | None = None) -> Iterator[Any]:
        """Plays, and yields facts as they are decided and each coup judged once it is over.

        `trace` takes every edge, and is closed at the end.
        """
        self._tap.trace = trace
        loop, wheel = self._loop, self.wheel
        step = loop.step
        loop.begin()
        finished, limit_us = 0, COUP_MAX_US
        while finished < coups and self._tap.now_us() < limit_us:
            step()
            if self._facts:
                yield from self._take()
            if wheel.finished != finished:
                finished = wheel.finished
                limit_us = self._tap.now_us() + COUP_MAX_US
                yield from self.score.judge(wheel.truths)
        yield from self._end()
        if trace is not None:
            trace.close(self._tap.now_us())

    def _end(self) -> Iterator[Any]:
        """Brings the core up to the wheel's time; a coup that is open then is void, interrupted."""
        while not self._tap.settled:
            self._loop.step()
        self._loop.finish(0)
        yield from self._take()
        yield from self.score.judge(self.wheel.truths, final=True)

    def _take(self) -> list[Any]:
        facts, self._facts = self._facts, []
        return facts


class _Tap:
    """The port `Edges` of the wheel, with a counter and a trace on it."""

    def __init__(self, wheel: JumpingWheel) -> None:
        self.now_us = wheel.now_us
        self.trace: TraceWriter | None = None
        self.count = 0
        self.settled = True  # no edge since the last wait, and that has brought time up to now
        self._read = wheel.read

    def read(self, until_us: int) -> Sequence[Edge]:
        edges = self._read(until_us)
        self.settled = not edges and until_us == self.now_us()
        if edges:
            self.count += len(edges)
            if self.trace is not None:
                for at_us, line, level in edges:
                    self.trace.edge(at_us, line, level)
        return edges
