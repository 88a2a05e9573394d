"""What some of the beams see of a ball, with jitter and beams that miss it."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from firmware.core.sense.beams import Crossing
from firmware.core.units import TURN
from tools.bench.call.spins import UNION, Spin


class Eyes(NamedTuple):
    """The sensors of a wheel."""

    beams: int  # evenly spaced: a divisor of UNION
    jitter_us: int  # sd of a crossing's time
    missed: float  # share of crossings that no beam sees


class Chance:
    """What chance does to the stamps of one coup, drawn once, so that all sensors share it."""

    __slots__ = ("draws", "shifts")

    def __init__(self, rng: Random, crossings: int) -> None:
        """For so many crossings of UNION."""
        self.shifts = [rng.gauss(0.0, 1.0) for _ in range(crossings)]
        self.draws = [rng.random() for _ in range(crossings)]


class Passing(NamedTuple):
    """One beam passed: when the controller knows (us: the beam is clear again), and what."""

    known_us: int
    crossing: Crossing


def passings(spin: Spin, eyes: Eyes, chance: Chance) -> list[Passing]:
    """What these sensors see of a ball, as core.sense.beams.BallTrack would keep it."""
    apart = UNION // eyes.beams
    first = -spin.first * spin.direction % apart  # the way to the first of these beams
    places = [beam * TURN // eyes.beams for beam in range(eyes.beams)]
    found: list[Passing] = []
    start = start_at = 0
    for at in range(first, len(spin.centres), apart):
        if chance.draws[at] < eyes.missed:
            continue
        beam = (spin.first + spin.direction * at) // apart % eyes.beams
        way = spin.direction * places[beam]
        if not found:
            start, start_at = way, at
        turned = (at - start_at) // UNION * TURN + (way - start) % TURN
        shift = eyes.jitter_us * chance.shifts[at]
        crossing = Crossing(round(spin.centres[at] + shift), beam, turned)
        found.append(Passing(round(spin.clears[at] + shift), crossing))
    return found
