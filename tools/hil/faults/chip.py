"""Chips and coins where only the ball should be."""

from __future__ import annotations

from tools.hil.faults.second_ball import Lies, OfThisCoup
from tools.sim.sensors import Edge


class OnRotor(Lies):
    """Something `size_mm` wide lies in the ring and turns with the rotor."""

    spoils = False  # the ball's own number is still the right one

    def size_m(self) -> float:
        """As wide as it is said to be."""
        return float(self.parameters["size_mm"]) / 1000


class Before(OfThisCoup):
    """Something lies in front of the sensor `line`."""

    def begin(self, at_us: int) -> list[Edge]:
        """From now on, till the croupier takes it with the ball."""
        edges = super().begin(at_us)
        self.put([(at_us, self.world.line[self.parameters["line"]], 1)])
        return edges


class Passing(OfThisCoup):
    """Something falls or rolls past the sensor `line`, and is dark there for `pulse_ms`."""

    def begin(self, at_us: int) -> list[Edge]:
        """Once."""
        edges = super().begin(at_us)
        line = self.world.line[self.parameters["line"]]
        self.put([(at_us, line, 1), (at_us + int(self.parameters["pulse_ms"] * 1000), line, 0)])
        return edges
