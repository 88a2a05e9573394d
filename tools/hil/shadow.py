"""A rotor as somebody sees it who looks now and then."""

from __future__ import annotations

from tools.sim.rotor import Rotor
from tools.sim.sensors import Marks


class Shadow(Rotor):
    """Follows a rotor from look to look, and takes it for steady between them.

    The controller asks every 10 or 20 ms: a rotor that gains .4 turn/s^2 is then off by 2e-5 turn,
    a thousandth of a pocket. Of a Rotor it is only what a ball needs.
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
