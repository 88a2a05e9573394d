"""A boule dish for the core's own tests: edge lists with the truth beside them.

Independent of tools/sim and of firmware: written from contracts/trace.md alone, so that a
misreading there is not repeated here. No physics beyond a decelerating ball: what matters is that
every trouble can be had on demand. A seed gives the same edges for ever.

    session = Session(seed, cups=18)   # or 9, 36
    session.play("pause")              # one of KINDS; answers its Truth; coups come on end
    plan = session.plan("clean")       # or turn a Plan's knobs first,
    plan.final = 4
    session.play(plan)
    session.levels()                   # of every line before the first edge
    session.edges()                    # [(at_us, line, level)]; the last is (stop_us, -1, 0)
    session.judged()                   # the truths as tests/replay/judge.py takes them

Lines are named in `session.lines` (those of the reference board: beams, cups, buttons).
"""

from __future__ import annotations

import random
from math import log, pi
from typing import Any, NamedTuple

from boule_troubles import KINDS, prepare, spoil

__all__ = ["KINDS", "Plan", "Session", "Truth"]

BALL_TURN = 20 / (2 * pi * 380)  # ball over track: how long a beam is dark, in turns
BEAMS = (0.0, 1 / 3, 2 / 3)
START_S = 1.0

Span = tuple[float, float]
Visit = tuple[int, float]  # cup, seconds


class Truth(NamedTuple):
    """What really happened in one coup, microseconds."""

    kind: str
    expect: str  # "result", "void" or "any": where both are honest
    coups: tuple[int, ...]  # how many coups a controller may honestly make of it
    direction: int  # 1 ccw, -1 cw
    start_us: int  # the first press, or the throw where nobody pressed
    launch_us: int
    drop_us: int
    settle_us: int  # since when it lies in its last cup, or on the ridge
    lift_us: int
    end_us: int
    cup: int | None
    rests: list[tuple[int, int, int]]  # from, to, cup: a number decided then is right

    def lies(self, at_us: int) -> int | None:
        """The cup in which the ball lies at that time, or None."""
        for since, until, cup in self.rests:
            if since <= at_us <= until:
                return cup
        return None


class Plan:
    """One coup as somebody means to play it. Every attribute is a knob; defaults are clean."""

    def __init__(self, r: random.Random, kind: str, cups: int) -> None:
        self.kind = kind
        self.expect = "result"
        self.coups: tuple[int, ...] = (1,)
        self.direction = r.choice((1, -1))
        self.presses: list[Span] = [(0.0, r.uniform(0.08, 0.3))]  # after the coup's begin
        self.voids: list[Span] = []
        self.launch_s = r.uniform(1.7, 4.0)  # after the begin
        self.launch_turn = r.random()
        self.speed_turn_s = r.uniform(1.15, 1.65)
        self.drag_per_s = r.uniform(0.09, 0.13)
        self.laps = r.uniform(5.0, 8.0)
        self.first_cup_s = r.uniform(0.0, 0.5)  # after the drop
        self.visits: list[Visit] = [
            (r.randrange(cups), r.choice((0.03, 0.04, 0.06, 0.09)) * r.uniform(0.9, 1.1))
            for _ in range(r.randrange(4, 22))
        ]
        self.gap_s = (0.035, 0.3)
        self.final: int | None = r.randrange(cups)  # None: in no cup
        self.late: tuple[float, int] | None = None  # so long after it settled it hops to there
        self.flicker: str | None = None  # on the ridge: "turns", "both" or "neither"
        self.other_ball: tuple[float, int] | None = None  # after the settling; its cup
        self.lift_s = r.uniform(8.0, 12.0)  # after it settled
        self.hand = False  # brushes over cups as it lifts
        self.next_s = r.uniform(1.0, 2.5)  # from the lift to the next coup


class Moments(NamedTuple):
    """When things happen in one coup, seconds of the session."""

    begin: float
    launch: float
    drop: float
    settle: float
    lift: float


