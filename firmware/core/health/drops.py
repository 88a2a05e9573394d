"""Does the ball leave the track where its own motion foretold? The level, or a flaw of the track.

A level wheel whose ball is thrown evenly lets it go at like places, coup after coup: the place
alone is no evidence. Each gap between two beams is weighed against the chances of all gaps,
foretold at the call from the ball's motion, wherever gaps lie. An alternative is a place to which
drops lean: for a tilt a quarter turn past the low side in the ball's direction (PHYSICS.md), for
a flaw the flaw itself, for both directions or for one. With one beam there is no gap to tell.

The factor of a drop: (1 + r L) / sum of q (1 + r L) over the gaps, q the chance foretold of a gap
and L the mean of 2 cos(angle - place) over it; its mean is 1 if q is right, whatever the throws.
"""

from math import atan2, cos, pi, sin

from firmware.core.facts import CCW
from firmware.core.health.bank import SUM_MAX, add_up
from firmware.core.health.facts import FLAW, TILT
from firmware.shims.typed import Any, Iterator, Sequence

_PLACES = 24
_PAST_LOW = _PLACES // 4
_LEANS = (0.05, 0.1, 0.2, 0.4)  # vector strength of the drops' angles; PHYSICS.md: .05 to .5 deg
_DIGITS = 6  # of L: the same on every machine, whatever its cosine
# What leans, of which ball: weight, kind, the way past the place for a ball ccw, cw; None: no lean.
_CAUSES = (
    (0.4, TILT, _PAST_LOW, -_PAST_LOW),
    (0.3, FLAW, 0, 0),
    (0.15, FLAW, 0, None),
    (0.15, FLAW, None, 0),
)
_OF_CAUSE = _PLACES * len(_LEANS)
_STEP_DEG = 5


class Drops:
    """The sums of all alternatives to drops that motion alone explains."""

    def __init__(self, beams_deg: Sequence[float], *, hold: Any = list) -> None:
        """Begins without evidence. `beams_deg`: the beams' places, ascending; two or more."""
        self._hold = hold
        self._gaps = len(beams_deg)
        # Of a lean to each place, each strength: 1 + r L of each gap.
        self._leans = [
            [1.0 + lean * mean for mean in means] for means in _means(beams_deg) for lean in _LEANS
        ]
        self._weights: list[float] = []
        for weight, _, _, _ in _CAUSES:
            self._weights += [weight / _OF_CAUSE] * _OF_CAUSE
        self.start_over(0.0)

    def start_over(self, grant: float) -> None:
        """Forgets all evidence, and begins each alternative with its part of `grant`."""
        self.seen = [[0] * self._gaps, [0] * self._gaps]  # ccw, cw
        self.foretold = [[0.0] * self._gaps, [0.0] * self._gaps]
        self._take([weight * grant for weight in self._weights])

    def add(self, drop: tuple[int, int, Sequence[float]], spent: float) -> None:
        """Takes a drop: the ball's direction, its gap, and the chances of all gaps, 1 in all."""
        ball, gap, chances = drop
        gaps = range(self._gaps)
        factors = []
        for lean in self._leans:
            usual = 0.0
            for at in gaps:
                usual += chances[at] * lean[at]
            factors.append(lean[gap] / usual)
        factors = self._spread(factors, ball, 1.0)
        begun = [weight * spent for weight in self._weights]
        self._take([(old + new) * by for old, new, by in zip(self._sums, begun, factors)])
        way = 0 if ball == CCW else 1
        self.seen[way][gap] += 1
        for at in gaps:
            self.foretold[way][at] += chances[at]

    def _spread(self, of_leans: Sequence[Any], ball: int, level: Any) -> list[Any]:
        """Returns for each alternative what belongs to its lean; `level`: where it has none."""
        spread: list[Any] = []
        for _, _, ccw, cw in _CAUSES:
            past = ccw if ball == CCW else cw
            if past is None:
                spread += [level] * _OF_CAUSE
            else:
                first = past * len(_LEANS)
                spread += of_leans[first:]
                spread += of_leans[:first]
        return spread

    def _take(self, sums: list[float]) -> None:
        self.total = add_up(sums)
        if self.total > SUM_MAX:
            sums = [min(value, SUM_MAX) for value in sums]
            self.total = add_up(sums)
        self._sums = self._hold(sums)

    def strongest(self) -> tuple[str, int, float]:
        """Returns TILT or FLAW, the low side or the flaw in degrees, and the evidence for it."""
        kinds = {TILT: 0.0, FLAW: 0.0}
        for at, value in enumerate(self._sums):
            kinds[_CAUSES[at // _OF_CAUSE][1]] += value
        kind = FLAW if kinds[FLAW] > kinds[TILT] else TILT
        east = north = 0.0
        for at, value in enumerate(self._sums):
            if _CAUSES[at // _OF_CAUSE][1] == kind:
                turn = 2.0 * pi * (at % _OF_CAUSE // len(_LEANS)) / _PLACES
                east += value * cos(turn)
                north += value * sin(turn)
        degrees = round(atan2(north, east) * 180.0 / pi / _STEP_DEG) * _STEP_DEG % 360
        return kind, degrees, kinds[kind]

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        into += self._sums
        for way in (0, 1):
            into += [float(count) for count in self.seen[way]]
            into += self.foretold[way]

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._take([next(state) for _ in self._weights])
        for way in (0, 1):
            self.seen[way] = [int(next(state)) for _ in range(self._gaps)]
            self.foretold[way] = [next(state) for _ in range(self._gaps)]


def _means(beams_deg: Sequence[float]) -> list[list[float]]:
    """Returns the mean of 2 cos(angle - place) over each gap, for each place."""
    found = []
    for place in range(_PLACES):
        at = place / _PLACES
        row = []
        for gap, begins_deg in enumerate(beams_deg):
            is_last = gap + 1 == len(beams_deg)
            begins = begins_deg / 360.0
            ends = beams_deg[0] / 360.0 + 1.0 if is_last else beams_deg[gap + 1] / 360.0
            lean = (sin(2.0 * pi * (ends - at)) - sin(2.0 * pi * (begins - at))) / pi
            row.append(round(lean / (ends - begins), _DIGITS))
        found.append(row)
    return found
