"""Wheels with one thing wrong, and how soon anyone could know at best.

The bound is that of a judge who knows what will be wrong, and how much: from an act on he needs
ln(1 / (alpha share)) / KL coups in the mean, and ln(KL Y / (alpha share)) / KL where nobody told
him when it begins (Lorden, Pollak, Siegmund); Y are the coups of a year, KL the evidence of a coup.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from firmware.core.health import facts, watch
from firmware.core.health.facts import Notice
from firmware.health.figures import divergence
from tools.health.drawn import WHEEL, Drawn, leaning

UNANNOUNCED = 50_000  # fair coups before
NUMBERS, DROPS = "numbers", "drops"
_M = WHEEL.compartments


class Case(NamedTuple):
    """What is wrong. `width`: of the set of numbers that come by `more` more often; `kappa`: of
    the angles of drops (von Mises), as a tilt draws them; `before`: fair coups before."""

    width: int = 0
    more: float = 0.0
    kappa: float = 0.0
    before: int = 0

    @property
    def family(self) -> str:
        """Of the streams that can tell it."""
        return NUMBERS if self.width else DROPS

    @property
    def what(self) -> str:
        """Of which kind it is, in words."""
        if not self.width:
            return "drops"
        return "pocket" if self.width == 1 else f"sector of {self.width}"

    @property
    def name(self) -> str:
        """What is wrong, in words."""
        return f"{self.what} {f'+{self.more:.0%}' if self.width else f'kappa {self.kappa}'}"

    @property
    def goal(self) -> float:
        """How much longer than the bound the median may be."""
        return 1.5 if self.before else 2.0


ALL = tuple(
    case._replace(before=before)
    for before in (0, UNANNOUNCED)
    for case in (
        *[Case(width=1, more=more) for more in (0.1, 0.2, 0.3)],
        *[Case(width=9, more=more) for more in (0.03, 0.05, 0.1)],
        *[Case(kappa=kappa) for kappa in (0.1, 0.2, 0.5)],
    )
)


class Fault:
    """A case at so many wheels, each with its own place."""

    def __init__(self, case: Case, wheels: int, seed: int) -> None:
        """Draws the places."""
        self.case = case
        draw = np.random.default_rng((seed, ALL.index(case)) if case in ALL else (seed,))
        self._place = draw.integers(0, _M, wheels) if case.width else draw.uniform(0, 360, wheels)

    def apply_to(self, drawn: Drawn) -> None:
        """From now on the wheels are so."""
        case = self.case
        if not case.width:
            drawn.lean(case.kappa, self._place)
            return
        steps = (np.arange(_M)[None, :] - self._place[:, None]) % _M
        outside = (_M - case.width * (1.0 + case.more)) / (_M - case.width)
        drawn.favour(np.where(steps < case.width, 1.0 + case.more, outside) / _M)

    def is_named_by(self, wheel: int, notice: Notice) -> bool:
        """Whether a notice has the right place: a pocket or its neighbour, a sector's middle within
        half its width, a low side within 45 degrees."""
        case, place = self.case, float(self._place[wheel])
        if notice.place is None:
            return False
        if not case.width:
            return notice.kind == facts.TILT and _apart(notice.place, place, 360) <= 45
        middle = place + (case.width - 1) / 2
        return _apart(notice.place, middle, _M) <= max(case.width / 2, 1)

    def bound(self, chances: Any) -> float:
        """Coups. `chances`: what foretells gaps, each row as often."""
        case = self.case
        line = 1.0 / watch.STREAMS[case.family][1]
        if case.width:
            each = divergence(case.more, case.width, _M)
        else:
            odds = leaning(chances, case.kappa, self._place)
            each = float((odds * np.log(odds / chances)).sum(axis=-1).mean())
        if case.before:
            line *= each * WHEEL.coups_a_year
        return log(line) / each


def _apart(one: float, other: float, turn: int) -> float:
    return abs((one - other + turn / 2) % turn - turn / 2)
