"""A virtual wheel that plays faster than real time: `cylindre run --pace N`.

Two clocks run then. On the wheel's, N seconds of which pass in one of ours, is all that belongs to
a coup: the simulator, its level chip and its hand (a press of .2 s), the loop's edges, deadlines
and periods, the motor's ramp, a recorder's traces, and every `t_us` that is told.

Where a record is under way the wheel waits for it (PromptStore): what the storage takes is no time
of the wheel. So the same seed gives the same facts, stamp by stamp, at every pace above 1. At pace
1 none of this is there: the wheel is in real time.

Ours stay: the line to displays and terminals (RealTimeBus; both in firmware/run/paced.py), the
frames of the oscilloscope, PINs and sessions, a first supervisor's minute, the rounds of the slow
sensors, watchdogs, `loop_age_ms`, the date of a record, and the end of a play
(PacedClock.slow_down), where displays and storage have their time.
"""

from __future__ import annotations

import time
from collections.abc import Callable

# A coup of 25 s takes some 0.1 s of a small server's core: at 50 a fifth of one.
PACE_MAX = 50
_BEHIND_US = 20_000  # ours, caught up with; after a longer stall the wheel goes on where it stood


class PacedClock:
    """The wheel's time: goes on as the loop reads, N times as fast as ours at most.

    A stalled process stalls its wheel with it, so no edge is late and none is missed: what is
    decided does not depend on the machine's pace.
    """

    def __init__(
        self,
        pace: int,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        sleep_s: Callable[[float], None] = time.sleep,
    ) -> None:
        """Begins at our time. `pace`: 1 to PACE_MAX."""
        self._pace = pace
        self._clock_ns = clock_ns
        self._sleep_s = sleep_s
        self._due_ns = clock_ns()  # when `_now_us` is over
        self._now_us = self._due_ns // 1000

    def now_us(self) -> int:
        """How far the loop has read."""
        return self._now_us

    def sleep_us(self, us: int) -> None:
        """So much of the wheel's time passes."""
        self._due_ns += us * 1000 // self._pace
        left_ns = self._due_ns - self._clock_ns()
        if left_ns > 0:
            self._sleep_s(left_ns / 1e9)
        else:
            self._due_ns += max(-left_ns - _BEHIND_US * 1000, 0)
        self._now_us += us

    def slow_down(self) -> None:
        """From now on it goes as ours does."""
        self._pace = 1
