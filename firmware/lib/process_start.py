"""When a process began, by the monotonic clock: Linux knows it to a hundredth of a second."""

from __future__ import annotations

import os
import time

_AGE_US_MAX = 60_000_000


def start_us(process: int | str = "self") -> int:
    """Returns the microsecond of CLOCK_MONOTONIC at which it began, the same whoever asks; now, if
    that cannot be known.

    Starting Python and reading what it imports takes up to half a second on a busy machine.
    """
    now_us = time.monotonic_ns() // 1000
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        # That was rounded down; rounded up it is never before the truth.
        tick_us = 1_000_000 // os.sysconf("SC_CLK_TCK")
        start_us = (ticks + 1) * tick_us
        now_us = time.monotonic_ns() // 1000  # reading has taken its time
        age_us = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000 - start_us
    except (OSError, ValueError, IndexError, AttributeError):
        return now_us
    # Neither is to be believed where a container has a clock of its own.
    return now_us - age_us if -tick_us <= age_us < _AGE_US_MAX else now_us
