"""Somebody who only sleeps, and so knows when the machine stood still for everybody."""

from __future__ import annotations

import threading
import time
from typing import Self

STILL_US = 100_000  # so late a call may be (CALL_LATE_US, firmware/loop.py)
_NAP_S = 0.005


class StallMeter:
    """Watches while it is entered, in a thread of its own."""

    def __init__(self, nap_s: float = _NAP_S) -> None:
        """Sees nothing yet."""
        self.stills: list[tuple[int, int]] = []  # from when to when, CLOCK_MONOTONIC, us
        self._nap_s = nap_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stall-meter", daemon=True)

    def __enter__(self) -> Self:
        """Begins."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends."""
        self._over.set()
        self._thread.join()

    def saw(self, last_us: int, now_us: int) -> None:
        """Notes one nap, from when to when."""
        if now_us - last_us >= STILL_US:
            self.stills.append((last_us, now_us))

    def _watch(self) -> None:
        last_us = time.monotonic_ns() // 1000
        while not self._over.wait(self._nap_s):
            now_us = time.monotonic_ns() // 1000
            self.saw(last_us, now_us)
            last_us = now_us
