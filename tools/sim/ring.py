"""The ball in the ring: it hops over the pockets, is caught by one and rocks to rest in it.

Its way is worked out in the rotor's frame when it reaches the ring: `psi` is its angle from the
rotor's zero, ccw. What the ring sensors see of it is worked out stretch by stretch, for the motor
may still turn the rotor differently meanwhile.
"""

from math import inf, radians, sin, tau
from random import Random
from typing import NamedTuple

from tools.sim.parameters import RotorPhysics
from tools.sim.pockets import Pockets
from tools.sim.rotor import Rotor, bare_s
from tools.sim.sensors import Crossing, Layout


class Hop(NamedTuple):
    """One piece of the way at constant speed: a bounce (rise > 0), or a swing in the pocket."""

    lasts_s: float
    psi: float  # turns, where it begins
    speed_turn_s: float  # in the rotor's frame
    rise_m_s: float  # upwards, as it begins


class Settling(NamedTuple):
    """A ball's whole way in the ring."""

    hops: list[Hop]
    psi: float  # where it comes to rest, turns
    compartment: int


def settle(
    parameters: RotorPhysics,
    rng: Random,
    *,
    layout: Layout,
    pockets: Pockets,
    psi: float,
    speed_rad_s: float,
) -> Settling:
    """Plays a ball that reaches the ring at `psi`, moving at `speed_rad_s` over the pockets."""
    hops = _bounce(
        parameters, rng, pockets, radius_m=layout.ring_radius_m, psi=psi, speed=speed_rad_s
    )
    last = hops[-1]
    psi = last.psi + last.speed_turn_s * last.lasts_s
    pocket = pockets.at(psi)
    centre, width = pockets.centre(pocket), pockets.width(pocket)
    hops_in, psi = _rock(parameters, rng, centre=centre, pitch=width, psi=psi)
    return Settling(hops + hops_in, psi, -pocket % layout.pockets)


def _bounce(
    p: RotorPhysics, rng: Random, pockets: Pockets, *, radius_m: float, psi: float, speed: float
) -> list[Hop]:
    """The hops until a pocket catches the ball. The last one ends where it is caught."""
    hops = []
    rise = rng.uniform(*p.first_bounce_m_s_range)
    usual = rng.uniform(*p.fret_keeps_range)
    left_s = p.ring_max_s
    # Where the rotor leans the ring is a slope, and each bounce turns what it falls into slide.
    pull = p.gravity_m_s2 * sin(radians(p.rotor_wobble_deg)) / radius_m
    low = p.rotor_wobble_at_deg / 360
    while True:
        lasts = 2.0 * rise / p.gravity_m_s2
        left_s -= lasts
        hops.append(Hop(lasts, psi, speed / tau, rise))
        psi += speed / tau * lasts
        if pull:
            speed -= pull * sin(tau * (psi - low)) * lasts
        sliding = abs(speed) * radius_m
        hold = pockets.hold(psi, speed)
        if left_s < 0.0 or (sliding < hold.speed_m_s and rise < hold.bounce_m_s):
            return hops
        rise = rise * rng.uniform(*p.bounce_range) + sliding * rng.uniform(*p.fret_kick_range)
        rise = max(rise * hold.spared, 0.05)
        if rng.random() < p.fret_throws_back_chance:
            speed *= -rng.uniform(*p.fret_throws_back_range)
        else:
            speed *= min(1.0, max(0.0, rng.gauss(usual, p.fret_keeps_scatter)))
        speed *= hold.keeps * hold.spared


def _rock(
    p: RotorPhysics, rng: Random, *, centre: float, pitch: float, psi: float
) -> tuple[list[Hop], float]:
    """The swings in the pocket, from `psi` to where the ball lies, which is returned too."""
    most = p.rest_offset_max_pitch
    offset = min(max(rng.gauss(0.0, p.rest_offset_pitch), -most), most)
    rest = centre + offset * pitch
    reach = p.rocking_start_pitch * pitch * (1 if psi < centre else -1)
    hops = []
    for _ in range(rng.randint(*p.rocking_swings_range)):
        lasts = rng.uniform(*p.rocking_swing_s_range)
        hops.append(Hop(lasts, psi, (rest + reach - psi) / lasts, 0.0))
        psi = rest + reach
        reach *= -rng.uniform(*p.rocking_keeps_range)
    lasts = rng.uniform(*p.rocking_swing_s_range)
    hops.append(Hop(lasts, psi, (rest - psi) / lasts, 0.0))
    return hops, rest


