"""A line in memory: pseudo-terminals joined so that each end hears what all others send.

As RS-485 joins them, but at no speed: bytes are there at once, and two who speak together follow
each other.
"""

from __future__ import annotations

import contextlib
import os
import pty
import selectors
import tty

_CHUNK = 4096


class JoinedLine:
    """So many ttys, `ends`, on one line."""

    def __init__(self, count: int = 2) -> None:
        """Makes the pseudo-terminals, raw, so that no byte is altered. Raises OSError."""
        self._masters: list[int] = []
        self._slaves: list[int] = []
        self._selector = selectors.DefaultSelector()
        try:
            for _ in range(count):
                master, slave = pty.openpty()
                self._masters.append(master)
                # Held open, or the master would report an error when a process lets go of its end.
                self._slaves.append(slave)
                tty.setraw(slave)
                os.set_blocking(master, False)
                self._selector.register(master, selectors.EVENT_READ)
            self.ends = tuple(os.ttyname(slave) for slave in self._slaves)
        except OSError:
            self.close()
            raise

    def forward(self, timeout_s: float) -> None:
        """Waits for bytes, no longer than that, and carries them over."""
        for key, _ in self._selector.select(timeout_s):
            data = os.read(key.fd, _CHUNK)
            for other in self._masters:
                if other != key.fd:
                    # Full: nobody reads there, and a line without a listener loses its bytes too.
                    with contextlib.suppress(BlockingIOError):
                        os.write(other, data)

    def close(self) -> None:
        """Takes the line away."""
        self._selector.close()
        for handle in (*self._masters, *self._slaves):
            os.close(handle)
