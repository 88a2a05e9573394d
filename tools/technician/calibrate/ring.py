"""Ring sensors and the zero mark, from a ball that the rotor turns past the sensors. No I/O.

The zero of the rotor is where the middle of its mark passes, and the compartment in which the ball
lies is known. A sensor that answers late sees the ball the further on, the faster it passes, ccw
and cw to opposite sides: so runs both ways, with the speeds of their run-out, tell the sensor's
place from its delay. What one ball says is off by where it lies in its compartment, alike for
every sensor; so sensors are placed against each other far better than against the zero mark, and
the mark is the better known the more compartments the ball lay in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import hypot, sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

from firmware.run.calibration_effect import apart_deg
from tools.technician.calibrate.squares import fitted
from tools.technician.selftest.encoder import Run
from tools.technician.selftest.optics import middle_deg
from tools.technician.selftest.recording import Recording

# sd of where a ball comes to lie in its compartment: sample traces (tools/sim/parameters.py).
PLAY_PITCH = 0.09
LAYS_MIN = 3  # compartments the ball lies in, one after the other
TURNS_MIN = 2  # whole turns of each lay
_FULL = 0.95  # of the fastest: from there on it counts, for a run-up goes too quickly by
_SLOW = 0.5  # and to there: slower, the angle between two edges of the encoder is too rough
_WINDOW_TURNS = 0.25  # over which a speed is taken


class Laid(NamedTuple):
    """One lay of the ball, turned one way. Of each sensor in its order, each pass of the ball:
    the rotor's angle (degrees, 0 to 360), and its speed (degrees/s, ccw positive)."""

    compartment: int
    way: int  # 1 ccw, -1 cw
    passes: list[list[tuple[float, float]]]
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


def laid(heard: Recording, run: Run, compartment: int) -> Laid:
    """What one run, from rest to rest, says of a ball in that compartment. Raises Unclear."""
    span = _brisk(run)
    if span is None or span.turns < TURNS_MIN:
        raise Unclear(f"The rotor made too few turns: it takes {TURNS_MIN} whole ones.")
    marks_us = [at_us for at_us in run.marks_us if span.begin_us <= at_us < span.end_us]
    if run.slips or heard.lost or not marks_us:
        raise Unclear("The encoder was not sure of its angle: run cylindre selftest first.")
    zero_deg = middle_deg([_counted_deg(run, at_us) % 360 for at_us in marks_us])
    passes = []
    for name in heard.called("pocket"):
        middles_us = [
            each.centre_us
            for each in heard.pulses(name)
            if span.begin_us <= each.centre_us < span.end_us
        ]
        if len(middles_us) != span.turns:
            text = f"{name} saw something {len(middles_us)} times in {span.turns} turns."
            raise Unclear(f"{text} Leave one ball alone in the wheel, or clean the sensor.")
        passes.append(
            [
                ((_counted_deg(run, at_us) - zero_deg) % 360, _speed_deg_s(run, at_us))
                for at_us in middles_us
            ]
        )
    return Laid(compartment, run.direction, passes, span.turns)


def place(lays: Sequence[Laid], drawing_deg: Sequence[float], compartments: int) -> Ring:
    """Sensors and mark from lays, some turned ccw and some cw. Raises Unclear.

    A ball in compartment k passes the sensor at angle p when the rotor is at p + k/n turns, plus
    what the zero mark is off: the part that all sensors share is the mark's, the rest is theirs.
    """
    pitch_deg = 360 / compartments
    balls = [each.compartment for each in lays]
    if len(set(balls)) < LAYS_MIN or len({each.way for each in lays}) < 2:
        text = f"The ball lay in {len(set(balls))} compartments: it takes {LAYS_MIN}, turned both"
        raise Unclear(f"{text} ways. Go on with cylindre calibrate.")
    count = len(drawing_deg)
    try:
        rows, offs = _equations(lays, drawing_deg, pitch_deg)
        found, sds = fitted(rows, offs)
    except ValueError:
        raise Unclear("The lays say too little: begin anew (--anew).") from None
    shared, own = found[: len(lays)], found[len(lays) : len(lays) + count - 1]
    own.append(-sum(own))
    _same_ball(shared, balls, pitch_deg)
    # Lays may agree by chance: never surer than the play that every ball has.
    play = max(PLAY_PITCH * pitch_deg, pstdev(shared))
    return Ring(
        pocket_mdeg=[
            round((deg + by) * 1000) % 360_000 for deg, by in zip(drawing_deg, own, strict=True)
        ],
        pocket_sd_mdeg=max(1, round(max(sds[len(lays) : len(lays) + count - 1]) * 1000)),
        index_mdeg=round(fmean(shared) * 1000),
        index_sd_mdeg=round(hypot(play / sqrt(len(lays)), fmean(sds[: len(lays)])) * 1000),
        ball_pockets=sorted(balls),
        turns=sum(each.turns for each in lays),
        delay_us=[round(each * 1e6) for each in found[-count:]],
    )


