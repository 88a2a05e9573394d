"""What a fault of the wheel, its sensors or its people is to the world that it happens in.

A fault changes edges on their way to the controller (`InputFault`), lays edges of its own over them
(`Overlay`), or is made at the simulated table itself (`OnTable`, `OnTurning`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from random import Random
from typing import Any, Protocol, cast

from firmware.core.facts import DOUBT
from tools.sim.sensors import Edge
from tools.sim.table import Mishaps, Table
from tools.sim.truth import CoupTruth
from tools.sim.turning_table import TurningTable


class FaultyWorld(Protocol):
    """The world as its faults can get at it (tools/hil/world.py)."""

    table: Table
    line: dict[str, int]  # of every input, by name
    levels: list[int]  # as the table has them
    shown: list[int]  # as the controller was told
    tilt_mdeg: tuple[int, int]  # what a level sensor reads

    @property
    def truths(self) -> list[CoupTruth]:
        """What really happened, coup by coup."""
        ...

    def before_sensors(self) -> list[int]:
        """The level of every line as its sensor has it: the table's, and what stands before it."""
        ...

    def set_safety(self, name: str, level: int) -> None:
        """The safety input of that name, if the board has it, stands at `level` from now on."""
        ...


class WorldFault:
    """One fault at work. It changes nothing by itself; the makers override what they spoil.

    `begin_fault` and `end_fault` are called once each, at the time they happen; while it lasts,
    `drive` sees every duty on its way to the motor, and `edges` every edge on its way to the
    controller.
    Chance comes from `rng` alone.
    """

    of_sensor = False  # it spoils what a sensor says, not what is before it

    def __init__(self, world: FaultyWorld, parameters: dict[str, Any], rng: Random) -> None:
        self.world = world
        self.parameters = parameters
        self.rng = rng
        self.over = False  # it has ended by itself: the croupier put it right
        self.idle = False  # its whole work is to change edges or a drive, and it has changed none

    def cover(self, levels: list[int]) -> None:
        """Darkens, of the lines' levels, what it stands before."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """It begins. The edges that this makes by itself, at `at_us` or later."""
        return []

    def end_fault(self, at_us: int) -> list[Edge]:
        """It is over. The edges that bring the lines back to what the table says."""
        return []

    def drive(self, permille: int, now_us: int) -> int:
        """What of the motor's duty reaches the rotor."""
        return permille

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """What of the table's edges, up to `until_us`, the controller sees; and what it sees
        besides. In order of time, none later than `until_us`."""
        return found


class InputFault(WorldFault):
    """Spoils the lines `lines`. What becomes of each of their edges is `change`'s to say."""

    of_sensor = True

    def __init__(self, world: FaultyWorld, parameters: dict[str, Any], rng: Random) -> None:
        super().__init__(world, parameters, rng)
        self.lines = tuple(world.line[name] for name in self.names())
        self._waiting: list[Edge] = []
        self.idle = True

    def names(self) -> tuple[str, ...]:
        """The names of the lines that it spoils: `line`, unless the maker knows better."""
        return (self.parameters["line"],)

    def change(self, at_us: int, line: int, level: int) -> None:
        """An edge of one of its lines. What is seen of it goes out with `put`."""
        raise NotImplementedError

    def fill(self, until_us: int) -> None:
        """Puts what it makes by itself up to then."""

    def put(self, at_us: int, line: int, level: int) -> None:
        """An edge that the controller sees at `at_us`, which may be later than now."""
        insort(self._waiting, (at_us, line, level))

    def take_back(self, line: int) -> None:
        """Forgets what was put of that line and has not been seen yet."""
        self._waiting = [edge for edge in self._waiting if edge[1] != line]

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """Other lines as they are, its own as the maker says."""
        seen = []
        for edge in found:
            if edge[1] in self.lines and edge[2] != DOUBT:  # that is no level
                self.change(*edge)
            else:
                seen.append(edge)
        self.fill(until_us)
        due = [edge for edge in self._waiting if edge[0] <= until_us]
        if not due:
            return seen
        del self._waiting[: len(due)]
        return sorted(seen + due)

    def end_fault(self, at_us: int) -> list[Edge]:
        """All its lines as their sensors have them."""
        levels = self.world.before_sensors()
        return [(at_us, line, levels[line]) for line in self.lines]


class Overlay(WorldFault):
    """Edges of its own, laid over those of the table."""

    def begin_fault(self, at_us: int) -> list[Edge]:
        """Nothing of its own yet."""
        self._below = self.world.before_sensors()
        self._mine = [0] * len(self._below)
        self._coming: list[Edge] = []
        self.idle = True
        return []

    def cover(self, levels: list[int]) -> None:
        """Where something of its own stands."""
        for line, own in enumerate(self._mine):
            levels[line] |= own

    def put(self, edges: Iterable[Edge]) -> None:
        """These will come, none earlier than now."""
        self._coming = sorted([*self._coming, *edges])

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """Theirs and its own, where together they change a line."""
        coming = self._coming
        due = [edge for edge in coming if edge[0] <= until_us]
        self._coming = coming[len(due) :]
        if not due and not any(self._mine):
            for _, line, level in found:
                self._below[line] = level
            return found
        both = [(edge, self._below) for edge in found] + [(edge, self._mine) for edge in due]
        seen = []
        for (at_us, line, level), side in sorted(both, key=lambda each: each[0]):
            before = self._below[line] | self._mine[line]
            side[line] = level
            if self._below[line] | self._mine[line] != before:
                seen.append((at_us, line, 1 - before))
        return seen

    def end_fault(self, at_us: int) -> list[Edge]:
        """Its own are gone."""
        below, mine = self._below, self._mine
        return [(at_us, line, 0) for line, own in enumerate(mine) if own and not below[line]]


class OnTurning(WorldFault):
    """A fault of a table with a rotor."""

    @property
    def rotor_table(self) -> TurningTable:
        """The table: entries that come here are for apparatus that turn."""
        assert isinstance(self.world.table, TurningTable)
        return self.world.table


class OnTable(WorldFault):
    """A fault of the coup in which it begins; the croupier has put it right as that is over."""

    def begin_fault(self, at_us: int) -> list[Edge]:
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

    def end_fault(self, at_us: int) -> list[Edge]:
        """It is put right."""
        self.mend(cast(Mishaps, self.world.table))
        return []

    def mend(self, table: Mishaps) -> None:
        """What makes it right again."""


def lifted(truth: CoupTruth, at_us: int) -> bool:
    """Whether the ball of that coup has been taken by then."""
    return truth.t_lift_us is not None and truth.t_lift_us <= at_us
