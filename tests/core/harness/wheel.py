"""Sessions of roulette: a rotor, a ball thrown against it, bounces, and a pocket."""

from __future__ import annotations

import random
from itertools import pairwise
from math import pi

from harness.path import Path
from harness.places import RIM, RIM_BALL, RING, RING_BALL
from harness.sessions import Truth, us
from harness.turning import TurningSession
from harness.wheel_troubles import spoil


class WheelPlan:
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


class WheelSession(TurningSession):
    """Coups on end of one of two wheels, whose balls fall at other speeds."""

    compartments = 37

    def __init__(
        self, seed: int, *, wheel: str = "", phi: float | None = None, way: int = 0
    ) -> None:
        chance = random.Random(seed)
        self.wheel = wheel or chance.choice(("W1", "W2"))
        super().__init__(chance, phi=phi, way=way)
        self.w_c = {"W1": 2.80, "W2": 3.80}

    def plan(self) -> WheelPlan:
        """A clean coup with its own numbers."""
        return WheelPlan(self.random, self.wheel)

    def play(self, plan: WheelPlan) -> Truth:
        """Adds one coup at the end."""
        self.rotor.go(plan.rest_s, 0.0)
        self._stirred(plan)
        if plan.reversed:
            self.way = -self.way
        motion = self.rotor.end
        launch = motion + plan.launch_s
        ball, drop = self._throw(plan, launch)
        settle = drop + plan.slope_s + 0.25 + 0.3 * plan.bounces
        lift = settle + plan.settled_s
        stop = lift if plan.lift_after_stop else lift + plan.run_on_s
        self._turn(plan, pauses_from=settle, stop=stop)
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
        self._things(plan, -plan.lands * self.pitch, motion, lift)
        if plan.start_button_s is not None:
            self._pressed("btn_start", max(motion + plan.start_button_s, 0.01))
        if plan.void_button_s is not None:
            self._pressed("btn_void", motion + plan.void_button_s)
        before_us = self.truths[-1].end_us if self.truths else 0
        truth = Truth(
            opens_us=(before_us + us(motion)) // 2,  # it may open when the rotor is first stirred
            start_us=us(motion),
            end_us=us(end),
            rests=rests,
            motion_us=us(motion),
            launch_us=us(launch) if plan.balls else None,
            drop_us=us(drop) if plan.balls else None,
            settle_us=us(settle) if rests else None,
        )
        self.truths.append(truth)
        for trouble in plan.troubles:
            spoil(self, trouble, motion=motion, launch=launch, drop=drop, settle=settle, lift=lift)
        return truth

    def _throw(self, plan: WheelPlan, launch: float) -> tuple[Path, float]:
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

    def _second_in_track(self, plan: WheelPlan, launch: float, drop: float) -> None:
        ball = Path(launch + 0.2, self.random.uniform(0, 1))
        way = self.way if plan.with_rotor else -self.way
        speed = plan.launch_turn_s * self.random.uniform(0.75, 1.2)
        seconds = max(drop - launch - 1.0, 1.0)
        ball.go(seconds, way * speed, way * 0.6)
        for beam, place in enumerate(RIM):
            self.dark[f"rim{beam}"] += ball.near(place, RIM_BALL, launch + 0.2, ball.end)

    def _ring(
        self, plan: WheelPlan, *, drop: float, settle: float, lift: float
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
        rest = -(plan.lands + plan.residual) * self.pitch
        for share in (0.3, -0.2):  # rocks in its pocket
            self._fixed(rest + share * self.pitch, RING_BALL, at, at + 0.12)
            at += 0.125
        rests = self._resting(plan, rest, at, lift)
        if plan.ring_balls > 1:
            other = rest - r.randrange(2, 36) * self.pitch
            self._fixed(other, RING_BALL, settle - 0.3, lift)
        return rests


def _deceleration(wheel: str, speed: float) -> float:
    """rad/s2 (PHYSICS.md: W2's law, and W1's table thinned)."""
    if wheel == "W2":
        return 0.006 * speed * speed + 0.25
    table = ((2.6, 0.13), (3.12, 0.158), (3.75, 0.275), (4.75, 0.76), (5.75, 1.15), (7.5, 0.81))
    for (low, slow), (high, fast) in pairwise(table):
        if speed < high:
            return slow + (fast - slow) * max(speed - low, 0.0) / (high - low)
    return 0.82
