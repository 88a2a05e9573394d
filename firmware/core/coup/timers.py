"""When to look again though nothing happens: a few named times, and the earliest of them."""

from firmware.shims.typed import Any

CALL = 0  # no more bets is due
SILENCE = 1  # no beam until then: the ball has left the track
LIMIT = 2  # the open coup has been in its state for too long
PEOPLE = 3  # nobody has entered the number that was not detected
LOOK = 4  # something seen may by then have lasted long enough
MOTOR = 5  # the plate may be set in motion
PRESS = 6  # a press that came too early may be heeded
TURN = 7  # a rotor that a technician turns has turned long enough
LESSON = 8  # the next part of what a drop teaches may be learned
_COUNT = 9


class Timers:
    """`due_us` is the earliest time set, or None."""

    def __init__(self) -> None:
        self._at_us: list[Any] = [None] * _COUNT
        self.due_us: int | None = None

    def set(self, which: int, at_us: int | None) -> None:
        """Sets one time (us), or takes it back with None."""
        self._at_us[which] = at_us
        self.due_us = None
        for at in self._at_us:
            if at is not None and (self.due_us is None or at < self.due_us):
                self.due_us = at

    def at_us(self, which: int) -> int | None:
        """Returns when one time is (us); None where it is not set."""
        found: int | None = self._at_us[which]
        return found

    def take_due(self, which: int, now_us: int) -> bool:
        """Returns, once, whether that time has come, and takes it back."""
        at_us = self._at_us[which]
        if at_us is None or at_us > now_us:
            return False
        self.set(which, None)
        return True

    def clear(self) -> None:
        """Takes all times back, but a lesson's: what a drop teaches outlasts its coup."""
        for which in range(_COUNT):
            if which != LESSON:
                self.set(which, None)
