"""The predictor's own parts (firmware/core/call), put together for one beam and a film's clock.

As on a wheel, all is learned from earlier balls: the curve of the deceleration, how much noisier
than assumed this track is, and where it ends. Only that a film's times have sixty times the noise
of a beam's must be told. Times in seconds, speeds in turn/s.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from firmware.core.call import kalman
from firmware.core.call.ball_tracker import FOLLOWED_TURN_S
from firmware.core.call.curve import Curve

LAST_TURN_S = 0.75  # the laps below it teach the noise: the last five or so
_NOISES = tuple(0.25 * 1.25**step for step in range(40))  # up to 1 500 times the assumed variance
_NIS_MAX = 16.0  # one freak step says no more than that
_SLOWEST_TURN_S = 0.08  # no speed below this is followed, as in the filter


class Known(NamedTuple):
    """What the filter knows of a ball at a crossing."""

    at_s: float
    motion: kalman.MotionState


class Model:
    """What some balls have taught."""

    def __init__(self, curve: Curve, *, stamp_s: float, noise: float, hit_turn_s: float) -> None:
        """`hit_turn_s`: the speed to which a ball's filter, run on, has fallen when it hits."""
        self.curve = curve
        self.stamp_s = stamp_s
        self.noise = noise
        self.hit_turn_s = hit_turn_s

    def follow(self, passed_s: Sequence[float]) -> list[Known]:
        """The ball at each crossing after its first lap."""
        return [known for known, _ in _follow(self.curve, passed_s, self.stamp_s, self.noise)]

    def to_hit_s(self, known: Known) -> float:
        """From that crossing until the ball hits a deflector."""
        return kalman.time_to(self.curve, known.motion, self.hit_turn_s, noise=self.noise)[0]

    def hit_turns(self, known: Known, hit_s: float) -> float:
        """How far past that crossing the ball was when it hit."""
        left_s = hit_s - known.at_s
        speed = speed_after(self.curve, known.motion, left_s)
        return (known.motion.speed + speed) / 2.0 * left_s


def learn(balls: Sequence[tuple[Sequence[float], float]], stamp_s: float) -> Model:
    """From crossings and hit of some balls on one wheel; `stamp_s`: a time's noise, one sigma."""
    curve = Curve()
    for passed_s, _ in balls:
        curve.learn(lessons(passed_s))
    noise = _noise(curve, balls, stamp_s)
    hits = []
    for passed_s, hit_s in balls:
        known = _follow(curve, passed_s, stamp_s, noise)[-1][0]
        hits.append(speed_after(curve, known.motion, hit_s - known.at_s))
    return Model(curve, stamp_s=stamp_s, noise=noise, hit_turn_s=fmean(hits))


def speed_after(curve: Curve, moved: kalman.MotionState, seconds: float) -> float:
    """The speed so much later."""
    speed = moved.speed
    strides = 3
    stride_s = seconds / strides
    for _ in range(strides):
        half = max(speed - curve.at(speed) * moved.scale * stride_s / 2.0, _SLOWEST_TURN_S)
        speed = max(speed - curve.at(half) * moved.scale * stride_s, _SLOWEST_TURN_S)
    return speed


def lessons(passed_s: Sequence[float]) -> list[tuple[float, float]]:
    """(speed, deceleration) of each two laps that follow one another."""
    found = []
    for first, middle, last in zip(passed_s, passed_s[1:], passed_s[2:], strict=False):
        before, after = 1.0 / (middle - first), 1.0 / (last - middle)
        found.append(((before + after) / 2.0, (before - after) / ((last - first) / 2.0)))
    return found


def _noise(curve: Curve, balls: Sequence[tuple[Sequence[float], float]], stamp_s: float) -> float:
    """The least noise with which the last laps are no further off than the filter believes."""
    for noise in _NOISES:
        off = []
        for passed_s, _ in balls:
            for known, step in _follow(curve, passed_s, stamp_s, noise):
                if step is not None and known.motion.speed < LAST_TURN_S:
                    off.append(min(step.off_s * step.off_s / step.var, _NIS_MAX))
        if not off or fmean(off) <= 1.0:
            return noise
    return _NOISES[-1]


def _follow(
    curve: Curve, passed_s: Sequence[float], stamp_s: float, noise: float
) -> list[tuple[Known, kalman.Innovation | None]]:
    found: list[tuple[Known, kalman.Innovation | None]] = []
    for before, after in pairwise(passed_s):
        lap_turn_s = 1.0 / (after - before)
        if not found or lap_turn_s > FOLLOWED_TURN_S:
            begun = kalman.start(curve, lap_turn_s, spread=kalman.SCALE_SPREAD)
            found.append((Known(after, begun), None))
            continue
        moved, step = kalman.step(
            curve, found[-1][0].motion, 1.0, after - before, noise=noise, stamp_s=stamp_s
        )
        found.append((Known(after, moved), step))
    return found