def _equations(
    lays: Sequence[Laid], drawing_deg: Sequence[float], pitch_deg: float
) -> tuple[list[list[float]], list[float]]:
    """One a pass: how far off it is, in degrees, and of what that is the sum. Unknown are what each
    ball is off (mark and play), each sensor but the last (all together are off by nothing), and
    each one's delay. Raises ValueError for lays of another wheel."""
    count = len(drawing_deg)
    rows, offs = [], []
    for ball, each in enumerate(lays):
        for sensor, (passes, deg) in enumerate(zip(each.passes, drawing_deg, strict=True)):
            own = [float(sensor == other) - float(sensor == count - 1)
                   for other in range(count - 1)]  # fmt: skip
            for angle_deg, speed_deg_s in passes:
                balls = [float(ball == other) for other in range(len(lays))]
                delays = [speed_deg_s * (sensor == other) for other in range(count)]
                rows.append([*balls, *own, *delays])
                offs.append(apart_deg(angle_deg, deg + each.compartment * pitch_deg))
    return rows, offs


class _Span(NamedTuple):
    """A part of a run."""

    begin_us: int
    end_us: int
    turns: int


def _brisk(run: Run) -> _Span | None:
    """The last whole turns while the run was fast: its run-out as far as it still was."""
    window = max(4, int(run.steps_turn * _WINDOW_TURNS))
    times, steps = run.times_us, run.steps
    spans = [times[at + window] - times[at] for at in range(len(times) - window)]
    if not spans:
        return None
    fastest = min(spans)
    first = next(at for at, span in enumerate(spans) if span * _FULL <= fastest)
    last = max(at for at, span in enumerate(spans) if span * _SLOW <= fastest) + window
    turns = abs(steps[last] - steps[first]) // run.steps_turn
    begin = first
    while abs(steps[last] - steps[begin]) > turns * run.steps_turn:
        begin += 1
    return _Span(times[begin], times[last], turns)


def _counted_deg(run: Run, at_us: float) -> float:
    return run.count_at(at_us) / run.steps_turn * 360


def _speed_deg_s(run: Run, at_us: float) -> float:
    """How fast it turned at a moment, ccw positive."""
    half = max(2, int(run.steps_turn * _WINDOW_TURNS / 2))
    after = bisect_right(run.times_us, at_us)
    begin, end = max(0, after - half), min(len(run.times_us) - 1, after + half)
    turned_deg = (run.steps[end] - run.steps[begin]) / run.steps_turn * 360
    return turned_deg / max(1, run.times_us[end] - run.times_us[begin]) * 1e6


def _same_ball(shared: Sequence[float], compartments: Sequence[int], pitch_deg: float) -> None:
    """Raises Unclear if one lay is a compartment off the others: it lay elsewhere than was said."""
    usual = sorted(shared)[len(shared) // 2]
    for off, compartment in zip(shared, compartments, strict=True):
        if abs(apart_deg(off, usual)) > pitch_deg * 0.6:
            text = f"The ball that was to lie in compartment {compartment} lay in another."
            raise Unclear(f"{text} Count in layout order, clockwise from 0, and begin anew.")
