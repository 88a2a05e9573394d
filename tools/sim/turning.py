"""A table with a rotor: rotor, ball, croupier and sensors on one clock.

Knows nothing of the controller that watches it and drives its motor. Deterministic from its seed;
with the motor held, how the time is cut into calls does not matter.
"""

from math import inf
from typing import Any

from tools.sim.ball import Ball
from tools.sim.croupier import Croupier
from tools.sim.parameters import Turning
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Edge, Layout, Stamper
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth


class TurningTable:
    """What wheel and plate share; each of them puts its own `ball` and `croupier` to it.

    With `hand` the croupier turns the rotor and the motor is not connected.
    """

    ball: Ball
    croupier: Croupier

    def __init__(
        self, board: dict[str, Any], parameters: Turning, *, pockets: int, seed: int, hand: bool
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
        self._quiet_until = 0.0  # before then nobody but the rotor does anything

    @property
    def finished(self) -> int:
        """Coups whose ball has been lifted."""
        return self.croupier.finished

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
                self._quiet_until = min(self._quiet_until, self.ball.t_next)
        self.now_us, self._now = until_us, until
        if until < self._quiet_until and until < self.rotor.t_end:
            return []
        crossings: list[Crossing] = []
        if until < self._quiet_until and self.ball.ring is None:
            self.rotor.run(until, crossings)
        else:
            self._play(until, crossings)
        edges = self.stamper.stamp(crossings, until_us)
        self._quiet_until = min(self._next_act(), self.stamper.next_s())
        return edges

    def _next_act(self) -> float:
        soonest = self._ahead[-1][0] if self._ahead else inf
        return min(soonest, self.ball.t_next, self.croupier.t_next)

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
