"""The ball of a roulette wheel, from the croupier's throw to the ring."""

from math import ceil, tau
from random import Random
from typing import NamedTuple

from tools.sim.ball import ON_SLOPE, ON_TRACK, PAST_DEFLECTORS, Ball
from tools.sim.causes import in_coup
from tools.sim.parameters import Parameters
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks
from tools.sim.streams import stream
from tools.sim.track import Drag, Track, roll
from tools.sim.truth import CoupTruth


class Fall(NamedTuple):
    """A ball's way down, times counted from the drop. Angles are the stator's, in turns."""

    struck_s: float  # at the deflector, or past the last it could have struck
    struck_turn: float
    deflector: int | None
    ring_s: float
    ring_turn: float
    speed_rad_s: float  # along the ball's own way, on reaching the ring


def fall(
    parameters: Parameters, rng: Random, *, direction: int, turn: float, speed_rad_s: float
) -> Fall:
    """Lets a ball fall that leaves the track at `turn` with `speed_rad_s`."""
    p = parameters
    speed = speed_rad_s * rng.uniform(*p.slope_speed_range)
    t = max(0.3, rng.gauss(p.slope_s, p.slope_scatter_s))
    way = speed * t / tau
    struck = None
    for _ in range(p.deflector_passes_max):
        ahead = _to_deflector(p, direction, turn + direction * way)
        way += ahead[0]
        t += ahead[0] * tau / speed
        odd = next((each for each in p.odd_deflectors if each.at == ahead[1]), None)
        chance = None if odd is None else odd.hit_chance
        if rng.random() < (p.deflector_hit_chance if chance is None else chance):
            struck = ahead[1]
            keeps = rng.uniform(*p.deflector_keeps_range)
            speed *= keeps if odd is None or odd.keeps is None else odd.keeps
            break
    down = rng.uniform(*p.deflector_to_ring_s_range)
    at = turn + direction * way
    return Fall(
        struck_s=t,
        struck_turn=at % 1.0,
        deflector=struck,
        ring_s=t + down,
        ring_turn=(at + direction * speed * down / tau) % 1.0,
        speed_rad_s=speed,
    )


def _to_deflector(p: Parameters, direction: int, turn: float) -> tuple[float, int]:
    """How far the next deflector is in the ball's way (turns), and which it is."""
    apart = 1.0 / p.deflectors
    place = direction * (turn - p.deflector_first_deg / 360) / apart
    index = ceil(place + 1e-9)
    if not p.odd_deflectors:
        return (index - place) * apart, direction * index % p.deflectors
    moved = {each.at: each.moved_deg / 360 / apart for each in p.odd_deflectors}
    # One that is moved may come before its usual place, or after it: so look at the one before too.
    ways = []
    for each in (index - 1, index, index + 1):
        which = direction * each % p.deflectors
        ways.append((each + direction * moved.get(which, 0.0) - place, which))
    way, which = min(each for each in ways if each[0] > 1e-9)
    return way * apart, which


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
        self._present = parameters  # in this coup
        self._drag = Drag(parameters.deceleration)
        self._track_chance: Random = stream(seed, "track")
        self._fall_chance: Random = stream(seed, "fall")
        self._track: Track | None = None
        self._fall: Fall | None = None
        self._dropped = 0.0
        self._under_deflector = 0  # the compartment

    def launch(self, t: float, direction: int, truth: CoupTruth) -> list[Crossing]:
        """The croupier throws it; answers what the rim beams will see of it."""
        layout, p = self._layout, in_coup(self._parameters, truth.coup)
        if p is not self._present:
            self._present = p
            self._take(p)
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
        self._track = Track([], since, laps, end, tau * speed, track.slowing)
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
            self._present,
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
