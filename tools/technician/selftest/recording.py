"""What the sensors saw for a while: edges as the controller tells them (docs/service.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Edge = tuple[int, int, int]  # at_us, line, level (-1: a doubt)


class Pulse(NamedTuple):
    """A line at 1, from `rise_us` to `fall_us`."""

    rise_us: int
    fall_us: int

    @property
    def width_us(self) -> int:
        """How long."""
        return self.fall_us - self.rise_us

    @property
    def centre_us(self) -> float:
        """Its middle."""
        return (self.rise_us + self.fall_us) / 2

    def meets(self, other: Pulse) -> bool:
        """Whether both are at 1 at one time."""
        return self.rise_us < other.fall_us and other.rise_us < self.fall_us


class Recording(NamedTuple):
    """Edges in order of time between two moments; `levels` are those before the first."""

    names: Sequence[str]
    levels: Sequence[int]
    edges: Sequence[Edge]
    begin_us: int
    end_us: int
    lost: int = 0  # edges that no longer fitted: then nothing measured here counts

    def has(self, name: str) -> bool:
        """Whether the wheel has that line."""
        return name in self.names

    def called(self, stem: str) -> list[str]:
        """The lines whose names begin so, in order."""
        return [name for name in self.names if name.startswith(stem)]

    def of(self, name: str) -> list[tuple[int, int]]:
        """The edges of one line: (at_us, level)."""
        line = list(self.names).index(name)
        return [(at_us, level) for at_us, each, level in self.edges if each == line]

    def level(self, name: str) -> int:
        """Of a line before the first edge."""
        return self.levels[list(self.names).index(name)]

    def share_at_1(self, name: str) -> float:
        """Of the time, how much a line was at 1."""
        at_us, level, high_us = self.begin_us, self.level(name), 0
        for edge_us, after in [*self.of(name), (self.end_us, 0)]:
            if level == 1:
                high_us += edge_us - at_us
            at_us, level = edge_us, after
        return high_us / max(1, self.end_us - self.begin_us)

    def pulses(self, name: str) -> list[Pulse]:
        """The whole pulses of a line; one that began before, or has not ended, is none."""
        found, rise_us = [], None
        for at_us, level in self.of(name):
            if level == 1:
                rise_us = at_us
            elif rise_us is not None:
                if level == 0:
                    found.append(Pulse(rise_us, at_us))
                rise_us = None
        return found

    def between(self, begin_us: int, end_us: int) -> Recording:
        """The part of it between two moments."""
        levels = list(self.levels)
        edges = []
        for edge in self.edges:
            at_us, line, level = edge
            if at_us < begin_us:
                levels[line] = level
            elif at_us <= end_us:
                edges.append(edge)
        return Recording(self.names, levels, edges, begin_us, end_us, self.lost)


def crossed(pulses: Sequence[Pulse], others: Sequence[Pulse]) -> int:
    """How many of `others` meet one of `pulses`: crosstalk, where one finger made the first."""
    return sum(any(pulse.meets(other) for pulse in pulses) for other in others)
