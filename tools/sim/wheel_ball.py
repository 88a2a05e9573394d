"""The ball of a roulette wheel, from the croupier's throw to the ring."""

from math import tau
from random import Random

from tools.sim.ball import ON_SLOPE, ON_TRACK, PAST_DEFLECTORS, Ball
from tools.sim.fall import Fall, fall
from tools.sim.parameters import Parameters
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks
from tools.sim.streams import stream
from tools.sim.track import Drag, Track, roll
from tools.sim.truth import CoupTruth


class WheelBall(Ball):
    """A ball that is thrown into the track, leaves it by its speed and meets the deflectors."""

    def __init__(
        self,
        *,
        parameters: Parameters,
        layout: Layout,
        numbers: tuple[int, ...],
        rotor_marks: Marks,
        seed: int,
    ) -> None:
        super().__init__(
            parameters=parameters,
            layout=layout,
            numbers=numbers,
            rotor_marks=rotor_marks,
            seed=seed,
        )
        self._parameters = parameters
        self._drag = Drag(parameters.deceleration)
        self._track_chance: Random = stream(seed, "track")
        self._fall_chance: Random = stream(seed, "fall")
        self._track: Track | None = None
        self._fall: Fall | None = None
        self._dropped = 0.0
        self._under_deflector = 0  # the compartment

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

    def use(self, parameters: Parameters) -> None:
        """Another track or another throw, from the next launch on."""
        self._parameters = parameters

    def knock(self, t: float) -> bool:
        """Something shakes it off the track at t, if it has passed two beams by then."""
        truth, track = self._truth, self._track
        assert truth is not None and track is not None and truth.t_launch_us is not None
        since = t - truth.t_launch_us / 1e6
        passed = [(at, line) for at, line, level in track.crossings if level and at < since]
        if len(passed) < 2:
            return False
        place = {line: pos for pos, line in self._layout.rim}
        (at_0, line_0), (at_1, line_1) = passed[-2:]
        way = self._direction * (place[line_1] - place[line_0]) % 1.0
        speed = way / (at_1 - at_0)
        laps = track.laps - (track.duration_s - since) * speed
        end = (place[line_1] + self._direction * speed * (since - at_1)) % 1.0
        self._track = Track([], since, laps, end, tau * speed)
        self.t_next = t
        return True

    # --- its stations -----------------------------------------------------------------------
    def _fly(self, t: float, rotor: Rotor) -> list[Crossing]:
        if self.phase == ON_TRACK:
            self._drop(t)
        elif self.phase == ON_SLOPE:
            self._pass_deflectors(rotor.turn_at(t))
        else:
            assert self._fall is not None
            self._enter_ring(
                t, rotor, turn=self._fall.ring_turn, speed_rad_s=self._fall.speed_rad_s
            )
        return []

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

    def _displacement(self, compartment: int) -> int:
        # Compartments count clockwise, so a ball going ccw passes them downwards.
        passed = -self._direction * (compartment - self._under_deflector)
        return passed % self._layout.pockets
