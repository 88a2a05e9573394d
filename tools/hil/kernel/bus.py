"""The far end of the kernel's I2C bus: answers every transfer from chips in memory. In the guest.

The kernel's side is recipe/i2c-wheel.c, which says what is read and written here.
"""

from __future__ import annotations

import errno
import os
import struct

from firmware.shims.virtual import I2cDevice

DEVICE = "/dev/i2c-wheel"
BUS = 1
_HEAD, _MESSAGE, _ANSWER = struct.Struct("=II"), struct.Struct("=HHI"), struct.Struct("=Ii")
_ROOM = 4096
_READ = 0x0001  # linux/i2c.h: I2C_M_RD


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
        question = os.read(self._fd, _ROOM)
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
