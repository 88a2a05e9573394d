"""Ring sensors and zero mark, from a ball that lies in a known compartment. No I/O.

Turned both ways: a sensor that answers late shifts its pulse with the rotor, ccw one way and cw
the other, so the mean of both has no delay in it. What one ball says is off by where it lies in
its compartment, alike for every sensor; so sensors are placed against each other far better than
against the zero mark, and the mark is the better known the more compartments the ball lay in.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

from tools.selftest import optics
from tools.selftest.encoder import Run
from tools.selftest.optics import apart_deg, middle_deg
from tools.selftest.recording import Recording

# sd of where a ball comes to lie in its compartment: sample traces (tools/sim/parameters.py).
PLAY_PITCH = 0.09
LAYS_MIN = 3  # compartments the ball lies in, one after the other
TURNS_MIN = 2  # whole turns each way and lay


class Laid(NamedTuple):
    """One lay of the ball, turned one way: angles in degrees, of the sensors in their order."""

    compartment: int
    way: int  # 1 ccw, -1 cw
    middles_deg: list[float]  # rotor angle at which each saw the ball, 0 to 360
    scatter_deg: float  # sd of a single pass
    turns: int


class Ring(NamedTuple):
    """What several lays say, milli-degrees."""

    pocket_mdeg: list[int]
    pocket_sd_mdeg: int
    index_mdeg: int
    index_sd_mdeg: int
    ball_pockets: list[int]
    turns: int
    delay_us: list[int]  # of each sensor, more than that of the encoder


class Unclear(Exception):
    """A recording that says nothing sure; the text says why and what to do."""


def laid(heard: Recording, run: Run, span: tuple[int, int], compartment: int) -> Laid:
    """What one run says of a ball in that compartment. Raises Unclear."""
    whole = optics.whole_turns(run, span)
    if whole is None or not run.marks_us or run.slips or heard.lost:
        raise Unclear("The encoder was not sure of its angle: run cylindre selftest first.")
    middles, scatters, turns = [], [], 0
    for name in heard.called("pocket"):
        seen = optics.seen(heard, run, name, whole)
        turns = round(seen.turns)
        if seen.passes != turns:
            text = f"{name} saw something {seen.passes} times in {turns} turns."
            raise Unclear(f"{text} Leave one ball alone in the wheel, or clean the sensor.")
        if turns < TURNS_MIN:
            raise Unclear(f"The rotor made {turns} turns: it takes {TURNS_MIN} at one speed.")
        middle = middle_deg(seen.centres_deg)
        middles.append(middle)
        scatters.append(pstdev([apart_deg(each, middle) for each in seen.centres_deg]))
    return Laid(compartment, run.direction, middles, fmean(scatters), turns)


def place(
    lays: Sequence[Laid], drawing_deg: Sequence[float], compartments: int, rpm: float
) -> Ring:
    """Sensors and mark from lays, each turned both ways. Raises Unclear.

    A ball in compartment k passes the sensor at angle p when the rotor is at p + k/n turns, plus
    what the zero mark is off: the part that all sensors share is the mark's, the rest is theirs.
    """
    pitch_deg = 360 / compartments
    by_ball: dict[int, dict[int, Laid]] = {}
    for each in lays:
        by_ball.setdefault(each.compartment, {})[each.way] = each
    both = {at: ways for at, ways in by_ball.items() if len(ways) == 2}
    if len(both) < LAYS_MIN:
        text = f"The ball lay in {len(both)} compartments, turned both ways: it takes {LAYS_MIN}."
        raise Unclear(f"{text} Go on with cylindre calibrate.")
    offs: list[list[float]] = []  # of each ball, of each sensor, from the drawing
    delays: list[list[float]] = []
    for compartment, ways in both.items():
        middles = [
            [
                apart_deg(middle, drawing_deg[at] + compartment * pitch_deg)
                for at, middle in enumerate(ways[way].middles_deg)
            ]
            for way in (1, -1)
        ]
        offs.append([(ccw + cw) / 2 for ccw, cw in zip(*middles, strict=True)])
        delays.append([(ccw - cw) / 2 for ccw, cw in zip(*middles, strict=True)])
    shared = [fmean(each) for each in offs]
    _same_ball(shared, list(both), pitch_deg)
    index_deg = fmean(shared)
    own = [fmean(row[at] - mean for row, mean in zip(offs, shared, strict=True))
           for at in range(len(drawing_deg))]  # fmt: skip
    passes = sum(ways[1].turns + ways[-1].turns for ways in both.values())
    sensor_sd = fmean(each.scatter_deg for each in lays) / sqrt(passes)
    # Lays may agree by chance: never surer than the play that every ball has.
    play = max(PLAY_PITCH * pitch_deg, pstdev(shared))
    return Ring(
        pocket_mdeg=[
            round((deg + by) * 1000) % 360_000 for deg, by in zip(drawing_deg, own, strict=True)
        ],
        pocket_sd_mdeg=max(1, round(hypot(sensor_sd, _differ(offs, shared)) * 1000)),
        index_mdeg=round(index_deg * 1000),
        index_sd_mdeg=round(play / sqrt(len(both)) * 1000),
        ball_pockets=sorted(both),
        turns=passes,
        delay_us=[
            round(fmean(row[at] for row in delays) / (rpm * 6) * 1e6)
            for at in range(len(drawing_deg))
        ],
    )


def _same_ball(shared: Sequence[float], compartments: Sequence[int], pitch_deg: float) -> None:
    """Raises Unclear if one lay is a compartment off the others: it lay elsewhere than was said."""
    usual = sorted(shared)[len(shared) // 2]
    for off, compartment in zip(shared, compartments, strict=True):
        if abs(apart_deg(off, usual)) > pitch_deg * 0.6:
            text = f"The ball that was to lie in compartment {compartment} lay in another."
            raise Unclear(f"{text} Count in layout order, clockwise from 0, and begin anew.")


def _differ(offs: Sequence[Sequence[float]], shared: Sequence[float]) -> float:
    """By how much a sensor's own place differs from lay to lay: sd of the mean."""
    spreads = [
        pstdev([row[at] - mean for row, mean in zip(offs, shared, strict=True)])
        for at in range(len(offs[0]))
    ]
    return max(spreads) / sqrt(len(offs))
