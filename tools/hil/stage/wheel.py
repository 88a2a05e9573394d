"""The wheel's process: plays a scenario's table in real time and tells the truth.

What it prints on standard output is in tools.hil.stage. A medium's own module calls `play`.
"""

from __future__ import annotations

import ctypes
import json
import select
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from firmware.config.game import Game
from firmware.core.house import CROUPIER
from firmware.text.trace import TraceWriter
from tools.hil.scenario import Scenario
from tools.hil.stage import Wires
from tools.hil.world import World
from tools.sim.table import virtual_table

_PR_SET_TIMERSLACK = 29  # linux/prctl.h


def disable_timer_slack() -> None:
    """This thread is woken when it asked for, to the nanosecond."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_TIMERSLACK, 1)


# Shorter than the loop's period (10 ms), so that the core is seldom later than it would be on a Pi.
STEP_S = 0.004


def play(scenario: Scenario, game: Game, wires: Wires, trace: Path | None = None) -> None:
    """Plays until standard input ends. Waits there for one line before time begins.

    `trace`: where the edges are written, as a VCD.
    """
    world = world_of(scenario, game)
    write_message("ready", True)
    while not (said := read_line(STEP_S)):
        if said is None:
            return
        wires.send([], world, now_us())
    start_us = now_us()
    write_message("start_us", start_us)
    teller = Teller(world, scenario.coups)
    writer = None if trace is None else TraceWriter(trace, game.board, world.initial_levels())
    count = held_up_us = 0
    last_us = start_us
    try:
        while read_line(STEP_S) is not None:
            at_us = now_us()
            held_up_us, last_us = max(held_up_us, at_us - last_us), at_us
            edges = world.advance(at_us - start_us, wires.permille(at_us))
            wires.send([(at + start_us, line, level) for at, line, level in edges], world, at_us)
            count += len(edges)
            if writer is not None:
                for edge in edges:
                    writer.edge(*edge)
            teller.print_news()
    finally:
        if writer is not None:
            writer.close(world.now_us)
        write_message("held_up_us", held_up_us)
        write_message("edges", count)


def world_of(scenario: Scenario, game: Game) -> World:
    """The scenario's table, with the faults that are made in it."""
    table = virtual_table(
        game.board,
        game.rules,
        scenario.wheel,
        scenario.seed,
        scenario.hand,
        confirms=scenario.confirm == CROUPIER,
    )
    return World(table, game.board, scenario.faults, scenario.seed)


def now_us() -> int:
    """CLOCK_MONOTONIC, which stamps edges."""
    return time.monotonic_ns() // 1000


class Teller:
    """Prints what is new of truths and intervals of faults."""

    def __init__(self, world: World, coups: int) -> None:
        """`coups`: after how many all is over."""
        self._world = world
        self._coups = coups
        self._told: dict[tuple[str, int], Any] = {}
        self._is_over = False

    def print_news(self) -> None:
        """Only the last two truths may still change."""
        truths, intervals = self._world.truths, self._world.intervals
        for at in range(max(0, len(truths) - 2), len(truths)):
            self._news("truth", at, asdict(truths[at]))
        for at, interval in enumerate(intervals):
            self._news("spell", at, list(interval))
        if not self._is_over and self._world.finished >= self._coups:
            self._is_over = True
            write_message("over", self._world.now_us)

    def _news(self, name: str, at: int, value: Any) -> None:
        if self._told.get((name, at)) != value:
            self._told[(name, at)] = value
            write_message(name, value)


def write_message(name: str, value: Any) -> None:
    """One JSON line on standard output."""
    print(json.dumps({name: value}), flush=True)


def read_line(wait_s: float) -> str | None:
    """A line of standard input, "" if none came in that time, None at its end."""
    if not select.select([sys.stdin], [], [], wait_s)[0]:
        return ""
    return sys.stdin.readline() or None
