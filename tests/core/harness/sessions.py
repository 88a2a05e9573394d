"""What the sessions of all three apparatus share: coups on end, the lines they darken, the truth.

Sessions are independent of tools/sim and of firmware: they are written from contracts/trace.md
alone, so that a misreading there is not repeated here. No physics beyond a decelerating ball: what
matters is that every trouble can be had on demand. A seed gives the same edges for ever.

    session = WheelSession(seed)    # or PlateSession(seed), DishSession(seed, cups=18)
    plan = session.plan()           # a clean coup with its own numbers
    plan.lands = 4                  # every attribute is a knob
    session.play(plan)              # adds it at the end; returns its Truth, also in session.truths
    session.levels()                # of every line before the first edge
    session.edges()                 # [(at_us, line, level)]; the last is (stop_us, -1, 0)

Times are seconds inside and whole microseconds outside.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

Span = tuple[float, float]
Edge = tuple[int, int, int]


class Truth(NamedTuple):
    """What really happened in one coup, microseconds. None: it did not, or is not told."""

    opens_us: int  # a coup that starts from now on is this one
    start_us: int  # the first press; the motion or the throw where none came before
    end_us: int
    rests: list[tuple[int, int, int]]  # from, to, compartment: a number decided then is right
    motion_us: int | None = None
    launch_us: int | None = None
    drop_us: int | None = None
    settle_us: int | None = None  # since when it lies in its last compartment
    lift_us: int | None = None
    direction: int = 0  # of the ball in a dish: 1 ccw, -1 cw
    kind: str = ""
    expect: str = "any"  # "result" or "void" where only that is honest
    coups: tuple[int, ...] = (1,)  # how many coups a controller may honestly make of it

    def lies(self, at_us: int) -> int | None:
        """The compartment in which the ball lies still at that time, or None."""
        for since, until, compartment in self.rests:
            if since <= at_us <= until:
                return compartment
        return None


class Session:
    """Coups on end: add plans, then take `levels()`, `edges()` and `truths`."""

    def __init__(self, chance: random.Random, lines: Sequence[str]) -> None:
        self.random = chance
        self.lines = list(lines)
        self.truths: list[Truth] = []
        self.dark: dict[str, list[Span]] = {name: [] for name in self.lines}
        self.cut: dict[str, list[Span]] = {name: [] for name in self.lines}  # reads 0 there

    def plan(self) -> Any:
        """A clean coup with its own numbers."""
        raise NotImplementedError

    def play(self, plan: Any) -> Truth:
        """Adds one coup at the end."""
        raise NotImplementedError

    def edges(self) -> list[Edge]:
        """(at_us, line, level) in order of time, every one a change of its line (but doubts)."""
        raise NotImplementedError

    def levels(self) -> list[int]:
        """The lines' levels before the first edge."""
        return [int(any(since <= 0 for since, _ in self.spans(name))) for name in self.lines]

    def spans(self, name: str, more: Iterable[Span] = ()) -> Iterator[Span]:
        """When a line reads 1: what is dark, and `more`, less what is cut."""
        return _without(_merged([*self.dark[name], *more]), _merged(self.cut[name]))


def us(at: float) -> int:
    """Whole microseconds."""
    return int(at * 1e6)


def _merged(spans: Iterable[Span]) -> list[Span]:
    out: list[Span] = []
    for begin, end in sorted(spans):
        if out and begin <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((begin, end))
    return out


def _without(spans: list[Span], holes: list[Span]) -> Iterator[Span]:
    """The spans less the holes; both merged and in order."""
    for begin, end in spans:
        at = begin
        for hole, over in holes:
            if over <= at or hole >= end:
                continue
            if hole > at:
                yield at, hole
            at = max(at, over)
        if at < end:
            yield at, end
