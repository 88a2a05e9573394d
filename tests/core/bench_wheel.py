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
from math import ceil, floor, pi, sqrt
from typing import NamedTuple

LINES = (
    "rim0 rim1 rim2 pocket0 pocket1 pocket2 enc_a enc_b enc_z btn_start btn_void".split()
)  # in the order of boards/roulette_ref.py, which a test compares
LAYOUT = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
PITCH = 1 / 37
RIM = (0.0, 1 / 3, 2 / 3)
RING = (1 / 6, 0.5, 5 / 6)
RIM_BALL = 20 / (2 * pi * 380)
RING_BALL = 20 / (2 * pi * 240)
MARK = 2.5 / 360

Interval = tuple[float, float]


class Path:
    """An angle over time: pieces of constant acceleration, one after the other."""

    def __init__(self, at: float, angle: float) -> None:
        self._at = [at]
        self._pieces: list[tuple[float, float, float, float]] = []  # angle, speed, accel., length
        self.end = at
        self.angle = angle

    def go(self, seconds: float, speed: float, last_speed: float | None = None) -> None:
        """Goes on for some seconds, from one speed to another."""
        last = speed if last_speed is None else last_speed
        self._pieces.append((self.angle, speed, (last - speed) / seconds, seconds))
        self.angle += (speed + last) / 2 * seconds
        self.end += seconds
        self._at.append(self.end)

    def at(self, time: float) -> float:
        """The unwrapped angle."""
        index = min(max(bisect.bisect_right(self._at, time) - 1, 0), len(self._pieces) - 1)
        angle, speed, acceleration, length = self._pieces[index]
        since = min(max(time - self._at[index], 0.0), length)
        return angle + speed * since + acceleration / 2 * since * since

    def crossings(
        self, offset: float, period: float, since: float, until: float
    ) -> Iterator[tuple[float, int, int]]:
        """(time, which n, way) of every passing of offset + n * period."""
        index = max(bisect.bisect_right(self._at, since) - 1, 0)
        while index < len(self._pieces) and self._at[index] < until:
            start = self._at[index]
            angle, speed, acceleration, length = self._pieces[index]
            turns_at = -speed / acceleration if acceleration else -1.0
            parts = [0.0, turns_at, length] if 0 < turns_at < length else [0.0, length]
            for begin, end in zip(parts, parts[1:], strict=False):
                low = angle + speed * begin + acceleration / 2 * begin * begin
                high = angle + speed * end + acceleration / 2 * end * end
                way = 1 if high > low else -1
                first = (min(low, high) - offset) / period
                last = (max(low, high) - offset) / period
                which = range(floor(first) + 1, floor(last) + 1)
                if way < 0:  # what is touched going up is left going down
                    which = range(ceil(last) - 1, ceil(first) - 1, -1)
                for n in which:
                    there = offset + n * period - angle
                    if acceleration:
                        speed_there = way * sqrt(max(speed**2 + 2 * acceleration * there, 0.0))
                        time = start + (speed_there - speed) / acceleration
                    else:
                        time = start + there / speed
                    if since < time <= until:
                        yield time, n, way
            index += 1

    def near(self, place: float, width: float, since: float, until: float) -> list[Interval]:
        """When the angle is within half a width of a place (mod a turn)."""
        edges = [
            (time, way > 0) for time, _, way in self.crossings(place - width / 2, 1, since, until)
        ]
        edges += [
            (time, way < 0) for time, _, way in self.crossings(place + width / 2, 1, since, until)
        ]
        dark = abs((self.at(since) - place + 0.5) % 1 - 0.5) < width / 2
        found: list[Interval] = []
        begin = since
        for time, enters in sorted(edges):
            if dark and not enters:
                found.append((begin, time))
            if enters and not dark:
                begin = time
            dark = enters
        if dark:
            found.append((begin, until))
        return found


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


