"""Balls for the tests of the call, from the simulator's own track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from firmware.core.sense.beams import DIRECTION_VOTES, KEPT, Crossing
from tools.bench.call.spins import Chance, Eyes, Setting, Thrower, geometry, passings

__all__ = ["Ball", "balls", "geometry", "kept", "missing_us", "run"]


class Ball(NamedTuple):
    """One throw."""

    direction: int
    crossings: list[Crossing]
    drop_us: int


def balls(
    wheel: str,
    coups: int,
    *,
    seed: int,
    beams: int = 3,
    jitter_us: int = 100,
    missed: float = 0.0,
    scatter: float = 0.01,
    tilt_deg: float = 0.0,
    low_deg: int = 210,
) -> Iterator[Ball]:
    """So many coups of one wheel, as these beams see them."""
    chance = Random(seed)
    parameters = Setting(wheel, scatter, tilt_deg).parameters()
    parameters = parameters.changed(tilt_low_point_deg=low_deg)
    thrower = Thrower(parameters, chance)
    for coup in range(coups):
        direction = 1 if coup % 2 else -1
        spin = thrower.throw(parameters, direction=direction, start_turn=chance.random())
        eyes = Eyes(beams, jitter_us, missed)
        seen = passings(spin, eyes, Chance(chance, len(spin.centres)))
        yield Ball(spin.direction, [one.crossing for one in seen], spin.drop_us)


def kept(crossings: Sequence[Crossing]) -> Iterator[list[Crossing]]:
    """What beams.BallTrack keeps at each of them, once the ball's way is known."""
    for last in range(DIRECTION_VOTES + 1, len(crossings) + 1):
        yield list(crossings[max(last - KEPT, 0) : last])


def missing_us(crossings: Sequence[Crossing]) -> int:
    """When the beam that did not come should have."""
    last, before = crossings[-1], crossings[-2]
    return last.at_us + (last.at_us - before.at_us) * 11 // 10


def run(call_predictor: Any, ball: Ball) -> int:
    """When it calls that ball, from which it learns then."""
    call_predictor.forget_coup()
    called: int | None = None
    due: int | None = None
    for seen in kept(ball.crossings):
        at_us = seen[-1].at_us
        if called is None and due is not None and due <= at_us:
            called = due
        due = call_predictor.crossed(seen, ball.direction)
        if called is None and due is not None and due <= at_us:
            called = at_us
    list(chain.from_iterable(call_predictor.left(missing_us(ball.crossings))))
    assert due is not None
    return due if called is None else called
