"""A small wheel for the core's own tests: kinematics, edges, and the truth beside them.

Independent of tools/sim and of firmware: it is written from contracts/trace.md alone, so that a
misreading there is not repeated here. No physics beyond a decelerating ball: what matters is that
every trouble can be had on demand. Angles in turns, ccw positive; times in seconds inside, whole
microseconds outside. A seed gives the same edges for ever.
"""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterator
from itertools import pairwise
from math import pi
from typing import NamedTuple

from bench_path import Interval, Path
from bench_places import LAYOUT, LINES, MARK, PITCH, RIM, RIM_BALL, RING, RING_BALL
from bench_troubles import spoil

__all__ = ["LAYOUT", "LINES", "RIM", "RIM_BALL", "Path", "Plan", "Session", "Truth"]


class Plan:
    """One coup as somebody means to play it. Every attribute is a knob; defaults are clean."""

    def __init__(self, r: random.Random, wheel: str) -> None:
        self.rpm = r.uniform(12, 28)
        self.reversed = True
        self.accelerate_s = r.uniform(0.3, 1.2)
        self.brake_s = r.uniform(0.3, 1.5)
        self.rest_s = r.uniform(0.5, 4.0)  # before this coup
        self.start_button_s: float | None = r.choice((None, r.uniform(-1.2, 1.2)))
        self.void_button_s: float | None = None  # after the motion begins
        self.launch_s = r.uniform(1.5, 4.0)  # after the motion begins
        self.launch_turn_s = r.uniform(1.5, 2.2)
        self.with_rotor = False  # the ball thrown the rotor's way
        self.wheel = wheel
        self.balls = 1
        self.ring_balls = 1
        self.lands = r.randrange(37)
        self.residual = r.uniform(-0.15, 0.15)  # of the pitch
        self.slope_s = r.uniform(0.4, 1.1)
        self.bounces = r.randrange(5)
        self.hop: tuple[float, int] | None = None  # seconds after it settled; pockets
        self.settled_s = max(10.0, 2.3 * 60 / self.rpm)
        self.lost_after: int | None = None  # ring pulses after which the ball leaves the wheel
        self.lift_after_stop = False
        self.run_on_s = r.uniform(0.3, 2.0)  # after the ball is lifted
        # The rotor stops with its ball in: seconds after it settled, how long, how far back.
        self.pause: tuple[float, float, float] | None = None
        # Rotor-fixed things: from when (s after motion), pockets from the ball, width in mm.
        self.things: list[tuple[float, float, float]] = []
        self.relaunch = False
        self.tremble: float | None = None  # turns that a hand rocks the resting rotor by
        self.troubles: list[str] = []


class Truth(NamedTuple):
    """What really happened in one coup, microseconds."""

    motion_us: int
    launch_us: int | None
    drop_us: int | None
    settle_us: int | None
    rests: list[tuple[int, int, int]]  # from, to, compartment
    end_us: int

    def lies(self, at_us: int) -> int | None:
        """The compartment in which the ball lies still at that time, or None."""
        for since, until, compartment in self.rests:
            if since <= at_us <= until:
                return compartment
        return None


