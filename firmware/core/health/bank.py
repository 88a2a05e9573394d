"""Do the numbers come evenly? Many alternatives to an even wheel, judged together.

Given all that came before, an even wheel gives each compartment the same chance. An alternative
is a set of neighbours that comes more often, or less. Its factor of a coup is by how much
likelier it made that coup: 1 + d inside the set of w compartments, (m - w(1 + d)) / (m - w)
outside. The mean of a factor over all m compartments is 1.

With a tolerance e the even wheel may differ by so much from even: (1 + d) / (1 + e) inside,
(m - w(1 + d)) / (m - w(1 + e)) outside. That rejects only wheels at which a player could gain.

Multiplications and additions come in one fixed order: whoever recomputes them has the same bits.
"""

from math import atan2, cos, pi, sin

from firmware.core.health.facts import DEAD, POCKET, SECTOR
from firmware.shims.typed import Any, Iterator, NamedTuple, Sequence

SUM_MAX = 1e30  # more is no more certain, and would not fit single precision
# `sum` adds one after the other but on CPython from 3.12 on, where it compensates.
_SUM_IN_ORDER = sum([1.0, 1e100, 1.0, -1e100]) == 0.0
_POCKET_WIDTH = 2  # a set of no more is a pocket, or the fret between two

# Alternatives of one form, at each compartment: how many neighbours, by how much more often than
# evenly, and the weight of all of them together.
Shape = NamedTuple("Shape", [("width", int), ("more", float), ("weight", float)])
Form = NamedTuple("Form", [("width", int), ("weight", float), ("more", "Sequence[float]")])
NUMBERS = (
    Form(1, 0.35, (0.1, 0.2, 0.4)),
    Form(2, 0.10, (0.08, 0.16, 0.32)),
    Form(5, 0.15, (0.05, 0.1, 0.2)),
    Form(9, 0.20, (0.035, 0.07, 0.14)),
    Form(18, 0.12, (0.03, 0.06, 0.12)),
    Form(1, 0.08, (-0.15, -0.35)),
)
GAINS = (
    Form(1, 0.50, (0.1, 0.2, 0.4)),
    Form(2, 0.25, (0.08, 0.16)),
    Form(5, 0.25, (0.08, 0.16)),
)
SCATTERS = (
    Form(5, 0.2, (0.1, 0.2, 0.4)),
    Form(9, 0.4, (0.1, 0.2, 0.4)),
    Form(18, 0.4, (0.06, 0.12, 0.24)),
)
_DRAWN_FOR = 37  # compartments, of which the widths above are


