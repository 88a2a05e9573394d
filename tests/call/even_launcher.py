"""Balls that a launcher throws evenly, called and foretold by the predictor itself."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from call_balls import geometry, kept, missing_us

from firmware.core.call.gap_forecast import WHOLE_PPM
from firmware.core.call.predictor import CallPredictor
from tools.bench.call.spins import Chance, Eyes, Setting, Thrower, passings

# The slowest throws of W1, some 7 laps: after more, the places of the drops are nearly even.
SPEED_RAD_S = 8.0
SPEED_SHARE = 0.01  # within so much of it
ANGLE_DEG = 8.0
_EYES = Eyes(beams=3, jitter_us=100, missed=0.0)


class Drop(NamedTuple):
    """Where a ball left the track, and where its motion foretold it: chances, 1 in all."""

    direction: int
    gap: int
    chances: list[float]


def drops(coups: int, *, tilt_deg: float, seed: int) -> Iterator[Drop]:
    """Throws so many balls into the track of W1. Yields those whose gap was foretold."""
    chance = Random(f"{seed}/even launcher")
    parameters = Setting("W1", 0.01, tilt_deg).parameters()
    within = (SPEED_RAD_S * (1 - SPEED_SHARE), SPEED_RAD_S * (1 + SPEED_SHARE))
    parameters = parameters.changed(launch_speed_rad_s_range=within)
    thrower = Thrower(parameters, chance)
    predictor = CallPredictor(geometry(_EYES.beams), None, call_us=0)
    for coup in range(coups):
        direction = 1 if coup % 2 else -1
        start = (180.0 + chance.uniform(-ANGLE_DEG, ANGLE_DEG)) / 360
        spin = thrower.throw(parameters, direction=direction, start_turn=start)
        seen = [each.crossing for each in passings(spin, _EYES, Chance(chance, len(spin.centres)))]
        predictor.forget_coup()
        due_us: int | None = None
        is_called = False
        for crossings in kept(seen):
            at_us = crossings[-1].at_us
            for _ in range(2):  # it is due by now, or at once as this beam has shown
                if not is_called and due_us is not None and due_us <= at_us:
                    predictor.called()
                    is_called = True
                due_us = predictor.crossed(crossings, direction)
        if not is_called:
            predictor.called()
        for _ in predictor.left(missing_us(seen)):
            pass
        said = dict(predictor.explain_drop(seen[-1].beam, direction))
        if "gaps_ppm" in said:
            chances = [ppm / WHOLE_PPM for ppm in said["gaps_ppm"]]
            yield Drop(direction, said["gap"], chances)
