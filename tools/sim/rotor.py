"""The rotor: from mark to mark in closed form, never in fixed steps.

Between two marks (1/144 turn, or the edge of a sensor's field) the acceleration is held, so the
time of the next mark is the root of a quadratic. Angles in turns, ccw positive, times in seconds.
"""

from bisect import bisect_right
from math import cos, inf, sqrt, tau

from tools.sim.parameters import RotorPhysics
from tools.sim.sensors import Crossing, Marks

_HELD_MAX_S = 0.02  # longer than this the acceleration changes too much to be held
_BARE_MAX_S = 0.2  # so far ahead one can say which marks nothing reaches
_GAINS_MAX_TURN_S2 = 1.0  # no motor and no hand drives it so hard
_SLOW_TURN_S = 0.12  # slower than this a mark is far off: planned in short stretches
_SLOW_SQUARE = _SLOW_TURN_S * _SLOW_TURN_S

_MARK, _TURN, _HELD = range(3)  # what ends the present stretch


def bare_s(speed: float, ahead: float, behind: float) -> float:
    """So long what turns with `speed` reaches neither mark, ccw `ahead` of it nor `behind` (turns),
    however the rotor is driven meanwhile."""
    way = ahead if speed > 0.0 else behind
    gains = _GAINS_MAX_TURN_S2 * _BARE_MAX_S
    if abs(speed) < gains:  # it may turn back
        way = min(ahead, behind)
    return min(_BARE_MAX_S, way / (abs(speed) + gains))


