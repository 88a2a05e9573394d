"""The core alone, fed with edges that were recorded beforehand: its time, and its longest call.

`python -m tools.bench.core_alone edge SEED` prints the CPU time of an edge in us, ticks and all,
and of how many edges; `... longest SEED` the opcodes of the longest single call, and the
milliseconds that a Zero 2 W takes for them. The sources are played, as on a wheel.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from firmware.config import Config
from firmware.config.choice import choose_game
from firmware.config.game import Game
from firmware.core.controller import Controller
from firmware.core.feed import feed
from firmware.text.trace import TraceWriter, open_trace
from tools.virtual.simulate import Simulation

COUPS = 40  # some 80 000 edges
TAKES = 3  # the quickest counts, for other work only slows
# An opcode of CPython 3.11 on a Cortex-A53 at 1 GHz. Estimated, not measured: a server's core of
# 2024 takes 4 to 5 ns for one of ours; by interpreters' benchmarks the board is 15 to 20 times
# slower.
ZERO_2_W_NS = 100


def _recorded(seed: int) -> tuple[Game, Sequence[tuple[int, int, int]], Sequence[int]]:
    """A game, the edges of COUPS coups of W1, and the levels before them."""
    game = choose_game("roulette_ref", Config())
    simulation = Simulation(game, preset="W1", seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "edges.vcd")
        for _ in simulation.play(COUPS, TraceWriter(path, game.board, simulation.levels)):
            pass
        with open_trace(path, game.board) as trace:
            return game, list(trace.edges()), simulation.levels


def edge_us(seed: int) -> tuple[float, int]:
    """CPU time of an edge in us, and of how many edges."""
    game, edges, levels = _recorded(seed)
    best = float("inf")
    for _ in range(TAKES):
        controller = Controller(game.board, game.rules)
        began = time.process_time()
        for _ in feed(controller, edges, levels):
            pass
        best = min(best, time.process_time() - began)
    return best * 1e6 / len(edges), len(edges)


def longest_opcodes(seed: int) -> int:
    """How many opcodes the longest single call of the core executes."""
    game, edges, levels = _recorded(seed)
    counted = _Counted(Controller(game.board, game.rules))
    for _ in feed(counted, edges, levels):  # type: ignore[arg-type]
        pass
    return counted.most


class _Counted:
    """A core whose calls are counted in opcodes."""

    def __init__(self, core: Controller) -> None:
        self._core = core
        self._count = 0
        self.most = 0
        self.preset, self.begin_play, self.finish = core.preset, core.begin_play, core.finish
        self.timers = core.timers

    def edge(self, at_us: int, line: int, level: int) -> Sequence[Any]:
        return self._counting(lambda: self._core.edge(at_us, line, level))

    def handle(self, event: Any) -> Sequence[Any]:
        return self._counting(lambda: self._core.handle(event))

    def _counting(self, call: Callable[[], Sequence[Any]]) -> Sequence[Any]:
        self._count = 0
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            return call()
        finally:
            sys.settrace(before)
            self.most = max(self.most, self._count)

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        self._count += event == "opcode"
        return self._trace


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["edge", seed]:
            print(*edge_us(int(seed)))
        case ["longest", seed]:
            opcodes = longest_opcodes(int(seed))
            print(opcodes, opcodes * ZERO_2_W_NS / 1e6)
        case _:
            sys.exit("One of: edge SEED, longest SEED")