def shapes(
    compartments: int, forms: Sequence[Form] = NUMBERS, *, above: float = -1.0
) -> tuple[Shape, ...]:
    """Returns the alternatives for a ring of so many compartments, wide ones in proportion.

    Where two widths become one, it has the weight of both. `above`: only those that favour a set by
    more than that.
    """
    found: list[Shape] = []
    for form in forms:
        strengths = [more for more in form.more if more > above]
        if not strengths:
            continue
        width = form.width
        if width > _POCKET_WIDTH:
            width = max((2 * width * compartments + _DRAWN_FOR) // (2 * _DRAWN_FOR), 1)
        less = form.more[0] < 0
        same = [at for at in range(len(found)) if (found[at].more < 0) == less]
        same = [at for at in same if found[at].width >= width]
        if same:
            same = [at for at in same if found[at].width == found[same[-1]].width]
            for at in same:
                kept = found[at]
                found[at] = Shape(kept.width, kept.more, kept.weight + form.weight / len(same))
        else:
            found += [Shape(width, more, form.weight / len(strengths)) for more in strengths]
    total = add_up([shape.weight for shape in found])
    return tuple([Shape(shape.width, shape.more, shape.weight / total) for shape in found])


def own_tolerance(compartments: int) -> float:
    """Returns by how much more than its share a number must come to pay for itself.

    A roulette returns 36 stakes for one of 37 or 38 numbers. Boule and vingt-trois (France, article
    47) return 8 for one number of 9, and 24, 12 and 8 for one, two and three compartments of 27.
    """
    return compartments / 36.0 - 1.0 if compartments in (37, 38) else 1.0 / 8.0


class Bank:
    """The sums of all alternatives of one stream of compartments."""

    def __init__(
        self,
        compartments: int,
        alternatives: Sequence[Shape],
        *,
        tolerance: float = 0.0,
        kind: "str | None" = None,
        hold: Any = list,
    ) -> None:
        """Begins without evidence.

        `alternatives`: of `shapes`. `kind`: of the notice, whichever set is the strongest.
        `hold`: makes what keeps sums, list or an array of singles.
        """
        self._m = compartments
        self._shapes = alternatives
        self._kind = kind
        self._hold = hold
        self._weights = [shape.weight / compartments for shape in alternatives]
        self._factors = [factors(compartments, shape, tolerance) for shape in alternatives]
        self.start_over(0.0)

    def start_over(self, grant: float) -> None:
        """Forgets all evidence, and begins each alternative with its part of `grant`."""
        self._take([[weight * grant] * self._m for weight in self._weights])

    def add(self, place: int, spent: float) -> None:
        """Takes the compartment of a coup, which begins each alternative with a part of `spent`."""
        rows = []
        for at, row in enumerate(self._rows):
            new = self._weights[at] * spent
            inside, outside = self._factors[at]
            after = [(old + new) * outside for old in row]
            for start in range(place - self._shapes[at].width + 1, place + 1):  # below 0: from m on
                after[start] = (row[start] + new) * inside
            rows.append(after)
        self._take(rows)

    def _take(self, rows: list[list[float]]) -> None:
        self.total = _total(rows)
        if self.total > SUM_MAX:
            rows = [[min(value, SUM_MAX) for value in row] for row in rows]
            self.total = _total(rows)
        self._rows = rows if self._hold is list else [self._hold(row) for row in rows]

    def strongest(self) -> tuple[str, int, float]:
        """Returns which kind of set has most of the evidence, its place, and that evidence."""
        kinds = {POCKET: 0.0, SECTOR: 0.0, DEAD: 0.0}
        for shape, row in zip(self._shapes, self._rows):
            kinds[_kind(shape)] += add_up(row)
        evidence, kind = max([(kinds[name], name) for name in (SECTOR, DEAD, POCKET)])
        place = self._middle() if kind == SECTOR else self._pocket(kind)
        return self._kind or kind, place, evidence

    def _pocket(self, kind: str) -> int:
        scores = [0.0] * self._m
        for shape, row in zip(self._shapes, self._rows):
            if _kind(shape) == kind:
                for start, value in enumerate(row):
                    for step in range(shape.width):
                        scores[(start + step) % self._m] += value / shape.width
        return scores.index(max(scores))

    def _middle(self) -> int:
        east = north = 0.0
        for shape, row in zip(self._shapes, self._rows):
            if _kind(shape) == SECTOR:
                for start, value in enumerate(row):
                    at = 2.0 * pi * (start + (shape.width - 1) / 2.0) / self._m
                    east += value * cos(at)
                    north += value * sin(at)
        return round(atan2(north, east) / (2.0 * pi) * self._m) % self._m

    def save(self, into: list[float]) -> None:
        """Adds the sums to a state."""
        for row in self._rows:
            into += row

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._take([[next(state) for _ in range(self._m)] for _ in self._weights])


def _total(rows: list[list[float]]) -> float:
    total = 0.0
    for row in rows:
        total = add_up(row, total)
    return total


def add_up(values: Sequence[float], onto: float = 0.0) -> float:
    """Adds one after the other: the same bits on every Python."""
    if _SUM_IN_ORDER:
        return sum(values, onto)
    for value in values:
        onto += value
    return onto


def _kind(shape: Shape) -> str:
    if shape.more < 0:
        return DEAD
    return POCKET if shape.width <= _POCKET_WIDTH else SECTOR


def factors(m: int, shape: Shape, tolerance: float) -> tuple[float, float]:
    """Returns the factors of a coup inside the set and outside of it."""
    more, may = 1.0 + shape.more, 1.0 + tolerance
    return more / may, (m - shape.width * more) / (m - shape.width * may)
