"""What hangs on the sensors' bus of a virtual wheel, where its board names one: level and clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware.shims.virtual import VirtualMachine
from tools.sim.chips import ADXL345, DS3231, ChipAdxl345, ChipDs3231
from tools.sim.streams import stream

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
