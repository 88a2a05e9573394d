"""The sums of the watch with numpy: the same bits in a fraction of the time.

Each element is multiplied and added in the order of `firmware.core.health`, and a total is the
last of the running totals, which numpy adds one after the other. numpy is an optional extra
(`quick`); nothing that runs on a wheel wants it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from firmware.core.facts import CCW, CW
from firmware.core.health.bank import SUM_MAX, Bank
from firmware.core.health.drops import Drops
from firmware.core.health.facts import Wheel
from firmware.core.health.watch import HealthWatch


def quick_watch(wheel: Wheel) -> HealthWatch:
    """Makes a watch over that wheel whose sums are quick."""
    return HealthWatch(wheel, bank=QuickBank, drops=QuickDrops)


class QuickBank(Bank):
    """The sums of all alternatives of one stream of compartments, as Bank has them.

    `begins`: each alternative's part of what evidence begins with; `by_place`: the factors of a
    coup, a row for each compartment.
    """

    def __init__(self, compartments: int, alternatives: Sequence[Any], **named: Any) -> None:
        """Begins without evidence; all as of Bank, but sums are doubles whatever its `hold`."""
        self._size = compartments * len(alternatives)
        self._running = np.empty(self._size)
        super().__init__(compartments, alternatives, **named)
        self.begins = np.repeat(np.array(self._weights), compartments)
        steps = np.arange(compartments)[:, None] - np.arange(compartments)  # place less start
        steps = steps[:, None, :] % compartments
        widths = np.array([shape.width for shape in alternatives])[:, None]
        inside, outside = np.array(self._factors).T[:, :, None]
        self.by_place = np.where(steps < widths, inside, outside).reshape(compartments, -1)

    def add(self, place: int, spent: float) -> None:
        """Takes the compartment of a coup, as Bank does."""
        self._sums += self.begins * spent
        self._sums *= self.by_place[place]
        self._add_up()

    def _take(self, rows: list[list[float]]) -> None:
        self._sums = np.array(rows).reshape(self._size)
        self._add_up()

    def _add_up(self) -> None:
        self.total = _total(self._sums, self._running)
        if self.total > SUM_MAX:
            np.minimum(self._sums, SUM_MAX, out=self._sums)
            self.total = _total(self._sums, self._running)

    def strongest(self) -> tuple[str, int, float]:
        """Returns what Bank does."""
        self._rows = self._sums.reshape(-1, self._m).tolist()
        return super().strongest()

    def save(self, into: list[float]) -> None:
        """Adds the sums to a state."""
        into += self._sums.tolist()


class QuickDrops(Drops):
    """The sums of all alternatives to drops that motion alone explains, as Drops has them.

    `begins`: each alternative's part of what evidence begins with.
    """

    def __init__(self, beams_deg: Sequence[float], **named: Any) -> None:
        """Begins without evidence; all as of Drops, but sums are doubles whatever its `hold`."""
        self._values: Any = None
        super().__init__(beams_deg, **named)
        self._running = np.empty(len(self._weights))
        self.begins = np.array(self._weights)
        self._by_gap = np.array(self._leans).T.copy()
        # Of each alternative: which lean's factor is its own; -1: none leans that way.
        count = len(self._leans)
        self._own = [np.array(self._spread(range(count), ball, -1)) for ball in (CCW, CW)]
        self._by_lean = np.ones(count + 1)

    def add(self, drop: tuple[int, int, Sequence[float]], spent: float) -> None:
        """Takes a drop, as Drops does."""
        ball, gap, chances = drop
        sums = (self._values + self.begins * spent) * self.factors(drop)
        self.total = _total(sums, self._running)
        if self.total > SUM_MAX:
            np.minimum(sums, SUM_MAX, out=sums)
            self.total = _total(sums, self._running)
        self._values = sums
        way = 0 if ball == CCW else 1
        self.seen[way][gap] += 1
        for at in range(self._gaps):
            self.foretold[way][at] += chances[at]

    def factors(self, drop: tuple[int, int, Sequence[float]]) -> Any:
        """Returns by how much likelier each alternative made a drop."""
        ball, gap, chances = drop
        usual = chances[0] * self._by_gap[0]
        for at in range(1, self._gaps):
            usual += chances[at] * self._by_gap[at]
        np.divide(self._by_gap[gap], usual, out=self._by_lean[:-1])
        return self._by_lean[self._own[0 if ball == CCW else 1]]

    def _take(self, sums: list[float]) -> None:
        super()._take(sums)
        self._values = np.array(sums)

    def strongest(self) -> tuple[str, int, float]:
        """Returns what Drops does."""
        self._sums = self._values.tolist()
        return super().strongest()

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        self._sums = self._values.tolist()
        super().save(into)


def _total(values: Any, running: Any) -> float:
    """Adds one after the other: `sum` of an array adds in pairs, and has other bits."""
    return float(np.add.accumulate(values, out=running)[-1])
