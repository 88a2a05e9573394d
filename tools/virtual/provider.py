"""The wheel of a virtual board, as `cylindre run` is handed it: built in, or in another process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware.core.house import CROUPIER
from firmware.lib.errors import NO_DEVICE, Failure, sentence
from firmware.lib.language import Message
from firmware.run.parts import Opened, RunOptions
from firmware.shims.virtual import VirtualMachine
from tools.hil.remote import RemoteWheel
from tools.sim import table as tables
from tools.sim.chips import ADXL345, DS3231, ChipAdxl345, ChipDs3231
from tools.sim.pace import PacedClock
from tools.sim.ports import Bridge, RealTimeWheel
from tools.sim.streams import stream
from tools.virtual.hand import StaffedTable, open_socket
from tools.virtual.hardware import hardware

_BUS = "sensors"


def fit(
    board: dict[str, Any],
    machine: VirtualMachine,
    *,
    tilt_mdeg: Callable[[], tuple[int, int]],
    now_us: Callable[[], int],
    seed: int,
) -> None:
    """Attaches the chips to the machine. `tilt_mdeg`: of the wheel, about x and y, now.

    The FRAM of a virtual board is a file (`cylindre run --fram`), not a chip.
    """
    if _BUS not in board["buses"]:
        return
    bus = board["buses"][_BUS][1]
    machine.attach_i2c(bus, ADXL345, ChipAdxl345(tilt_mdeg, now_us, stream(seed, "level")))
    machine.attach_i2c(bus, DS3231, ChipDs3231())


@dataclass(frozen=True)
class BuiltIn:
    """The built-in wheel of a board, in real time or faster."""

    preset: str | None = None  # the first of the board's apparatus
    seed: int | None = None  # any
    pace: int = 1  # how many times real time

    def __call__(self, options: RunOptions, stack: contextlib.ExitStack) -> Opened:
        """Makes it; people may reach into it through a socket beside the controller's."""
        board, rules = options.game
        seed = int.from_bytes(os.urandom(4)) if self.seed is None else self.seed
        preset = self.preset or tables.presets(board["apparatus"])[0]
        wheel = tables.virtual_table(
            board,
            rules,
            preset,
            seed,
            (options.config.drive or board["rotor"]) == "hand",
            confirms=options.config.confirm == CROUPIER,
            pace_us=options.config.pace_us,
        )
        machine = VirtualMachine()
        table = StaffedTable(wheel, board, machine.lines.level, seed)
        clock = PacedClock(self.pace) if self.pace > 1 else None
        timed: dict[str, Any] = {}
        if clock is not None:
            timed = {"now_us": clock.now_us, "sleep_us": clock.sleep_us}
        edges = RealTimeWheel(table, Bridge(board, machine), **timed)
        fit(board, machine, tilt_mdeg=lambda: table.tilt_mdeg, now_us=edges.now_us, seed=seed)

        def reach(held: contextlib.ExitStack) -> None:
            hand = open_socket(options.sockets, table)
            if hand is not None:
                held.callback(hand.close)

        found = hardware(board, machine, table, edges)
        made = {"preset": preset, "seed": seed}
        if clock is None:
            return Opened(found, Message("the virtual wheel {preset}, seed {seed}", **made), reach)
        name = Message(
            "the virtual wheel {preset}, seed {seed}, pace {pace}", **made, pace=self.pace
        )
        return Opened(found, name, reach, clock.slow_down)


@dataclass(frozen=True)
class Remote:
    """The wheel of another process, at the other end of a line (docs/hil.md)."""

    port: str

    def __call__(self, options: RunOptions, stack: contextlib.ExitStack) -> Opened:
        """Waits for it there. Raises Failure."""
        board = options.game.board
        machine = VirtualMachine()
        try:
            wheel = RemoteWheel(self.port, board, machine)
        except OSError as error:
            raise Failure(NO_DEVICE, sentence(error)) from error
        stack.callback(wheel.close)
        return Opened(hardware(board, machine, wheel, wheel), f"the wheel at {self.port}")
