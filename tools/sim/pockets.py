"""The pockets of a ring, each with its own width, floor and frets.

`psi` is an angle from the rotor's zero, ccw, in turns; pockets are counted ccw and on and on, so
pocket k lies about k / count. Compartments are counted clockwise: pocket k is compartment -k.
"""

from __future__ import annotations

from bisect import bisect_right
from math import floor, radians, sqrt, tan, tau
from typing import NamedTuple

from tools.sim.parameters import RotorPhysics


class Hold(NamedTuple):
    """How a pocket receives a ball that moves one way."""

    speed_m_s: float  # along the ring; what is slower stays
    bounce_m_s: float  # upwards; the same
    keeps: float  # of the sliding speed, beside what any fret leaves
    spared: float  # of rise and slide, by a fret that is loose


class Pockets:
    """The pockets of one ring."""

    def __init__(self, p: RotorPhysics, count: int, radius_m: float) -> None:
        """Of a ring of so many, as the parameters have them."""
        self._count = count
        self._is_odd = bool(p.odd_pockets or p.odd_frets)
        wider = [0.0] * count  # turns, by pocket
        for pocket in p.odd_pockets:
            wider[-pocket.at % count] = pocket.wider_mm / 1000 / (tau * radius_m)
        self._even = not any(wider)
        usual = (1.0 - sum(wider)) / count
        self._widths = [usual + more for more in wider]
        self._centres = _centres(self._widths)
        self._edges = [
            centre - width / 2 for centre, width in zip(self._centres, self._widths, strict=True)
        ]
        self._usual = Hold(p.capture_speed_m_s, p.capture_bounce_m_s, 1.0, 1.0)
        self._ahead = {sign: self._holds(p, sign, radius_m) for sign in (1, -1)}

    def at(self, psi: float) -> int:
        """The pocket there."""
        if self._even:
            return round(psi * self._count)
        turns = floor(psi - self._edges[0])
        within = bisect_right(self._edges, psi - turns) - 1
        return turns * self._count + within

    def centre(self, pocket: int) -> float:
        """Where its middle is, turns."""
        if self._even:
            return pocket / self._count
        turns, within = divmod(pocket, self._count)
        return turns + self._centres[within]

    def width(self, pocket: int) -> float:
        """Its width, turns."""
        return 1 / self._count if self._even else self._widths[pocket % self._count]

    def hold(self, psi: float, speed: float) -> Hold:
        """What meets a ball that lands there and moves on ccw (speed > 0) or cw."""
        if not self._is_odd:
            return self._usual
        return self._ahead[1 if speed > 0 else -1][self.at(psi) % self._count]

    def _holds(self, p: RotorPhysics, sign: int, radius_m: float) -> list[Hold]:
        """Of each pocket, for a ball that moves ccw (1) or cw (-1)."""
        odd = {pocket.at: pocket for pocket in p.odd_pockets}
        frets = {fret.at: fret for fret in p.odd_frets}
        found = []
        for pocket in range(self._count):
            compartment = -pocket % self._count
            floor_of = odd.get(compartment)
            fret = frets.get((compartment - 1) % self._count if sign > 0 else compartment)
            higher_m = 0.0 if fret is None else fret.higher_mm / 1000
            speed = p.capture_speed_m_s
            if floor_of is not None:
                falls = tan(radians(floor_of.floor_slope_deg))
                higher_m += sign * falls * self._widths[pocket] / 2 * tau * radius_m
                if floor_of.capture_speed_m_s is not None:
                    speed = floor_of.capture_speed_m_s
            bounce = p.capture_bounce_m_s * speed / p.capture_speed_m_s
            found.append(
                Hold(
                    _over(p, speed, higher_m),
                    _over(p, bounce, higher_m),
                    1.0 if fret is None else fret.keeps,
                    1.0 if fret is None else 1.0 - fret.loose,
                )
            )
        return found


def _over(p: RotorPhysics, speed: float, higher_m: float) -> float:
    """How fast a ball must be for a fret so much higher: v^2 / 2 = g h. The speed for the usual."""
    return sqrt(max(speed * speed + 2.0 * p.gravity_m_s2 * higher_m, 0.0)) if higher_m else speed


def _centres(widths: list[float]) -> list[float]:
    """Where the pockets' middles are, turns; on the whole they are where even ones would be."""
    centres, edge = [], -widths[0] / 2
    for width in widths:
        centres.append(edge + width / 2)
        edge += width
    off = sum(centre - at / len(widths) for at, centre in enumerate(centres)) / len(widths)
    return [centre - off for centre in centres]
