"""The ball in the dish: from the track's lip to the cup that holds it.

A point that flies, bounces and rolls on the surface of dish_surface.py; nothing decides beforehand
where or when it stops. Energy falls at every bounce and along every stretch rolled, and a cup
holds the ball once what is left does not lift it over the rim. Lengths in m, energies in J a
kilogram of ball, counted from the cups' floors; angles ccw from stator angle 0.
"""

from math import atan2, cos, hypot, radians, sin, sqrt, tau
from random import Random
from typing import NamedTuple

from tools.sim.dish_parameters import DishParameters


class Surface:
    """Height over the cups' floors.

    Along the ring it waves like a cosine from cup to cup; across it is a parabola in a cup and
    level on a ridge, so every way out of a cup leads over a rim of the same height.
    """

    def __init__(
        self, p: DishParameters, *, cups: int, ring_m: float, track_m: float, ball_m: float
    ) -> None:
        pitch_m = tau * ring_m / cups
        self.cups = cups
        self.ring_m = ring_m
        self.depth_m = min(p.cup_depth_m, p.cup_depth_pitch * pitch_m)
        self.half_m = min(p.cup_half_width_m, p.cup_half_width_pitch * pitch_m)
        self.wall_m = track_m - ball_m / 2  # within it no rim beam sees the ball
        self._seen_m = min(p.cup_seen_m, p.cup_seen_pitch * pitch_m)
        self._cone = -p.cone_slope
        # The lip that lets a ball of that speed go has this slope (PHYSICS, "Equations").
        self._bank = p.bank_slope_excess * p.exit_speed_rad_s**2 * track_m / p.gravity_m_s2

    def at(self, x: float, y: float, r: float) -> tuple[float, float, float, int | None]:
        """Height, its slopes along x and y, and the cup whose sensor sees a ball there.

        `r`: how far that is from the middle, not 0. The sensors' views do not overlap.
        """
        out = r - self.ring_m
        depth, half = self.depth_m, self.half_m
        if out >= half:
            slope = self._bank / r
            return depth + self._bank * (out - half), slope * x, slope * y, None
        if out <= -half:
            slope = self._cone / r
            return depth + self._cone * (out + half), slope * x, slope * y, None
        angle = self.cups * atan2(y, x)
        seen = self._cup_seen(angle / tau, out) if abs(out) <= self._seen_m else None
        along = 0.5 + 0.5 * cos(angle)
        out /= half
        across = 1.0 - out * out
        by_r = 2.0 * depth * along * out / (half * r)
        by_turn = 0.5 * depth * across * self.cups * sin(angle) / (r * r)
        return (
            depth * (1.0 - across * along),
            by_r * x - by_turn * y,
            by_r * y + by_turn * x,
            seen,
        )

    def cup_at(self, x: float, y: float) -> int:
        """The nearest cup. Cup k lies at -k turns / cups."""
        return -round(atan2(y, x) * self.cups / tau) % self.cups

    def _cup_seen(self, place: float, out: float) -> int | None:
        """The cup that sees a ball `place` cups ccw of cup 0, `out` beyond the ring."""
        cup = round(place)
        along = (place - cup) * tau / self.cups * self.ring_m
        return -cup % self.cups if hypot(out, along) <= self._seen_m else None


_IN_DISH_MAX_S = 60.0  # a limit: friction alone stops a ball of this energy long before
_HALVINGS = 6  # of a step, to find when a sensor changed: 2.5 ms / 64 is less than its jitter


class Settling(NamedTuple):
    """A ball's way through the dish; times counted from the drop."""

    seen: list[tuple[float, int, int]]  # when, cup, level of its sensor
    held_s: float  # since when it cannot leave its cup
    rest_s: float
    cup: int | None  # None: it lies on the ridge between two


