"""The wheel's process in the guest: the world behind real GPIO lines and a real I2C bus.

    python -m tools.hil.kernel.wheel SCENARIO.toml BOARD TRACE.vcd LEDGER.json

Prints what every wheel's process prints (tools.hil.stage). The ledger says how many edges were
made, how many the kernel has counted for the controller that lived last, how many transfers were
answered, and how late the latest edge was made.

The world is simulated a step ahead and each edge is made at its time, so that the kernel stamps it
there. What the motor does in a step is what it did in the step before.
"""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from boards import lines, raspberry
from firmware.config import Config
from firmware.config.game import Game, choose
from firmware.text.trace import TraceWriter
from tools.hil import scenario_file
from tools.hil.kernel.devices import ChipBus, SimChip, interrupts
from tools.hil.kernel.medium import LAYOUT
from tools.hil.scenario import Scenario
from tools.hil.stage.processes import FRAM
from tools.hil.stage.wheel import (
    Teller,
    disable_timer_slack,
    now_us,
    read_line,
    world_of,
    write_message,
)
from tools.hil.world import World
from tools.sim.chips import ADXL345, DS3231, ChipAdxl345, ChipDs3231, KeptFram, attach
from tools.sim.expander import CupChips
from tools.sim.ports import PUMP_US

_FULL = 65535


class Motor:
    """Reads the outputs motor_pwm, motor_dir and motor_enable of a board; a dish has none."""

    def __init__(self, board: dict[str, Any], chip: SimChip) -> None:
        """The enable's charge pump is empty."""
        self._chip = chip
        self._pins = dict(board["outputs"])
        self._toggles = 0
        self._toggled_us = -PUMP_US - 1

    def permille(self, now_us: int) -> int:
        """The drive since this was asked last, -1000..1000, ccw positive."""
        if "motor_enable" not in self._pins:
            return 0
        toggles = self._chip.wave(self._pins["motor_enable"]).toggles
        if toggles != self._toggles:
            self._toggles = toggles
            self._toggled_us = now_us
        if now_us - self._toggled_us > PUMP_US:
            return 0
        duty = self._chip.duty_u16(self._pins["motor_pwm"]) * 1000 // _FULL
        return duty if self._chip.level(self._pins["motor_dir"]) else -duty


# The loop moves the enable every 10 ms; a rotor follows its drive in 1.5 s.
STEP_US = 20_000
LOOK_US = 1_000_000  # between two looks into /proc/interrupts, which are slow
PRIORITY = 10  # of 1 to 99, above whatever is not in real time
CONSUMER = "cylindre"  # as the firmware's request of lines is called


class GpioTable:
    """All of the board that is no controller: its lines' other ends, its chips."""

    def __init__(self, board: dict[str, Any], world: World, kept: Path) -> None:
        """Makes the chip of the Pi, drives every input as the world begins, answers on I2C.

        `kept`: the file of what the FRAM holds.
        """
        model = raspberry.MODELS[board["model"]]
        self.pins = SimChip(model["gpiochip"])
        self.bus = ChipBus()
        self._motor = Motor(board, self.pins)
        self._pin = [pin for _, pin in lines.watched(board)]
        self._due: list[tuple[int, int, int]] = []
        self._cups: CupChips | None = None
        self._attach(board, world, kept)
        levels = world.initial_levels() if self._cups is None else self._cups.initial_levels
        for pin, level in zip(self._pin, levels, strict=True):
            self.pins.set_input(pin, level)
        safety = dict(board["safety_inputs"])
        for name, level in world.safety.items():
            self.pins.set_input(safety[name], level)
        world.on_safety = lambda name, level: self.pins.set_input(safety[name], level)

    def permille(self) -> int:
        """What the outputs make of the motor, -1000..1000, since this was asked last."""
        return self._motor.permille(now_us())

    def make(self, edge: tuple[int, int, int]) -> None:
        """An edge of the world, now. One of a cup goes to its chip, whose interrupt may follow."""
        if self._cups is None:
            _, line, level = edge
            self.pins.set_input(self._pin[line], level)
            return
        self._due.append(edge)
        self._settle()

    def wait(self, until_us: int) -> int:
        """Answers on I2C until then; returns how much later it is."""
        while (left_us := until_us - now_us()) > 0:
            if select.select([self.bus], [], [], left_us / 1_000_000)[0]:
                self.bus.serve()
                self._settle()
        return -left_us

    def close(self) -> None:
        """Takes chip and bus away, for the next scenario's."""
        self.pins.close()
        self.bus.close()

    def now_us(self) -> int:
        """For the chips of the cups: the world's side of the port `Edges`."""
        return now_us()

    def read(self, until_us: int) -> Iterator[tuple[int, int, int]]:
        """For the chips of the cups: the edges that are due."""
        while self._due:
            yield self._due.pop(0)

    def _settle(self) -> None:
        """The interrupt lines are as the chips want them."""
        if self._cups is not None:
            for _, place, level in self._cups.read(now_us()):
                self.pins.set_input(self._pin[place], level)

    def _attach(self, board: dict[str, Any], world: World, kept: Path) -> None:
        bus: Any = self.bus
        number = board["buses"]["sensors"][1]
        noise = Random(f"{world.table.now_us}/level")
        bus.attach_i2c(number, ADXL345, ChipAdxl345(lambda: world.tilt_mdeg, now_us, noise))
        bus.attach_i2c(number, DS3231, ChipDs3231())
        address = board["fram"][1]
        attach(bus, number, address)
        bus.attach_i2c(number, address, KeptFram(kept))
        if board.get("expanders"):
            self._cups = CupChips(board, bus, self, world.initial_levels())


