"""The table's rotor as a thing sees it that the table knows nothing of."""

from __future__ import annotations

from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks


class Shadow:
    """Follows a rotor from look to look, and takes it for steady between them.

    The controller asks every 10 or 20 ms: a rotor that gains .4 turn/s^2 is then off by 2e-5 turn,
    a thousandth of a pocket. Has the face of tools.sim.rotor.Rotor that a ball needs.
    """

    def __init__(self, rotor: Rotor, t: float) -> None:
        self._rotor = rotor
        self._from = self.t_end = t
        self._turn = rotor.turn_at(t)
        self._speed = rotor.speed_at(t)

    @property
    def at_rest(self) -> bool:
        """As of Rotor."""
        return self._rotor.at_rest

    @property
    def heading(self) -> int:
        """As of Rotor."""
        return self._rotor.heading

    def follow(self, t: float) -> None:
        """Looks at the rotor at t, to where it has been moved."""
        was = self._turn + self._speed * (self.t_end - self._from)
        self._from, self.t_end = self.t_end, t
        way = (self._rotor.turn_at(t) - was + 0.5) % 1.0 - 0.5
        self._turn = was
        self._speed = way / (t - self._from) if t > self._from else 0.0

    def turn_at(self, t: float) -> float:
        """The angle at t, between the last two looks."""
        return self._turn + self._speed * (t - self._from)

    def speed_at(self, t: float) -> float:
        """The speed between the last two looks."""
        return self._speed

    def use(self, t: float, marks: Marks) -> None:
        """A ball lies on it now: Rider shows what the sensors see of that."""


class Rider:
    """Something that lies on the rotor, as the ring sensors see it pass."""

    def __init__(self, layout: Layout, shadow: Shadow, *, psi: float, size_m: float) -> None:
        """`psi`: its angle from the rotor's zero, ccw, turns; `size_m`: how wide it is."""
        self._shadow = shadow
        self._psi = psi
        half = layout.ring_half_turn * size_m / layout.ball_m
        self._bounds = [
            ((pos + side * half) % 1.0, line, side) for pos, line in layout.ring for side in (-1, 1)
        ]
        self._ring, self._half = layout.ring, half

    def now(self, t: float) -> list[Crossing]:
        """What sees it where it lies at t."""
        turn = self._shadow.turn_at(t) + self._psi
        return [
            (t, line, 1)
            for pos, line in self._ring
            if abs((turn - pos + 0.5) % 1.0 - 0.5) < self._half
        ]

    def since(self, t: float) -> list[Crossing]:
        """What it passed between t and the shadow's last look."""
        until, speed = self._shadow.t_end, self._shadow.speed_at(t)
        way = speed * (until - t)
        passed = []
        for bound, line, side in self._bounds:
            before = (self._shadow.turn_at(t) + self._psi - bound + 0.5) % 1.0 - 0.5
            if (before < 0.0) != (before + way < 0.0):
                enters = (speed > 0) == (side < 0)
                passed.append((t - before / speed, line, int(enters)))
        return passed
