"""Faults of the rotor: what drives it, what holds it back, who pushes it."""

from __future__ import annotations

from tools.hil.faults.on_table import OnTurning
from tools.sim.sensors import Edge

_FULL_PERMILLE = 1000


class Held(OnTurning):
    """Something holds the rotor back, by `hold_turn_s2`; once let go it turns as it is driven."""

    def begin(self, at_us: int) -> list[Edge]:
        """It takes hold."""
        hold = float(self.parameters["hold_turn_s2"])
        self.turning.disturb(lambda t, _: self.turning.rotor.grip(t, hold))
        return []

    def end(self, at_us: int) -> list[Edge]:
        """It lets go."""
        self.turning.disturb(lambda t, _: self.turning.rotor.grip(t, 0.0))
        return []


class Runaway(OnTurning):
    """The bridge drives fully one way, whatever it is told."""

    def begin(self, at_us: int) -> list[Edge]:
        """The way that the rotor turns already, or either."""
        self._way = self.turning.rotor.heading or self.rng.choice((1, -1))
        return []

    def drive(self, permille: int, now_us: int) -> int:
        """All it has."""
        return self._way * _FULL_PERMILLE


class Reversed(OnTurning):
    """The bridge's direction is wired the wrong way round."""

    def drive(self, permille: int, now_us: int) -> int:
        """The other way."""
        return -permille


class OneWay(OnTurning):
    """The bridge's direction stays as it is."""

    def begin(self, at_us: int) -> list[Edge]:
        """As it turns now, or turned last. It is idle until it is told the other way."""
        self.idle = True
        self._way = self.turning.rotor.heading or self.rng.choice((1, -1))
        return []

    def drive(self, permille: int, now_us: int) -> int:
        """As much as it is told, one way."""
        return self._way * abs(permille)


class Dead(OnTurning):
    """The power stage gives nothing."""

    def drive(self, permille: int, now_us: int) -> int:
        """Nothing."""
        return 0


class SameWay(OnTurning):
    """The croupier pushes the rotor the way that he pushed it last."""

    def begin(self, at_us: int) -> list[Edge]:
        """From now on."""
        self.turning.croupier.repeats_way = True
        return []

    def end(self, at_us: int) -> list[Edge]:
        """Opposite to the last again."""
        self.turning.croupier.repeats_way = False
        return []
