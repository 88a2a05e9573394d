"""The GPIO chip of a Pi, made of the kernel's gpio-sim, from the world's side. Inside the guest.

The world drives a line by its pull, whose edge the kernel stamps as it is written; what an output
has done it reads from `wave`, which our kernel adds (recipe/linux.patch).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_CONFIGFS = Path("/sys/kernel/config/gpio-sim")
_INTERRUPTS = Path("/proc/interrupts")
_LINES = 54  # of a BCM2711
_PULLS = (b"pull-down", b"pull-up")
_U16 = 65535
_ROOM = 80  # bytes of a `wave`: three numbers and a level


class Wave(NamedTuple):
    """What an output line has done since the chip was made. Times in nanoseconds, monotonic."""

    toggles: int
    high_ns: int
    now_ns: int
    level: int


class SimChip:
    """One chip, live from its making to `close`."""

    def __init__(self, label: str) -> None:
        """Makes a chip that is found under that label. Raises OSError outside of the guest."""
        bank = _CONFIGFS / label / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(_LINES))
        (bank / "label").write_text(label)
        (bank.parent / "live").write_text("1")
        device = (bank.parent / "dev_name").read_text().strip()
        name = (bank / "chip_name").read_text().strip()
        self.path = f"/dev/{name}"
        self._bank = bank
        self._folder = Path("/sys/devices/platform") / device / name
        self._pulls: dict[int, int] = {}
        self._waves: dict[int, int] = {}
        self._last: dict[int, Wave] = {}
        self.sent = 0  # changes of inputs

    def set_input(self, pin: int, level: int) -> None:
        """Drives a line: its edge, if it is one, is stamped now."""
        fd = self._pulls.get(pin)
        if fd is None:
            fd = self._pulls[pin] = os.open(self._line(pin) / "pull", os.O_WRONLY)
        os.pwrite(fd, _PULLS[level], 0)
        self.sent += 1

    def wave(self, pin: int) -> Wave:
        """What the firmware has made of an output so far."""
        fd = self._waves.get(pin)
        if fd is None:
            fd = self._waves[pin] = os.open(self._line(pin) / "wave", os.O_RDONLY)
        return Wave(*map(int, os.pread(fd, _ROOM, 0).split()))

    def level(self, pin: int) -> int:
        """What stands on a line."""
        return self.wave(pin).level

    def duty_u16(self, pin: int) -> int:
        """The high part of the time since this was asked last, 0..65535."""
        wave = self.wave(pin)
        last = self._last.get(pin, Wave(0, 0, 0, 0))
        self._last[pin] = wave
        span_ns = wave.now_ns - last.now_ns
        return (wave.high_ns - last.high_ns) * _U16 // span_ns if span_ns else wave.level * _U16

    def close(self) -> None:
        """Takes it away; another of that label may be made."""
        for fd in (*self._pulls.values(), *self._waves.values()):
            os.close(fd)
        (self._bank.parent / "live").write_text("0")
        self._bank.rmdir()
        self._bank.parent.rmdir()

    def _line(self, pin: int) -> Path:
        return self._folder / f"sim_gpio{pin}"


def interrupts(consumer: str) -> int:
    """How many edges the kernel has counted for that owner of lines, as long as it has them."""
    rows = (row.split() for row in _INTERRUPTS.read_text().splitlines()[1:])
    return sum(int(row[1]) for row in rows if row and row[-1] == consumer)
