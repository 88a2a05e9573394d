"""The ball from the ring to the croupier's hand: what every turning apparatus has."""

from math import inf, tau
from random import Random

from tools.sim.parameters import Turning
from tools.sim.ring import InRing, settle
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth

# Where it is, of which every apparatus knows its own part.
IN_HAND, ON_PLATE, ON_TRACK, ON_SLOPE, PAST_DEFLECTORS, IN_RING, AT_REST = range(7)


class Ball:
    """One ball. `t_next` is when it does something next; the table then calls `act`."""

    def __init__(
        self,
        *,
        parameters: Turning,
        layout: Layout,
        numbers: tuple[int, ...],
        rotor_marks: Marks,
        seed: int,
    ) -> None:
        self._turning = parameters
        self._layout = layout
        self._numbers = numbers
        self._bare_marks = rotor_marks
        self._ring_chance: Random = stream(seed, "ring")
        self._truth: CoupTruth | None = None
        self._direction = 0
        self.phase = IN_HAND
        self.ring: InRing | None = None  # while it hops and rocks
        self.rested = 0.0  # since when it lies still
        self._resting_turn = 0.0
        self.t_next = inf

    def act(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next; answers what the beams will see of it later."""
        if self.phase != IN_RING:
            return self._fly(t, rotor)
        assert self.ring is not None
        self.ring.act(t, rotor, crossings)
        if self.ring.over:
            self._rest(t, rotor)
        return []

    def plan(self, now: float, rotor: Rotor) -> None:
        """The rotor began a new stretch, or somebody acted: when does the ball act next?"""
        if self.ring is not None:
            self.ring.plan(now, rotor)
            self.t_next = self.ring.t_next

    def lift(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """The croupier takes it out of its pocket; a sensor that saw it sees it no more."""
        marks = self._layout.ring_marks()
        turn = rotor.turn_at(t) + self._resting_turn
        for line in self._layout.ring_lines:
            if marks.level_at(turn, line):
                crossings.append((t, line, 0))
        rotor.use(t, self._bare_marks)
        self._in_hand(t)

    # --- its stations -----------------------------------------------------------------------
    def _fly(self, t: float, rotor: Rotor) -> list[Crossing]:
        """Its way to the ring, as the apparatus has it."""
        raise NotImplementedError

    def _displacement(self, compartment: int) -> int | None:
        """Pockets from the deflector to where it rests; None where there are no deflectors."""
        return None

    def _enter_ring(self, t: float, rotor: Rotor, *, turn: float, speed_rad_s: float) -> None:
        """It reaches the ring at the stator angle `turn`; the speed is along its own way."""
        way = settle(
            self._turning,
            self._ring_chance,
            layout=self._layout,
            psi=turn - rotor.turn_at(t),
            speed_rad_s=self._direction * speed_rad_s - tau * rotor.speed_at(t),
        )
        self.ring = InRing(self._turning, self._layout, way, t)
        self.phase = IN_RING
        self.t_next = t

    def _rest(self, t: float, rotor: Rotor) -> None:
        assert self.ring is not None and self._truth is not None
        way, truth = self.ring.way, self._truth
        truth.t_rest_us = round(t * 1e6)
        truth.compartment = way.compartment
        truth.number = self._numbers[way.compartment]
        truth.displacement = self._displacement(way.compartment)
        self._resting_turn = way.psi
        rotor.use(t, self._bare_marks.joined(self._layout.resting_marks(way.psi)))
        self.ring = None
        self.rested = t
        self.phase = AT_REST
        self.t_next = inf

    def _in_hand(self, t: float) -> None:
        assert self._truth is not None
        self._truth.t_lift_us = round(t * 1e6)
        self.phase = IN_HAND
        self.t_next = inf
