"""What the coups of one direction of the ball have taught."""

from firmware.core.call import curve, guard, kalman, margin
from firmware.shims.typed import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from firmware.core.call.ball_tracker import BallState, BeamStep


NOISE_LIMITS = (0.05, 16.0)  # of the variances assumed
SPREAD_LIMITS = (0.02, 0.10)  # of the scale from coup to coup; PHYSICS.md: .03
OFFSET_MAX = 0.05  # of a step's time: some 6 degrees of a beam's place at three beams
COUPS_MAX = 1_000_000_000
_NOISE_COUPS = 10  # until then the curve is not known well, and errors are not noise
_UNKNOWN_SPREAD = 0.30
_MEASURED_SHARE = 1.35  # of the drop speed: below it a step tells of noise and offsets
# Means fade: so many steps or coups are remembered, and so many more weigh the first guess.
_NOISE_STEPS = 1_000
_NOISE_FIRST = 20
_OFFSET_STEPS = 200
_OFFSET_FIRST = 10
_SPREAD_COUPS = 100
_SPREAD_FIRST = 20


class DirectionModel:
    """Learns one direction. Names a step by the beam at its end, a drop by the last beam before."""

    def __init__(self, beams: int) -> None:
        """Knows nothing yet."""
        self.curve = curve.Curve()
        self.offsets = [0.0] * beams  # of the time of the step to a beam: its place is not exact
        self.relearn()

    def relearn(self) -> None:
        """Forgets the margin, which is to be earned again: the wheel is not what it was."""
        self.coups = 0
        self.steps = 0  # that noise and offsets were learned from
        self.noise = 1.0  # of single steps, times the variances of kalman.py
        self.spread = kalman.SCALE_SPREAD
        self.margin = margin.Margin()
        self.guard = guard.Guard()
        self.curve.fade()

    def assumed_noise(self) -> float:
        """Returns the noise to assume: as much as kalman.py says, or more if the steps show it.

        Never less: over many steps the track shakes the ball more than single ones show.
        """
        return max(self.noise, 1.0)

    def assumed_spread(self) -> float:
        """Returns the sd of a new ball's scale: wide while the curve is hardly known."""
        return self.spread if self.curve.known() else _UNKNOWN_SPREAD

    def measured_turn_s(self) -> float:
        """Returns the speed below which a step tells of noise and offsets."""
        return self.margin.mean() * _MEASURED_SHARE

    def learn(
        self,
        known: "BallState",
        bracket: tuple[float, float, float],
        *,
        by_us: int,
    ) -> None:
        """Learns from a coup: its ball, from which the curve has learned already, and the (low,
        high, var) of its drop speed.

        `by_us`: the guard would have had to speak by then.
        """
        self.margin.learn(*bracket)
        laps = [lap.lap_s for lap in known.laps if lap.at_us <= by_us]
        if laps:
            self.guard.learn(laps[-1])
        self._steps(known.seen)
        self._scale(known.motion)
        self.coups = min(self.coups + 1, COUPS_MAX)

    def _steps(self, seen: "Sequence[BeamStep]") -> None:
        slow = self.measured_turn_s()
        for step in seen:
            if step.speed >= slow:
                continue
            if self.coups >= _NOISE_COUPS:
                self.steps = min(self.steps + 1, _NOISE_STEPS)
                square = step.surprise * self.noise
                gain = 1.0 / (self.steps + _NOISE_FIRST)
                low, high = NOISE_LIMITS
                self.noise = min(max(self.noise + gain * (square - self.noise), low), high)
            if step.beam is not None and len(self.offsets) > 1:
                gain = 1.0 / (min(self.steps, _OFFSET_STEPS) + _OFFSET_FIRST)
                self.offsets[step.beam] += gain * step.late
        middle = sum(self.offsets) / len(self.offsets)
        self.offsets = [min(max(off - middle, -OFFSET_MAX), OFFSET_MAX) for off in self.offsets]

    def _scale(self, moved: kalman.MotionState) -> None:
        """How much one ball's scale differs from the next one's."""
        if not self.curve.known():
            return
        var = self.spread * self.spread
        off = moved.scale - 1.0
        square = min(off * off, 9.0 * var) - moved.scale_var
        var += (square - var) / (min(self.coups, _SPREAD_COUPS) + _SPREAD_FIRST)
        low, high = SPREAD_LIMITS
        self.spread = min(max(var, low * low), high * high) ** 0.5
