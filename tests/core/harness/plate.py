"""Sessions of vingt-trois: the plate flings the ball.

It runs the other way or the same, the beams often miss it, it falls, hops and lies still for
moments, and rests.
"""

from __future__ import annotations

import random

from harness.path import Path
from harness.places import RIM, RIM_BALL, RING, RING_BALL
from harness.sessions import Truth, us
from harness.turning import TurningSession
from harness.wheel_troubles import spoil

CASES = 27
PITCH = 1 / CASES
OPENS_US = 50_000  # before the press: it bounces, and stamps are no better


class PlatePlan:
    """One coup as somebody means to play it. Every attribute is a knob; defaults are clean."""

    def __init__(self, r: random.Random) -> None:
        self.rpm = r.uniform(15, 36)
        self.reversed = True
        self.accelerate_s = r.uniform(0.3, 1.5)
        self.brake_s = r.uniform(0.3, 2.0)
        self.rest_s = r.choice((0.1, r.uniform(0.1, 1.0), r.uniform(1.0, 4.0)))  # before this coup
        self.press_s: float | None = r.uniform(1.1, 3.2)  # before the motion; negative: after it
        self.presses = [0.0]  # each so long after the first
        self.void_button_s: float | None = None  # after the motion begins
        self.track_turn_s = r.uniform(0.75, 1.5)
        self.ball_way = r.choice((-1, -1, -1, 1))  # against the plate, or with it
        self.track_s = r.uniform(4.0, 6.5)
        self.slope_s = 0.0  # from the track to its first hop, seen by nothing
        self.missed = r.choice((0.0, 0.25, 0.25, 0.4))  # of the ball's passings of a beam
        self.balls = 1
        self.second_s = 0.0  # a second ball falls so much later
        self.lands = r.randrange(CASES)
        self.residual = r.uniform(-0.2, 0.2)  # of the pitch
        self.hops = r.randrange(7)
        self.settled_s = max(9.0, 2.6 * 60 / self.rpm)
        self.lost_after: int | None = None  # ring pulses after which the ball leaves the plate
        self.hop: tuple[float, int] | None = None  # seconds after it settled; cases
        self.lift_at_rest = False
        self.run_on_s = r.uniform(0.5, 2.5)  # after the ball is lifted
        # The plate stops with its ball in: seconds after the motion, how long, how far back.
        self.pause: tuple[float, float, float] | None = None
        # Plate-fixed things: from when (s after motion), cases from the ball, width in mm.
        self.things: list[tuple[float, float, float]] = []
        self.tremble: float | None = None  # turns that a hand rocks the resting plate by
        self.troubles: list[str] = []


class PlateSession(TurningSession):
    """Coups on end."""

    compartments = CASES

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
        self._lifted = 0.0  # the ball of the coup before

    def plan(self) -> PlatePlan:
        """A clean coup with its own numbers."""
        return PlatePlan(self.random)

    def play(self, plan: PlatePlan) -> Truth:
        """Adds one coup at the end."""
        first = not self.truths  # nothing turned before: there is time for the call
        called_s = self._lifted + 0.6 - self.rotor.end  # no press before the ball is out
        self.rotor.go(max(plan.rest_s, called_s) + 4.0 * first, 0.0)
        self._stirred(plan)
        if plan.reversed:
            self.way = -self.way
        motion = self.rotor.end
        fall = motion + 0.6 + plan.track_s
        settle = fall + plan.slope_s
        for _ in range(plan.hops):
            settle += self.random.uniform(0.2, 1.2)
        lift = settle + plan.settled_s
        stop = lift if plan.lift_at_rest else lift + plan.run_on_s
        self._turn(plan, pauses_from=motion, stop=stop)
        if plan.lift_at_rest:
            lift = self.rotor.end + 0.02
        rests: list[tuple[int, int, int]] = []
        rest = -(plan.lands + plan.residual) * PITCH
        for ball in range(plan.balls):
            later = plan.second_s * ball
            self._in_track(plan, motion + 0.6, fall + later)
            if ball == 0:
                self._hopping(plan.hops, fall + plan.slope_s, settle, rest)
                rests = self._resting(plan, rest, settle, lift)
            else:
                other = rest - self.random.randrange(2, CASES - 2) * PITCH
                since = settle + later + self.random.uniform(-0.4, 0.4)
                self._hopping(plan.hops, fall + later + plan.slope_s, since, other)
                self._fixed(other, RING_BALL, since, lift)
        self._things(plan, rest, motion, lift)
        start = self._press(plan, motion)
        self._lifted = lift
        truth = Truth(
            opens_us=us(start) - OPENS_US,
            start_us=us(start),
            end_us=us(self.rotor.end),
            rests=rests,
            motion_us=us(motion),
        )
        self.truths.append(truth)
        for trouble in plan.troubles:
            spoil(
                self, trouble, motion=motion, launch=motion + 0.6, drop=fall, settle=settle,
                lift=lift,
            )  # fmt: skip
        return truth

    def _in_track(self, plan: PlatePlan, since: float, until: float) -> None:
        r = self.random
        ball = Path(since, r.uniform(0, 1))
        speed = plan.track_turn_s * r.uniform(0.9, 1.1)
        way = self.way * plan.ball_way
        ball.go(until - since, way * speed, way * speed * r.uniform(0.75, 0.95))
        for beam, place in enumerate(RIM):
            seen = ball.near(place, RIM_BALL, since, until)
            self.dark[f"rim{beam}"] += [span for span in seen if r.random() >= plan.missed]

    def _hopping(self, hops: int, since: float, until: float, rest: float) -> None:
        """From the track to its case: it flies, rolls along, lies still for a moment."""
        r = self.random
        if until <= since:
            return
        for _ in range(hops):
            at = r.uniform(since, until)
            for_s = min(r.choice((0.1, 0.3, 0.9)), until - at)
            if for_s < 0.02:
                continue
            if r.random() < 0.4:
                self._fixed(rest + r.randrange(CASES) * PITCH, RING_BALL, at, at + for_s)
                continue
            roll = Path(at, r.uniform(0, 1))
            roll.go(for_s, self.way * r.choice((r.uniform(-0.9, -0.1), r.uniform(0.1, 0.5))))
            for sensor, place in enumerate(RING):
                self.dark[f"pocket{sensor}"] += roll.near(place, RING_BALL, at, at + for_s)

    def _press(self, plan: PlatePlan, motion: float) -> float:
        """The buttons; when the coup began."""
        if plan.void_button_s is not None:
            self._pressed("btn_void", motion + plan.void_button_s)
        if plan.press_s is None:
            return motion
        at = max(motion - plan.press_s, self._lifted + 0.1)  # the ball is out before
        for later in plan.presses:
            self._pressed("btn_start", at + later, 0.012 + 0.1 * (later >= 0.2))
        return min(at, motion)
