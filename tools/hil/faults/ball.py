"""Faults of the one ball: how it is thrown, where it stays, who takes it. Two: second_ball.py."""

from __future__ import annotations

from typing import Any, cast

from tools.hil.faults.on_table import OnTable, OnTurning
from tools.hil.faults.world_fault import WorldFault
from tools.sim.mishaps import Mishaps
from tools.sim.plate_parameters import PlateParameters
from tools.sim.sensors import Edge


class Kept(WorldFault):
    """No ball is thrown while this lasts; at vingt-trois the plate does not fling it."""

    def begin(self, at_us: int) -> list[Edge]:
        """The croupier waits."""
        cast(Mishaps, self.world.table).keep_ball(True)
        return []

    def end(self, at_us: int) -> list[Edge]:
        """He throws it, if the coup waits for it still."""
        cast(Mishaps, self.world.table).keep_ball(False)
        return []


class Short(OnTable):
    """The throw is so weak that it leaves the track after a few turns."""

    def happen(self, table: Mishaps) -> bool:
        """It leaves the rim of a plate after `rim_s`; else it is little faster than it leaves the
        track at, `percent` of that."""
        p = table.parameters
        if isinstance(p, PlateParameters):
            weak = self.parameters["rim_s"]
            self._usual: dict[str, Any] = {"rim_s_range": p.rim_s_range}
        else:
            weak = p.exit_speed_rad_s * self.parameters["percent"] / 100
            self._usual = {"launch_speed_rad_s_range": p.launch_speed_rad_s_range}
        table.use(p.changed(**dict.fromkeys(self._usual, (weak, weak))))
        return True

    def mend(self, table: Mishaps) -> None:
        """As before."""
        table.use(table.parameters.changed(**self._usual))


class Along(OnTable, OnTurning):
    """The ball is thrown the way that the rotor turns."""

    def happen(self, table: Mishaps) -> bool:
        """In this coup."""
        self.turning.croupier.throws_along = True
        return True

    def mend(self, table: Mishaps) -> None:
        """Against it again."""
        self.turning.croupier.throws_along = False


class Stuck(OnTable):
    """The ball stays on the track."""

    def happen(self, table: Mishaps) -> bool:
        """Where it is."""
        return table.stick_ball()


class Out(OnTable):
    """The ball leaps out of the wheel."""

    def happen(self, table: Mishaps) -> bool:
        """Before it rests."""
        return table.lose_ball()


class Moved(OnTable):
    """The ball at rest is thrown into another compartment, `places` on."""

    def happen(self, table: Mishaps) -> bool:
        """From rest to rest: the frets are low."""
        table.move_ball(int(self.parameters["places"]))
        return True


class Taken(OnTable):
    """The croupier takes the ball too early."""

    def happen(self, table: Mishaps) -> bool:
        """Wherever it is."""
        table.take_ball()
        return True


class Knocked(OnTable):
    """Something shakes the ball off the track before its time."""

    def happen(self, table: Mishaps) -> bool:
        """It drops."""
        table.knock_ball()
        return True