class Rotor:
    """Where the rotor is and how it moves: v' = drive - drag v -+ friction + ripple(angle) v^2."""

    __slots__ = (
        "_a",
        "_drag",
        "_drive",
        "_end",
        "_friction",
        "_grip",
        "_i",
        "_marks",
        "_parameters",
        "_ripple",
        "_sign",
        "_t",
        "_w",
        "_x",
        "t_end",
    )

    def __init__(self, parameters: RotorPhysics, marks: Marks, turn: float) -> None:
        self._parameters = parameters
        self._t = 0.0
        self._w = self._a = 0.0  # turn/s, turn/s^2
        self._sign = 0
        self._drive = self._drag = self._friction = 0.0
        self._grip = 0.0  # what holds it back besides
        self._end = _HELD
        self.t_end = inf  # when the present stretch ends
        self._marks = marks
        self._ripple: list[float] = []
        self._i, self._x = 0, 0.0  # the mark behind, counter-clockwise, and the way from it
        self._take_marks(marks, turn)
        self.motor(0.0, 0)

    # --- where it is ------------------------------------------------------------------------
    def turn_at(self, t: float) -> float:
        """The angle at t, a time within the present stretch. Not reduced to one turn."""
        dt = t - self._t
        return self._marks.pos[self._i] + self._x + (self._w + 0.5 * self._a * dt) * dt

    def speed_at(self, t: float) -> float:
        """The speed at t, a time within the present stretch, turn/s."""
        return self._w + self._a * (t - self._t)

    def bare_until(self, t: float) -> float:
        """Before then, whatever the motor does from t on, it passes none of the joined marks."""
        joined = self._marks.more
        if not joined:
            return inf
        turn = self.turn_at(t) % 1.0
        after = bisect_right(joined, turn)
        ahead, behind = joined[after % len(joined)] - turn, turn - joined[after - 1]
        return t + bare_s(self.speed_at(t), ahead % 1.0, behind % 1.0)

    @property
    def at_rest(self) -> bool:
        """Whether it stands, and nothing that acts on it now will set it in motion."""
        return self.t_end == inf

    @property
    def heading(self) -> int:
        """The way it turns, or just begins to: 1 ccw, -1 cw; 0 at rest."""
        return self._sign

    @property
    def driven(self) -> bool:
        """Whether a motor or a hand drives it now."""
        return self._drive != 0.0

    # --- what moves it ----------------------------------------------------------------------
    def motor(self, t: float, permille: int) -> None:
        """The motor from t on; 0 lets the rotor run out."""
        p = self._parameters
        if permille:
            drive = p.motor_full_turn_s * permille / 1000 / p.motor_time_constant_s
            self.steer(t, drive, 1 / p.motor_time_constant_s, p.motor_friction_turn_s2)
        else:
            self.steer(t, 0.0, 1 / p.runout_time_constant_s, p.runout_friction_turn_s2)

    def steer(self, t: float, drive: float, drag: float, friction: float) -> None:
        """What acts on the rotor from t on (turn/s^2, 1/s, turn/s^2)."""
        self._halt_at(t)
        self._drive, self._drag, self._friction = drive, drag, friction + self._grip
        self._plan()

    def grip(self, t: float, friction: float) -> None:
        """Something holds it back besides, from t on (turn/s^2): a hand, a chip, a dry bearing."""
        self._halt_at(t)
        self._friction += friction - self._grip
        self._grip = friction
        self._plan()

    def use(self, t: float, marks: Marks) -> None:
        """Other marks from t on: a ball came to lie on the rotor, or was lifted off."""
        self._halt_at(t)
        self._take_marks(marks, self._marks.pos[self._i] + self._x)
        self._plan()

    # --- moving -----------------------------------------------------------------------------
    def run(self, limit: float, crossings: list[Crossing]) -> None:
        """Moves on through every stretch that ends by `limit`, noting the marks it passes."""
        while self.t_end <= limit:
            if self._end == _MARK:
                self._pass_marks(limit, crossings)
            else:
                end = self._end
                self._halt_at(self.t_end)
                if end == _TURN:
                    self._w = 0.0
                self._plan()

    def _pass_marks(self, limit: float, crossings: list[Crossing]) -> None:
        """The simulator's hot loop: one round for each mark passed by `limit`."""
        marks = self._marks
        gap, line, level, ripple, last = (
            marks.gap, marks.line, marks.level, self._ripple, len(marks.gap) - 1,
        )  # fmt: skip
        i, w, a, t, t_end, sign = self._i, self._w, self._a, self._t, self.t_end, self._sign
        drive, drag, friction = self._drive, self._drag, self._friction * sign
        planned = True
        while t_end <= limit:
            w += a * (t_end - t)
            t = t_end
            if sign > 0:
                i = i + 1 if i < last else 0
                crossings.append((t, line[i], level[i]))
            else:
                crossings.append((t, line[i], 1 - level[i]))
                i = i - 1 if i > 0 else last
            way = gap[i]
            a = drive - drag * w - friction + ripple[i] * w * w
            square = w * w + 2.0 * sign * a * way
            forward = w * sign
            if square < _SLOW_SQUARE or forward < _SLOW_TURN_S:
                planned = False
                break
            t_end = t + 2.0 * way / (forward + sqrt(square))
        self._i, self._w, self._a, self._t, self.t_end = i, w, a, t, t_end
        self._x = 0.0 if sign > 0 else gap[i]
        if not planned:
            self._plan()

    def _plan(self) -> None:
        """How the stretch that begins now goes on, and what ends it."""
        w = self._w
        if w == 0.0:
            if abs(self._drive) <= self._friction:
                self._a, self._sign, self.t_end, self._end = 0.0, 0, inf, _HELD
                return
            sign = 1 if self._drive > 0 else -1
        else:
            sign = 1 if w > 0 else -1
        i = self._i
        a = self._drive - self._drag * w - self._friction * sign + self._ripple[i] * w * w
        way = self._marks.gap[i] - self._x if sign > 0 else self._x
        forward, gain = sign * w, sign * a
        square = forward * forward + 2.0 * gain * way
        if square > 0.0:
            dt, end = 2.0 * way / (forward + sqrt(square)), _MARK
        else:
            dt, end = forward / -gain if gain else 0.0, _TURN
        if dt > _HELD_MAX_S:
            dt, end = _HELD_MAX_S, _HELD
        self._a, self._sign, self.t_end, self._end = a, sign, self._t + dt, end

    def _halt_at(self, t: float) -> None:
        """Begins a new stretch at t; the caller plans it."""
        dt = t - self._t
        x = self._x + (self._w + 0.5 * self._a * dt) * dt
        self._x = min(max(x, 0.0), self._marks.gap[self._i])
        self._w += self._a * dt
        self._t = t

    def _take_marks(self, marks: Marks, turn: float) -> None:
        self._marks = marks
        self._i, self._x = marks.locate(turn)
        # speed(angle) = mean (1 + ripple sin(angle)), so speed' = mean^2 ripple cos(angle) tau
        size = tau * self._parameters.ripple
        self._ripple = [size * cos(tau * pos) for pos in marks.pos]
