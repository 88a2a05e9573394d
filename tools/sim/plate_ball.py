"""The ball of a vingt-trois: it lies on the plate, is flung by it, and comes down into a case."""

from math import exp, inf, log, tau
from random import Random
from typing import NamedTuple

from tools.sim.ball import ON_PLATE, ON_SLOPE, ON_TRACK, Ball
from tools.sim.plate_parameters import PlateParameters
from tools.sim.rotor import Rotor
from tools.sim.sensors import Crossing, Layout, Marks
from tools.sim.streams import stream
from tools.sim.truth import CoupTruth, open_coup


class Round(NamedTuple):
    """A ball's way on the rim, times counted from its arrival there."""

    crossings: list[Crossing]
    lasts_s: float
    laps: float
    end_turn: float  # stator angle where it comes off
    end_speed_rad_s: float


def go_round(
    parameters: PlateParameters,
    rng: Random,
    *,
    direction: int,
    start_turn: float,
    beams: list[tuple[float, int, int]],
) -> Round:
    """Lets a ball that was flung run on the rim from `start_turn` till it comes off.

    `beams`: what lies ahead within one turn, by distance (sensors.Layout.beams).
    """
    p = parameters
    speed = rng.uniform(*p.rim_speed_rad_s_range)
    loss = rng.uniform(*p.rim_loss_per_s_range)
    lasts = rng.uniform(*p.rim_s_range)
    range_turn = speed / loss / tau  # how far it would go before it stood
    laps = range_turn * (1.0 - exp(-loss * lasts))
    crossings: list[Crossing] = []
    for rise, fall, line in _passed(beams, laps):
        if rng.random() < p.beam_seen_chance:
            for way, level in ((rise, 1), (fall, 0)):
                crossings.append((-log(1.0 - way / range_turn) / loss, line, level))
    end = (start_turn + direction * laps) % 1.0
    return Round(crossings, lasts, laps, end, speed * exp(-loss * lasts))


def _passed(beams: list[tuple[float, int, int]], laps: float) -> list[tuple[float, float, int]]:
    """The beams passed whole within `laps` turns: (dark from, dark to, line), in turns of way.

    A ball that arrives or comes off inside a beam is not seen there: it is not in the rim's plane.
    """
    falls = {line: way for way, line, level in beams if level == 0}
    passed = []
    for lap in range(int(laps) + 1):
        for way, line, level in beams:
            fall = falls[line] if falls[line] > way else falls[line] + 1.0
            if level and lap + fall < laps:
                passed.append((lap + way, lap + fall, line))
    return passed


_LOOK_S = 0.01  # how often it is asked whether the plate is fast enough to fling it


class PlateBall(Ball):
    """A ball on a plate. The coup is launched, and dropped, when the plate is set in motion."""

    def __init__(
        self,
        *,
        parameters: PlateParameters,
        layout: Layout,
        numbers: tuple[int, ...],
        rotor_marks: Marks,
        seed: int,
        truths: list[CoupTruth],
    ) -> None:
        super().__init__(
            parameters=parameters,
            layout=layout,
            numbers=numbers,
            rotor_marks=rotor_marks,
            seed=seed,
        )
        self._parameters = parameters
        self._truths = truths
        self._rim_chance: Random = stream(seed, "rim")
        self._fling_turn_s = 0.0  # the plate's speed that flings it, this time
        self._round: Round | None = None
        self._off_at = 0.0  # turns, stator
        self._off_speed = 0.0  # rad/s, along its own way
        self.moved: float | None = None  # since when the plate under it is in motion
        self.lay()

    def use(self, parameters: PlateParameters) -> None:
        """Another way round the rim, from the next fling on."""
        self._parameters = parameters

    def knock(self, t: float) -> bool:
        """Something shakes it off the rim at t."""
        self.t_next = t
        return True

    def lay(self) -> None:
        """The croupier lays it on the plate, near the hub where no sensor looks."""
        self.phase = ON_PLATE
        self.moved = None
        self.t_next = inf

    def plan(self, now: float, rotor: Rotor) -> None:
        """The plate began a new stretch, or somebody acted: when does the ball act next?"""
        super().plan(now, rotor)
        if self.phase == ON_PLATE and self.t_next == inf and not rotor.at_rest:
            if self.moved is None:
                self._set_in_motion(now, rotor)
            self.t_next = now

    # --- its stations -----------------------------------------------------------------------
    def _set_in_motion(self, t: float, rotor: Rotor) -> None:
        """From here on no bet may stand. A plate that moves before the button opens the coup."""
        is_open = self._truths and self._truths[-1].t_lift_us is None
        truth = self._truths[-1] if is_open else open_coup(self._truths, t)
        truth.rotor = rotor.heading
        truth.t_launch_us = truth.t_drop_us = round(t * 1e6)
        self._truth, self.moved = truth, t
        self._fling_turn_s = self._rim_chance.uniform(*self._parameters.fling_turn_s_range)

    def _fly(self, t: float, rotor: Rotor) -> list[Crossing]:
        if self.phase == ON_PLATE:
            return self._ride(t, rotor)
        if self.phase == ON_TRACK:
            self._come_off(t)
        else:
            self._enter_ring(t, rotor, turn=self._off_at, speed_rad_s=self._off_speed)
        return []

    def _ride(self, t: float, rotor: Rotor) -> list[Crossing]:
        """The plate carries it until it is fast enough to fling it."""
        if rotor.at_rest:
            self.t_next = inf
            return []
        if self.stays or abs(rotor.speed_at(t)) < self._fling_turn_s:
            self.t_next = t + _LOOK_S
            return []
        return self._fling(t, 1 if rotor.speed_at(t) > 0 else -1)

    def _fling(self, t: float, turning: int) -> list[Crossing]:
        p, chance, layout = self._parameters, self._rim_chance, self._layout
        assert self._truth is not None
        direction = turning if chance.random() < p.along_chance else -turning
        start = chance.random()
        arrives = t + chance.uniform(*p.climb_s_range)
        self._round = go_round(
            p,
            chance,
            direction=direction,
            start_turn=start,
            beams=layout.beams(start, direction),
        )
        self._direction = self._truth.launched_direction = direction
        self._truth.rotor = turning
        self.phase = ON_TRACK
        self.t_next = arrives + self._round.lasts_s
        return [(arrives + at, line, level) for at, line, level in self._round.crossings]

    def _come_off(self, t: float) -> None:
        p, chance, ran = self._parameters, self._rim_chance, self._round
        assert self._truth is not None and ran is not None
        self._truth.laps = ran.laps
        self._truth.drop_deg = ran.end_turn * 360
        lasts = chance.uniform(*p.slope_s_range)
        self._off_speed = ran.end_speed_rad_s * chance.uniform(*p.slope_keeps_range)
        self._off_at = ran.end_turn + self._direction * self._off_speed * lasts / tau
        self.phase = ON_SLOPE
        self.t_next = t + lasts
