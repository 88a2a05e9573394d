"""The least time between the beginnings of two coups, where a house chose one.

UK casino technical requirements 1.1: at most 50 games an hour when fully automatic, so 72 s each.
"""

from firmware.shims.typed import Any


class Pace:
    """Counts from the last beginning, however that coup ended."""

    def __init__(self, floor_us: int) -> None:
        """`floor_us`: 0 for none."""
        self._floor_us = floor_us
        self._begun_us: Any = None

    def begun(self, at_us: int) -> None:
        """Counts from now: a coup begins, or the controller starts and knows of none."""
        self._begun_us = at_us

    def wait_us(self, at_us: int) -> int:
        """Returns how long the next coup has to wait; 0: it may begin."""
        if self._begun_us is None:
            return 0
        left_us: int = self._begun_us + self._floor_us - at_us
        return max(left_us, 0)