def spoil(
    session: Session,
    trouble: str,
    *,
    motion: float,
    launch: float,
    drop: float,
    settle: float,
    lift: float,
) -> None:
    """One trouble of a line in one coup, by name. `lift`: the ball leaves; the coup's end nearly."""
    r = session.random
    cut, dark = session.cut, session.dark
    pocket = f"pocket{r.randrange(3)}"
    rim = f"rim{r.randrange(3)}"
    anywhen = r.uniform(motion + 0.5, lift)
    if trouble == "pocket_dead":
        cut[pocket].append((motion, lift))
    elif trouble == "two_pockets_dead":
        cut["pocket0"].append((motion, lift))
        cut["pocket2"].append((motion, lift))
    elif trouble == "pocket_stuck":
        dark[pocket].append((anywhen, lift))
    elif trouble == "pocket_stuck_from_start":
        dark[pocket].append((motion - 0.05, lift))
    elif trouble == "pocket_intermittent":
        at = motion
        while at < lift:
            cut[pocket].append((at, at + r.uniform(0.5, 4)))
            at += r.uniform(1, 8)
    elif trouble in ("pocket_shifted", "pocket_shifted_back"):
        way = 1 if trouble == "pocket_shifted" else -1
        by = way * session.way * PITCH / abs(_speed(session.rotor, settle))
        moved = [(a + by, b + by) if settle < a < lift else (a, b) for a, b in dark[pocket]]
        dark[pocket] = moved
    elif trouble == "ring_noise":
        for _ in range(60):
            at = r.uniform(launch, lift)
            dark[f"pocket{r.randrange(3)}"].append((at, at + r.uniform(0.0001, 0.0025)))
    elif trouble == "ring_ghosts":  # as long as a ball's pulse, at no place of the rotor
        for _ in range(12):
            at = r.uniform(drop, lift)
            width = RING_BALL / abs(_speed(session.rotor, settle))
            dark[f"pocket{r.randrange(3)}"].append((at, at + width))
    elif trouble == "rim_noise":
        for _ in range(60):
            at = r.uniform(motion, lift)
            dark[f"rim{r.randrange(3)}"].append((at, at + r.uniform(0.0001, 0.0018)))
    elif trouble == "rim_missed":
        pulses = sorted((b, a, n) for n in range(3) for a, b in dark[f"rim{n}"] if a > launch)
        for b, a, n in r.sample(pulses[3:], min(3, max(len(pulses) - 3, 0))):
            cut[f"rim{n}"].append((a - 0.0001, b + 0.0001))
    elif trouble == "rim_doubled":
        for n in range(3):
            for a, b in [span for span in dark[f"rim{n}"] if span[0] > launch][::4]:
                cut[f"rim{n}"].append((a + (b - a) * 0.45, a + (b - a) * 0.55))
    elif trouble == "rim_dead":
        cut[rim].append((motion, lift))
    elif trouble == "two_rims_dead":
        cut["rim0"].append((motion, lift))
        cut["rim1"].append((motion, lift))
    elif trouble == "all_rims_dead":
        for n in range(3):
            cut[f"rim{n}"].append((motion, lift))
    elif trouble == "rim_stuck":
        dark[rim].append((r.uniform(motion, drop), lift))
    elif trouble == "rim_after_drop":  # a hand, a sleeve: wide pulses once the ball has left
        for _ in range(4):
            at = r.uniform(drop + 0.5, lift)
            dark[rim].append((at, at + r.uniform(0.01, 0.05)))
    elif trouble in ("encoder_loses_one", "encoder_loses_pairs", "encoder_loses_burst"):
        many = {"one": (1, 1), "pairs": (4, 2), "burst": (1, r.randrange(6, 60))}[trouble[14:]]
        for _ in range(many[0]):
            at = r.uniform(motion + 0.5, lift)
            session.lost_encoder.append((r.choice(("enc_a", "enc_b")), at, many[1]))
    elif trouble == "encoder_loses_after_rest":
        session.lost_encoder.append((r.choice(("enc_a", "enc_b")), r.uniform(settle, lift), 1))
    elif trouble == "encoder_noise":
        for _ in range(30):
            at = r.uniform(motion, lift)
            session.noise_encoder.append((r.choice(("enc_a", "enc_b")), at, r.uniform(1e-4, 1e-3)))
    elif trouble == "encoder_dead":
        session.dead_encoder.append((r.choice(("enc_a", "enc_b")), anywhen, lift + 0.2))
    elif trouble == "encoder_dead_wholly":
        session.dead_encoder.append(("enc_a", anywhen, lift + 0.2))
        session.dead_encoder.append(("enc_b", anywhen, lift + 0.2))
    elif trouble == "index_lost_once":
        at = r.uniform(drop, settle + 3)
        cut["enc_z"].append((at, at + 60 * abs(1 / (60 * _speed(session.rotor, settle)))))
    elif trouble == "index_lost":
        cut["enc_z"].append((motion - 0.05, lift + 0.5))
    elif trouble == "index_lost_in_ring":
        cut["enc_z"].append((drop, lift + 0.5))
    elif trouble == "index_extra":
        for _ in range(12):
            at = r.uniform(motion + 1, lift)
            dark["enc_z"].append((at, at + r.uniform(0.0005, 0.01)))
    elif trouble == "index_extra_like_real":  # one edge of the quadrature inside, at a wrong place
        at = r.uniform(drop, lift)
        width = MARK / abs(_speed(session.rotor, settle))
        dark["enc_z"].append((at, at + width))
    elif trouble == "index_stuck":
        dark["enc_z"].append((anywhen, lift))
    elif trouble == "both_buttons":
        dark["btn_start"].append((anywhen, anywhen + 0.2))
        dark["btn_void"].append((anywhen + r.uniform(-0.05, 0.05), anywhen + 0.25))
    elif trouble == "start_button_again":
        dark["btn_start"].append((anywhen, anywhen + 0.2))
    elif trouble == "start_button_held":
        dark["btn_start"].append((anywhen, lift))
    elif trouble.startswith("doubt_"):
        session.doubts.append((anywhen, trouble[6:]))
    else:
        raise ValueError(trouble)


def _deceleration(wheel: str, speed: float) -> float:
    """rad/s2 (PHYSICS.md: W2's law, and W1's table thinned)."""
    if wheel == "W2":
        return 0.006 * speed * speed + 0.25
    table = ((2.6, 0.13), (3.12, 0.158), (3.75, 0.275), (4.75, 0.76), (5.75, 1.15), (7.5, 0.81))
    for (low, slow), (high, fast) in zip(table, table[1:], strict=False):
        if speed < high:
            return slow + (fast - slow) * max(speed - low, 0.0) / (high - low)
    return 0.82


def _speed(path: Path, time: float) -> float:
    return ((path.at(time + 0.05) - path.at(time - 0.05)) / 0.1) or 0.2


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
