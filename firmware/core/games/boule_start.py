"""What begins a coup of boule: the button, or a throw without it; and when it may count."""

from firmware.core.coup.table import Table
from firmware.core.sense.cups import Cups
from firmware.core.sense.throw import Throw
from firmware.shims.typed import Any

# Nothing seen for so long: a pressed button begins the next coup. A beam that missed the ball hides
# it for 2.2 s; on its way to a cup, or back from the bank, it rolled unseen for 3.4 s at most in
# 2 400 simulated coups.
QUIET_US = 4_000_000
# A press that does not count by then is forgotten: it was no wish for another coup. So is one
# within a second of the last sign of a ball that is gone; whoever waits presses again.
KEPT_US = 3_000_000
NEW_THROW_US = 3_000_000  # beams silent for so long: what they see then is another throw


class BouleStart:
    """Remembers a press until it counts, and tells a new throw from one that runs on."""

    def __init__(self, table: Table, throw: Throw, cups: Cups) -> None:
        self._table = table
        self._throw = throw
        self._cups = cups
        self._within = False  # pressed while a coup was open: only an empty dish lets it count
        self._fresh = False  # what runs in the track now belongs to no coup
        self.pressed_us: Any = None  # and no coup opened for it yet
        self.unpressed = False  # a ball was thrown without it, and no coup opened for that yet

    def press(self, at_us: int) -> None:
        """Takes a press of `btn_start`, for the next coup."""
        self.pressed_us = at_us
        self._within = self._table.playing()

    def forget(self) -> None:
        """Forgets the press: a coup has begun, or none shall."""
        self.pressed_us = None
        self.unpressed = False
        self._fresh = False

    def counts(self, at_us: int) -> bool:
        """Returns whether the press begins a coup now. One that is too old is forgotten."""
        if self.pressed_us is not None and at_us - self.pressed_us > KEPT_US:
            self.pressed_us = None
        return self.pressed_us is not None and at_us >= self.quiet_us(at_us)

    def quiet_us(self, at_us: int) -> int:
        """Returns from when on no ball can be running, as far as is known now."""
        seen_us = self._cups.quiet_since_us(at_us) if self._within else None
        crossed_us = self._throw.crossed_us
        if crossed_us is not None and not self.met_cup():
            seen_us = crossed_us if seen_us is None else max(seen_us, crossed_us)
        return at_us if seen_us is None else seen_us + QUIET_US

    def met_cup(self) -> bool:
        """Returns whether a cup has seen a ball since the last beam did."""
        came_us, crossed_us = self._cups.came_us, self._throw.crossed_us
        return came_us is not None and (crossed_us is None or came_us > crossed_us)

    def seen(self, at_us: int) -> None:
        """Takes that a beam sees something like a ball between coups: perhaps another throw.

        Not if beams saw one all the time: what runs then is a second ball of the last throw.
        """
        last_us = self._throw.passed_us
        if last_us is None or at_us - last_us > NEW_THROW_US:
            self._throw.reset()
            self._fresh = True

    def thrown(self) -> bool:
        """Returns, once, whether a ball is in the track for certain that belongs to no coup."""
        if not self._fresh or not self._throw.direction:
            return False
        self._fresh = False
        return True
