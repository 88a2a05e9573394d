"""New wheels, drawn: how early are the first calls of a wheel that nobody has tuned for?

Each wheel is drawn in the ranges of PHYSICS.md, and learns from its first coup on. How early it
calls in its FIRST coups is told as a multiple of what it comes to: its own median lead after
LEARN coups.
"""

from __future__ import annotations

from math import radians, sqrt, tan
from random import Random
from statistics import median
from typing import NamedTuple

from tools.bench.call.ours import Ours
from tools.bench.call.run import LEARN
from tools.bench.call.spins import Chance, Eyes, Thrower, geometry, passings
from tools.sim.parameters import PRESETS, W1_DECELERATION, Parameters
from tools.testing.workers import Tell, silent

FIRST = 20  # coups of a new wheel: issue 22
_AFTER = 40  # coups after LEARN, whose median is the learned lead
_COST = 2.7  # of a coup, beside those of tools.bench.call.run


class Drawn(NamedTuple):
    """A wheel, and who looks at it."""

    parameters: Parameters
    geometry: dict[str, object]
    eyes: Eyes

    @property
    def scatter(self) -> float:
        """Of its drop speed."""
        return self.parameters.exit_speed_scatter


class Newcomer(NamedTuple):
    """How a new wheel began. Leads in seconds; one at 0 or below is late."""

    eyes: Eyes
    scatter: float  # of the drop speed, as a share of it
    first_s: list[float]
    learned_s: float  # median
    late: int  # in all of its coups

    @property
    def late_first(self) -> int:
        """Late calls of its first coups."""
        return sum(lead <= 0.0 for lead in self.first_s)

    def times(self, coup: int) -> float:
        """The lead of one of the first coups, in learned leads."""
        return self.first_s[coup] / self.learned_s


class Fleet(NamedTuple):
    """What one process plays: so many wheels, from a place in the row of all."""

    begin: int
    wheels: int
    seed: int

    @property
    def cost(self) -> float:
        """All that `play` tells."""
        return self.wheels * (LEARN + _AFTER) * _COST


def draw(chance: Random) -> Drawn:
    """A wheel in the ranges of PHYSICS.md; `judgement` where it has a value and no range."""
    radius_m = chance.uniform(0.34, 0.38)
    slope = radians(chance.uniform(15.0, 28.0))
    # The deceleration lies between both of its wheels, the one with a knee and the smooth one, and
    # is up to a fifth more or less: judgement.
    knee, times = chance.random(), chance.uniform(0.8, 1.2)
    tilted = chance.random() < 0.5
    parameters = PRESETS["W1"].changed(
        exit_speed_rad_s=sqrt(PRESETS["W1"].gravity_m_s2 / radius_m * tan(slope)),
        deceleration=tuple(
            (w, times * (knee * d + (1.0 - knee) * (0.006 * w * w + 0.25)))
            for w, d in W1_DECELERATION
        ),
        exit_speed_scatter=chance.uniform(0.003, 0.025),
        deceleration_scatter=chance.uniform(0.02, 0.04),  # .03 there: judgement
        deceleration_flutter=chance.uniform(0.03, 0.07),  # .05 there: judgement
        tilt_deg=chance.uniform(0.0, 0.2) if tilted else 0.0,
        tilt_low_point_deg=chance.uniform(0.0, 360.0),
    )
    beams = chance.choice((3, 3, 3, 3, 1, 8))
    jitter_us = chance.randint(100, 1_000)
    missed = chance.choice((0.0, 0.005))
    wheel = {
        **geometry(beams),
        "track_radius_mm": round(radius_m * 1_000),
        "ball_mm": chance.randint(17, 23),
    }
    return Drawn(parameters, wheel, Eyes(beams, jitter_us, missed))


def play(plan: Fleet, tell: Tell = silent) -> list[Newcomer]:
    """All of its wheels. Tells the cost of what is done."""
    found = []
    for wheel in range(plan.begin, plan.begin + plan.wheels):
        found.append(_newcomer(f"{plan.seed}/new wheel {wheel}"))
        tell((LEARN + _AFTER) * _COST)
    return found


def _newcomer(seed: str) -> Newcomer:
    chance = Random(seed)
    drawn = draw(chance)
    thrower = Thrower(drawn.parameters, chance, drawn.geometry)
    ours = Ours(drawn.eyes.beams, drawn.geometry)
    leads_s = []
    for coup in range(LEARN + _AFTER):
        start = chance.random()
        direction = 1 if coup % 2 else -1
        spin = thrower.throw(drawn.parameters, direction=direction, start_turn=start)
        seen = passings(spin, drawn.eyes, Chance(chance, len(spin.centres)))
        called = ours.coup(seen, spin.direction)
        leads_s.append((spin.drop_us - called.at_us) / 1e6)
    late = sum(lead <= 0.0 for lead in leads_s)
    return Newcomer(drawn.eyes, drawn.scatter, leads_s[:FIRST], median(leads_s[LEARN:]), late)
