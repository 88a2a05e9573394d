"""The line between a shoe and its table, in virtual time: bytes that take their time, or worse."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

BYTE_US = 87  # ten bits at 115200 baud
KEPT = 40  # of what was said last: what a recording may say again

Mangle = Callable[[bytes], bytes]


class ShoeLine:
    """One direction of it. `mangles`: what befalls the next bytes that are said, in order."""

    def __init__(self) -> None:
        self.mangles: deque[Mangle] = deque()
        self.dead_until_us = 0
        self.said: deque[bytes] = deque(maxlen=KEPT)
        self._on_way: deque[tuple[int, bytes]] = deque()
        self._free_us = 0

    @property
    def due_us(self) -> int | None:
        """When bytes arrive; None: none are on their way."""
        return self._on_way[0][0] if self._on_way else None

    def send(self, data: bytes, now_us: int) -> None:
        """Takes bytes at one end."""
        if not data:
            return
        self.said.append(data)
        if self.mangles:
            data = self.mangles.popleft()(data)
        if now_us < self.dead_until_us or not data:
            return
        self._free_us = max(self._free_us, now_us) + len(data) * BYTE_US
        self._on_way.append((self._free_us, data))

    def received(self, now_us: int) -> bytes:
        """Gives what has arrived at the other end."""
        found = b""
        while self._on_way and self._on_way[0][0] <= now_us:
            found += self._on_way.popleft()[1]
        return found


def dropped(data: bytes) -> bytes:
    """Nothing of it arrives."""
    return b""


def doubled(data: bytes) -> bytes:
    """It arrives twice."""
    return data + data


def garbage(rng: Random) -> Mangle:
    """It arrives between bytes that nobody said, and one of its own is another."""

    def mangle(data: bytes) -> bytes:
        spoilt = bytearray(data)
        spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        return rng.randbytes(rng.randrange(1, 40)) + bytes(spoilt) + rng.randbytes(3)

    return mangle
