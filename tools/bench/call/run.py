"""Plays our call and its rivals through the same coups, and sums up how they did."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import nan
from random import Random
from statistics import fmean
from typing import NamedTuple

from tools.bench.call.hindsight import Hindsight
from tools.bench.call.ours import Ours
from tools.bench.call.rivals import Oracle, Thresholds, laps
from tools.bench.call.spins import Chance, Eyes, Setting, Spin, fleet, passings, spins
from tools.testing.workers import Tell, silent
from tools.virtual.score import percentile

LEARN = 200  # coups of a new wheel, judged apart: issue 5
# What they cost, in ms of some core: a ball is thrown; so many beams see it.
_THROWN, _SEEN, _SEEN_BEAM = 1.0, 0.4, 0.35
_FLEET, _FLEET_SEEN = 0.8, 0.3  # of the fleet's wheels


class Plan(NamedTuple):
    """What one process plays: one wheel's coups, and who looks at them."""

    setting: Setting
    eyes: tuple[Eyes, ...]
    coups: int  # judged, after LEARN more
    fleet: int  # wheels by whose coups the factory's threshold is tuned
    seed: int

    @property
    def coup_cost(self) -> float:
        """Of one of its coups, beside all others of the bench."""
        return _THROWN + sum(_SEEN + _SEEN_BEAM * eyes.beams for eyes in self.eyes)

    @property
    def fleet_cost(self) -> float:
        """Of one of the fleet's coups."""
        return _FLEET + _FLEET_SEEN * len(self.eyes)

    @property
    def cost(self) -> float:
        """All that `play` tells."""
        return (LEARN + self.coups) * self.coup_cost + self.fleet * self.fleet_cost


class Leads(NamedTuple):
    """How one caller did: coups it was late in, and its leads in seconds (late: 0 or less)."""

    late: int
    least: float
    p5: float
    p50: float
    p95: float
    mean: float


class Outcome(NamedTuple):
    """One row of the grid. In `first` are the coups of the new wheel, elsewhere those after."""

    setting: Setting
    eyes: Eyes
    coups: int
    first: Leads
    ours: Leads
    best: Leads  # ours, tuned in hindsight
    threshold: Leads
    factory: Leads
    oracle: Leads


def play(plan: Plan, tell: Tell = silent) -> list[Outcome]:
    """All of a plan; one outcome for each of its eyes. Tells the cost of what is done."""
    seats = [_Seat(eyes) for eyes in plan.eyes]
    oracle = Oracle()
    chance = Random(f"{plan.seed}/{plan.setting}/stamps")
    for coup, spin in enumerate(spins(plan.setting, LEARN + plan.coups, plan.seed)):
        drawn = Chance(chance, len(spin.centres))
        learning = coup < LEARN
        if not learning:
            oracle.add(spin)
        for seat in seats:
            seat.play(spin, drawn, learning=learning)
        tell(plan.coup_cost)
    for spin in fleet(plan.setting, plan.fleet, plan.seed):
        drawn = Chance(chance, len(spin.centres))
        for seat in seats:
            seat.tune(spin, drawn)
        tell(plan.fleet_cost)
    return [seat.outcome(plan, oracle) for seat in seats]


def leads(leads_us: Sequence[int]) -> Leads:
    """Sums up; what is not known of no coup at all is nan."""
    if not leads_us:
        return Leads(0, nan, nan, nan, nan, nan)
    ranked = sorted(leads_us)
    least, p5, p50, p95 = [percentile(ranked, share) or 0.0 for share in (0.0, 0.05, 0.5, 0.95)]
    late = sum(lead <= 0 for lead in ranked)
    return Leads(late, least / 1e6, p5 / 1e6, p50 / 1e6, p95 / 1e6, fmean(ranked) / 1e6)


class _Seat:
    """One row of the grid while it is played."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._ours = Ours(eyes.beams)
        self._leads_us = array("q")
        self._hindsight = Hindsight()
        self._own = Thresholds()
        self._fleet = Thresholds()

    def play(self, spin: Spin, drawn: Chance, *, learning: bool) -> None:
        seen = passings(spin, self._eyes, drawn)
        called = self._ours.coup(seen, spin.direction)
        self._leads_us.append(spin.drop_us - called.at_us)
        if not learning:
            self._hindsight.add(called.legs, spin.drop_us)
            self._own.add(laps(seen, self._eyes.beams), spin.drop_us)

    def tune(self, spin: Spin, drawn: Chance) -> None:
        seen = passings(spin, self._eyes, drawn)
        self._fleet.add(laps(seen, self._eyes.beams), spin.drop_us)

    def outcome(self, plan: Plan, oracle: Oracle) -> Outcome:
        return Outcome(
            setting=plan.setting,
            eyes=self._eyes,
            coups=plan.coups,
            first=leads(self._leads_us[:LEARN]),
            ours=leads(self._leads_us[LEARN:]),
            best=leads(self._hindsight.leads_us(self._hindsight.never_late())),
            threshold=leads(self._own.leads_us(self._own.never_late())),
            factory=leads(self._own.leads_us(self._fleet.never_late())),
            oracle=leads(oracle.leads_us()),
        )
