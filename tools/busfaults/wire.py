"""The stations' ttys: one pty pair each, raw, so that every byte passes the kernel both ways.

RS-485 joins them; here a campaign stands in the middle, holds every master, and decides what of
that which one station said the others hear.
"""

from __future__ import annotations

import contextlib
import os
import pty
import tty
from collections.abc import Iterator

# A tty holds 4096 bytes that nobody has read yet, less one; what is more waits in its flip buffer.
CHUNK = 2048


class Station:
    """One pty pair: `said` is the station's way out, `hears` its way in."""

    def __init__(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self._coming = b""

    def says(self, data: bytes) -> bytes:
        """The station writes `data` into its tty; what came out in the middle."""
        os.write(self._slave, data[:CHUNK])
        return _through(self._slave, self._master, data)

    def is_told(self, data: bytes) -> None:
        """The middle begins to write `data`; nothing more before the station has read it."""
        os.write(self._master, data[:CHUNK])
        self._coming = data

    def hears(self) -> bytes:
        """What the station reads from its tty: all that it was told."""
        data, self._coming = self._coming, b""
        return _through(self._master, self._slave, data)

    def close(self) -> None:
        """Gives both ends back."""
        for handle in (self._master, self._slave):
            with contextlib.suppress(OSError):
                os.close(handle)


def frames_of(data: bytes) -> Iterator[bytes]:
    """The frames in what one station said, delimiters included, in order."""
    for body in data.split(b"\0"):
        if body:
            yield b"\0" + body + b"\0"


def _through(source: int, sink: int, data: bytes) -> bytes:
    """Reads `data`, whose first CHUNK bytes are written already."""
    came = []
    for at in range(0, len(data), CHUNK):
        part = data[at : at + CHUNK]
        if at:
            os.write(source, part)
        missing = len(part)
        while missing:
            got = os.read(sink, missing)
            missing -= len(got)
            came.append(got)
    return b"".join(came)
