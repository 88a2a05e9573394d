"""A serial line as a pty: what is written at one end is there for the other when `write` returns.

The kernel moves it in its own time otherwise, and who looks at once finds nothing.
"""

from __future__ import annotations

import fcntl
import os
import pty
import sys
import termios
import tty

from patience import Waiting


class SerialPair:
    """Both ends; the device opens the one called `name`."""

    def __init__(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.name = os.ttyname(self._slave)

    def write(self, data: bytes) -> None:
        """Sends to the device, and waits until all of it is there."""
        wanted = self._waits() + len(data)
        os.write(self._master, data)
        with Waiting("bytes of a pty") as waiting:
            while self._waits() < wanted:
                waiting.on()

    def _waits(self) -> int:
        """How many bytes the device has not read yet."""
        return int.from_bytes(fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4)), sys.byteorder)

    def close(self) -> None:
        """Pulls it out."""
        os.close(self._slave)
        os.close(self._master)
