"""The ball on the rim of a vingt-trois: in closed form, and seen by luck.

It loses speed in proportion to it (w' = -loss w), so the way is (w0 / loss)(1 - exp(-loss t)).
"""

from math import exp, log, tau
from random import Random
from typing import NamedTuple

from tools.sim.plate_parameters import PlateParameters
from tools.sim.sensors import Crossing


class Round(NamedTuple):
    """A ball's way on the rim, times counted from its arrival there."""

    crossings: list[Crossing]
    lasts_s: float
    laps: float
    end_turn: float  # stator angle where it comes off
    end_speed_rad_s: float


def go_round(
    parameters: PlateParameters,
    rng: Random,
    *,
    direction: int,
    start_turn: float,
    beams: list[tuple[float, int, int]],
) -> Round:
    """Lets a ball that was flung run on the rim from `start_turn` till it comes off.

    `beams`: what lies ahead within one turn, by distance (sensors.Layout.beams).
    """
    p = parameters
    speed = rng.uniform(*p.rim_speed_rad_s_range)
    loss = rng.uniform(*p.rim_loss_per_s_range)
    lasts = rng.uniform(*p.rim_s_range)
    range_turn = speed / loss / tau  # how far it would go before it stood
    laps = range_turn * (1.0 - exp(-loss * lasts))
    crossings: list[Crossing] = []
    for rise, fall, line in _passed(beams, laps):
        if rng.random() < p.beam_seen_chance:
            for way, level in ((rise, 1), (fall, 0)):
                crossings.append((-log(1.0 - way / range_turn) / loss, line, level))
    end = (start_turn + direction * laps) % 1.0
    return Round(crossings, lasts, laps, end, speed * exp(-loss * lasts))


def _passed(beams: list[tuple[float, int, int]], laps: float) -> list[tuple[float, float, int]]:
    """The beams passed whole within `laps` turns: (dark from, dark to, line), in turns of way.

    A ball that arrives or comes off inside a beam is not seen there: it is not in the rim's plane.
    """
    falls = {line: way for way, line, level in beams if level == 0}
    passed = []
    for lap in range(int(laps) + 1):
        for way, line, level in beams:
            fall = falls[line] if falls[line] > way else falls[line] + 1.0
            if level and lap + fall < laps:
                passed.append((lap + way, lap + fall, line))
    return passed
