"""Does one pocket hold the ball? A loose fret swallows its bounce: there it comes to rest sooner.

A quarter of all balls settle sooner than the rest. At a loose fret more of them do: of the balls
that settled soon its pocket then has more than its share, and of the others less. While the place
of the ball is even, whatever its settling time, the mean of these factors is 1, also where the
rotor's speed or the croupier's hand changes how balls settle.
"""

from firmware.core.health.bank import SUM_MAX
from firmware.core.health.facts import LOOSE
from firmware.shims.typed import Any, Iterator

SOON = 0.25  # of all balls: below this rank one settled soon
_SHARES = (0.4, 0.6)  # of the balls in that pocket that settle soon


class LooseFrets:
    """The sums of the alternatives, two for each compartment."""

    def __init__(self, compartments: int, *, hold: Any = list) -> None:
        """Begins without evidence."""
        self._m = compartments
        self._hold = hold
        self.start_over(0.0)

    def start_over(self, grant: float) -> None:
        """Forgets all evidence, and begins each alternative with its part of `grant`."""
        self._take([[grant / len(_SHARES) / self._m] * self._m for _ in _SHARES])

    def add(self, ball: tuple[int, bool], spent: float) -> None:
        """Takes where a ball lies, and whether it settled soon."""
        place, is_soon = ball
        new = spent / len(_SHARES) / self._m
        rows = []
        for at, share in enumerate(_SHARES):
            there = share / SOON if is_soon else (1.0 - share) / (1.0 - SOON)
            elsewhere = (self._m - there) / (self._m - 1)
            row = [(old + new) * elsewhere for old in self._rows[at]]
            row[place] = (self._rows[at][place] + new) * there
            rows.append(row)
        self._take(rows)

    def _take(self, rows: list[list[float]]) -> None:
        self.total = 0.0
        for row in rows:
            for at, value in enumerate(row):
                if value > SUM_MAX:
                    row[at] = value = SUM_MAX
                self.total += value
        self._rows = [self._hold(row) for row in rows]

    def strongest(self) -> tuple[str, int, float]:
        """Returns the compartment that has most of the evidence, and its evidence."""
        scores = [one + other for one, other in zip(self._rows[0], self._rows[1])]
        most = max(scores)
        return LOOSE, scores.index(most), most

    def save(self, into: list[float]) -> None:
        """Adds the sums to a state."""
        for row in self._rows:
            into += row

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._take([[next(state) for _ in range(self._m)] for _ in _SHARES])