class InDish:
    """One ball in the dish: place, velocity, spin, and what the cup sensors saw of it."""

    def __init__(
        self, p: DishParameters, surface: Surface, rng: Random, *, turn: float, speed_m_s: float
    ) -> None:
        """It leaves the track at `turn` with `speed_m_s` (ccw > 0); the lip turns it inwards."""
        self._p, self._surface, self._rng = p, surface, rng
        x, y = cos(tau * turn), sin(tau * turn)
        inward = radians(rng.uniform(*p.lip_turns_deg_range))
        along, out = speed_m_s * cos(inward), -abs(speed_m_s) * sin(inward)
        self.x, self.y = surface.wall_m * x, surface.wall_m * y
        self.z = surface.at(self.x, self.y, surface.wall_m)[0]
        self.vx, self.vy, self.vz = out * x - along * y, out * y + along * x, 0.0
        self.t = 0.0
        self._spin = 0.0  # energy, beyond that of rolling
        self._grounded = True
        self._on_ridge = False
        self._cup: int | None = None  # whose sensor it is before
        self._seen: list[tuple[float, int, int]] = []

    @property
    def energy_j_kg(self) -> float:
        """Of motion, of height and of spin."""
        moving = 0.5 * (self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)
        return moving + self._p.gravity_m_s2 * self.z + self._spin

    def settle(self) -> Settling:
        """Plays it to rest."""
        rim = self._p.gravity_m_s2 * self._surface.depth_m
        while (energy := self.energy_j_kg) >= rim and not self._on_ridge:
            self.step(energy)
        held_s = self.t
        while energy > self._p.rest_j_kg and not self._on_ridge:
            self.step(energy)
            energy = self.energy_j_kg
        return Settling(self._seen, held_s, self.t, None if self._on_ridge else self._cup)

    def step(self, energy: float) -> None:
        """One step of time; `energy` is energy_j_kg as it stands."""
        p, surface = self._p, self._surface
        dt, g = p.dish_step_s, p.gravity_m_s2
        was = x, y, z = self.x, self.y, self.z
        self.t += dt
        assert self.t < _IN_DISH_MAX_S
        self.x = x = x + self.vx * dt
        self.y = y = y + self.vy * dt
        self.z = z = z + (self.vz - 0.5 * g * dt) * dt
        r = hypot(x, y) or 1e-9
        if r > surface.wall_m:
            x, y, r = self._off_the_wall(r)
        h, hx, hy, cup = surface.at(x, y, r)
        room = energy - self._spin - g * h
        above = z - h
        if above > 0.0:
            self.vz -= g * dt
            self._grounded = False
        elif room <= 0.0:
            cup = self._turn_back(was)
        else:
            self.vz -= g * dt
            self.z = h
            self._touch(hx, hy, room, r)
            if p.ridge_holds_chance and self._grounded:
                self._perhaps_stays(was)
        if above >= p.seen_below_m:
            cup = None
        if cup != self._cup:
            self._see(cup, was)

    # --- what it meets ----------------------------------------------------------------------
    def _touch(self, hx: float, hy: float, room: float, r: float) -> None:
        """It is on the surface, with these slopes, `r` from the middle; `room`: the energy of
        motion it may have."""
        p, surface = self._p, self._surface
        vx, vy, vz = self.vx, self.vy, self.vz
        up = 1.0 / sqrt(1.0 + hx * hx + hy * hy)
        into = (vx * hx + vy * hy - vz) * up
        if into > p.sticks_m_s:
            self._bounce(hx, hy, room)
            return
        if into > 0.0:
            vx -= into * hx * up
            vy -= into * hy * up
            vz += into * up
        moving = 0.5 * (vx * vx + vy * vy + vz * vz)
        if not self._grounded:  # it landed, and softly: what it fell with is lost
            room = min(room, moving)
            self._grounded = True
        if self._cup is not None:
            friction = p.cup_friction
        elif abs(r - surface.ring_m) < surface.half_m:
            friction = p.roll_friction
        else:
            friction = p.cloth_friction
        rolled = friction * p.gravity_m_s2 * p.dish_step_s * sqrt(2.0 * moving)
        given = self._spin * p.dish_step_s / p.spin_time_s
        self._spin -= given
        room += given * p.spin_keeps
        if self._cup is None and moving < 0.5 * p.creeps_m_s**2:
            rolled = 0.0
        by = sqrt(max(room - rolled, 0.5 * room) / moving)
        self.vx, self.vy, self.vz = vx * by, vy * by, vz * by

    def _bounce(self, hx: float, hy: float, room: float) -> None:
        """Off the surface, whose normal is rough."""
        p, rng = self._p, self._rng
        nx, ny = rng.gauss(-hx, p.roughness_rad), rng.gauss(-hy, p.roughness_rad)
        if self.vx * nx + self.vy * ny + self.vz >= 0.0:
            nx, ny = -hx, -hy
        up = 1.0 / sqrt(1.0 + nx * nx + ny * ny)
        nx, ny = nx * up, ny * up
        into = self.vx * nx + self.vy * ny + self.vz * up
        keeps = rng.uniform(*p.graze_keeps_range)
        spun = p.spin_share * (self._moving() - 0.5 * into * into) * (1.0 - keeps * keeps)
        back = -into * (rng.uniform(*p.bounce_range) + keeps)
        self.vx = self.vx * keeps + nx * back
        self.vy = self.vy * keeps + ny * back
        self.vz = self.vz * keeps + up * back
        self._grounded = False
        # Found a little inside the surface it was set upon it: that height is paid for.
        self._scale(min(1.0, sqrt(max(room - spun, 0.0) / self._moving())))
        self._spin += min(spun, room)

    def _off_the_wall(self, r: float) -> tuple[float, float, float]:
        """The track's wall throws it back. Answers where it is, x, y and r."""
        x, y = self.x / r, self.y / r
        self.x, self.y = x * self._surface.wall_m, y * self._surface.wall_m
        out = self.vx * x + self.vy * y
        if out > 0.0:
            out *= 1.0 + self._rng.uniform(*self._p.bounce_range)
            self.vx -= out * x
            self.vy -= out * y
        return self.x, self.y, self._surface.wall_m

    def _turn_back(self, was: tuple[float, float, float]) -> int | None:
        """It has climbed as high as its energy goes: it comes back the way it came.

        Answers the cup whose sensor sees it.
        """
        self.x, self.y, self.z = was
        _, hx, hy, cup = self._surface.at(self.x, self.y, hypot(self.x, self.y) or 1e-9)
        steep = hx * hx + hy * hy or 1e-12
        climbs = 2.0 * (self.vx * hx + self.vy * hy + self.vz * steep) / (steep + steep * steep)
        self.vx -= climbs * hx
        self.vy -= climbs * hy
        self.vz -= climbs * steep
        return cup

    def _perhaps_stays(self, was: tuple[float, float, float]) -> None:
        """Rolling slowly over a ridge it may come to rest upon it."""
        p, surface = self._p, self._surface
        if abs(hypot(self.x, self.y) - surface.ring_m) > surface.half_m:
            return
        if surface.cup_at(self.x, self.y) == surface.cup_at(was[0], was[1]):
            return
        slow = self._moving() < 0.5 * p.ridge_slow_m_s**2
        self._on_ridge = slow and self._rng.random() < p.ridge_holds_chance

    def _moving(self) -> float:
        return 0.5 * (self.vx * self.vx + self.vy * self.vy + self.vz * self.vz)

    def _scale(self, by: float) -> None:
        self.vx *= by
        self.vy *= by
        self.vz *= by

    # --- what sees it -----------------------------------------------------------------------
    def _see(self, cup: int | None, was: tuple[float, float, float]) -> None:
        """Another cup's sensor sees it, or none; within a step the ball's way is straight."""
        p, surface = self._p, self._surface
        least, most = 0.0, 1.0
        for _ in range(_HALVINGS):
            part = 0.5 * (least + most)
            x, y = was[0] + part * (self.x - was[0]), was[1] + part * (self.y - was[1])
            if surface.at(x, y, hypot(x, y) or 1e-9)[3] == self._cup:
                least = part
            else:
                most = part
        t = self.t - p.dish_step_s * (1.0 - most)
        if self._cup is not None:
            self._seen.append((t, self._cup, 0))
        if cup is not None:
            self._seen.append((t, cup, 1))
        self._cup = cup
