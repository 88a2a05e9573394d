"""The ball from the ring to the croupier's hand: what every turning apparatus has."""

from math import inf, tau
from random import Random
from typing import Any

from tools.sim.parameters import RotorPhysics
from tools.sim.pockets import Pockets
from tools.sim.ring import InRing, Settling, settle
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth

# Where it is, of which every apparatus knows its own part.
# LOST: it has no number and will have none, on the rim or beside the wheel.
IN_HAND, ON_PLATE, ON_TRACK, ON_SLOPE, PAST_DEFLECTORS, IN_RING, AT_REST, LOST = range(8)


class Ball:
    """One ball. `t_next` is when it does something next; the table then calls `act`."""

    def __init__(
        self,
        *,
        parameters: RotorPhysics,
        layout: Layout,
        numbers: tuple[int, ...],
        rotor_marks: Marks,
        seed: int,
    ) -> None:
        self._layout = layout
        self._take(parameters)
        self._numbers = numbers
        self._bare_marks = rotor_marks
        self._ring_chance: Random = stream(seed, "ring")
        self._truth: CoupTruth | None = None
        self._direction = 0
        self.phase = IN_HAND
        self.ring: InRing | None = None  # while it hops and rocks
        self.rested = 0.0  # since when it lies still
        self._resting_turn = 0.0
        self._before: int | None = None  # the beam that it lies in front of
        self.stays = False  # whatever the plate under it does
        self.t_next = inf

    def act(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> list[Crossing]:
        """Does what was due at t_next; answers what the beams will see of it later."""
        if self.phase != IN_RING:
            return self._fly(t, rotor)
        assert self.ring is not None
        self.ring.act(t, rotor, crossings)
        if self.ring.over:
            self._rest(t, rotor, self.ring.way)
        return []

    def plan(self, now: float, rotor: Rotor) -> None:
        """The rotor began a new stretch, or somebody acted: when does the ball act next?"""
        if self.ring is not None:
            self.ring.plan(now, rotor)
            self.t_next = self.ring.t_next

    def bare_until(self, now: float, rotor: Rotor) -> float:
        """Before then, whatever the motor does, no ring sensor sees it come or go."""
        if self.ring is not None:
            return self.ring.bare_until(now, rotor)
        return rotor.bare_until(now)

    def lift(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """The croupier takes it, out of its pocket if all went well; if not, wherever it is."""
        self._vanish(t, rotor, crossings)
        self._in_hand(t)

    # --- by hand, out of play (tools/sim/by_hand.py) --------------------------------------------
    def put(self, t: float, rotor: Rotor, psi: float, crossings: list[Crossing]) -> None:
        """Somebody lays it into the ring, out of any coup, `psi` turns ccw of the rotor's zero."""
        self._truth = CoupTruth(coup=0, t_start_us=round(t * 1e6))
        pockets = self._layout.pockets
        self._lie(t, rotor, psi, -round(psi * pockets) % pockets)
        self.rested = t
        crossings += [(t, line, 1) for line in self._seen_by(t, rotor)]

    def pick_up(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """Somebody takes it, wherever it is, and keeps it in the hand."""
        self._vanish(t, rotor, crossings)
        if self._truth is not None and self._truth.t_lift_us is None:
            self._truth.t_lift_us = round(t * 1e6)
        self.phase, self.t_next = IN_HAND, inf

    # --- what goes wrong with it --------------------------------------------------------------
    def use(self, parameters: Any) -> None:
        """Another throw, from the next one on."""
        raise NotImplementedError

    @property
    def resting_turn(self) -> float:
        """Where it lies, or last lay: its angle from the rotor's zero, ccw."""
        return self._resting_turn

    def knock(self, t: float) -> bool:
        """Something shakes it off the track at t. False: it holds on."""
        raise NotImplementedError

    def stick(self, before: int | None) -> None:
        """It stays where it is on the rim, in front of that beam's line or of none."""
        self._before = before
        self.phase, self.t_next = LOST, inf

    def lose(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """It leaps out of the wheel."""
        self._vanish(t, rotor, crossings)
        self.phase, self.t_next = LOST, inf

    def shift(self, t: float, rotor: Rotor, pockets: int, crossings: list[Crossing]) -> None:
        """Something throws it so many pockets on, counted ccw, from rest to rest."""
        assert self._truth is not None and self._truth.compartment is not None
        count = self._layout.pockets
        compartment = (self._truth.compartment - pockets) % count
        self._vanish(t, rotor, crossings)
        self._truth.moved(round(t * 1e6))
        self._lie(t, rotor, self._resting_turn + pockets / count, compartment)
        crossings += [(t, line, 1) for line in self._seen_by(t, rotor)]

    def _seen_by(self, t: float, rotor: Rotor) -> list[int]:
        """The ring sensors that see it where it lies."""
        marks = self._layout.ring_marks()
        turn = rotor.turn_at(t) + self._resting_turn
        return [line for line in self._layout.ring_lines if marks.level_at(turn, line)]

    def _vanish(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """It is where no sensor sees it any more."""
        if self.ring is not None:
            self.ring.leave(t, crossings)
            self.ring = None
        elif self.phase == AT_REST:
            crossings += [(t, line, 0) for line in self._seen_by(t, rotor)]
            rotor.use(t, self._bare_marks)
        elif self._before is not None:
            crossings.append((t, self._before, 0))
            self._before = None

    # --- its stations -----------------------------------------------------------------------
    def _fly(self, t: float, rotor: Rotor) -> list[Crossing]:
        """Its way to the ring, as the apparatus has it."""
        raise NotImplementedError

    def _take(self, parameters: RotorPhysics) -> None:
        """Another rotor and its pockets, before the ball comes there."""
        self._turning = parameters
        layout = self._layout
        self._pockets = Pockets(parameters, layout.pockets, layout.ring_radius_m)

    def _displacement(self, compartment: int) -> int | None:
        """Pockets from the deflector to where it rests; None where there are no deflectors."""
        return None

    def _enter_ring(self, t: float, rotor: Rotor, *, turn: float, speed_rad_s: float) -> None:
        """It reaches the ring at the stator angle `turn`; the speed is along its own way."""
        way = settle(
            self._turning,
            self._ring_chance,
            layout=self._layout,
            pockets=self._pockets,
            psi=turn - rotor.turn_at(t),
            speed_rad_s=self._direction * speed_rad_s - tau * rotor.speed_at(t),
        )
        self.phase = IN_RING
        self._hop(t, way)

    def _hop(self, t: float, way: Settling) -> None:
        """It hops and rocks that way, before the ring sensors."""
        self.ring = InRing(self._turning, self._layout, way, t)
        self.t_next = t

    def _rest(self, t: float, rotor: Rotor, way: Settling) -> None:
        assert self._truth is not None
        truth = self._truth
        truth.t_rest_us = round(t * 1e6)
        truth.displacement = self._displacement(way.compartment)
        self._lie(t, rotor, way.psi, way.compartment)
        self.ring = None
        self.rested = t

    def _lie(self, t: float, rotor: Rotor, psi: float, compartment: int) -> None:
        assert self._truth is not None
        self._truth.compartment = compartment
        self._truth.number = self._numbers[compartment]
        self._resting_turn = psi
        rotor.use(t, self._bare_marks.joined(self._layout.resting_marks(psi)))
        self.phase = AT_REST
        self.t_next = inf

    def _in_hand(self, t: float) -> None:
        assert self._truth is not None
        self._truth.t_lift_us = round(t * 1e6)
        self.phase = IN_HAND
        self.t_next = inf
