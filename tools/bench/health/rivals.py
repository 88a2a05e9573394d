"""What else tells that a wheel is not even: a chi-square each day or month, and CUSUM."""

from __future__ import annotations

from typing import Any

import numpy as np

from firmware.core.health import watch
from tools.health.drawn import WHEEL, Drawn
from tools.health.wheels import Coups, drops_table, numbers_table

MONTH, DAY = 12_500, 430  # coups
# chi-square of .99, by degrees of freedom: of 37 numbers, of three gaps each way.
_CRITICAL = {36: 58.619, 4: 13.277}
_ALARMS = 4.0  # of CUSUM's sum, where its false alarms are counted
_FAIR_WHEELS, _FAIR_PART, _FAIR_PARTS = 64, 2_500, 20


class Seen:
    """What coups show a family: which of some classes, and the chances of all of them."""

    def __init__(self, family: str, chances: Any) -> None:
        """`chances`: what foretells gaps."""
        self.is_even = family == "numbers"
        self._chances = chances
        self.classes = WHEEL.compartments if self.is_even else 2 * chances.shape[1]
        self.degrees = self.classes - (1 if self.is_even else 2)

    def classed(self, coups: Coups) -> Any:
        """The class of each coup."""
        if self.is_even:
            return coups.place
        return (coups.direction < 0) * (self.classes // 2) + coups.gap

    def expected(self, coups: Coups, part: slice) -> tuple[Any, Any]:
        """How many of each class these coups should have, wheels x classes, and the covariance of
        these counts, wheels x classes x classes; of numbers it is not asked for."""
        wheels, count = coups.place[:, part].shape
        if self.is_even:
            each = count / self.classes
            return np.full((wheels, self.classes), each), np.zeros((wheels, 1, 1))
        gaps = self.classes // 2
        odds = np.zeros((wheels, count, self.classes))
        foretold = self._chances[coups.forecast[:, part]]
        cw = (coups.direction[:, part] < 0)[:, :, None]
        odds[:, :, :gaps] = foretold * ~cw
        odds[:, :, gaps:] = foretold * cw
        mean = odds.sum(axis=1)
        return mean, mean[:, :, None] * np.eye(self.classes) - np.swapaxes(odds, 1, 2) @ odds


class ChiSquare:
    """The chi-square at .01 of each so many coups."""

    def __init__(self, seen: Seen, wheels: int, length: int) -> None:
        """Begins a window."""
        self._seen = seen
        self._length = length
        self._counts = np.zeros((wheels, seen.classes))
        self._expected = np.zeros_like(self._counts)
        self._covariance: Any = 0.0
        self._coups = 0
        self.told: list[int | None] = [None] * wheels  # the coup

    def play(self, coups: Coups) -> None:
        """Takes coups that come after those before."""
        classed = self._seen.classed(coups)
        wheels, count = classed.shape
        begin = 0
        while begin < count:
            part = slice(begin, min(begin + self._length - self._coups % self._length, count))
            flat = classed[:, part] + np.arange(wheels)[:, None] * self._seen.classes
            counts = np.bincount(flat.ravel(), minlength=self._counts.size)
            self._counts += counts.reshape(self._counts.shape)
            expected, covariance = self._seen.expected(coups, part)
            self._expected += expected
            self._covariance = self._covariance + covariance
            self._coups += part.stop - begin
            begin = part.stop
            if self._coups % self._length == 0:
                self._judge()

    def _judge(self) -> None:
        far = self._counts - self._expected
        if self._seen.is_even:
            found = (far**2 / self._expected).sum(axis=1)
        else:
            known = np.linalg.pinv(self._covariance, rcond=1e-9, hermitian=True)
            found = np.einsum("wi,wij,wj->w", far, known, far)
        for wheel in np.flatnonzero(found > _CRITICAL[self._seen.degrees]):
            if self.told[wheel] is None:
                self.told[wheel] = self._coups
        self._counts[:] = self._expected[:] = self._covariance = 0.0


class Cusum:
    """The largest of CUSUM's sums over the watch's own alternatives, by their weights."""

    def __init__(self, family: str, wheels: int, chances: Any, line: float) -> None:
        """`line`: the sum at which it tells."""
        self._family = family
        if family == "numbers":
            self._weights, self._factors = numbers_table(WHEEL)[:2]
        else:
            self._weights, self._factors = drops_table(WHEEL, chances)[:2]
        self._gaps = chances.shape[1]
        self._sums = np.ones((wheels, len(self._weights)))
        self._by = np.empty_like(self._sums)
        self._line = line
        self._coups = 0
        self.told: list[int | None] = [None] * wheels
        self.alarms = 0

    def play(self, coups: Coups, *, again: bool = False) -> None:
        """Takes coups that come after those before. `again`: begins anew after each alarm."""
        seen = coups.place
        if self._family != "numbers":
            seen = (coups.forecast * 2 + (coups.direction < 0)) * self._gaps + coups.gap
        for each in np.ascontiguousarray(seen.T):
            self._factors.take(each, axis=0, out=self._by, mode="clip")
            np.maximum(self._sums, 1.0, out=self._sums)
            self._sums *= self._by
            np.multiply(self._sums, self._weights, out=self._by)
            self._coups += 1
            above = self._by.max(axis=1) >= self._line
            if not above.any():
                continue
            for wheel in np.flatnonzero(above):
                if self.told[wheel] is None:
                    self.told[wheel] = self._coups
            if again:
                self.alarms += int(above.sum())
                self._sums[above] = 1.0
            else:
                self._sums[above] = np.minimum(self._sums[above], 1e30)


def simulated_line(family: str, seed: int) -> float:
    """The sum at which CUSUM's false alarms are as seldom as the family's share, by simulation.

    They are counted at a low line. Further up there are as many fewer as the line is higher, by the
    likelihood ratio's own law. At this line there are still a little fewer than that (simulated at
    others), so the one returned is rather too low: it favours CUSUM.
    """
    drawn = Drawn((seed, 1), [None] * _FAIR_WHEELS)
    cusum = Cusum(family, _FAIR_WHEELS, drawn.chances, _ALARMS)
    for _ in range(_FAIR_PARTS):
        cusum.play(drawn.coups(_FAIR_PART), again=True)
    coups = _FAIR_WHEELS * _FAIR_PARTS * _FAIR_PART
    share = watch.STREAMS[family][1]
    return _ALARMS * cusum.alarms / coups * WHEEL.coups_a_year / share
