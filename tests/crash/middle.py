"""Two ttys and somebody between them, who passes on what he likes, when he likes."""

import contextlib
import heapq
import os
import pty
import select
import time
import tty
from collections.abc import Callable

CONTROLLER, DISPLAY = 0, 1
# Given the side that said it and the bytes: what the other side hears, and how many seconds later.
Passes = Callable[[int, bytes], list[tuple[float, bytes]]]


def honestly(side: int, data: bytes) -> list[tuple[float, bytes]]:
    """As it is, at once."""
    return [(0.0, data)]


class Middle:
    """As JoinedLine (tools.virtual) with two ends, but for `passes`, which may be changed."""

    def __init__(self) -> None:
        self.passes: Passes = honestly
        self.heard: list[bytes] = []  # what the controller has said so far
        pairs = [pty.openpty() for _ in (CONTROLLER, DISPLAY)]
        self._masters = [master for master, _ in pairs]
        self._slaves = [slave for _, slave in pairs]
        for master, slave in pairs:
            tty.setraw(slave)
            os.set_blocking(master, False)
        self.ends = tuple(os.ttyname(slave) for slave in self._slaves)
        self._late: list[tuple[float, int, int, bytes]] = []
        self._order = 0

    def forward(self, timeout_s: float) -> None:
        """Waits for bytes, no longer than that, and passes on what is due."""
        if self._late:
            timeout_s = min(timeout_s, max(0.0, self._late[0][0] - time.monotonic()))
        for master in select.select(self._masters, [], [], timeout_s)[0]:
            side = self._masters.index(master)
            data = os.read(master, 4096)
            if side == CONTROLLER:
                self.heard.append(data)
            for after_s, passed in self.passes(side, data):
                self._order += 1
                due = time.monotonic() + after_s
                heapq.heappush(self._late, (due, self._order, 1 - side, passed))
        while self._late and self._late[0][0] <= time.monotonic():
            _, _, side, passed = heapq.heappop(self._late)
            with contextlib.suppress(BlockingIOError):
                os.write(self._masters[side], passed)

    def close(self) -> None:
        """Takes the line away."""
        for handle in (*self._masters, *self._slaves):
            os.close(handle)
