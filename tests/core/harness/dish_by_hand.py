"""A boule dish by hand: what a test says happens, as edges; and what the core made of it.

Small on purpose: one throw that slows as rubber does, pulses of cups where a test puts them.
"""

from __future__ import annotations

import math
import random
from typing import Any

from firmware.core import facts
from firmware.core.controller import Controller
from harness.places import RIM_BALL
from harness.playing import boule
from harness.watched import ENDS, Watched

SLOWS = 0.17  # e-fold a second: 1.6 turns a second come down to 0.5 in 6.8 s
REST_S = 9.0
SETTLES_S = 2.0  # PHYSICS.md: at least


class Dish:
    """Collects the edges of one session. Times are seconds of it."""

    def __init__(self, cups: int = 18) -> None:
        self.apparatus = boule(cups)
        self.lines = [name for name, _ in self.apparatus.board["inputs"]]
        self.cups = cups
        self.found: list[tuple[float, int, int]] = []
        self.levels = [0] * len(self.lines)

    def line(self, name: str, at_s: float, level: int) -> None:
        """One edge; level -1 is a doubt."""
        self.found.append((at_s, self.lines.index(name), level))

    def pulse(self, name: str, at_s: float, lasts_s: float) -> None:
        """A line is 1 for so long."""
        self.line(name, at_s, 1)
        self.line(name, at_s + lasts_s, 0)

    def press(self, at_s: float, button: str = "btn_start") -> None:
        """A croupier's finger."""
        self.pulse(button, at_s, 0.2)

    def cup(self, cup: int, at_s: float, lasts_s: float) -> None:
        """Something covers a cup's sensor for so long."""
        self.pulse(f"cup{cup:02d}", at_s, lasts_s)

    def throw(
        self,
        at_s: float,
        *,
        way: int = 1,
        turns: float = 6.4,
        from_turn: float = 0.1,
        missed: float = 0.0,
        seed: int = 0,
    ) -> float:
        """The ball runs over the beams; returns when it leaves the track, just past one."""
        r = random.Random(seed)
        speed = 1.6
        beam = 0
        while True:
            # Beams lie at thirds of a turn; ccw meets them ascending, cw descending.
            travel = (beam - from_turn * 3 % 1 + 1) / 3
            if travel > turns:
                break
            after_s = -math.log(1 - travel * SLOWS / speed) / SLOWS
            width_s = RIM_BALL / (speed * math.exp(-SLOWS * after_s))
            place = round((from_turn + travel) * 3) * way % 3
            if r.random() >= missed:
                self.pulse(f"rim{place}", at_s + after_s - width_s / 2, width_s)
            beam += 1
        return at_s - math.log(1 - turns * SLOWS / speed) / SLOWS

    def hops(self, at_s: float, hops: Any) -> float:
        """(cup, lasts_s, gap_s) in turn; returns when that is over and the ball has settled."""
        settled_s = at_s + SETTLES_S
        for cup, lasts_s, gap_s in hops:
            self.cup(cup, at_s, lasts_s)
            at_s += lasts_s + gap_s
        return max(at_s, settled_s)

    def coup(self, at_s: float, cup: int, *, hops: Any = ((3, 0.06, 0.1),), **throw: Any) -> float:
        """A whole clean coup from the press on; returns when the ball has been lifted."""
        self.press(at_s)
        rest_s = self.hops(self.throw(at_s + 2.5, **throw) + 0.05, hops)
        self.cup(cup, rest_s, REST_S)
        return rest_s + REST_S

    def edges(self) -> list[tuple[int, int, int]]:
        """In order of time; a level that a line has already is no edge."""
        levels = list(self.levels)
        edges = []
        for at_s, line, level in sorted(self.found):
            if level < 0 or levels[line] != level:
                edges.append((round(at_s * 1e6), line, level))
                levels[line] = level if level >= 0 else levels[line]
        return edges

    def controller(self, **options: Any) -> Controller:
        """A new core for this dish."""
        return self.apparatus.controller(**options)

    def watch(self, until_s: float | None = None, **options: Any) -> Watched:
        """The core after all that happened, or after what happened by then."""
        watched = Watched(self.controller(**options))
        watched.start(self.levels)
        for edge in self.edges():
            if until_s is None or edge[0] <= until_s * 1e6:
                watched.edge(*edge)
        if until_s is not None:
            watched.until(round(until_s * 1e6))
        return watched

    def play(self, **options: Any) -> list[Any]:
        """Every fact of the session, with twenty quiet seconds at its end."""
        last_s = max(at_s for at_s, _, _ in self.found)
        watched = self.watch(last_s + 20, **options)
        watched.end()
        return watched.facts


def decided(told: list[Any]) -> list[Any]:
    """The compartment of each result, the reason of each void, in order."""
    return [
        fact.compartment if isinstance(fact, facts.Result) else fact.reason
        for fact in told
        if isinstance(fact, ENDS)
    ]


def times_s(told: list[Any], kind: Any) -> list[float]:
    """When facts of that kind were told."""
    return [fact.at_us / 1e6 for fact in told if isinstance(fact, kind)]
