"""Is a quantity still what it was, though nobody knows its law? Ranks among all before.

While nothing changes, the rank of each value among those before it is uniform, and independent of
theirs. Values are counted in bins. The first ones draw these, and have no rank. What falls into
one bin is split by a number out of the row. An alternative is that ranks lean up or down, by 1 +
s(2u - 1).
"""

from firmware.core.health.bank import SUM_MAX, add_up
from firmware.core.health.facts import BALL, TRACK
from firmware.shims.typed import Iterator

BINS = 64
DRAWING = 2 * (BINS - 1)  # values that draw the bins: each second one, sorted, is an edge
TIES = 1 << 32  # each tie is below it
_LEANS = (-0.9, -0.6, -0.3, 0.3, 0.6, 0.9)
_SUDDEN = 1_000  # values: what changed within so many is another ball, slower a track


class Ranks:
    """Ranks each value among all before it."""

    def __init__(self) -> None:
        """Knows no value yet."""
        self.start_over()

    def start_over(self) -> None:
        """Forgets all values."""
        self._drawing: list[int] = []
        self._edges: list[int] = []
        self._counts = [0] * BINS
        self.values = 0

    def rank(self, value: int, tie: int) -> float | None:
        """Takes a value. Returns its rank, 0 to 1; None while the bins are drawn.

        `tie`: a number of the row, uniform from 0 to TIES - 1.
        """
        if not self._edges:
            self._drawing.append(value)
            if len(self._drawing) == DRAWING:
                self._edges = sorted(self._drawing)[::2]
                self._drawing = []
            return None
        low, high = 0, len(self._edges)
        while low < high:
            middle = (low + high) // 2
            if self._edges[middle] <= value:
                low = middle + 1
            else:
                high = middle
        below = sum(self._counts[:low])
        self._counts[low] += 1
        self.values += 1
        return (below + self._counts[low] * (tie / TIES)) / self.values

    def middle(self) -> int | None:
        """Returns the edge next to the median of all values; None while the bins are drawn."""
        below = 0
        for at, edge in enumerate(self._edges):
            below += self._counts[at]
            if 2 * below >= self.values:
                return edge
        return self._edges[-1] if self._edges else None

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        for values in (self._drawing, self._edges, self._counts):
            into.append(float(len(values)))
            into += [float(value) for value in values]

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        held = []
        for _ in range(3):
            length = int(next(state))
            held.append([int(next(state)) for _ in range(length)])
        self._drawing, self._edges, self._counts = held
        self.values = sum(self._counts)


class Change:
    """The sums of the alternatives that ranks lean up or down."""

    def __init__(self) -> None:
        """Begins without evidence."""
        self.start_over(0.0)

    def start_over(self, grant: float) -> None:
        """Forgets all evidence, and begins each alternative with its part of `grant`."""
        # Each sum's values since its alternative began, by weight.
        self._ages = [0.0] * len(_LEANS)
        self._take([grant / len(_LEANS)] * len(_LEANS))

    def add(self, rank: float, spent: float) -> None:
        """Takes a rank, 0 to 1."""
        new = spent / len(_LEANS)
        sums = []
        for at, lean in enumerate(_LEANS):
            by = 1.0 + lean * (2.0 * rank - 1.0)
            held = self._sums[at] + new
            self._ages[at] = min((self._ages[at] + held) * by, SUM_MAX)
            sums.append(min(held * by, SUM_MAX))
        self._take(sums)

    def _take(self, sums: list[float]) -> None:
        self._sums = sums
        self.total = add_up(sums)

    def strongest(self) -> tuple[str, None, float]:
        """Returns whether a ball or a track would change so."""
        ago = add_up(self._ages) / self.total
        return BALL if ago <= _SUDDEN else TRACK, None, self.total

    def save(self, into: list[float]) -> None:
        """Adds the sums to a state."""
        into += self._sums
        into += self._ages

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        sums = [next(state) for _ in _LEANS]
        self._ages = [next(state) for _ in _LEANS]
        self._take(sums)
