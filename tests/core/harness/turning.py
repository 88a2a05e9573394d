"""Sessions of an apparatus whose rotor turns: what a wheel and a plate share.

Angles in turns, ccw positive.
"""

from __future__ import annotations

import bisect
import random
from math import pi
from typing import Any

from harness.path import Path
from harness.places import LINES, MARK, RING, RING_BALL
from harness.sessions import Edge, Session, us

LAUNCH_S = 0.25  # of a hop from one compartment to another: in the air


class TurningSession(Session):
    """Coups on end of one rotor."""

    compartments: int

    def __init__(self, chance: random.Random, *, phi: float | None = None, way: int = 0) -> None:
        super().__init__(chance, LINES)
        self.pitch = 1 / self.compartments
        self.rotor = Path(0.0, chance.uniform(-1, 1) if phi is None else phi)
        self.way = way or chance.choice((-1, 1))
        self._first_angle = self.rotor.angle
        self.lost_encoder: list[tuple[str, float, int]] = []  # line, from when, pulses in a row
        self.dead_encoder: list[tuple[str, float, float]] = []
        self.noise_encoder: list[tuple[str, float, float]] = []  # line, when, how long
        self.doubts: list[tuple[float, str]] = []
        self.jitter_us = 0
        self.cut_at_us: int | None = None

    # --- the rotor ------------------------------------------------------------------------------
    def _stirred(self, plan: Any) -> None:
        """A hand rocks the resting rotor."""
        if plan.tremble is None:
            return
        for way in (1, -1, -1, 1):
            self.rotor.go(0.15, 0.0, way * plan.tremble / 0.15)
            self.rotor.go(0.15, way * plan.tremble / 0.15, 0.0)
        self.rotor.go(plan.rest_s, 0.0)

    def _turn(self, plan: Any, *, pauses_from: float, stop: float) -> None:
        """From its motion to its rest, the brake on from `stop`."""
        rotor = self.rotor
        speed = self.way * plan.rpm / 60
        rotor.go(plan.accelerate_s, 0.0, speed)
        if plan.pause is not None:
            at, seconds, back = plan.pause
            self._ripple(speed, pauses_from + at)
            rotor.go(0.5, speed, 0.0)
            if back:
                rotor.go(0.4, 0.0, -self.way * back)
                rotor.go(0.4, -self.way * back, 0.0)
            rotor.go(seconds, 0.0)
            rotor.go(0.6, 0.0, speed)
        self._ripple(speed, max(stop, rotor.end + 0.5))
        rotor.go(plan.brake_s, speed, 0.0)

    def _ripple(self, speed: float, until: float) -> None:
        before = speed
        while self.rotor.end < until - 0.05:
            seconds = min(self.random.uniform(0.4, 1.5), until - self.rotor.end)
            after = speed * self.random.uniform(0.985, 1.015)
            if until - self.rotor.end - seconds <= 0.05:
                after = speed
            self.rotor.go(seconds, before, after)
            before = after

    # --- the ring -------------------------------------------------------------------------------
    def _resting(self, plan: Any, rest: float, settle: float, lift: float) -> list[Edge]:
        """The ball lies where it was to land, and perhaps hops or leaves: from, to, compartment."""
        spans = [(settle, lift, plan.lands, rest)]
        if plan.hop is not None:
            hop_at, away = settle + plan.hop[0], plan.hop[1]
            if hop_at + 0.4 < lift:
                other = (plan.lands + away) % self.compartments
                spans = [
                    (settle, hop_at, plan.lands, rest),
                    (hop_at + LAUNCH_S, lift, other, rest - away * self.pitch),
                ]
        if plan.lost_after is not None:
            gone = self._after_pulses(plan.lost_after, rest, settle, lift)
            spans = [(settle, gone, plan.lands, rest)]
        for since, until, _, offset in spans:
            if until > since:
                self._fixed(offset, RING_BALL, since, until)
        return [(us(a), us(b), k) for a, b, k, _ in spans if b > a]

    def _after_pulses(self, pulses: int, offset: float, since: float, until: float) -> float:
        """When a thing there has passed that many sensors."""
        passed = sorted(
            end
            for place in RING
            for _, end in self.rotor.near(place - offset, RING_BALL, since, until)
            if end < until
        )
        return passed[pulses - 1] + 0.01 if pulses else since

    def _fixed(self, offset: float, width: float, since: float, until: float) -> None:
        """Something lies on the rotor, so wide, so long."""
        for sensor, place in enumerate(RING):
            self.dark[f"pocket{sensor}"] += self.rotor.near(place - offset, width, since, until)

    def _things(self, plan: Any, rest: float, motion: float, lift: float) -> None:
        """What else lies on the rotor, told from the ball's compartment."""
        for since, away, width_mm in plan.things:
            self._fixed(rest - away * self.pitch, width_mm / (2 * pi * 240), motion + since, lift)

    def _pressed(self, button: str, at: float, lasts: float = 0.15) -> None:
        self.dark[button].append((at, at + lasts))

    # --- the trace ------------------------------------------------------------------------------
    def levels(self) -> list[int]:
        """The lines' levels before the first edge."""
        angle = self._first_angle
        turned = {
            "enc_a": (angle * 36) % 1 < 0.5,
            "enc_b": (angle * 36 - 0.25) % 1 < 0.5,
            "enc_z": abs((angle + 0.5) % 1 - 0.5) < MARK / 2,
        }
        for name, since, _ in self.dead_encoder:
            turned[name] = turned[name] and since > 0
        levels = super().levels()
        for name, high in turned.items():
            levels[LINES.index(name)] |= high
        return levels

    def edges(self) -> list[Edge]:
        """(at_us, line, level) in order of time, every one a change of its line (but doubts)."""
        end = self.rotor.end + 1.0
        raw: list[tuple[float, int, int]] = []
        for line, name in enumerate(LINES):
            mark = self.rotor.near(0.0, MARK, 0.0, end) if name == "enc_z" else []
            for begin, until in self.spans(name, mark):
                if begin > 0:
                    raw.append((begin, line, 1))
                raw.append((until, line, 0))
        raw += self._encoder(end)
        edges = self._stamped(raw)
        stop_us = us(end)
        if self.cut_at_us is not None:
            stop_us = self.cut_at_us
            edges = [edge for edge in edges if edge[0] <= stop_us]
        for at, name in self.doubts:
            bisect.insort(edges, (us(at), LINES.index(name), -1))
        edges.append((stop_us, -1, 0))  # time alone: the last stamp of a trace
        return edges

    def _encoder(self, end: float) -> list[tuple[float, int, int]]:
        found: dict[str, list[tuple[float, int]]] = {"enc_a": [], "enc_b": []}
        for time, n, way in self.rotor.crossings(0.0, 1 / 144, 0.0, end):
            # ccw over 0, 1, 2, 3 quarters: A up, B up, A down, B down.
            level = int(n % 4 < 2) if way > 0 else int(n % 4 >= 2)
            found["enc_a" if n % 2 == 0 else "enc_b"].append((time, level))
        raw = []
        for name, edges in found.items():
            for line, since, pulses in self.lost_encoder:
                if line == name:
                    first = bisect.bisect_left(edges, (since, 0))
                    del edges[first : first + 2 * pulses]
            for line, since, until in self.dead_encoder:
                if line == name:
                    edges[:] = [edge for edge in edges if not since <= edge[0] <= until]
            self._disturb(name, edges)
            raw += [(time, LINES.index(name), level) for time, level in edges]
        return raw

    def _disturb(self, name: str, edges: list[tuple[float, int]]) -> None:
        for line, at, seconds in self.noise_encoder:
            after = bisect.bisect_left(edges, (at, 0))
            if line == name and 0 < after < len(edges) and edges[after][0] > at + seconds:
                level = edges[after - 1][1]
                edges[after:after] = [(at, 1 - level), (at + seconds, level)]

    def _stamped(self, raw: list[tuple[float, int, int]]) -> list[Edge]:
        last = [-1] * len(LINES)
        stamped = []
        for time, line, level in sorted(raw):
            at_us = us(time)
            if self.jitter_us:
                at_us += self.random.randrange(self.jitter_us)
            last[line] = max(at_us, last[line])
            stamped.append((last[line], line, level))
        stamped.sort(key=lambda edge: edge[0])
        level_now = self.levels()
        edges = []
        for at_us, line, level in stamped:
            if level_now[line] != level:  # a wire says only what changes
                level_now[line] = level
                edges.append((at_us, line, level))
        return edges
