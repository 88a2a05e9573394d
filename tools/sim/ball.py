"""The ball, from the croupier's hand to the croupier's hand."""

from math import inf, tau
from random import Random

from tools.sim.fall import Fall, fall
from tools.sim.parameters import Parameters
from tools.sim.ring import InRing, settle
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks
from tools.sim.streams import stream
from tools.sim.track import Drag, Track, roll
from tools.sim.truth import CoupTruth

IN_HAND, ON_TRACK, ON_SLOPE, PAST_DEFLECTORS, IN_RING, AT_REST = range(6)


class Ball:
    """One ball. `t_next` is when it does something next; the wheel then calls `act`."""

    def __init__(
        self,
        *,
        parameters: Parameters,
        layout: Layout,
        numbers: tuple[int, ...],
        rotor_marks: Marks,
        seed: int,
    ) -> None:
        self._parameters = parameters
        self._layout = layout
        self._numbers = numbers
        self._bare_marks = rotor_marks
        self._drag = Drag(parameters.deceleration)
        self._track_chance: Random = stream(seed, "track")
        self._fall_chance: Random = stream(seed, "fall")
        self._ring_chance: Random = stream(seed, "ring")
        self._truth: CoupTruth | None = None
        self._direction = 0
        self._track: Track | None = None
        self._fall: Fall | None = None
        self._dropped = 0.0
        self._under_deflector = 0  # the compartment
        self.phase = IN_HAND
        self.ring: InRing | None = None  # while it hops and rocks
        self.rested = 0.0  # since when it lies still
        self._resting_turn = 0.0
        self.t_next = inf

    def launch(self, t: float, direction: int, truth: CoupTruth) -> list[Crossing]:
        """The croupier throws it; answers what the rim beams will see of it."""
        p, layout = self._parameters, self._layout
        start = self._track_chance.uniform(*p.launch_angle_deg_range) / 360
        track = roll(
            p,
            self._drag,
            self._track_chance,
            direction=direction,
            start_turn=start,
            radius_m=layout.track_radius_m,
            beams=layout.beams(start, direction),
        )
        self._track, self._truth, self._direction = track, truth, direction
        truth.launched_direction = direction
        truth.t_launch_us = round(t * 1e6)
        self.phase = ON_TRACK
        self.t_next = t + track.duration_s
        return [(t + at, line, level) for at, line, level in track.crossings]

    def act(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """Does what was due at t_next."""
        if self.phase == IN_RING:
            assert self.ring is not None
            self.ring.act(t, rotor, crossings)
            if self.ring.over:
                self._rest(t, rotor)
        elif self.phase == ON_TRACK:
            self._drop(t)
        elif self.phase == ON_SLOPE:
            self._pass_deflectors(rotor.turn_at(t))
        else:
            self._reach_ring(t, rotor)

    def plan(self, now: float, rotor: Rotor) -> None:
        """The rotor began a new stretch, or the ball acted: when does it act next?"""
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
        assert self._truth is not None
        self._truth.t_lift_us = round(t * 1e6)
        self.phase = IN_HAND
        self.t_next = inf

    # --- its stations -----------------------------------------------------------------------
    def _drop(self, t: float) -> None:
        assert self._track is not None and self._truth is not None
        self._truth.t_drop_us = round(t * 1e6)
        self._truth.laps = self._track.laps
        self._truth.drop_deg = self._track.end_turn * 360
        self._fall = fall(
            self._parameters,
            self._fall_chance,
            direction=self._direction,
            turn=self._track.end_turn,
            speed_rad_s=self._track.end_speed_rad_s,
        )
        self._truth.deflector = self._fall.deflector
        self._dropped = t
        self.phase = ON_SLOPE
        self.t_next = t + self._fall.struck_s

    def _pass_deflectors(self, rotor_turn: float) -> None:
        assert self._fall is not None
        psi = self._fall.struck_turn - rotor_turn
        self._under_deflector = -round(psi * self._layout.pockets) % self._layout.pockets
        self.phase = PAST_DEFLECTORS
        self.t_next = self._dropped + self._fall.ring_s

    def _reach_ring(self, t: float, rotor: Rotor) -> None:
        assert self._fall is not None
        way = settle(
            self._parameters,
            self._ring_chance,
            layout=self._layout,
            psi=self._fall.ring_turn - rotor.turn_at(t),
            speed_rad_s=self._direction * self._fall.speed_rad_s - tau * rotor.speed_at(t),
        )
        self.ring = InRing(self._parameters, self._layout, way, t)
        self.phase = IN_RING
        self.t_next = t

    def _rest(self, t: float, rotor: Rotor) -> None:
        assert self.ring is not None and self._truth is not None
        way, truth = self.ring.way, self._truth
        truth.t_rest_us = round(t * 1e6)
        truth.compartment = way.compartment
        truth.number = self._numbers[way.compartment]
        # Compartments count clockwise, so a ball going ccw passes them downwards.
        passed = -self._direction * (way.compartment - self._under_deflector)
        truth.displacement = passed % self._layout.pockets
        self._resting_turn = way.psi
        rotor.use(t, self._bare_marks.joined(self._layout.resting_marks(way.psi)))
        self.ring = None
        self.rested = t
        self.phase = AT_REST
        self.t_next = inf
