"""In process, in jumping time: deterministic from the scenario's seed, and as fast as can be."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import boards
from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import ClearAsked, Fault, Trouble
from firmware.core.faults import LOCK, find
from firmware.run import app
from firmware.run.slow_sensors import PERIOD_US
from firmware.shims.virtual import VirtualMachine
from firmware.text.trace import TraceWriter
from tools.hil import oracle
from tools.hil.faults import catalogue
from tools.hil.line import MemoryLine
from tools.hil.line_faults import displays_of
from tools.hil.places import Ran
from tools.hil.scenario import PI_BOARDS, REFERENCE_BOARDS, Scenario
from tools.hil.verdict import RunLog
from tools.hil.world import World
from tools.sim.chips import ADXL345, DS3231, ChipAdxl345, ChipDs3231
from tools.virtual.score import Judged
from tools.virtual.simulate import Simulation

_CLOCK_S = 1_790_000_000.0  # some day: nobody asks which


def wants_level_watch(scenario: Scenario) -> bool:
    """Whether a fault of the scenario is one of the level."""
    return any(catalogue.find(use.fault).layer == "level" for use in scenario.faults)


def level_board(apparatus: str) -> dict[str, Any]:
    """The data of that board; which layout lies on it in a house, nobody asks here."""
    found: dict[str, Any] = boards.load(PI_BOARDS[apparatus])
    return found


class LevelWatch:
    """The port `EventSource`: the firmware's slow sensors, without a thread of its own.

    A thread would run in our time, not in the world's.
    """

    def __init__(self, machine: VirtualMachine, world: World, config: Config, seed: int) -> None:
        """Puts both chips on the board's bus and looks at them from now on."""
        self._world = world
        bus = world.board["buses"]["sensors"][1]
        self._at_us = world.now_us
        level = ChipAdxl345(lambda: world.tilt_mdeg, lambda: self._at_us, Random(f"{seed}/level"))
        machine.attach_i2c(bus, ADXL345, level)
        machine.attach_i2c(bus, DS3231, ChipDs3231(lambda: _CLOCK_S))
        self._checks = app.checks(machine.I2C(bus), config)

    def take_events(self) -> Sequence[Trouble]:
        """What is newly wrong. A loop that leaps asks less often than the thread would look."""
        found: list[Trouble] = []
        while self._at_us <= self._world.now_us:
            found += self._checks.poll(self._at_us)
            self._at_us += PERIOD_US
        return found

    def decided(self, refusal: str | None) -> None:
        """Nobody waits for an answer."""


TAUGHT_COUPS = 60
TAUGHT_SEED = 1
CLEAR_US = 5_000_000  # so long after a fault is over, somebody authorised clears the lock


def check() -> str | None:
    """It can be used everywhere."""
    return None


def run(scenario: Scenario, folder: Path | None = None) -> Ran:
    """Plays it, and judges."""
    start_s = time.perf_counter()
    game = choose(REFERENCE_BOARDS[scenario.apparatus], Config())
    levelled = wants_level_watch(scenario)
    if levelled:
        game = game._replace(board=level_board(scenario.apparatus))
    config = replace(Config(), confirm=scenario.confirm)
    people = _People()
    line = _line(scenario, game, config)
    simulation = Simulation(
        game,
        preset=scenario.wheel,
        seed=scenario.seed,
        hand=scenario.hand,
        config=config,
        within=lambda table: World(table, game.board, scenario.faults, scenario.seed),
        restart_state=FRESH._replace(learned=taught(scenario)),
        event_sources=(people,),
        store=None if line is None else line.store,
        bus=line,
    )
    world: Any = simulation.wheel
    people.world = world
    if levelled:
        people.watch = LevelWatch(simulation.machine, world, config, scenario.seed)
    if line is not None:
        line.world = world
    _connect_safety(simulation)
    writer = path = None
    told = []
    with contextlib.ExitStack() as stack:
        if folder is not None:
            path = folder / f"{scenario.name}.vcd"
            writer = TraceWriter(path, game.board, simulation.levels)
            stack.callback(writer.abandon)
        for item in simulation.play(scenario.coups, writer):
            if not isinstance(item, Judged):
                told.append(item)
                people.read_fact(item)
    broken = [] if line is None else line.judge(told, world.now_us)
    said = RunLog(
        facts=told,
        judged=simulation.score.judged,
        truths=world.truths,
        intervals=world.intervals,
        end_us=world.now_us,
        broken=broken,
    )
    verdict = oracle.judge(scenario, said)
    return Ran(verdict, simulation.edges, world.now_us, time.perf_counter() - start_s, path)


def _connect_safety(simulation: Simulation) -> None:
    """The world's safety inputs are those of the machine from now on."""
    world: Any = simulation.wheel
    pins = dict(simulation.board["safety_inputs"])
    world.on_safety = lambda name, level: simulation.set_input(pins[name], level)


def _line(scenario: Scenario, game: Game, config: Config) -> MemoryLine | None:
    """The line to the displays; a campaign that has none is not to wait for one."""
    return MemoryLine(scenario, game, config) if displays_of(scenario) else None


def taught(scenario: Scenario) -> Any:
    """What the controller of a scenario knows of the call; None where the wheel is new."""
    return _learned(scenario.apparatus, scenario.wheel) if scenario.learned else None


@cache
def _learned(apparatus: str, wheel: str | None) -> Any:
    """What a wheel knows of its call after TAUGHT_COUPS coups, as it is recorded."""
    game = choose(REFERENCE_BOARDS[apparatus], Config())
    simulation = Simulation(game, preset=wheel, seed=TAUGHT_SEED)
    for _ in simulation.play(TAUGHT_COUPS):
        pass
    rows = [body["learned"] for kind, body in simulation.store.records if kind == "learned"]
    return rows[-1] if rows else None


class _People:
    """Somebody authorised, who clears a lock some seconds after its cause is gone."""

    def __init__(self) -> None:
        self.world: World
        self.watch: LevelWatch | None = None  # where the scenario has faults of the level
        self._locked_us: int | None = None

    def read_fact(self, fact: Any) -> None:
        """A fact of the core."""
        if type(fact) is Fault and find(fact.code).grade == LOCK:
            self._locked_us = fact.at_us

    def take_events(self) -> Sequence[Any]:
        """The port `EventSource`."""
        if self.watch is not None and (found := self.watch.take_events()):
            return found
        if self._locked_us is None or self.world.now_us < self._locked_us + CLEAR_US:
            return ()
        if any(self.world.safety.values()):
            return ()  # nobody clears an emergency stop that is still pressed
        self._locked_us = None
        return (ClearAsked(0, "hil"),)

    def decided(self, refusal: str | None) -> None:
        """Refused while the fault is still there: then asked again."""
        if refusal is not None:
            self._locked_us = self.world.now_us
