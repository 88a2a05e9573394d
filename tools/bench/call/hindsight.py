"""Our call tuned in hindsight, as the threshold is: what it would be worth without its own caution.

The predictor and its learning stay as they are; the speed at which it calls is lower by one
constant share in all coups: the largest with which none is late. It stands alone, as the threshold
does: without the guard, and without the caution towards a ball that moves as none before it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import exp
from typing import Any

from firmware.core.call import kalman
from firmware.core.call.predictor import CAUTIOUS_TURN_S, STRANGE, CallPredictor

# Natural logarithms. Between two of them the time of a call is taken as a straight line: 2 ms.
SHIFTS = tuple(step * 0.02 for step in range(-2, 9))
_NEAR_US = 1_500_000  # a call so far off is never moved to before the next crossing
_HALVINGS = 16  # of the interval of shifts: to 3e-6, some .05 ms
_WIDTH = 1 + len(SHIFTS)

Leg = Sequence[int]  # when a crossing is known, and when to call from then on, by SHIFTS; us


class Probe(CallPredictor):
    """The shipped CallPredictor, which also tells when its predictor would call at lower speeds."""

    _bold = False

    def _care(self, known: Any, way: Any) -> Any:
        care = super()._care(known, way)
        return None if self._bold and care == STRANGE else care

    def leg(self, known_us: int) -> Leg | None:
        """Of the crossing it has just taken; None if its call is far off or unknown."""
        due: Any = self._due
        if due is None:
            return None
        known, model = self._tracker.known, self._tracker.model
        if due.care == STRANGE:
            self._bold = True
            due = self._judge(known, model)
            self._bold = False
        left_s, _ = kalman.time_to(
            model.curve, known.motion, due.speed, noise=model.assumed_noise()
        )
        due_us = known.crossing.at_us + int(left_s * 1e6)
        if due_us > known_us + _NEAR_US:
            return None
        if due.care is not None or due.speed >= CAUTIOUS_TURN_S:
            return [known_us] + [max(due_us, known_us)] * len(SHIFTS)
        found = [known_us]
        for shift in SHIFTS:
            speed = due.speed * exp(-shift)
            left_s, _ = kalman.time_to(
                model.curve, known.motion, speed, noise=model.assumed_noise()
            )
            found.append(max(known.crossing.at_us + int(left_s * 1e6), known_us))
        return found


class Hindsight:
    """The legs of many coups."""

    def __init__(self) -> None:
        """No coup yet."""
        self._legs = array("q")
        self._ends = array("q", [0])
        self._drops_us = array("q")

    def add(self, legs: Sequence[Leg], drop_us: int) -> None:
        """One coup: its last crossings."""
        for leg in legs:
            self._legs.extend(leg)
        self._ends.append(len(self._legs))
        self._drops_us.append(drop_us)

    def never_late(self) -> float:
        """The largest shift that is late in none of these coups; the least there is, if all are."""
        low, high = SHIFTS[0], SHIFTS[-1]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if all(lead > 0 for lead in self._leads_us(middle)):
                low = middle
            else:
                high = middle
        return low

    def leads_us(self, shift: float) -> list[int]:
        """Each coup's lead with a shift."""
        return list(self._leads_us(shift))

    def _leads_us(self, shift: float) -> Iterator[int]:
        at = min(max(bisect_left(SHIFTS, shift), 1), len(SHIFTS) - 1)
        share = (shift - SHIFTS[at - 1]) / (SHIFTS[at] - SHIFTS[at - 1])
        for (begin, end), drop_us in zip(pairwise(self._ends), self._drops_us, strict=True):
            yield drop_us - self._call_us(begin, end, at, share)

    def _call_us(self, begin: int, end: int, at: int, share: float) -> int:
        legs = self._legs
        call_us = 0
        for leg in range(begin, end, _WIDTH):
            before, after = legs[leg + at], legs[leg + at + 1]
            call_us = before + round(share * (after - before))
            if leg + _WIDTH >= end or call_us < legs[leg + _WIDTH]:
                break
        return call_us
