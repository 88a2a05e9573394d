"""Whether somebody may speak out of turn, and nobody waits longer for his turn than planned."""

from firmware.shims.typed import Sequence


class RoundTime:
    """Keeps when each station of a line had its turn last. They have it one behind the other."""

    def __init__(self, slots_us: "Sequence[int]", extra_us: int) -> None:
        """`slots_us`: how long the turn of each lasts if it is silent, in their order; `extra_us`:
        for what is out of turn a round has time besides (slots.py).
        """
        self._slots_us = slots_us
        self._most_us = sum(slots_us) + extra_us
        self._next = 0
        self._began_us: list[int] = []  # of the last turns, one of each; the oldest first

    def begin_turn(self, now_us: int) -> None:
        """Takes that the next station has its turn."""
        self._next = (self._next + 1) % len(self._slots_us)
        self._began_us = (self._began_us + [now_us])[-len(self._slots_us) :]

    def spare_us(self, now_us: int) -> int:
        """Tells how long somebody may speak out of turn, and each still has its own in time, all
        being silent from then on. Nobody may before each had its first.
        """
        count = len(self._slots_us)
        if len(self._began_us) < count:
            return 0
        spare_us, before_us = self._most_us, 0
        for place in range(count):
            spare_us = min(spare_us, self._most_us - before_us - now_us + self._began_us[place])
            before_us += self._slots_us[(self._next + place) % count]
        return spare_us
