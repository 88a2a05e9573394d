"""What has a time of its own, beside a virtual wheel that is faster than real time.

tools/sim/pace.py says which clock is whose.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from firmware.loop import BUS_PERIOD_US
from firmware.ports import Bus
from firmware.store.journal import Journal

_STORE_S = 0.5  # a commit takes some ms; a storage that takes longer is as it is in real time


class PromptStore:
    """The port `Store` of a journal: a record is durable as soon as the loop asks."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.put = journal.put
        self.trouble = journal.trouble

    def done(self) -> Sequence[int]:
        """Returns the journal's, once all is done; without waiting where writing fails."""
        if self._journal.trouble() is None:
            self._journal.wait(_STORE_S)
        return self._journal.done()


class RealTimeBus:
    """The port `Bus` of another, polled by our time however fast the loop's goes."""

    def __init__(
        self, bus: Bus, clock_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000
    ) -> None:
        self._bus = bus
        self._clock_us = clock_us
        self._next_us = clock_us()
        self.show_view = bus.show_view
        self.due_us = bus.due_us
        self.is_behind = bus.is_behind

    def poll(self, now_us: int) -> str | None:
        """Polls the other once every BUS_PERIOD_US; returns what it returns."""
        now_us = self._clock_us()
        if now_us < self._next_us:
            return None
        late = now_us - self._next_us >= BUS_PERIOD_US
        self._next_us = (now_us if late else self._next_us) + BUS_PERIOD_US
        return self._bus.poll(now_us)
