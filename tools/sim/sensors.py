"""What the wheel's sensors see: geometry from the board's data, stamps with latency and jitter.

Positions are in turns, counter-clockwise positive, as in contracts/trace.md divided by 360. All
sensors are active high.
"""

from bisect import bisect_right
from math import inf, tau
from random import Random
from typing import Any

# What passed a sensor: when (s), which line of board["inputs"], and the level from then on.
Crossing = tuple[float, int, int]
# What the sensor reports: when (us), which line, which level.
Edge = tuple[int, int, int]

_JITTERS = 4096  # drawn beforehand, taken in turn by every line from a place of its own
_STRIDE = 631  # between the places of two lines; prime, so that they never march together for long


class Marks:
    """Places on a circle where a line changes its level, and the gaps between them.

    `level[i]` is the line's level after mark i was passed counter-clockwise; clockwise it is the
    other. `gap[i]` leads from mark i to the next one counter-clockwise.
    """

    __slots__ = ("gap", "level", "line", "more", "pos")

    def __init__(
        self, marks: list[tuple[float, int, int]], more: list[tuple[float, int, int]] | None = None
    ) -> None:
        self.more = sorted(pos % 1.0 for pos, _, _ in more or ())  # those that were joined
        marks = sorted((pos % 1.0, line, level) for pos, line, level in marks)
        self.pos = [mark[0] for mark in marks]
        self.line = [mark[1] for mark in marks]
        self.level = [mark[2] for mark in marks]
        ends = [*self.pos[1:], self.pos[0] + 1.0]
        self.gap = [end - pos for pos, end in zip(self.pos, ends, strict=True)]

    def locate(self, turn: float) -> tuple[int, float]:
        """The last mark at or before `turn` going counter-clockwise, and the way from there."""
        turn %= 1.0
        index = bisect_right(self.pos, turn) - 1
        if index < 0:
            return len(self.pos) - 1, turn + 1.0 - self.pos[-1]
        return index, turn - self.pos[index]

    def level_at(self, turn: float, line: int) -> int:
        """The level of `line` with the circle at `turn`. Raises ValueError if it has no mark."""
        index = self.locate(turn)[0]
        for back in range(len(self.pos)):
            if self.line[index - back] == line:
                return self.level[index - back]
        raise ValueError(f"line {line} has no mark")

    def joined(self, marks: list[tuple[float, int, int]]) -> "Marks":
        """These and more."""
        return Marks([*zip(self.pos, self.line, self.level, strict=True), *marks], marks)


class Rim:
    """Which lines the board has and where the beams of its track look: all that a dish has."""

    def __init__(self, board: dict[str, Any]) -> None:
        geometry = board["geometry"]
        self.names = [entry[0] for entry in board["inputs"]]
        self.line = {name: index for index, name in enumerate(self.names)}
        self.ball_m = geometry["ball_mm"] / 1000
        self.track_radius_m = geometry["track_radius_mm"] / 1000
        self.ring_radius_m = geometry["ring_radius_mm"] / 1000
        # A beam is dark from half a ball before its place to half a ball past it.
        self.rim_half_turn = self.ball_m / 2 / self.track_radius_m / tau
        self.rim = self._looking("rim", geometry["rim_deg"])

    def _looking(self, name: str, degrees: Any) -> list[tuple[float, int]]:
        return [(deg / 360, self.line[f"{name}{at}"]) for at, deg in enumerate(degrees)]

    def beams(self, start_turn: float, direction: int) -> list[tuple[float, int, int]]:
        """The beams ahead of a ball on the track, within one turn: (distance, line, level)."""
        half = self.rim_half_turn
        ahead = []
        for pos, line in self.rim:
            way = direction * (pos - start_turn)
            ahead += [((way - half) % 1.0, line, 1), ((way + half) % 1.0, line, 0)]
        return sorted(ahead)


class Layout(Rim):
    """The same of a table with a rotor, and where ring sensors and encoder look."""

    def __init__(self, board: dict[str, Any], pockets: int) -> None:
        super().__init__(board)
        geometry = board["geometry"]
        self.pockets = pockets
        self.ring_half_turn = self.ball_m / 2 / self.ring_radius_m / tau
        self.ring = self._looking("pocket", geometry["pocket_deg"])
        self.ring_lines = [line for _, line in self.ring]
        self._cycles = geometry["encoder_cycles"]
        self._index_half_turn = geometry["index_half_width_mdeg"] / 360_000

    def rotor_marks(self) -> Marks:
        """Encoder and zero mark, over the rotor's angle phi.

        A is high while sin(36 phi) >= 0 and B a quarter cycle later, so A leads B going ccw.
        """
        marks = []
        for cycle in range(self._cycles):
            for quarter, name, level in ((0, "a", 1), (1, "b", 1), (2, "a", 0), (3, "b", 0)):
                pos = (cycle + quarter / 4) / self._cycles
                marks.append((pos, self.line[f"enc_{name}"], level))
        half = self._index_half_turn
        return Marks([*marks, (-half, self.line["enc_z"], 1), (half, self.line["enc_z"], 0)])

    def resting_marks(self, psi_turn: float) -> list[tuple[float, int, int]]:
        """A ball that lies still `psi_turn` ccw of the rotor's zero, over the rotor's angle."""
        half = self.ring_half_turn
        marks = []
        for pos, line in self.ring:
            marks += [(pos - psi_turn - half, line, 1), (pos - psi_turn + half, line, 0)]
        return marks

    def ring_marks(self) -> Marks:
        """The ring sensors, over the stator angle of a ball in the ring."""
        return Marks(self.resting_marks(0.0))


class Stamper:
    """Turns what passed the sensors into stamped edges, each line's in order.

    A stamp is late by a latency and its jitter, never early: an edge is known only afterwards.
    """

    __slots__ = ("_count", "_delay_us", "_last_us", "_waiting", "levels", "next_s")

    def __init__(self, *, lines: int, latency_us: float, jitter_us: float, rng: Random) -> None:
        self.levels = [0] * lines
        self._count = [line * _STRIDE for line in range(lines)]
        self._delay_us = [
            max(1.0, rng.gauss(latency_us, jitter_us)) if jitter_us else latency_us
            for _ in range(_JITTERS)
        ]
        self._last_us = [0] * lines
        self._waiting: list[Edge] = []
        self.next_s = inf  # when the first waiting edge is due

    def stamp(self, crossings: list[Crossing], until_us: int) -> list[Edge]:
        """The edges due by `until_us`, by time; later ones wait for the next call.

        A crossing that does not change its line's level is no edge.
        """
        edges = self._waiting
        levels, count, last, delays = self.levels, self._count, self._last_us, self._delay_us
        for at_s, line, level in crossings:
            if levels[line] == level:
                continue
            levels[line] = level
            step = count[line] = (count[line] + 1) % _JITTERS
            at_us = int(at_s * 1e6 + delays[step])
            if at_us <= last[line]:
                at_us = last[line] + 1
            last[line] = at_us
            edges.append((at_us, line, level))
        if len(edges) > 1:
            edges.sort()
        if not edges or edges[-1][0] <= until_us:
            self._waiting = []
            self.next_s = inf
            return edges
        due = bisect_right(edges, (until_us, len(levels), 0))
        self._waiting = edges[due:]
        self.next_s = edges[due][0] * 1e-6
        return edges[:due]
