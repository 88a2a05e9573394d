"""Coups made of whole numbers, judged by firmware.core.health.watch. On any Python.

    watch.py COUPS HOLD

HOLD: list, or single for arrays of single precision. Prints `notice COUP KIND PLACE STREAM` and
`ended COUP ACT STREAM ...` as they come; now and then `digest COUP NUMBERS DIGEST`: how many
numbers the watch's state has, and a number made of all their bits; in the end `total STREAM
EVIDENCE BITS` for each stream. The coups are the same on every interpreter.
"""

import struct
import sys
from array import array

from firmware.core.health.facts import FRETS, NEW_BALL, RING_SENSOR, Coup, Wheel
from firmware.core.health.watch import HealthWatch
from firmware.shims.typed import Any

_WHEEL = Wheel(37, (0.0, 110.0, 240.0), 3, 150_000, True)
_ACTS = {100: RING_SENSOR, 240: NEW_BALL, 280: FRETS}  # after which coup
_DIGEST_EACH = 50  # coups


class Coups:
    """Draws them. Integers only, so that they are the same everywhere."""

    def __init__(self, seed: int) -> None:
        """The same seed gives the same coups."""
        self._state = seed

    def below(self, end: int) -> int:
        """Returns a whole number from 0 to end - 1."""
        self._state = (self._state * 1_103_515_245 + 12_345) % 2_147_483_648
        return (self._state >> 8) * end >> 23

    def coup(self, number: int) -> Any:
        """Returns the n-th coup of a wheel at which much is wrong by and by."""
        place = self.below(37)
        if self.below(3) == 0:
            place = 17  # a pocket that is favoured
        gap = self.below(3)
        if self.below(3) == 0:
            gap = 0  # a ball that leans to one gap
        chances = (300_000 + self.below(50_000), 300_000, 350_000 + self.below(50_000))
        settled = 2_500 + self.below(1_000) - (900 if place == 8 else 0)
        return Coup(
            place,
            1 if number % 2 else -1,
            250_000 + self.below(200_000) if self.below(20) else None,
            gap,
            chances if self.below(30) else None,
            self.below(37),
            self.below(9_000) + (5_000 if number > 140 else 0),  # another ball, untold
            settled,
            5 if self.below(12) == 0 else 7,  # a sensor that misses
            1 + number // 20 % 2,
            1 if number <= 240 else 2,
            2_000 + self.below(300),
            None if number % 3 else 400 + self.below(30),
            self.below(1 << 23) << 9,
        )


def digest(state: "list[float]") -> int:
    """Returns a number made of all bits of a state."""
    found = 0
    for value in state:
        for byte in struct.pack("<d", value):
            found = (found * 31 + byte) % 2_147_483_647
    return found


def main(count: int, hold: str) -> None:
    """Prints what so many coups tell."""
    coups = Coups(7)
    singles = hold == "single"
    watch = HealthWatch(_WHEEL, hold=(lambda row: array("f", row)) if singles else list)
    for number in range(1, count + 1):
        watch.add(coups.coup(number))
        for notice in watch.take_notices():
            print("notice", number, notice.kind, notice.place, notice.stream)
        if number in _ACTS:
            print("ended", number, _ACTS[number], *[e.stream for e in watch.act(_ACTS[number])])
        if number % _DIGEST_EACH == 0:
            state = watch.save()
            print("digest", number, len(state), digest(state))
    for stream in watch.streams:
        bits = "".join([f"{byte:02x}" for byte in struct.pack(">d", stream.judge.total)])
        print("total", stream.name, f"{stream.judge.total:.6e}", bits)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
