"""Where the ball's speed stands, from the beams' times: a Kalman filter over one coup.

What is followed: the speed w, and by how much this ball slows more or less than the curve says (its
scale, 1 as learned). Between two beams w' = -scale D(w), shaken by the track (PHYSICS.md: 3 % from
coup to coup, 5 % within one, for .3 s at a time). What is seen is the time that each step took.
Times in seconds, travel in turns, speeds in turn/s.
"""

from firmware.core.call.curve import Curve
from firmware.shims.typed import NamedTuple

SCALE_SPREAD = 0.03  # sd from coup to coup
_SHAKE_S = 0.3
_SHAKEN = 2.0 * 0.05 * 0.05 * _SHAKE_S  # of D squared, a second: what the track shakes the speed by
STAMP_S = 0.0002  # sd of a pulse's centre; PHYSICS.md thinks of .1 to 1 ms
_FIRST = 0.05  # sd of the first speed, of itself: a lap's mean, run on by a guess
_SLOWEST_TURN_S = 0.08  # no speed below this is followed: the ball has left long before
_SPEED_STEP = 0.002  # turn/s, and of the scale: to see how a step's time depends on them
_SCALE_STEP = 0.01
_SCALE_LIMITS = (0.3, 3.0)

# speed_var, both_var, scale_var: the covariance of speed and scale.
MotionState = NamedTuple(
    "MotionState",
    [
        ("speed", float),
        ("scale", float),
        ("speed_var", float),
        ("both_var", float),
        ("scale_var", float),
    ],
)
# How a step came out: how long it took against what was expected (s), the variance of that as the
# filter sees it (s2), and what was expected.
Innovation = NamedTuple("Innovation", [("off_s", float), ("var", float), ("expected_s", float)])


def start(curve: Curve, lap_turn_s: float, *, spread: float) -> MotionState:
    """Starts at the end of a lap, by its mean speed. `spread`: sd of the scale, coup to coup."""
    speed = max(lap_turn_s - curve.at(lap_turn_s) / lap_turn_s / 2.0, _SLOWEST_TURN_S)
    first = _FIRST * lap_turn_s
    return MotionState(speed, 1.0, first * first, 0.0, spread * spread)


def travel(curve: Curve, motion: MotionState, turns: float) -> tuple[float, float]:
    """Returns the time that so many turns will take, and the speed after them."""
    return _travel(curve, motion.speed, motion.scale, turns)


def step(
    curve: Curve,
    motion: MotionState,
    turns: float,
    took_s: float,
    *,
    noise: float,
    stamp_s: float = STAMP_S,
) -> tuple[MotionState, Innovation]:
    """Takes that a beam saw the ball `turns` further after `took_s`. `noise`: 1 as assumed.

    `stamp_s`: noise of each time, one sigma; a film has far more than a beam.
    """
    expected, speed = _travel(curve, motion.speed, motion.scale, turns)
    faster, speed_faster = _travel(curve, motion.speed + _SPEED_STEP, motion.scale, turns)
    harder, speed_harder = _travel(curve, motion.speed, motion.scale + _SCALE_STEP, turns)
    time_by_speed = (faster - expected) / _SPEED_STEP
    speed_by_speed = (speed_faster - speed) / _SPEED_STEP
    time_by_scale = (harder - expected) / _SCALE_STEP
    speed_by_scale = (speed_harder - speed) / _SCALE_STEP
    shaken = shaken_var(curve, motion, expected, noise=noise)
    # A speed shaken evenly over the step shifts its time by so much, half of it in step with it.
    late = expected / speed
    a, b, d = motion.speed_var, motion.both_var, motion.scale_var
    var = time_by_speed * time_by_speed * a + 2.0 * time_by_speed * time_by_scale * b
    var += time_by_scale * time_by_scale * d
    var += 2.0 * stamp_s * stamp_s * noise + shaken * late * late / 3.0
    with_speed = a * time_by_speed + b * time_by_scale
    with_scale = b * time_by_speed + d * time_by_scale
    gain_speed = (
        speed_by_speed * with_speed + speed_by_scale * with_scale - shaken * late / 2.0
    ) / var
    gain_scale = with_scale / var
    speed_var = (
        speed_by_speed * speed_by_speed * a
        + 2.0 * speed_by_speed * speed_by_scale * b
        + speed_by_scale * speed_by_scale * d
        + shaken
    )
    both_var = speed_by_speed * b + speed_by_scale * d
    off = took_s - expected
    low, high = _SCALE_LIMITS
    after = MotionState(
        max(speed + gain_speed * off, _SLOWEST_TURN_S),
        min(max(motion.scale + gain_scale * off, low), high),
        max(speed_var - gain_speed * gain_speed * var, 0.0),
        both_var - gain_speed * gain_scale * var,
        max(d - gain_scale * gain_scale * var, 0.0),
    )
    return after, Innovation(off, var, expected)


def shaken_var(curve: Curve, motion: MotionState, seconds: float, *, noise: float) -> float:
    """Returns by how much the track shakes the speed meanwhile: a variance, (turn/s)2."""
    slowing = curve.at(motion.speed) * motion.scale
    return _SHAKEN * noise * slowing * slowing * seconds


def time_to(
    curve: Curve, motion: MotionState, speed: float, *, noise: float
) -> tuple[float, float]:
    """Predicts when the ball's speed will be `speed` (s from now; negative if it is below already).

    And the variance, then, of the ball's real speed.
    """
    at = motion.speed
    slowing = curve.at(speed) * motion.scale
    if at <= speed:
        return (at - speed) / slowing, motion.speed_var
    strides = 4
    stride = (at - speed) / strides
    seconds = 0.0
    for _ in range(strides):
        seconds += stride / (curve.at(at - stride / 2.0) * motion.scale)
        at -= stride
    by_speed = slowing / (curve.at(motion.speed) * motion.scale)
    by_scale = -curve.at(speed) * seconds
    var = by_speed * by_speed * motion.speed_var
    var += 2.0 * by_speed * by_scale * motion.both_var + by_scale * by_scale * motion.scale_var
    # A while shorter than the shaking lasts moves the speed less than so many shakes would.
    shakes_s = seconds * seconds / (seconds + _SHAKE_S)
    var += _SHAKEN * noise * slowing * slowing * shakes_s
    return seconds, max(var, 0.0)


def _travel(curve: Curve, speed: float, scale: float, turns: float) -> tuple[float, float]:
    """In two strides by the midpoint rule over the angle: dw/dtheta = -scale D(w) / w."""
    half = turns / 2.0
    seconds = 0.0
    for _ in range(2):
        middle = max(speed - curve.at(speed) * scale / speed * half / 2.0, _SLOWEST_TURN_S)
        speed = max(speed - curve.at(middle) * scale / middle * half, _SLOWEST_TURN_S)
        seconds += half / middle
    return seconds, speed
