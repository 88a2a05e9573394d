"""The shape of a boule dish: cone, ring of cups, bank up to the track."""

from math import atan2, cos, hypot, sin, tau

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

    def at(self, x: float, y: float) -> tuple[float, float, float]:
        """Height, and its slopes along x and y."""
        r = hypot(x, y) or 1e-9
        out = r - self.ring_m
        depth, half = self.depth_m, self.half_m
        if out >= half:
            slope = self._bank / r
            return depth + self._bank * (out - half), slope * x, slope * y
        if out <= -half:
            slope = self._cone / r
            return depth + self._cone * (out + half), slope * x, slope * y
        angle = self.cups * atan2(y, x)
        along = 0.5 + 0.5 * cos(angle)
        out /= half
        across = 1.0 - out * out
        by_r = 2.0 * depth * along * out / (half * r)
        by_turn = 0.5 * depth * across * self.cups * sin(angle) / (r * r)
        return (
            depth * (1.0 - across * along),
            by_r * x - by_turn * y,
            by_r * y + by_turn * x,
        )

    def cup_at(self, x: float, y: float) -> int:
        """The nearest cup. Cup k lies at -k turns / cups."""
        return self._nearest(x, y)[0]

    def cup_seen(self, x: float, y: float) -> int | None:
        """The cup whose sensor sees a ball there; their views do not overlap."""
        out = hypot(x, y) - self.ring_m
        if abs(out) > self._seen_m:
            return None
        cup, along = self._nearest(x, y)
        return cup if hypot(out, along) <= self._seen_m else None

    def _nearest(self, x: float, y: float) -> tuple[int, float]:
        """The nearest cup, and how far along the ring its middle is."""
        place = atan2(y, x) * self.cups / tau
        cup = round(place)
        return -cup % self.cups, (place - cup) * tau / self.cups * self.ring_m
