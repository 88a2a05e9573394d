"""A table with a rotor: rotor, ball, croupier and sensors on one clock.

Knows nothing of the controller that watches it and drives its motor. Deterministic from its seed;
with the motor held, how the time is cut into calls does not matter.
"""

from collections.abc import Callable
from math import inf
from typing import Any

from tools.sim.ball import (
    AT_REST,
    IN_HAND,
    IN_RING,
    ON_PLATE,
    ON_SLOPE,
    ON_TRACK,
    PAST_DEFLECTORS,
    Ball,
)
from tools.sim.croupier import Croupier
from tools.sim.parameters import RotorPhysics
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Edge, Layout, Stamper
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth

NEVER_US = 1 << 62
CLEARS_S = 0.02  # a ball that leaves the track before a beam is out of its sight


class TurningTable:
    """What wheel and plate share; each of them puts its own `ball` and `croupier` to it.

    With `hand` the croupier turns the rotor and the motor is not connected.
    """

    ball: Ball
    croupier: Croupier

    def __init__(
        self,
        board: dict[str, Any],
        parameters: RotorPhysics,
        *,
        pockets: int,
        seed: int,
        hand: bool,
    ) -> None:
        self.layout = layout = Layout(board, pockets)
        self.truths: list[CoupTruth] = []
        self.now_us = 0
        self.hand = hand
        self.marks = marks = layout.rotor_marks()
        turn = stream(seed, "rotor").random()
        self.rotor = Rotor(parameters, marks, turn)
        if hand:
            self.rotor.steer(0.0, 0.0, 0.0, parameters.free_friction_turn_s2)
        self.stamper = Stamper(
            lines=len(layout.names),
            latency_us=parameters.latency_us,
            jitter_us=parameters.jitter_us,
            rng=stream(seed, "stamps"),
        )
        for name in ("enc_a", "enc_b", "enc_z"):
            line = layout.line[name]
            self.stamper.levels[line] = marks.level_at(turn, line)
        self._initial = list(self.stamper.levels)
        self._motor_permille = 0
        self._now = 0.0
        self._ahead: list[Crossing] = []  # what the sensors will see, soonest last
        self._acts_at = 0.0  # when the next of ball, croupier and sensors ahead is due
        self._quiet_until = 0.0  # before then nobody but the rotor does anything

    @property
    def finished(self) -> int:
        """Coups whose ball has been lifted."""
        return self.croupier.finished

    @property
    def acts_us(self) -> int:
        """Before then, whatever the motor does, only the encoder's lines move."""
        ball, soonest = self.ball, self._quiet_until
        if ball.ring is not None:  # what it does next depends on how the rotor turns
            soonest = min(self._soonest_seen(), self.croupier.t_next, self.stamper.next_s)
        if soonest <= self._now or ball.phase == ON_PLATE:
            return self.now_us
        soonest = min(soonest, ball.bare_until(self._now, self.rotor))
        return int(soonest * 1e6) if soonest < inf else NEVER_US

    def initial_levels(self) -> list[int]:
        """The level of every line at time 0, by line."""
        return list(self._initial)

    def advance(self, until_us: int, motor_permille: int) -> list[Edge]:
        """Simulates to `until_us` with the motor held at `motor_permille` (-1000..1000, ccw > 0).

        Returns the edges (at_us, line, level) stamped after the last call and by `until_us`.
        """
        until = until_us * 1e-6
        if motor_permille != self._motor_permille:
            self._motor_permille = motor_permille
            if not self.hand:
                self.rotor.motor(self._now, motor_permille)
                self.ball.plan(self._now, self.rotor)
                self._acts_at = self._next_act()
                self._quiet_until = min(self._quiet_until, self._acts_at)
        self.now_us, self._now = until_us, until
        if until < self._quiet_until and until < self.rotor.t_end:
            return []
        crossings: list[Crossing] = []
        if until < self._quiet_until and self.ball.ring is None:
            self.rotor.run(until, crossings)
        else:
            self._play(until, crossings)
            self._acts_at = self._next_act()
        edges = self.stamper.stamp(crossings, until_us)
        waits_until = self.stamper.next_s
        self._quiet_until = waits_until if waits_until < self._acts_at else self._acts_at
        return edges

    # --- what goes wrong ------------------------------------------------------------------------
    def disturb(self, act: Callable[[float, list[Crossing]], None]) -> None:
        """Somebody or something acts now: `act(t, seen)`; then everyone plans anew."""
        seen: list[Crossing] = []
        act(self._now, seen)
        self._expect(seen)
        self.ball.plan(self._now, self.rotor)
        self._quiet_until = self._now

    def keep_ball(self, keeps: bool) -> None:
        """Mishaps: the croupier keeps the ball, or the plate cannot fling it."""
        self.croupier.keeps_ball = self.ball.stays = keeps

    def stick_ball(self) -> bool:
        """Mishaps: it stays on the track."""
        if self.ball.phase != ON_TRACK:
            return False
        self.ball.stick(self.clear_beams())
        return True

    def lose_ball(self) -> bool:
        """Mishaps: it leaps out."""
        if self.ball.phase not in (ON_SLOPE, PAST_DEFLECTORS, IN_RING):
            return False
        self.disturb(lambda t, seen: self.ball.lose(t, self.rotor, seen))
        return True

    def knock_ball(self) -> None:
        """Mishaps: it leaves the track."""
        if self.ball.phase == ON_TRACK and self.ball.knock(self._now):
            dark = self.clear_beams()
            if dark is not None:
                self._expect([(self._now + CLEARS_S, dark, 0)])
            self._quiet_until = self._now

    def move_ball(self, places: int) -> None:
        """Mishaps: it lies elsewhere."""
        if self.ball.phase == AT_REST:
            self.disturb(lambda t, seen: self.ball.shift(t, self.rotor, places, seen))

    def take_ball(self) -> None:
        """Mishaps: it is taken."""
        if self.ball.phase != IN_HAND:
            self.clear_beams()
            self.disturb(lambda t, _: self.croupier.hurry(t))

    def clear_beams(self) -> int | None:
        """What the beams were going to see does not come. The line of one that is dark now."""
        beams = {line for _, line in self.layout.rim}
        self._ahead = [crossing for crossing in self._ahead if crossing[1] not in beams]
        return next((line for line in beams if self.stamper.levels[line]), None)

    def _soonest_seen(self) -> float:
        return self._ahead[-1][0] if self._ahead else inf

    def _next_act(self) -> float:
        return min(self._soonest_seen(), self.ball.t_next, self.croupier.t_next)

    def _play(self, until: float, crossings: list[Crossing]) -> None:
        """Lets everyone act in the order of time."""
        rotor, ball, croupier = self.rotor, self.ball, self.croupier
        while True:
            t = self._next_act()
            if ball.ring is not None:
                t = min(t, rotor.t_end)
            if t > until:
                rotor.run(until, crossings)
                return
            rotor.run(t, crossings)
            if ball.t_next == t:
                self._expect(ball.act(t, rotor, crossings))
            elif croupier.t_next == t:
                self._expect(croupier.act(t, rotor, ball, crossings))
            elif self._ahead and self._ahead[-1][0] == t:
                crossings.append(self._ahead.pop())
            ball.plan(t, rotor)

    def _expect(self, seen: list[Crossing]) -> None:
        """What the sensors will see of what was just done."""
        if seen:
            self._ahead = sorted([*self._ahead, *seen], reverse=True)
