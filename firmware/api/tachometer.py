"""What may be told of the rotor's speed, and whether the loop still comes round.

Until the call nothing that predicts leaves the core (DESIGN section 1), and who knows the rotor's
speed well knows where a number will be when the ball falls. So it is exact from the call to the
number only. Else it is one figure in steps of STEP_RPM, taken when the rotor has run up and then
every HELD_US: for the moment at which a figure steps gives the speed away, not the figure
(docs/adr/0011-the-rotors-speed-before-the-call.md).
"""

from collections.abc import Callable
from typing import NamedTuple

from firmware.core.coup import states
from firmware.shims.boottime import boot_ns

STEP_RPM = 5  # at 2.5 rpm either way the place after 10 s of ball is unknown by 0.4 of a turn
SETTLE_US = 2_000_000  # a motor's ramp takes 1.5 s, a hand's push less
HELD_US = 5_000_000  # whoever counts one turn with a watch (3 s at 20 rpm) knows more
_STILL_UTURN_S = 41_667  # 2.5 rpm: what would be told as 0
_UTURN_S_RPM = 1_000_000 / 60
# No bet is open, and what turns does not yet turn for the next coup. Not CONFIRMED: a hand may set
# the rotor in motion while the last ball still lies in it, and the coup opens when that is lifted.
CALLED = (states.NO_MORE_BETS, states.BALL_DROPPED)


def called(*, driven: bool) -> tuple[str, ...]:
    """Returns the states in which the rotor still turns for the coup that was called.

    A motor turns the other way once the next coup begins; a hand may while a croupier has not
    confirmed the number yet.
    """
    return (*CALLED, states.DETECTED) if driven else CALLED


class Speed(NamedTuple):
    """Of the rotor, turns a minute: to a tenth, and as anybody may know it."""

    exact_rpm: float
    held_rpm: int
    exact_in: tuple[str, ...]  # states

    def figure_in(self, *states: str | None) -> float:
        """Returns what may be told of it in this state; of several, in each of them."""
        is_exact = all(state in self.exact_in for state in states)
        return self.exact_rpm if is_exact else self.held_rpm


class Tachometer:
    """Keeps the rotor's speed. The loop writes once a period, the service's thread reads."""

    def __init__(
        self, clock: Callable[[], int] = boot_ns, exact_in: tuple[str, ...] = CALLED
    ) -> None:
        """`clock`: nanoseconds, of any start. `exact_in`: states, of `called`."""
        self._clock = clock
        self._exact_in = exact_in
        self._looped_ns: int | None = None
        self._exact_uturn_s = 0
        self._held_rpm = 0
        self._next_us = 0

    def turns(self, now_us: int, speed_uturn_s: int) -> None:
        """Notes that the loop came round, and the rotor's signed speed; some 1 us of work."""
        first = self._looped_ns is None
        self._looped_ns = self._clock()
        speed = abs(speed_uturn_s)
        self._exact_uturn_s = speed
        if first or speed < _STILL_UTURN_S:
            self._held_rpm = 0
            self._next_us = now_us + SETTLE_US
        elif now_us >= self._next_us:
            self._held_rpm = round(speed / _UTURN_S_RPM / STEP_RPM) * STEP_RPM
            self._next_us = now_us + HELD_US

    def read(self) -> Speed:
        """Returns the speed now.

        To be read before the state that decides which figure may be told.
        """
        exact = round(self._exact_uturn_s / _UTURN_S_RPM, 1)
        return Speed(exact, self._held_rpm, self._exact_in)

    def loop_age_ms(self) -> int | None:
        """Returns how long ago the loop last came round; None if it has not begun."""
        looped_ns = self._looped_ns
        return None if looped_ns is None else (self._clock() - looped_ns) // 1_000_000
