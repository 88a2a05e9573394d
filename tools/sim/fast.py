"""Coups without edges: roll, fall and settle, as the whole simulator has them, and nothing seen.

The same seed and parameters give the same coups as a VirtualWheel whose rotor is turned by hand.
Rotor, croupier and ball are that wheel's own; only what sensors see of them is left out. A rotor
with a motor turns as its controller says: it is not rolled here.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

from tools.sim.ball import IN_RING, ON_TRACK
from tools.sim.parameters import PRESETS, Parameters
from tools.sim.ring import Settling
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing
from tools.sim.truth import CoupTruth
from tools.sim.wheel import VirtualWheel
from tools.sim.wheel_ball import WheelBall


class Rolled(NamedTuple):
    """One coup as it was. Angles are the stator's; compartments count in layout order."""

    truth: CoupTruth
    launch_place: int  # the compartment at the first beam, when the ball passed that first
    rotor_turn_s: float  # at the drop, ccw
    slowing: float  # of the wheel's usual deceleration
    crossings: list[Crossing]  # of the beams, from the launch on: (s, line, level)

    @property
    def settled_us(self) -> int:
        """From the drop to rest."""
        truth = self.truth
        assert truth.t_rest_us is not None and truth.t_drop_us is not None
        return truth.t_rest_us - truth.t_drop_us


class _Ball(WheelBall):
    """A ball whose way no sensor sees."""

    rotor_turn_s = 0.0  # at its last drop

    def act(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next."""
        if self.phase == IN_RING:
            self._rest(t, rotor, self._way)
            return []
        if self.phase == ON_TRACK:
            self.rotor_turn_s = rotor.speed_at(t)
        return self._fly(t, rotor)

    def _hop(self, t: float, way: Settling) -> None:
        self._way = way
        for hop in way.hops:
            t += hop.lasts_s
        self.t_next = t

    def rolled(self, launch_place: int) -> Rolled:
        """The coup whose ball lies at rest."""
        assert self._truth is not None and self._track is not None
        track = self._track
        return Rolled(self._truth, launch_place, self.rotor_turn_s, track.slowing, track.crossings)


class FastWheel:
    """One roulette wheel, its rotor turned by hand."""

    def __init__(
        self,
        board: dict[str, Any],
        rules: dict[str, Any],
        preset: str = "W1",
        seed: int = 0,
        *,
        parameters: Parameters | None = None,
    ) -> None:
        """As VirtualWheel. Raises KeyError for an unknown preset."""
        parameters = parameters or PRESETS[preset]
        # All of it but its ball, which is seen: that is drawn from the same streams, by ours.
        self._wheel = wheel = VirtualWheel(
            board, rules, seed=seed, hand=True, parameters=parameters
        )
        self._ball = _Ball(
            parameters=parameters,
            layout=wheel.layout,
            numbers=rules["layout"],
            rotor_marks=wheel.marks,
            seed=seed,
        )

    def use(self, parameters: Parameters) -> None:
        """Another track, ring or throw, from the next coup on."""
        self._wheel.use(parameters)
        self._ball.use(parameters)

    def coups(self, count: int) -> Iterator[Rolled]:
        """The next coups, each once its ball has been lifted."""
        wheel, ball = self._wheel, self._ball
        rotor, croupier = wheel.rotor, wheel.croupier
        layout = wheel.layout
        beam_turn, beam = layout.rim[0]
        seen: list[Crossing] = []
        passes, place = inf, 0
        until = croupier.finished + count
        while croupier.finished < until:
            t = min(ball.t_next, croupier.t_next, passes)
            rotor.run(t, seen)
            seen.clear()
            if ball.t_next == t:
                ball.act(t, rotor, seen)
            elif croupier.t_next == t:
                finished = croupier.finished
                ahead = croupier.act(t, rotor, ball, seen)
                edges = [at for at, line, _ in ahead if line == beam]
                if len(edges) > 1:
                    passes = (edges[0] + edges[1]) / 2
                if croupier.finished > finished:
                    yield ball.rolled(place)
            else:
                # Compartments count clockwise: that before the beam is ccw of the rotor's zero.
                place = -round((beam_turn - rotor.turn_at(t)) * layout.pockets) % layout.pockets
                passes = inf
