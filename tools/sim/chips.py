"""Level, clock and FRAM of the table's carrier as chips on a bus."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from math import radians, sin
from pathlib import Path
from random import Random

from firmware.shims.virtual import RegisterDevice, VirtualMachine

ADXL345, DS3231 = 0x53, 0x68

_REGISTERS = 0x3A  # of an ADXL345: rev. G, table 19
_DEVID, _INT_SOURCE, _DATAX0 = 0x00, 0x30, 0x32
_DATA_READY = 0x80
_COUNTS_PER_G = 256  # 3.9 mg each
_PERIOD_US = 10_000  # 100 Hz
_NOISE_COUNTS = 1.0  # "Noise performance": about one count on X and Y

_CLOCK_REGISTERS = 0x13  # of a DS3231: 19-5170 rev. 10, table 1
_CENTURY = 100


class ChipAdxl345(RegisterDevice):
    """Says which way is down, with the chip's steps and noise."""

    def __init__(
        self, tilt_mdeg: Callable[[], tuple[int, int]], now_us: Callable[[], int], rng: Random
    ) -> None:
        """`tilt_mdeg`: of the wheel, about x and y, now."""
        super().__init__(bytearray(_REGISTERS))
        self.registers[_DEVID] = 0xE5
        self._tilt_mdeg = tilt_mdeg
        self._now_us = now_us
        self._rng = rng
        self._measured_us = 0

    def write(self, data: bytes) -> None:
        """Registers, or whose contents are wanted next."""
        super().write(data)
        ready = self._now_us() - self._measured_us >= _PERIOD_US
        self.registers[_INT_SOURCE] = _DATA_READY if ready else 0
        if data == bytes((_DATAX0,)):
            self._measure()

    def _measure(self) -> None:
        self._measured_us = self._now_us()
        x, y = (_COUNTS_PER_G * sin(radians(mdeg / 1000)) for mdeg in self._tilt_mdeg())
        for axis, mean in enumerate((x, y, _COUNTS_PER_G)):
            count = round(self._rng.gauss(mean, _NOISE_COUNTS))
            at = _DATAX0 + 2 * axis
            self.registers[at : at + 2] = count.to_bytes(2, "little", signed=True)


class ChipDs3231(RegisterDevice):
    """A clock that was set and has not stopped since."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        """Set to the machine's time, and goes on by itself if that is set anew."""
        super().__init__(bytearray(_CLOCK_REGISTERS))
        self._now_s = now_s
        self._ahead_s = time.time() - now_s()

    def write(self, data: bytes) -> None:
        """The copy that one transfer reads is taken as it begins ("Clock and calendar")."""
        now = time.gmtime(self._now_s() + self._ahead_s)
        fields = (now.tm_sec, now.tm_min, now.tm_hour, now.tm_wday + 1, now.tm_mday, now.tm_mon)
        for at, field in enumerate((*fields, now.tm_year % _CENTURY)):
            self.registers[at] = field // 10 << 4 | field % 10
        super().write(data)


SIZE = 32_768
_ID_ADDRESS = 0x7C  # "Reading Device ID": reserved slave address F8H
_ID = b"\x00\xa5\x10"
_ADDRESS_SIZE = 2


class ChipMb85rc256v:
    """32 KiB behind a pointer of two bytes that goes on by itself, and from the end to 0."""

    def __init__(self) -> None:
        """As it leaves the factory, and not write-protected."""
        self.memory = bytearray(SIZE)
        self.protected = False  # the pin WP
        self._at = 0

    def write(self, data: bytes) -> None:
        """Two bytes of address, the top bit of which does not count; then data, byte by byte."""
        if len(data) < _ADDRESS_SIZE:
            return
        self._at = int.from_bytes(data[:_ADDRESS_SIZE]) % SIZE
        for byte in data[_ADDRESS_SIZE:]:
            if not self.protected:
                self.memory[self._at] = byte
            self._at = (self._at + 1) % SIZE

    def read(self, count: int) -> bytes:
        """Bytes from the pointer on ("Current address read")."""
        answer = bytes(self.memory[(self._at + at) % SIZE] for at in range(count))
        self._at = (self._at + count) % SIZE
        return answer


class _Names:
    """Who answers at the reserved address: the chip whose address word is sent."""

    def __init__(self, address: int) -> None:
        self._address = address
        self._asked = -1

    def write(self, data: bytes) -> None:
        self._asked = data[0] >> 1

    def read(self, count: int) -> bytes:
        known = _ID if self._asked == self._address else b"\xff\xff\xff"
        return bytes(known[at % len(known)] for at in range(count))


def attach(machine: VirtualMachine, bus: int, address: int) -> ChipMb85rc256v:
    """Puts a new chip on a bus of the machine."""
    chip = ChipMb85rc256v()
    machine.attach_i2c(bus, address, chip)
    machine.attach_i2c(bus, _ID_ADDRESS, _Names(address))
    return chip


class KeptFram(ChipMb85rc256v):
    """Keeps in a file what it holds: through the end of its process, and of its machine."""

    def __init__(self, path: Path) -> None:
        """Holds what the file does; makes it if it is not there. Raises OSError."""
        super().__init__()
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DSYNC, 0o600)
        held = os.read(self._fd, len(self.memory))
        self.memory[: len(held)] = held
        os.pwrite(self._fd, self.memory, 0)

    def write(self, data: bytes) -> None:
        """What is acknowledged is kept."""
        before = bytes(self.memory)
        super().write(data)
        if self.memory != before:
            os.pwrite(self._fd, self.memory, 0)
