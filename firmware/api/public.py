"""What the public hears: the wheel a tenth of a second later.

A public fact carries the tenth in which it was, and comes when that tenth is over; so does what
`status` answers. When something comes thus says no more than what it says.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

from firmware.api.guarded import TENTH_US, tenth
from firmware.api.status import FaultOver, TableStatus
from firmware.core.facts import View

HELD_MAX = 1000  # facts and views of one tenth: as many as the loop may be ahead of the thread


class PublicNews:
    """Holds facts and views back. The loop writes, the service's thread reads."""

    def __init__(self, status: TableStatus, clock_us: Callable[[], int]) -> None:
        """`status`: of the public, told what is released. `clock_us`: of the wheel, from the zero
        that public times are counted from."""
        self.status = status
        self._clock_us = clock_us
        self._held: deque[tuple[int, Any]] = deque(maxlen=HELD_MAX)

    def hold(self, told: Any) -> None:
        """Holds a fact or a View back, as it comes about."""
        self._held.append((tenth(self._clock_us()), told))

    def wait_s(self) -> float | None:
        """Returns how long it is until `release` has something; None: nothing is held."""
        if not self._held:
            return None
        left_us = self._held[0][0] + TENTH_US - self._clock_us()
        return max(left_us, 0) / 1_000_000

    def release(self, *, at_once: bool = False) -> list[Any]:
        """Returns the facts whose tenth is over, in their order; `at_once`: all of them."""
        now_us = tenth(self._clock_us())
        found = []
        while self._held and (at_once or self._held[0][0] < now_us):
            told = self._held.popleft()[1]
            if isinstance(told, View):
                self.status.show_view(told)
            else:
                self.status.take_fact(told)
                if not isinstance(told, FaultOver):
                    found.append(told)
        return found
