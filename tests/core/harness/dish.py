"""Sessions of boule: a ball thrown into a dish that stands still. Coups are of a kind.

session = DishSession(seed, cups=18)    # or 9, 36
session.play("pause")                   # one of KINDS
"""

from __future__ import annotations

import random
from math import log
from typing import NamedTuple

from harness.dish_troubles import prepare, spoil
from harness.places import RIM, RIM_BALL
from harness.sessions import Edge, Session, Span, Truth, us

START_S = 1.0
OPENS_US = 600_000  # a ball thrown without a press opens its coup a lap after the launch

Visit = tuple[int, float]  # cup, seconds


class DishPlan:
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
        self.settles_s = 2.0  # after its first cup, at least (PHYSICS.md)
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


class DishSession(Session):
    """Coups on end."""

    def __init__(self, seed: int, *, cups: int = 18, jitter_us: int = 60) -> None:
        cup_lines = [f"cup{cup:02d}" for cup in range(cups)]
        lines = ["rim0", "rim1", "rim2", *cup_lines, "btn_start", "btn_void"]
        super().__init__(random.Random(seed), lines)
        self.cups = cups
        self._jitter_us = jitter_us
        self._end = START_S

    def plan(self, kind: str = "clean") -> DishPlan:
        """A coup of that kind with its own numbers. Raises ValueError for an unknown kind."""
        plan = DishPlan(self.random, kind, self.cups)
        prepare(plan, self.random, self.cups)
        return plan

    def play(self, plan: DishPlan | str = "clean") -> Truth:
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

    def _truth(self, plan: DishPlan, at: Moments, rests: list[tuple[float, float, int]]) -> Truth:
        start_us = us(at.begin + plan.presses[0][0] if plan.presses else at.launch)
        return Truth(
            opens_us=start_us - OPENS_US,
            start_us=start_us,
            end_us=us(self._end),
            rests=[(us(since), us(until), cup) for since, until, cup in rests],
            launch_us=us(at.launch),
            drop_us=us(at.drop),
            settle_us=us(at.settle),
            lift_us=us(at.lift),
            direction=plan.direction,
            kind=plan.kind,
            expect=plan.expect,
            coups=plan.coups,
        )

    # --- the ball -------------------------------------------------------------------------------
    def _on_track(self, plan: DishPlan, launch: float) -> float:
        """Darkens the beams; answers when the ball leaves. Its speed falls exponentially."""
        reach = plan.speed_turn_s / plan.drag_per_s  # turns it would make before it stood

        def when(way: float) -> float:
            return launch - log(1.0 - way / reach) / plan.drag_per_s

        laps = min(plan.laps, 0.9 * reach)
        for beam, place in enumerate(RIM):
            way = plan.direction * (place - plan.launch_turn) % 1.0
            while way + RIM_BALL / 2 < laps:
                if way > RIM_BALL / 2:
                    self.dark[f"rim{beam}"].append(
                        (when(way - RIM_BALL / 2), when(way + RIM_BALL / 2))
                    )
                way += 1.0
        return when(laps)

    def _over_cups(self, plan: DishPlan, t: float) -> float:
        """Rolls over the planned cups; answers when the ball comes into its last."""
        last = None
        settled = t + plan.settles_s
        for cup, seconds in plan.visits:
            if cup == last:  # straight back into it: a hop of its own
                t += 0.03
            self.dark[self.cup_line(cup)].append((t, t + seconds))
            t += seconds + self.random.uniform(*plan.gap_s)
            last = cup
        return max(t, settled)

    def _at_rest(
        self, plan: DishPlan, settle: float, lift: float
    ) -> list[tuple[float, float, int]]:
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

    def _on_ridge(self, plan: DishPlan, settle: float, lift: float) -> None:
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
    def edges(self) -> list[Edge]:
        """(at_us, line, level) in order of time, every one a change of its line; then the end."""
        found = []
        jitter = random.Random(len(self.truths))
        for line, name in enumerate(self.lines):
            last = 0
            for span in self.spans(name):
                for at, level in ((span[0], 1), (span[1], 0)):
                    if at > 0:
                        last = max(last + 1, us(at) + jitter.randrange(self._jitter_us + 1))
                        found.append((last, line, level))
        found.sort()
        return [*found, (us(self._end) + 1_000_000, -1, 0)]
