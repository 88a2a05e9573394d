"""MicroPython's tick arithmetic for CPython; on a microcontroller these come from `time`.

Ticks wrap at PERIOD, so they are never compared or subtracted but by `ticks_diff`.
Source: MicroPython 1.27 documentation, `time`, and extmod/modtime.c.
"""

import time

PERIOD = 1 << 30  # what a 32-bit MicroPython port has: the range of its small integers
_HALF = PERIOD // 2


def ticks_us() -> int:
    """Returns microseconds of CLOCK_MONOTONIC, modulo PERIOD: they wrap every 17.9 minutes."""
    return time.monotonic_ns() // 1000 % PERIOD


def ticks_add(ticks: int, delta: int) -> int:
    """Returns the tick `delta` after `ticks` (before it, if negative).

    Raises OverflowError for half a period or more, which `ticks_diff` could not undo.
    """
    if not -_HALF < delta < _HALF:
        raise OverflowError("ticks interval overflow")
    return (ticks + delta) % PERIOD


def ticks_diff(end: int, start: int) -> int:
    """Ticks from `start` to `end`, within -PERIOD/2 .. PERIOD/2 - 1.

    Right only if the two are less than half a period (8.9 minutes) apart.
    """
    return (end - start + _HALF) % PERIOD - _HALF
