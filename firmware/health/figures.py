"""What evidence and counts say, in figures that people can use (docs/health.md)."""

from __future__ import annotations

from cmath import rect
from collections.abc import Callable, Sequence
from math import lgamma, log, pi, sin, sqrt

ALPHA = 1e-3  # of all bands together, at all times together
_PRIOR = 3_000.0  # coups that the even wheel is believed for, as any_shape.PRIORS
_NEAR = 1e-9  # of chances
# Evidence, in nats, that 19 of 20 wheels with such a fault have by the time that it is told: of a
# pocket, of a set of neighbours, at a share of 1 (HEALTH, section 4).
POCKET_NATS = 25.0
SECTOR_NATS = 22.0
DROP_NATS = 20.6  # of drops that lean, as three beams see them


def band(count: int, coups: int, compartments: int) -> tuple[float, float]:
    """Returns the least and the most chance of a compartment that came so often.

    The true chances of all compartments lie within their bands at all times, but for ALPHA of all
    wheels: a Beta prior's likelihood ratio against each chance stays below compartments / ALPHA.
    """
    a = _PRIOR / compartments
    b = _PRIOR - a
    missed = coups - count
    whole = (
        lgamma(a + count) + lgamma(b + missed) - lgamma(a + b + coups)
        - lgamma(a) - lgamma(b) + lgamma(a + b)
    )  # fmt: skip
    limit = log(compartments / ALPHA)

    def outside(chance: float) -> bool:
        return whole - count * log(chance) - missed * log(1.0 - chance) >= limit

    middle = (a + count) / (a + b + coups)
    return _edge(outside, 0.0, middle), _edge(outside, 1.0, middle)


def _edge(outside: Callable[[float], bool], far: float, near: float) -> float:
    """Returns the chance between two at which `outside` begins, by halves."""
    if outside(near):
        return near
    while abs(far - near) > _NEAR:
        middle = (far + near) / 2.0
        if outside(middle):
            far = middle
        else:
            near = middle
    return far


def divergence(more: float, width: int, compartments: int) -> float:
    """Returns the evidence, in nats a coup, of a set of `width` that comes so much more often."""
    even = width / compartments
    favoured = even * (1.0 + more)
    if favoured >= 1.0:
        return -log(even)
    return favoured * log(1.0 + more) + (1.0 - favoured) * log((1.0 - favoured) / (1.0 - even))


def seen_by(coups: int, nats: float, width: int, compartments: int) -> float | None:
    """Returns by how much a set must be favoured to have been seen by now; None: no such set."""
    far = compartments / width - 1.0
    if coups * divergence(far, width, compartments) < nats:
        return None
    near = 0.0
    while far - near > 1e-5:
        middle = (far + near) / 2.0
        if coups * divergence(middle, width, compartments) < nats:
            near = middle
        else:
            far = middle
    return far


def coups_until(more: float, nats: float, width: int, compartments: int) -> int:
    """Returns after how many coups a set that is favoured so much will have been seen."""
    return round(nats / divergence(more, width, compartments))


def gap_means(beams_deg: Sequence[float]) -> list[complex]:
    """Returns the mean of the unit vectors of each gap between two beams, ascending places."""
    found = []
    for gap, begins_deg in enumerate(beams_deg):
        ends_deg = beams_deg[gap + 1] if gap + 1 < len(beams_deg) else beams_deg[0] + 360.0
        half = (ends_deg - begins_deg) * pi / 360.0
        found.append(rect(sin(half) / half, (begins_deg + ends_deg) * pi / 360.0))
    return found


def lean_seen_by(
    drops: int, nats: float, beams_deg: Sequence[float], chances: Sequence[float]
) -> float | None:
    """Returns the vector strength by which drops must lean to have been seen by now.

    `chances`: of the gaps, as foretold, 1 in all. None: no such lean.
    """
    spread = _spread(beams_deg, chances)
    found = sqrt(nats / (drops * spread)) if drops and spread else 1.0
    return found if found < 0.5 else None  # as strong as the density may be, which is not negative


def drops_until(
    lean: float, nats: float, beams_deg: Sequence[float], chances: Sequence[float]
) -> int | None:
    """Returns after how many drops a lean will have been seen, as `lean_seen_by`; None: never."""
    spread = _spread(beams_deg, chances)
    return round(nats / (lean * lean * spread)) if spread else None


def _spread(beams_deg: Sequence[float], chances: Sequence[float]) -> float:
    """Returns the evidence of a drop, in nats, over the square of the lean r that it is of.

    It is r^2 / 2 times the variance of 2 cos(angle - place) among gaps, in the mean of all places.
    """
    means = gap_means(beams_deg)
    middle = sum(chance * mean for chance, mean in zip(chances, means, strict=True))
    return sum(
        chance * abs(mean - middle) ** 2 for chance, mean in zip(chances, means, strict=True)
    )