def play(scenario: Scenario, game: Game, trace: Path, ledger: Path) -> None:
    """Plays until standard input ends. Waits there for one line before time begins."""
    disable_timer_slack()
    # The guest has one processor: an edge that is due goes before whatever the controller computes.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    world = world_of(scenario, game)
    table = GpioTable(game.board, world, trace.with_name(FRAM))
    write_message("ready", True)
    while not (said := read_line(0)):
        if said is None:
            return
        table.wait(now_us() + STEP_US)
    start_us = now_us()
    write_message("start_us", start_us)
    teller = Teller(world, scenario.coups)
    writer = TraceWriter(trace, game.board, world.initial_levels())
    count = Ledger(table)
    until_us = start_us
    try:
        while read_line(0) is not None:
            until_us += STEP_US
            for edge in world.advance(until_us - start_us, table.permille()):
                count.late(table.wait(edge[0] + start_us))
                table.make(edge)
                writer.edge(*edge)
            table.wait(until_us)
            teller.print_news()
            count.sample(until_us)
    finally:
        writer.close(world.now_us)
        ledger.write_text(json.dumps(count.as_dict()))
        write_message("edges", count.made)
        table.close()


class Ledger:
    """Edges made, and counted by the kernel for a controller that lives from here on."""

    def __init__(self, table: GpioTable) -> None:
        """Counts from now."""
        self._table = table
        self._before = (table.pins.sent, interrupts(CONSUMER))
        self._next_us = 0
        self._late_us = 0
        self.made = self.counted = 0

    def late(self, late_us: int) -> None:
        """An edge is made so much later than it was due."""
        self._late_us = max(self._late_us, late_us)

    def sample(self, at_us: int) -> None:
        """Once a second. When the controller has gone its counts are gone: what was last holds."""
        if at_us < self._next_us:
            return
        self._next_us = at_us + LOOK_US
        counted = interrupts(CONSUMER) - self._before[1]
        if counted >= self.counted:
            self.made, self.counted = self._table.pins.sent - self._before[0], counted

    def as_dict(self) -> dict[str, int]:
        """As the file has it."""
        transfers = self._table.bus.transfers
        return {
            "made": self.made,
            "counted": self.counted,
            "transfers": transfers,
            "late_us": self._late_us,
        }


def main(arguments: list[str]) -> None:
    """Plays one scenario."""
    scenario, name, trace, ledger = arguments
    layout = Path(scenario).with_name(LAYOUT)
    game = choose(name, Config(layout=str(layout) if layout.exists() else None))
    play(scenario_file.load(Path(scenario)), game, Path(trace), Path(ledger))


if __name__ == "__main__":
    main(sys.argv[1:])
