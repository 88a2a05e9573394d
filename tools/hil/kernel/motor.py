"""The motor's bridge behind real lines: what the wave on them makes of the rotor's drive."""

from __future__ import annotations

from typing import Any

from tools.hil.kernel.chip import SimChip
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
