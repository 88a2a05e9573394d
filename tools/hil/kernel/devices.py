"""The kernel's devices from the world's side: a Pi's GPIO chip, and what answers on its I2C bus.

Inside the guest. The chip is made of gpio-sim: the world drives a line by its pull, whose edge the
kernel stamps as it is written; what an output has done it reads from `wave`, which our kernel adds
(recipe/linux.patch). Every transfer on the bus is answered from chips in memory; the kernel's side
is recipe/i2c-wheel.c, which says what is read and written here.
"""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path
from typing import NamedTuple

from firmware.shims.virtual import I2cDevice

_CONFIGFS = Path("/sys/kernel/config/gpio-sim")
_INTERRUPTS = Path("/proc/interrupts")
_LINES = 54  # of a BCM2711
_PULLS = (b"pull-down", b"pull-up")
_U16 = 65535
_WAVE_MAX = 80  # bytes of a `wave`: three numbers and a level

DEVICE = "/dev/i2c-wheel"
BUS = 1
_HEAD, _MESSAGE, _ANSWER = struct.Struct("=II"), struct.Struct("=HHI"), struct.Struct("=Ii")
_TRANSFER_MAX = 4096
_READ = 0x0001  # linux/i2c.h: I2C_M_RD


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
        return Wave(*map(int, os.pread(fd, _WAVE_MAX, 0).split()))

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


class ChipBus:
    """The chips of one bus. `fileno` is readable when a transfer waits for `serve`."""

    def __init__(self, device: str = DEVICE) -> None:
        """Nobody answers until chips are attached. Raises OSError outside of the guest."""
        self._fd = os.open(device, os.O_RDWR)
        self._chips: dict[int, I2cDevice] = {}
        self.held = False  # a chip holds the line: nothing is answered, the kernel gives up
        self.transfers = 0

    def fileno(self) -> int:
        """For select."""
        return self._fd

    def attach_i2c(self, bus: int, addr: int, device: I2cDevice) -> None:
        """Puts a chip on the bus, as firmware.shims.virtual does."""
        assert bus == BUS, "the guest has one bus"
        self._chips[addr] = device

    def detach_i2c(self, bus: int, addr: int) -> None:
        """Takes a chip off the bus."""
        assert bus == BUS, "the guest has one bus"
        del self._chips[addr]

    def serve(self) -> None:
        """Takes one transfer and answers it. Waits for it if there is none."""
        question = os.read(self._fd, _TRANSFER_MAX)
        self.transfers += 1
        if self.held:
            return
        number, count = _HEAD.unpack_from(question)
        error, data = self._transfer(question, count)
        try:
            os.write(self._fd, _ANSWER.pack(number, -error) + data)
        except OSError as late:
            if late.errno != errno.ESTALE:  # the kernel has given it up
                raise

    def close(self) -> None:
        """Nobody answers any more."""
        os.close(self._fd)

    def _transfer(self, question: bytes, count: int) -> tuple[int, bytes]:
        data, at = b"", _HEAD.size
        for _ in range(count):
            addr, flags, size = _MESSAGE.unpack_from(question, at)
            at += _MESSAGE.size
            chip = self._chips.get(addr)
            if chip is None:
                return errno.EREMOTEIO, b""  # what the BCM2835's driver says of no acknowledge
            if flags & _READ:
                data += chip.read(size)
            else:
                chip.write(question[at : at + size])
                at += size
        return 0, data
