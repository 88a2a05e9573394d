"""The clock that goes on while the machine is suspended: what was heard before is old after."""

import time


def boot_ns() -> int:
    """Nanoseconds since the machine was started, suspended or not (Linux CLOCK_BOOTTIME)."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def boot_us() -> int:
    """Returns the same in microseconds."""
    return boot_ns() // 1000
