"""The ball on the track, from the croupier's fingers to the moment it leaves.

On the track nothing depends on the rotor, so the whole way is worked out at the launch.
Equations: PHYSICS, "Equations", tilt by force balance. Speeds in rad/s along the ball's own way.
"""

from math import cos, exp, radians, sin, sqrt, tau
from random import Random
from typing import NamedTuple

from tools.sim.parameters import Parameters
from tools.sim.sensors import Crossing

_TABLE_PER_RAD_S = 100  # every knot of PHYSICS is a multiple of .01 rad/s: the table is exact
_TABLE_TOP_RAD_S = 25  # no croupier throws faster
_TRACK_MAX_S = 120.0  # a limit: no ball stays up two minutes


class Track(NamedTuple):
    """A ball's way on the track, times counted from the launch."""

    crossings: list[Crossing]
    duration_s: float
    laps: float
    end_turn: float  # stator angle where it leaves
    end_speed_rad_s: float
    slowing: float = 1.0  # of the wheel's usual deceleration, this time


class Drag:
    """D(w) of the level track, ready for looking up: D = base[k] + slope[k] w, k = int(100 w)."""

    def __init__(self, knots: tuple[tuple[float, float], ...]) -> None:
        self.base: list[float] = []
        self.slope: list[float] = []
        at = 0
        for step in range(_TABLE_PER_RAD_S * _TABLE_TOP_RAD_S):
            w = (step + 0.5) / _TABLE_PER_RAD_S
            while at + 2 < len(knots) and w > knots[at + 1][0]:
                at += 1
            (w_0, d_0), (w_1, d_1) = knots[at], knots[at + 1]
            slope = (d_1 - d_0) / (w_1 - w_0) if knots[0][0] < w < knots[-1][0] else 0.0
            self.slope.append(slope)
            self.base.append((d_0 if w < w_1 else d_1) - slope * (w_0 if w < w_1 else w_1))

    def at(self, w: float) -> float:
        """D at w, rad/s^2."""
        step = int(w * _TABLE_PER_RAD_S)
        return self.base[step] + self.slope[step] * w


def roll(
    parameters: Parameters,
    drag: Drag,
    rng: Random,
    *,
    direction: int,
    start_turn: float,
    radius_m: float,
    beams: list[tuple[float, int, int]],
) -> Track:
    """Throws a ball from `start_turn` and follows it till it leaves the track.

    `beams`: what lies ahead within one turn, by distance (sensors.Layout.beams).
    """
    p = parameters
    dt, half = p.track_step_s, 0.5 * p.track_step_s
    w = rng.uniform(*p.launch_speed_rad_s_range)
    rolls_at = w * (1.0 - rng.uniform(*p.skid_loss_range))
    leaves_at = p.exit_speed_rad_s * rng.gauss(1.0, p.exit_speed_scatter)
    scale = p.slowing * max(0.1, rng.gauss(1.0, p.deceleration_scatter))
    keep = exp(-dt / p.flutter_correlation_s)
    shake = p.deceleration_flutter * sqrt(1.0 - keep * keep) * scale
    flutter = p.deceleration_flutter * scale * rng.gauss(0.0, 1.0)
    gauss, base, slope = rng.gauss, drag.base, drag.slope
    tilt = radians(p.tilt_deg)
    pull = direction * 5 / 7 * p.gravity_m_s2 * tilt / radius_m
    # w_c^2 = (g/R) tan(alpha) names alpha, the slope of the track's lip
    slope_tan = leaves_at * leaves_at * radius_m / p.gravity_m_s2
    lift = p.gravity_m_s2 / radius_m * tilt * (1.0 + slope_tan * slope_tan)
    low = start_turn - p.tilt_low_point_deg / 360
    threshold = leaves_at * leaves_at
    bound = threshold - lift * cos(tau * low)
    rise = p.track_flaw_rise
    flaw_half = p.track_flaw_width_deg / 720
    to_flaw = start_turn - p.track_flaw_deg / 360
    # A ball this fast does not leave within two steps.
    nears = 1.05 * sqrt(threshold * (1.0 + rise) ** 2 + lift)
    crossings: list[Crossing] = []
    ahead = _Ahead(beams)
    t = way = a = 0.0
    while t < _TRACK_MAX_S:
        mid = w + a * half
        step = int(mid * _TABLE_PER_RAD_S)
        flutter = keep * flutter + shake * gauss(0.0, 1.0)
        a = -(base[step] + slope[step] * mid) * (scale + flutter)
        if w > rolls_at:
            a -= p.skid_friction * mid * mid
        if tilt:
            angle = tau * (low + direction * way)
            a -= pull * sin(angle)
        w_next = w + a * dt
        if w_next < 0.05:
            w_next = 0.05
        way_next = way + (w + w_next) * half / tau
        if w < nears:
            excess = w * w - bound
            if tilt:
                bound = threshold - lift * cos(angle + direction * w * dt)
            if rise:
                off = abs((to_flaw + direction * way_next + 0.5) % 1.0 - 0.5)
                higher = 1.0 + rise * max(0.0, 1.0 - off / flaw_half)
                bound = (bound if tilt else threshold) + threshold * (higher * higher - 1.0)
            short = w_next * w_next - bound
            if short < 0.0:
                part = min(1.0, max(0.0, excess / (excess - short))) if excess > 0.0 else 0.0
                way += part * (way_next - way)
                t += part * dt
                w += part * (w_next - w)
                break
        if ahead.next <= way_next:
            ahead.pass_by(crossings, t, way, way_next, w, a)
        t, way, w = t + dt, way_next, w_next
    ahead.leave(crossings, t, way, w)
    return Track(crossings, t, way, (start_turn + direction * way) % 1.0, w, scale)


class _Ahead:
    """The beams still ahead of the ball, by the way it has to go (turns)."""

    def __init__(self, beams: list[tuple[float, int, int]]) -> None:
        self._beams = beams
        self._at = 0
        self._laps = 0.0
        # Thrown from inside a beam: the rest of that pulse is the croupier's hand, not the ball.
        if beams and beams[0][2] == 0:
            self._at = 1
        self.next = beams[self._at][0] if beams else float("inf")

    def pass_by(
        self,
        crossings: list[Crossing],
        t: float,
        way: float,
        until: float,
        w: float,
        a: float,
    ) -> None:
        """Notes every edge of a beam between `way` and `until`; w and a hold at `way`."""
        while self.next <= until:
            rest = (self.next - way) * tau
            self._note(crossings, t + 2.0 * rest / (w + sqrt(max(0.0, w * w + 2.0 * a * rest))))

    def leave(self, crossings: list[Crossing], t: float, way: float, w: float) -> None:
        """The ball leaves at `way`: edges up to there count, and a dark beam clears behind it."""
        while self.next <= way or (crossings and crossings[-1][2] == 1):
            self._note(crossings, t + (self.next - way) * tau / w)

    def _note(self, crossings: list[Crossing], at: float) -> None:
        _, line, level = self._beams[self._at]
        crossings.append((at, line, level))
        self._at += 1
        if self._at == len(self._beams):
            self._at, self._laps = 0, self._laps + 1.0
        self.next = self._beams[self._at][0] + self._laps
