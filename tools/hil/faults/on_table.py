"""Faults that are made at the simulated table itself, not between it and the controller."""

from __future__ import annotations

from typing import cast

from tools.hil.faults.world_fault import WorldFault
from tools.sim.mishaps import Mishaps
from tools.sim.sensors import Edge
from tools.sim.truth import CoupTruth
from tools.sim.turning import TurningTable


class OnTurning(WorldFault):
    """A fault of a table with a rotor."""

    @property
    def turning(self) -> TurningTable:
        """The table: entries that come here are for apparatus that turn."""
        assert isinstance(self.world.table, TurningTable)
        return self.world.table


class OnTable(WorldFault):
    """A fault of the coup in which it begins; the croupier has put it right as that is over."""

    def begin(self, at_us: int) -> list[Edge]:
        """It happens, or will as soon as it can."""
        self.truth = self.world.truths[-1]
        self._happened = self.happen(cast(Mishaps, self.world.table))
        return []

    def happen(self, table: Mishaps) -> bool:
        """What happens. False: it cannot yet."""
        raise NotImplementedError

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """As the table has them."""
        self._happened = self._happened or self.happen(cast(Mishaps, self.world.table))
        self.over = lifted(self.truth, until_us)
        return found

    def end(self, at_us: int) -> list[Edge]:
        """It is put right."""
        self.mend(cast(Mishaps, self.world.table))
        return []

    def mend(self, table: Mishaps) -> None:
        """What makes it right again."""


def lifted(truth: CoupTruth, at_us: int) -> bool:
    """Whether the ball of that coup has been taken by then."""
    return truth.t_lift_us is not None and truth.t_lift_us <= at_us
