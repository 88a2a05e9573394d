"""Beams of the track against each other, from a ball that runs round ever more slowly. No I/O.

Each time it comes back to a beam it has made one turn, whatever happened between: so beam by beam
the laps give its angle as a smooth function of time, in turns from that beam, without any drawing.
Where the other beams lie on that curve is where they are. Nothing in a wheel says where all of
them stand against the rotor's zero: their mean is taken from the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from firmware.run.calibration_effect import apart_deg
from tools.technician.calibrate.ring import Unclear
from tools.technician.selftest.recording import Recording

LAPS_MIN = 5  # of one throw; the first and the last are not used
_SKIPPED = 3  # pulses at the throw: the hand, and a ball that skids
_KNOTS = 4  # laps that a curve goes through
_WIDE = 4.0  # pulses so many times as wide as the middle one are no ball on the track


class Rim(NamedTuple):
    """What throws say, milli-degrees."""

    rim_mdeg: list[int]
    rim_sd_mdeg: int
    laps: int


def crossings(heard: Recording) -> list[tuple[float, int]]:
    """The ball's passings of the beams, (at_us, beam), from a throw to its drop. Raises Unclear."""
    beams = heard.called("rim")
    found = [
        (pulse.centre_us, beam, pulse.width_us)
        for beam, name in enumerate(beams)
        for pulse in heard.pulses(name)
    ]
    found.sort()
    if len(found) < len(beams) * LAPS_MIN + _SKIPPED:
        raise Unclear("The ball made too few turns: throw it harder.")
    widths = sorted(width for _, _, width in found)
    usual = widths[len(widths) // 2]
    kept = [(at_us, beam) for at_us, beam, width in found if width < usual * _WIDE][_SKIPPED:]
    way = (kept[1][1] - kept[0][1]) % len(beams)
    for (_, before), (_, after) in pairwise(kept):
        if (after - before) % len(beams) != way:
            raise Unclear("A beam missed the ball, or saw another: throw again.")
    return kept


def way_of(kept: Sequence[tuple[float, int]]) -> str | None:
    """Which way the ball ran; None where two beams cannot say."""
    beams = 1 + max(beam for _, beam in kept)
    if beams < 3:
        return None
    return "ccw" if (kept[1][1] - kept[0][1]) % beams == 1 else "cw"


def throw_deg(kept: Sequence[tuple[float, int]], beams: int) -> list[list[float]]:
    """Each beam's angle ahead of beam 0, once a lap, degrees ccw: [beam 1's, beam 2's, ...]."""
    ccw = (kept[1][1] - kept[0][1]) % beams == 1
    laps = [at_us for at_us, beam in kept if beam == 0]
    found: list[list[float]] = [[] for _ in range(beams - 1)]
    for at_us, beam in kept:
        if beam == 0 or not laps[1] <= at_us <= laps[-2]:
            continue
        ahead = (_turns_at(laps, at_us) % 1.0) * 360
        found[beam - 1].append(ahead if ccw else 360 - ahead)
    return found


def place(throws: Sequence[Sequence[tuple[float, int]]], drawing_deg: Sequence[float]) -> Rim:
    """The beams from throws both ways. Raises Unclear."""
    beams = len(drawing_deg)
    ways = {(kept[1][1] - kept[0][1]) % beams for kept in throws}
    if beams > 2 and len(ways) < 2:
        raise Unclear("The ball was thrown one way alone: it takes a throw ccw and one cw.")
    angles, sds, laps = [], [], 0
    by_throw = [throw_deg(kept, beams) for kept in throws]
    for beam in range(1, beams):
        each = [fmean(throw[beam - 1]) for throw in by_throw]
        scatter = [stdev(throw[beam - 1]) / sqrt(len(throw[beam - 1])) for throw in by_throw]
        angles.append(fmean(each))
        # Of noise within a throw, and of what differs between the throws: a beam's own delay.
        sds.append(sqrt(sum(sd * sd for sd in scatter)) / len(each) + stdev(each) / len(each))
        laps = sum(len(throw[beam - 1]) for throw in by_throw)
    offs = [0.0] + [
        apart_deg(angle, drawing_deg[at + 1] - drawing_deg[0]) for at, angle in enumerate(angles)
    ]
    mean = fmean(offs)
    return Rim(
        rim_mdeg=[
            round((deg + off - mean) * 1000) % 360_000
            for deg, off in zip(drawing_deg, offs, strict=True)
        ],
        rim_sd_mdeg=max(1, round(max(sds) * 1000)),
        laps=laps,
    )


def _turns_at(laps: Sequence[float], at_us: float) -> float:
    """Turns since the first lap, by the cubic through the laps around."""
    after = next(at for at, each in enumerate(laps) if each > at_us)
    first = min(max(after - _KNOTS // 2, 0), len(laps) - _KNOTS)
    knots = range(first, first + _KNOTS)
    total = 0.0
    for one in knots:
        weight = 1.0
        for other in knots:
            if other != one:
                weight *= (at_us - laps[other]) / (laps[one] - laps[other])
        total += one * weight
    return total