class Session:
    """Coups on end: add plans, then take `edges()` and `truths`."""

    def __init__(
        self, seed: int, *, wheel: str = "", phi: float | None = None, way: int = 0
    ) -> None:
        self.random = random.Random(seed)
        self.wheel = wheel or self.random.choice(("W1", "W2"))
        self.truths: list[Truth] = []
        self.rotor = Path(0.0, self.random.uniform(-1, 1) if phi is None else phi)
        self.way = way or self.random.choice((-1, 1))
        self.dark: dict[str, list[Interval]] = {name: [] for name in LINES}
        self.cut: dict[str, list[Interval]] = {name: [] for name in LINES}  # reads 0 there
        self._first_angle = self.rotor.angle
        self.lost_encoder: list[tuple[str, float, int]] = []  # line, from when, pulses in a row
        self.dead_encoder: list[tuple[str, float, float]] = []
        self.noise_encoder: list[tuple[str, float, float]] = []  # line, when, how long
        self.doubts: list[tuple[float, str]] = []
        self.jitter_us = 0
        self.cut_at_us: int | None = None
        self.w_c = {"W1": 2.80, "W2": 3.80}
        self._things: list[tuple[float, float, float, float]] = []

    def plan(self) -> Plan:
        """A clean coup with its own numbers."""
        return Plan(self.random, self.wheel)

    def play(self, plan: Plan) -> Truth:
        """Adds one coup at the end."""
        self.rotor.go(plan.rest_s, 0.0)
        if plan.tremble is not None:
            for way in (1, -1, -1, 1):
                self.rotor.go(0.15, 0.0, way * plan.tremble / 0.15)
                self.rotor.go(0.15, way * plan.tremble / 0.15, 0.0)
            self.rotor.go(plan.rest_s, 0.0)
        if plan.reversed:
            self.way = -self.way
        motion = self.rotor.end
        speed = self.way * plan.rpm / 60
        launch = motion + plan.launch_s
        ball, drop = self._throw(plan, launch)
        settle = drop + plan.slope_s + 0.25 + 0.3 * plan.bounces
        lift = settle + plan.settled_s
        self._turn(plan, speed, settle, lift)
        end = self.rotor.end
        if plan.lift_after_stop:
            lift = end + 0.02
        rests: list[tuple[int, int, int]] = []
        if plan.balls:
            if plan.ring_balls:
                rests = self._ring(plan, drop=drop, settle=settle, lift=lift)
            for beam, place in enumerate(RIM):
                self.dark[f"rim{beam}"] += ball.near(place, RIM_BALL, launch, drop)
            if plan.balls > 1:
                self._second_in_track(plan, launch, drop)
        for since, pockets, width_mm in plan.things:
            offset = -(plan.lands + pockets) * PITCH
            self._fixed(offset, width_mm / (2 * pi * 240), motion + since, lift)
        self._buttons(plan, motion)
        truth = Truth(
            motion_us=int(motion * 1e6),
            launch_us=int(launch * 1e6) if plan.balls else None,
            drop_us=int(drop * 1e6) if plan.balls else None,
            settle_us=int(settle * 1e6) if rests else None,
            rests=rests,
            end_us=int(end * 1e6),
        )
        self.truths.append(truth)
        for trouble in plan.troubles:
            spoil(self, trouble, motion=motion, launch=launch, drop=drop, settle=settle, lift=lift)
        return truth

    # --- one coup -------------------------------------------------------------------------------
    def _turn(self, plan: Plan, speed: float, settle: float, lift: float) -> None:
        rotor = self.rotor
        rotor.go(plan.accelerate_s, 0.0, speed)
        stop = lift if plan.lift_after_stop else lift + plan.run_on_s
        if plan.pause is not None:
            at, seconds, back = plan.pause
            self._ripple(speed, settle + at)
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

    def _throw(self, plan: Plan, launch: float) -> tuple[Path, float]:
        r = self.random
        way = self.way if plan.with_rotor else -self.way
        ball = Path(launch, r.uniform(0, 1))
        speed = plan.launch_turn_s * 2 * pi
        w_c = self.w_c[plan.wheel] * r.gauss(1, 0.01)
        spread = r.gauss(1, 0.03)
        step = 0.05
        if plan.relaunch:  # caught after a lap or two, thrown again
            ball.go(1.1, way * plan.launch_turn_s, way * plan.launch_turn_s * 0.8)
            ball.go(1.2, 0.0)
        while speed > w_c:
            local = spread * r.gauss(1, 0.05)
            slower = speed - _deceleration(plan.wheel, speed) * local * step
            ball.go(step, way * speed / (2 * pi), way * slower / (2 * pi))
            speed = slower
        return ball, ball.end

    def _second_in_track(self, plan: Plan, launch: float, drop: float) -> None:
        ball = Path(launch + 0.2, self.random.uniform(0, 1))
        way = self.way if plan.with_rotor else -self.way
        speed = plan.launch_turn_s * self.random.uniform(0.75, 1.2)
        seconds = max(drop - launch - 1.0, 1.0)
        ball.go(seconds, way * speed, way * 0.6)
        for beam, place in enumerate(RIM):
            self.dark[f"rim{beam}"] += ball.near(place, RIM_BALL, launch + 0.2, ball.end)

    def _ring(
        self, plan: Plan, *, drop: float, settle: float, lift: float
    ) -> list[tuple[int, int, int]]:
        r = self.random
        # Bounces: it flies through the ring, against the rotor or with it, or sits for a moment.
        at = drop + plan.slope_s
        for _ in range(plan.bounces):
            flight = Path(at, r.uniform(0, 1))
            flight.go(0.3, -self.way * r.uniform(-0.2, 0.5))
            for sensor, place in enumerate(RING):
                self.dark[f"pocket{sensor}"] += flight.near(place, RING_BALL, at, at + 0.22)
            at += 0.3
        rest = -(plan.lands + plan.residual) * PITCH
        for share in (0.3, -0.2):  # rocks in its pocket
            self._fixed(rest + share * PITCH, RING_BALL, at, at + 0.12)
            at += 0.125
        spans = [(at, lift, plan.lands, rest)]
        if plan.hop is not None:
            hop_at, pockets = at + plan.hop[0], plan.hop[1]
            if hop_at + 0.4 < lift:
                spans = [
                    (at, hop_at, plan.lands, rest),
                    (hop_at + 0.25, lift, (plan.lands + pockets) % 37, rest - pockets * PITCH),
                ]
        if plan.lost_after is not None:
            gone = self._after_pulses(plan.lost_after, rest, at, lift)
            spans = [(at, gone, plan.lands, rest)]
        for since, until, _, offset in spans:
            if until > since:
                self._fixed(offset, RING_BALL, since, until)
        if plan.ring_balls > 1:
            other = rest - r.randrange(2, 36) * PITCH
            self._fixed(other, RING_BALL, settle - 0.3, lift)
        return [(int(a * 1e6), int(b * 1e6), k) for a, b, k, _ in spans if b > a]

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
        for sensor, place in enumerate(RING):
            self.dark[f"pocket{sensor}"] += self.rotor.near(place - offset, width, since, until)

    def _buttons(self, plan: Plan, motion: float) -> None:
        if plan.start_button_s is not None:
            at = max(motion + plan.start_button_s, 0.01)
            self.dark["btn_start"].append((at, at + 0.15))
        if plan.void_button_s is not None:
            at = motion + plan.void_button_s
            self.dark["btn_void"].append((at, at + 0.15))

    # --- the trace ------------------------------------------------------------------------------
    def levels(self) -> list[int]:
        """The lines' levels before the first edge."""
        angle = self._first_angle
        levels = [0] * len(LINES)
        levels[LINES.index("enc_a")] = int((angle * 36) % 1 < 0.5)
        levels[LINES.index("enc_b")] = int((angle * 36 - 0.25) % 1 < 0.5)
        levels[LINES.index("enc_z")] = int(abs((angle + 0.5) % 1 - 0.5) < MARK / 2)
        for line, since, _ in self.dead_encoder:
            if since <= 0:
                levels[LINES.index(line)] = 0
        for line, name in enumerate(LINES):
            if any(begin <= 0 for begin, _ in self.dark[name]):
                levels[line] = 1
        return levels

    def edges(self) -> list[tuple[int, int, int]]:
        """(at_us, line, level) in order of time, every one a change of its line (but doubts)."""
        end = self.rotor.end + 1.0
        raw: list[tuple[float, int, int]] = []
        for name, spans in self.dark.items():
            line = LINES.index(name)
            mark = self.rotor.near(0.0, MARK, 0.0, end) if name == "enc_z" else []
            for begin, until in _without(_merged(spans + mark), _merged(self.cut[name])):
                if begin > 0:
                    raw.append((begin, line, 1))
                raw.append((until, line, 0))
        raw += self._encoder(end)
        edges = self._stamped(raw)
        stop_us = int(end * 1e6)
        if self.cut_at_us is not None:
            stop_us = self.cut_at_us
            edges = [edge for edge in edges if edge[0] <= stop_us]
        for at, name in self.doubts:
            bisect.insort(edges, (int(at * 1e6), LINES.index(name), -1))
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

    def _stamped(self, raw: list[tuple[float, int, int]]) -> list[tuple[int, int, int]]:
        last = [-1] * len(LINES)
        stamped = []
        for time, line, level in sorted(raw):
            at_us = int(time * 1e6)
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


def _deceleration(wheel: str, speed: float) -> float:
    """rad/s2 (PHYSICS.md: W2's law, and W1's table thinned)."""
    if wheel == "W2":
        return 0.006 * speed * speed + 0.25
    table = ((2.6, 0.13), (3.12, 0.158), (3.75, 0.275), (4.75, 0.76), (5.75, 1.15), (7.5, 0.81))
    for (low, slow), (high, fast) in pairwise(table):
        if speed < high:
            return slow + (fast - slow) * max(speed - low, 0.0) / (high - low)
    return 0.82


def _merged(spans: list[Interval]) -> list[Interval]:
    out: list[Interval] = []
    for begin, end in sorted(spans):
        if out and begin <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((begin, end))
    return out


def _without(spans: list[Interval], holes: list[Interval]) -> Iterator[Interval]:
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
