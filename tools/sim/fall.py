"""From the track to the ring: the slope and the deflectors. Stochastic, as PHYSICS says."""

from math import ceil, tau
from random import Random
from typing import NamedTuple

from tools.sim.parameters import Parameters


class Fall(NamedTuple):
    """A ball's way down, times counted from the drop. Angles are the stator's, in turns."""

    struck_s: float  # at the deflector, or past the last it could have struck
    struck_turn: float
    deflector: int | None
    ring_s: float
    ring_turn: float
    speed_rad_s: float  # along the ball's own way, on reaching the ring


def fall(
    parameters: Parameters, rng: Random, *, direction: int, turn: float, speed_rad_s: float
) -> Fall:
    """Lets a ball fall that leaves the track at `turn` with `speed_rad_s`."""
    p = parameters
    speed = speed_rad_s * rng.uniform(*p.slope_speed_range)
    t = max(0.3, rng.gauss(p.slope_s, p.slope_scatter_s))
    way = speed * t / tau
    struck = None
    for _ in range(p.deflector_passes_max):
        ahead = _to_deflector(p, direction, turn + direction * way)
        way += ahead[0]
        t += ahead[0] * tau / speed
        if rng.random() < p.deflector_hit_chance:
            struck = ahead[1]
            speed *= rng.uniform(*p.deflector_keeps_range)
            break
    down = rng.uniform(*p.deflector_to_ring_s_range)
    at = turn + direction * way
    return Fall(
        struck_s=t,
        struck_turn=at % 1.0,
        deflector=struck,
        ring_s=t + down,
        ring_turn=(at + direction * speed * down / tau) % 1.0,
        speed_rad_s=speed,
    )


def _to_deflector(p: Parameters, direction: int, turn: float) -> tuple[float, int]:
    """How far the next deflector is in the ball's way (turns), and which it is."""
    apart = 1.0 / p.deflectors
    place = direction * (turn - p.deflector_first_deg / 360) / apart
    index = ceil(place + 1e-9)
    return (index - place) * apart, direction * index % p.deflectors
