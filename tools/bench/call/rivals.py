"""What our call is measured against, each at its best on the very coups it is judged by.

A threshold speaks at the first crossing whose last whole lap (a beam to the same beam) has reached
it: what commercial wheels do. It is late in a coup where no lap reached it before the drop, so the
highest threshold that is never late on some coups is the least of their longest laps: no search.

- `factory`: one threshold for a fleet of wheels whose drop speeds differ by 4 % (spins.py), tuned
  to no late call on as many coups, one a wheel; judged on this wheel's coups
- `threshold`: tuned to no late call on this very wheel's very coups
- `oracle`: knows the wheel (mean and scatter of its true drop speeds) and at every moment the
  ball's true speed, but not the drop speed of this coup. It calls at mean + 4.753 sd, which a
  normal distribution exceeds with a chance of 1e-6
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, pstdev

from firmware.core.sense.ring import TURN
from tools.bench.call.spins import Passing, Spin

ORACLE_SIGMAS = 4.753  # a normal deviate exceeds it with a chance of 1e-6


def laps(passings: Sequence[Passing], beams: int) -> list[tuple[int, int]]:
    """Where a lap was longer than all before it: (lap in us, when that is known in us).

    A crossing whose beam missed the ball a turn earlier ends no lap.
    """
    found: list[tuple[int, int]] = []
    longest = 0
    for at in range(1, len(passings)):
        known_us, (at_us, _, turned) = passings[at]
        back = max(at - beams, 0)  # further back than a turn if beams missed the ball meanwhile
        while passings[back].crossing.turned_uturn < turned - TURN:
            back += 1
        start = passings[back].crossing
        if start.turned_uturn != turned - TURN:
            continue
        lap_us = at_us - start.at_us
        if lap_us > longest:
            longest = lap_us
            found.append((lap_us, known_us))
    return found


class Thresholds:
    """The record laps of many coups, and what a threshold would have done in them."""

    def __init__(self) -> None:
        """No coup yet."""
        self._laps_us = array("q")
        self._leads_us = array("q")  # from the moment that a lap is known to the drop
        self._ends = array("q", [0])

    def add(self, record_laps: Sequence[tuple[int, int]], drop_us: int) -> None:
        """One coup, as `laps` found it."""
        for lap_us, known_us in record_laps:
            if known_us < drop_us:  # what is known later warns nobody
                self._laps_us.append(lap_us)
                self._leads_us.append(drop_us - known_us)
        self._ends.append(len(self._laps_us))

    def never_late(self) -> int:
        """The highest threshold, in us, that is late in none of these coups.

        Raises ValueError if there is none: no coup, or one without a whole lap.
        """
        ends = list(pairwise(self._ends))
        if any(begin == end for begin, end in ends) or not ends:
            raise ValueError("a coup has no whole lap, or there is no coup")
        return min(self._laps_us[end - 1] for _, end in ends)

    def leads_us(self, threshold_us: int) -> list[int]:
        """Each coup's lead with a threshold; of a coup in which it never spoke in time, 0."""
        found = []
        for begin, end in pairwise(self._ends):
            at = begin
            while at < end and self._laps_us[at] < threshold_us:
                at += 1
            found.append(self._leads_us[at] if at < end else 0)
        return found


class Oracle:
    """The caller that cannot be beaten by one that knows no more."""

    def __init__(self) -> None:
        """No coup yet."""
        self._drop_speeds: list[float] = []
        self._before_us = array("d")
        self._speeds = array("d")
        self._ends = array("q", [0])

    def add(self, spin: Spin) -> None:
        """One coup."""
        slow = spin.slow()
        (start_us, start), (end_us, end) = slow[-2:]
        for at_us, speed in slow:
            self._before_us.append(spin.drop_us - at_us)
            self._speeds.append(speed)
        # The true speed at the drop, beyond the last beam of UNION.
        slowing = (start - end) / (end_us - start_us)
        self._drop_speeds.append(end - slowing * (spin.drop_us - end_us))
        self._before_us.append(0.0)
        self._speeds.append(self._drop_speeds[-1])
        self._ends.append(len(self._speeds))

    def call_speed(self) -> float:
        """At which it calls, rad/s."""
        return fmean(self._drop_speeds) + ORACLE_SIGMAS * pstdev(self._drop_speeds)

    def leads_us(self) -> list[int]:
        """Each coup's lead; 0 or less where it was late."""
        speed = self.call_speed()
        return [self._lead_us(begin, end, speed) for begin, end in pairwise(self._ends)]

    def _lead_us(self, begin: int, end: int, call: float) -> int:
        """From the last moment at which the ball was faster than the call's speed."""
        at = end - 1
        while at > begin and self._speeds[at] < call:
            at -= 1
        if at == end - 1:
            return 0  # it left faster than that
        before, after = self._speeds[at], self._speeds[at + 1]
        share = min(max((before - call) / (before - after), 0.0), 1.0) if before > after else 0.0
        return round(self._before_us[at] + share * (self._before_us[at + 1] - self._before_us[at]))
