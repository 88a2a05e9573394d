"""Balls made of whole numbers, called and learned from by firmware.core.call.predictor. On any
Python.

    calls.py COUPS

Prints `call COUP AT_US` for each, `drop COUP` with what is told of its drop, and now and then what
was learned, as it is recorded. The balls are the same on every interpreter; the predictor's floats
are its own.
"""

import sys

import boards
from firmware.core.call.predictor import CallPredictor
from firmware.core.facts import CCW, CW
from firmware.core.sense.beams import KEPT, Crossing
from firmware.core.units import TURN
from firmware.shims.typed import Any

_BEAMS = 3
_STRIDES = 8  # from beam to beam
_FIRST_UTURN_S = 1_300_000
_DROP_UTURN_S = 520_000
_LEARNED_EACH = 10  # coups
_DAY_US = 86_400_000_000  # of uptime: nothing is near 0


class Balls:
    """Throws them. Integers only, so that they are the same everywhere."""

    def __init__(self, seed: int) -> None:
        """The same seed gives the same balls."""
        self._state = seed

    def around(self, middle: int, ppm: int) -> int:
        """A number near another; `ppm`: about one standard deviation of itself."""
        found = -4_000_000  # four even numbers together are nearly normal: sd 1.15 million
        for _ in range(4):
            self._state = (self._state * 1_103_515_245 + 12_345) % 2_147_483_648
            found += self._state // 1_074 % 2_000_001
        return middle + middle * ppm // 1_154 * found // 1_000_000_000

    def throw(self, direction: int, since_us: int) -> "list[Any]":
        """The crossings of one ball till it leaves the track."""
        speed = _FIRST_UTURN_S
        leaves = self.around(_DROP_UTURN_S, 10_000)
        scale = self.around(1_000_000, 30_000)
        share = TURN // (_BEAMS * _STRIDES)
        at_us = since_us
        found: list[Any] = []
        while speed > leaves:
            number = len(found)
            stamp = self.around(at_us - since_us + 1_000_000, 20) - 1_000_000
            beam = direction * number % _BEAMS
            found.append(Crossing(since_us + stamp, beam, number * TURN // _BEAMS))
            for _ in range(_STRIDES):
                took_us = share * TURN // speed
                # The track has a knee (PHYSICS.md): above .75 turn/s it slows the ball harder.
                slowing = 50_000 + max(speed - 750_000, 0) // 4
                slowing = self.around(slowing * scale // 1_000_000, 50_000)
                speed -= slowing * took_us // 1_000_000
                at_us += took_us
        return found


def call(call_predictor: Any, crossings: "list[Any]", direction: int) -> Any:
    """When it calls that ball, from which it learns then."""
    call_predictor.forget_coup()
    called: Any = None
    due: Any = None
    for last in range(_BEAMS, len(crossings)):
        at_us = crossings[last].at_us
        if called is None and due is not None and due <= at_us:
            called = due
            call_predictor.called()
        due = call_predictor.crossed(crossings[max(last + 1 - KEPT, 0) : last + 1], direction)
        if called is None and due is not None and due <= at_us:
            called = at_us
            call_predictor.called()
    last, before = crossings[-1], crossings[-2]
    for _ in call_predictor.left(last.at_us + (last.at_us - before.at_us) * 11 // 10):
        pass
    return due if called is None else called


def main(coups: int) -> None:
    """Prints that many calls."""
    call_predictor = CallPredictor(boards.load("roulette_ref")["geometry"], None, call_us=0)
    balls = Balls(7)
    since_us = _DAY_US
    for coup in range(1, coups + 1):
        direction = CCW if coup % 2 else CW
        crossings = balls.throw(direction, since_us)
        print("call", coup, call(call_predictor, crossings, direction))
        told = call_predictor.explain_drop(crossings[-1].beam, direction)
        print("drop", coup, *[word for pair in told for word in pair])
        if coup % _LEARNED_EACH == 0:
            print("learned", *call_predictor.plain())
        since_us = crossings[-1].at_us + 40_000_000


if __name__ == "__main__":
    main(int(sys.argv[1]))
