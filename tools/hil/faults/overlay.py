"""Things that stand before the sensors besides what the table has there: either darkens a line."""

from __future__ import annotations

from collections.abc import Iterable

from tools.hil.faults.world_fault import WorldFault
from tools.sim.sensors import Edge


class Overlay(WorldFault):
    """Edges of its own, laid over those of the table."""

    def begin(self, at_us: int) -> list[Edge]:
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

    def end(self, at_us: int) -> list[Edge]:
        """Its own are gone."""
        below, mine = self._below, self._mine
        return [(at_us, line, 0) for line, own in enumerate(mine) if own and not below[line]]
