"""How soon the watch and its rivals tell of one case, over the same coups of the same wheels."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from tools.bench.health.cases import Case, Fault
from tools.bench.health.rivals import DAY, MONTH, ChiSquare, Cusum, Seen
from tools.health.drawn import WHEEL, Drawn
from tools.health.wheels import Coups, WheelNotice, Wheels
from tools.testing.workers import Tell, silent

_PART = 5_000  # coups
_LEAST = 250
_BOUNDS_MAX = 10  # after so many times the bound no more is played
_MOST = 0.95  # of the wheels, that are waited for

Delays = Sequence[int | None]  # of each wheel, in coups after the fault began; None: not told


class Outcome(NamedTuple):
    """What was found. `bound`: coups; `early`: wheels told of before the fault began, which are
    left out; `right`: of those told of later, how many at the right place."""

    case: Case
    bound: float
    watch: Delays
    cusum: Delays
    month: Delays
    day: Delays
    early: int
    right: int

    @property
    def ratio(self) -> float:
        """The watch's median delay over the bound."""
        return quantile(self.watch, 0.5) / self.bound


def play(case: Case, wheels: int, seed: int, line: float, tell: Tell = silent) -> Outcome:
    """Plays until most wheels are told of, or far beyond the bound. `line`: of CUSUM."""
    fault = Fault(case, wheels, seed)
    drawn = Drawn((seed, 2, case.width, round(1e3 * (case.more + case.kappa)), case.before),
                  [None] * wheels)  # fmt: skip
    judged = Wheels(WHEEL, wheels, drawn.chances, families=(case.family,))
    seen = Seen(case.family, drawn.chances)
    month, day = ChiSquare(seen, wheels, MONTH), ChiSquare(seen, wheels, DAY)
    cusum = Cusum(case.family, wheels, drawn.chances, line)
    told: list[WheelNotice] = []

    def go_on(coups: Coups) -> None:
        told.extend(judged.play(coups))
        for rival in (month, day, cusum):
            rival.play(coups)
        tell(coups.place.size)

    while judged.coups < case.before:
        go_on(drawn.coups(min(_PART, case.before - judged.coups)))
    early = {each.wheel for each in told}
    for rival in (month, day, cusum):
        rival.told = [None] * wheels  # what they told of a fair wheel is another matter
    fault.apply_to(drawn)
    bound = fault.bound(drawn.chances)
    part = min(max(int(bound / 8), _LEAST), _PART)
    enough = ceil(_MOST * wheels)
    while judged.coups < case.before + _BOUNDS_MAX * bound and (
        len(told) < enough or sum(each is not None for each in cusum.told) < wheels / 2
    ):
        go_on(drawn.coups(part))
    later = {each.wheel: each for each in told if each.wheel not in early}

    def after(coups: Delays) -> Delays:
        return [None if each is None else each - case.before for each in coups]

    return Outcome(
        case,
        bound,
        after([later[each].coup if each in later else None
               for each in range(wheels) if each not in early]),
        after(cusum.told),
        after(month.told),
        after(day.told),
        len(early),
        sum(fault.is_named_by(each.wheel, each.notice) for each in later.values()),
    )  # fmt: skip


def quantile(delays: Delays, share: float) -> float:
    """The delay that so large a share of the wheels has at most; inf: it was not waited for."""
    ascending = sorted(float("inf") if each is None else each for each in delays)
    return float(ascending[max(ceil(share * len(ascending)) - 1, 0)]) if ascending else float("inf")