class Session:
    """Coups on end."""

    def __init__(self, seed: int, *, cups: int = 18, jitter_us: int = 60) -> None:
        self.random = random.Random(seed)
        self.cups = cups
        cup_lines = [f"cup{cup:02d}" for cup in range(cups)]
        self.lines = ["rim0", "rim1", "rim2", *cup_lines, "btn_start", "btn_void"]
        self.truths: list[Truth] = []
        self.dark: dict[str, list[Span]] = {name: [] for name in self.lines}
        self.cut: dict[str, list[Span]] = {name: [] for name in self.lines}  # reads 0 there
        self._jitter_us = jitter_us
        self._end = START_S

    def plan(self, kind: str = "clean") -> Plan:
        """A coup of that kind with its own numbers. Raises ValueError for an unknown kind."""
        plan = Plan(self.random, kind, self.cups)
        prepare(plan, self.random, self.cups)
        return plan

    def play(self, plan: Plan | str = "clean") -> Truth:
        """Adds one coup at the end."""
        if isinstance(plan, str):
            plan = self.plan(plan)
        begin = self._end
        for since, until in plan.presses:
            self.dark["btn_start"].append((begin + since, begin + until))
        for since, until in plan.voids:
            self.dark["btn_void"].append((begin + since, begin + until))
        launch = begin + plan.launch_s
        drop = self._on_track(plan, launch)
        settle = self._over_cups(plan, drop + plan.first_cup_s)
        at = Moments(begin, launch, drop, settle, settle + plan.lift_s)
        rests = self._at_rest(plan, settle, at.lift)
        spoil(self, plan, at)
        self._end = at.lift + plan.next_s
        truth = self._truth(plan, at, rests)
        self.truths.append(truth)
        return truth

    def _truth(self, plan: Plan, at: Moments, rests: list[tuple[float, float, int]]) -> Truth:
        return Truth(
            kind=plan.kind,
            expect=plan.expect,
            coups=plan.coups,
            direction=plan.direction,
            start_us=_us(at.begin + plan.presses[0][0] if plan.presses else at.launch),
            launch_us=_us(at.launch),
            drop_us=_us(at.drop),
            settle_us=_us(at.settle),
            lift_us=_us(at.lift),
            end_us=_us(self._end),
            cup=rests[-1][2] if rests else None,
            rests=[(_us(since), _us(until), cup) for since, until, cup in rests],
        )

    # --- the ball -------------------------------------------------------------------------------
    def _on_track(self, plan: Plan, launch: float) -> float:
        """Darkens the beams; answers when the ball leaves. Its speed falls exponentially."""
        reach = plan.speed_turn_s / plan.drag_per_s  # turns it would make before it stood

        def when(way: float) -> float:
            return launch - log(1.0 - way / reach) / plan.drag_per_s

        laps = min(plan.laps, 0.9 * reach)
        for beam, place in enumerate(BEAMS):
            way = plan.direction * (place - plan.launch_turn) % 1.0
            while way + BALL_TURN / 2 < laps:
                if way > BALL_TURN / 2:
                    self.dark[f"rim{beam}"].append(
                        (when(way - BALL_TURN / 2), when(way + BALL_TURN / 2))
                    )
                way += 1.0
        return when(laps)

    def _over_cups(self, plan: Plan, t: float) -> float:
        """Rolls over the planned cups; answers when the ball comes into its last."""
        last = None
        for cup, seconds in plan.visits:
            if cup == last:  # straight back into it: a hop of its own
                t += 0.03
            self.dark[self.cup_line(cup)].append((t, t + seconds))
            t += seconds + self.random.uniform(*plan.gap_s)
            last = cup
        return t

    def _at_rest(self, plan: Plan, settle: float, lift: float) -> list[tuple[float, float, int]]:
        if plan.other_ball is not None:
            after, cup = plan.other_ball
            self.dark[self.cup_line(cup)].append((settle + after, lift))
        if plan.flicker is not None:
            self._on_ridge(plan, settle, lift)
            return []
        if plan.final is None:
            return []
        rests = [(settle, lift, plan.final)]
        if plan.late is not None:
            after, cup = plan.late
            out = settle + after
            rests = [(settle, out, plan.final), (out + 0.15, lift, cup)]
        for since, until, cup in rests:
            self.dark[self.cup_line(cup)].append((since, until))
        if plan.hand:
            for _ in range(3):
                cup = (rests[-1][2] + self.random.randrange(-2, 3)) % self.cups
                at = lift + self.random.uniform(0.0, 0.3)
                self.dark[self.cup_line(cup)].append((at, at + self.random.uniform(0.03, 0.3)))
        return rests

    def _on_ridge(self, plan: Plan, settle: float, lift: float) -> None:
        """Between the planned cup and the next: rocking from view to view, in both or in none."""
        one = self.random.randrange(self.cups)
        pair = (self.cup_line(one), self.cup_line((one + 1) % self.cups))
        if plan.flicker == "both":
            for name in pair:
                self.dark[name].append((settle, lift))
        elif plan.flicker == "turns":
            t = settle
            while t < lift:
                for name, seconds in zip(pair, (0.08, 0.09), strict=True):
                    self.dark[name].append((t, t + seconds * self.random.uniform(0.8, 1.2)))
                    t += 0.11

    def cup_line(self, cup: int) -> str:
        """The name of a cup's line."""
        return f"cup{cup:02d}"

    # --- the trace ------------------------------------------------------------------------------
    def levels(self) -> list[int]:
        """The lines' levels before the first edge."""
        return [int(any(since <= 0 for since, _ in self._spans(name))) for name in self.lines]

    def edges(self) -> list[tuple[int, int, int]]:
        """(at_us, line, level) in order of time, every one a change of its line; then the end."""
        found = []
        jitter = random.Random(len(self.truths))
        for line, name in enumerate(self.lines):
            last = 0
            for span in self._spans(name):
                for at, level in ((span[0], 1), (span[1], 0)):
                    if at > 0:
                        last = max(last + 1, _us(at) + jitter.randrange(self._jitter_us + 1))
                        found.append((last, line, level))
        found.sort()
        return [*found, (_us(self._end) + 1_000_000, -1, 0)]

    def _spans(self, name: str) -> list[Span]:
        """When the line is high: what is dark, less what is cut."""
        spans: list[Span] = []
        for since, until in sorted(self.dark[name]):
            if spans and since <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(until, spans[-1][1]))
            else:
                spans.append((since, until))
        for hole, over in self.cut[name]:
            left = [(since, min(until, hole)) for since, until in spans]
            right = [(max(since, over), until) for since, until in spans]
            spans = sorted(span for span in left + right if span[0] < span[1])
        return spans

    def judged(self) -> list[dict[str, Any]]:
        """The truths in the form of the recorded traces (shared/traces/README.md)."""
        return [_judged(truth) for truth in self.truths]


def _us(at: float) -> int:
    return int(at * 1e6)


def _judged(truth: Truth) -> dict[str, Any]:
    hopped = len(truth.rests) > 1
    return {
        "kind": truth.kind,
        "expect": truth.expect,
        "compartment": truth.cup,
        "number": None,
        "number_before_hop": None,
        "hop_t": truth.rests[0][1] / 1e6 if hopped else None,
        "t_start": truth.start_us / 1e6,
        "t_launch": truth.launch_us / 1e6,
        "t_drop": truth.drop_us / 1e6,
        "t_settle": truth.settle_us / 1e6,
        "t_remove": truth.lift_us / 1e6,
        "t_end": truth.end_us / 1e6,
        "rotor": "ccw" if truth.direction > 0 else "cw",
    }
