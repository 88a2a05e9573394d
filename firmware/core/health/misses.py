"""Does a ring sensor miss more numbers than one in a hundred? No reference is needed.

The factor of a number: p / limit where the sensor was silent, (1 - p) / (1 - limit) where it was
not; its mean is 1 or less while the sensor misses no more than the limit.
"""

from firmware.core.health.bank import SUM_MAX, add_up
from firmware.core.health.facts import SENSOR
from firmware.shims.typed import Iterator

LIMIT = 0.01
_CHANCES = (0.02, 0.05, 0.2)


class Misses:
    """The sums of the alternatives that one sensor misses more than it may."""

    def __init__(self, sensor: int) -> None:
        """Begins without evidence."""
        self._sensor = sensor
        self.start_over(0.0)

    def start_over(self, grant: float) -> None:
        """Forgets all evidence, and begins each alternative with its part of `grant`."""
        self.numbers = 0
        self.missed = 0
        self._take([grant / len(_CHANCES)] * len(_CHANCES))

    def add(self, missed: bool, spent: float) -> None:
        """Takes whether it was silent at a number. Before its first number nothing counts."""
        if missed and self.numbers == 0:
            return
        new = spent / len(_CHANCES)
        sums = []
        for at, chance in enumerate(_CHANCES):
            by = chance / LIMIT if missed else (1.0 - chance) / (1.0 - LIMIT)
            sums.append(min((self._sums[at] + new) * by, SUM_MAX))
        self._take(sums)
        self.numbers += 1
        self.missed += int(missed)

    def _take(self, sums: list[float]) -> None:
        self._sums = sums
        self.total = add_up(sums)

    def strongest(self) -> tuple[str, int, float]:
        """Returns the sensor."""
        return SENSOR, self._sensor, self.total

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        into += self._sums
        into += [float(self.numbers), float(self.missed)]

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._take([next(state) for _ in _CHANCES])
        self.numbers = int(next(state))
        self.missed = int(next(state))