class InRing:
    """A ball on its way in the ring, as the ring sensors see it."""

    def __init__(self, parameters: RotorPhysics, layout: Layout, way: Settling, t: float) -> None:
        self._parameters = parameters
        self._layout = layout
        self._marks = layout.ring_marks()
        self.way = way
        self._hop = -1
        self._began = self._ends = t
        self._seen = dict.fromkeys(layout.ring_lines, 0)
        self._at = 0  # the last mark at or before the ball, ccw
        self._sign = 0
        self._crosses = False  # t_next is a mark, not the end of a hop
        self.t_next = t
        self.over = False

    def act(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """Does what was due at t_next: passes a mark, or begins the next hop."""
        if self._crosses:
            self._pass_mark(t, crossings)
            return
        self._hop += 1
        if self._hop == len(self.way.hops):
            self.over = True
            self.t_next = inf
            return
        self._began = t
        self._ends = t + self.way.hops[self._hop].lasts_s
        self._touch_down(t, rotor, crossings)

    def leave(self, t: float, crossings: list[Crossing]) -> None:
        """The ball is gone from the ring: what sees it sees it no more."""
        for line in self._seen:
            self._show(t, line, 0, crossings)

    def plan(self, now: float, rotor: Rotor) -> None:
        """Works out t_next; to be called whenever the rotor began a new stretch, or after act."""
        if self.over:
            return
        hop = self.way.hops[self._hop]
        until = min(rotor.t_end, self._ends)
        speed = hop.speed_turn_s + 0.5 * (rotor.speed_at(now) + rotor.speed_at(until))
        self._crosses = False
        self.t_next = self._ends
        if speed == 0.0:
            return
        marks = self._marks
        x = (self._turn(now, rotor) - marks.pos[self._at] + 0.5) % 1.0 - 0.5
        self._sign = 1 if speed > 0 else -1
        way = marks.gap[self._at] - x if speed > 0 else x
        at = now + max(way, 0.0) / abs(speed)
        if at < until:
            self.t_next, self._crosses = at, True
        elif until < self._ends:
            self.t_next = inf  # the rotor's next stretch comes first, and with it a new plan

    def bare_until(self, now: float, rotor: Rotor) -> float:
        """Before then, whatever the motor does, no sensor sees it come or go."""
        marks = self._marks
        x = (self._turn(now, rotor) - marks.pos[self._at] + 0.5) % 1.0 - 0.5
        speed = self.way.hops[self._hop].speed_turn_s + rotor.speed_at(now)
        return min(self._ends, now + bare_s(speed, marks.gap[self._at] - x, x))

    def _turn(self, now: float, rotor: Rotor) -> float:
        hop = self.way.hops[self._hop]
        return rotor.turn_at(now) + hop.psi + hop.speed_turn_s * (now - self._began)

    def _pass_mark(self, t: float, crossings: list[Crossing]) -> None:
        marks = self._marks
        last = len(marks.pos) - 1
        if self._sign > 0:
            self._at = self._at + 1 if self._at < last else 0
            line, level = marks.line[self._at], marks.level[self._at]
        else:
            line, level = marks.line[self._at], 1 - marks.level[self._at]
            self._at = self._at - 1 if self._at > 0 else last
        # A ball high in a hop enters the field unseen; one that was seen is seen leaving it.
        if level and self._height(t) > self._parameters.seen_below_m:
            return
        self._show(t, line, level, crossings)

    def _touch_down(self, t: float, rotor: Rotor, crossings: list[Crossing]) -> None:
        """The ball is down in the ring: whatever looks at that place sees it."""
        turn = self._turn(t, rotor)
        self._at = self._marks.locate(turn)[0]
        for line in self._seen:
            self._show(t, line, self._marks.level_at(turn, line), crossings)

    def _show(self, t: float, line: int, level: int, crossings: list[Crossing]) -> None:
        if self._seen[line] != level:
            self._seen[line] = level
            crossings.append((t, line, level))

    def _height(self, t: float) -> float:
        """How high the ball is over the pockets, m."""
        dt = t - self._began
        rise = self.way.hops[self._hop].rise_m_s
        return (rise - 0.5 * self._parameters.gravity_m_s2 * dt) * dt
