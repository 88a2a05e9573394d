"""Level sensor and clock of the carriers for a Pi, on a virtual bus and in the world's time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import boards
from firmware.config import Config
from firmware.core.facts import Trouble
from firmware.run import app
from firmware.run.slow_sensors import PERIOD_US
from firmware.shims.virtual import VirtualMachine
from tools.hil import boards_of
from tools.hil.faults import catalogue
from tools.hil.scenario import Scenario
from tools.hil.world import World
from tools.sim.chips import ADXL345, DS3231, ChipAdxl345, ChipDs3231

_CLOCK_S = 1_790_000_000.0  # some day: nobody asks which


def wanted(scenario: Scenario) -> bool:
    """Whether a fault of the scenario is one of the level."""
    return any(catalogue.find(use.fault).layer == "level" for use in scenario.faults)


def board(apparatus: str) -> dict[str, Any]:
    """The data of that board; which layout lies on it in a house, nobody asks here."""
    found: dict[str, Any] = boards.load(boards_of.PI[apparatus])
    return found


class LevelWatch:
    """The port `Desk`: the firmware's attendant, without a thread of its own.

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

    def take(self) -> Sequence[Trouble]:
        """What is newly wrong. A loop that leaps asks less often than the thread would look."""
        found: list[Trouble] = []
        while self._at_us <= self._world.now_us:
            found += self._checks.poll(self._at_us)
            self._at_us += PERIOD_US
        return found

    def decided(self, refusal: str | None) -> None:
        """Nobody waits for an answer."""
