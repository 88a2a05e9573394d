"""What the faults of single inputs share: edges that are late, lost or of their own making."""

from __future__ import annotations

from bisect import insort
from random import Random
from typing import TYPE_CHECKING, Any

from firmware.core.facts import DOUBT
from tools.hil.faults.world_fault import WorldFault
from tools.sim.sensors import Edge

if TYPE_CHECKING:
    from tools.hil.world import World


class InputFault(WorldFault):
    """Spoils the lines `lines`. What becomes of each of their edges is `change`'s to say."""

    of_sensor = True

    def __init__(self, world: World, parameters: dict[str, Any], rng: Random) -> None:
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

    def end(self, at_us: int) -> list[Edge]:
        """All its lines as their sensors have them."""
        levels = self.world.before_sensors()
        return [(at_us, line, levels[line]) for line in self.lines]
