"""Balls on the track, and nothing else of the table: the event simulation of the call's bench.

The physics is the full simulator's own `track.roll`, the truth of the drop its `duration_s`. Only
what follows the drop is left out, and the stamps' latency. One roll serves every number of beams:
it passes a beam every 15 degrees, and 1, 3 and 8 evenly spaced beams are among those. What such
beams see of it, with jitter and with crossings that they miss, stands below.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import tau
from random import Random
from typing import Any, NamedTuple

import boards
from firmware.core.sense.beams import Crossing
from firmware.core.units import TURN
from tools.sim.parameters import PRESETS, Parameters
from tools.sim.sensors import Rim
from tools.sim.track import Drag, Track, roll

UNION = 24  # beams: the least common multiple of 1, 3 and 8
FLEET_SCATTER = 0.04  # sd of w_c from wheel to wheel: issue 5
_SLOW = 1.35  # times the speed at the drop: from there on every rival may call


class Setting(NamedTuple):
    """The physics of a wheel: what all coups of a run have in common."""

    wheel: str  # of tools.sim.parameters.PRESETS
    scatter: float  # sd of the drop speed, of itself
    tilt_deg: float

    def parameters(self) -> Parameters:
        """For the simulator."""
        return PRESETS[self.wheel].changed(exit_speed_scatter=self.scatter, tilt_deg=self.tilt_deg)


class Spin(NamedTuple):
    """One ball, from the launch at 0 to its drop. Times in us, as the physics has them."""

    direction: int  # 1 ccw, -1 cw
    first: int  # the beam of UNION that it passes first; then each in its turn
    centres: list[float]  # when it stood before each beam
    clears: list[float]  # when that beam was clear again: before, no controller knows
    drop_us: int

    def slow(self) -> list[tuple[float, float]]:
        """Its last speeds, (us, rad/s), in order of time.

        Each over 15 degrees, and so at their middle: within .01 % of the ball's own.
        """
        found: list[tuple[float, float]] = []
        for before, after in pairwise(reversed(self.centres)):
            speed = tau / UNION / (before - after) * 1e6
            found.append(((before + after) / 2, speed))
            if speed > _SLOW * found[0][1]:
                break
        return found[::-1]


def geometry(beams: int) -> dict[str, Any]:
    """The reference wheel's, with so many beams, evenly spaced from 0 degrees on."""
    reference: dict[str, Any] = boards.load("roulette_ref")["geometry"]
    return {**reference, "rim_deg": tuple(360 * beam // beams for beam in range(beams))}


class Thrower:
    """Throws balls into one track. The same `chance` gives the same balls."""

    def __init__(
        self, parameters: Parameters, chance: Random, wheel: dict[str, Any] | None = None
    ) -> None:
        """`parameters` of any wheel that shares this one's track.

        `wheel`: its geometry, if that is not the reference wheel's.
        """
        union = geometry(UNION)
        board = {
            "geometry": {**(wheel or union), "rim_deg": union["rim_deg"]},
            "inputs": tuple((f"rim{beam}", beam) for beam in range(UNION)),
        }
        self._rim = Rim(board)
        self._drag = Drag(parameters.deceleration)
        self._chance = chance

    def throw(self, parameters: Parameters, *, direction: int, start_turn: float) -> Spin:
        """One ball from `start_turn`."""
        track = roll(
            parameters,
            self._drag,
            self._chance,
            direction=direction,
            start_turn=start_turn,
            radius_m=self._rim.track_radius_m,
            beams=self._rim.beams(start_turn, direction),
        )
        return _spin(track, direction)


def spins(setting: Setting, coups: int, seed: object) -> Iterator[Spin]:
    """The coups of one wheel. The direction alternates, the hand starts anywhere."""
    chance = Random(f"{seed}/{setting}/spins")
    parameters = setting.parameters()
    thrower = Thrower(parameters, chance)
    for coup in range(coups):
        start = chance.random()
        yield thrower.throw(parameters, direction=1 if coup % 2 else -1, start_turn=start)


def fleet(setting: Setting, coups: int, seed: object) -> Iterator[Spin]:
    """One coup each of so many wheels whose w_c differs by FLEET_SCATTER, and nothing else."""
    chance = Random(f"{seed}/{setting}/fleet")
    own = setting.parameters()
    thrower = Thrower(own, chance)
    for coup in range(coups):
        speed = own.exit_speed_rad_s * chance.gauss(1.0, FLEET_SCATTER)
        wheel = own.changed(exit_speed_rad_s=speed)
        start = chance.random()
        yield thrower.throw(wheel, direction=1 if coup % 2 else -1, start_turn=start)


def _spin(track: Track, direction: int) -> Spin:
    edges = track.crossings  # no two beams are so near that their pulses overlap
    rises, falls = edges[::2], edges[1::2]
    centres = [(rise[0] + fall[0]) * 5e5 for rise, fall in zip(rises, falls, strict=True)]
    clears = [fall[0] * 1e6 for fall in falls]
    return Spin(direction, edges[0][1], centres, clears, round(track.duration_s * 1e6))


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
