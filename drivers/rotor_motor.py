"""The rotor's motor: PWM, direction, enable, and the two inputs that stop it. The port `Rotor`.

Wiring (boards/): `motor_pwm` is the drive of the bridge, `motor_dir` 1 turns ccw and 0 cw,
`motor_enable` feeds a charge pump that holds the bridge on only while it sees a square wave: if
the loop stops, so does the wheel. `estop` and `overcurrent` read 1 when they want the motor off.
The bridge never brakes: without drive the rotor runs out by friction.

Speeds are micro-turns a second, ccw positive; times microseconds. Integers only.
Refuses to know why the rotor should turn, and who may clear a fault.
"""

from firmware.shims.typed import Any, NamedTuple

PERIOD_US = 10_000  # how often `poll` wants to be called: a 50 Hz wave on the enable
CONTROL_US = 100_000  # the speed is controlled this often: a fifteenth of the rotor's time constant
STEADY_US = 200_000  # and this often while it is as it should be
_STEADY_PERCENT = 2  # of the speed: a rotor's own ripple and the encoder's make some 1 %
_SPUN_UP_PERCENT = 90  # of the speed asked for: at the rest of it the control itself is slow
_DT_MAX_US = 100_000  # after a longer pause ramp and spans go on from here, they do not jump

STALL = "M10"
RUNAWAY = "M11"
ESTOP = "M12"
OVERCURRENT = "M13"
WRONG_DIRECTION = "M14"

_DUTY_MAX = 65535
_CONTRARY_US = 300_000  # the encoder needs some edges before its sign can be trusted
_OVER_US = 100_000  # more than one control: a single reading may be a glitch

Limits = NamedTuple(
    "Limits",
    [
        ("target_uturn_s", int),  # 0.35 turn/s is 21 rpm; the trade runs 10-30 rpm (FIELD.md)
        ("full_scale_uturn_s", int),  # speed at full drive, without friction
        ("ramp_uturn_s2", int),
        ("rest_uturn_s", int),  # below this the rotor rests: about 1 rpm
        ("rest_us", int),  # and for this long before the direction is changed
        ("limit_uturn_s", int),  # above this it runs away: 30 rpm
        ("stall_us", int),
    ],
)
LIMITS = Limits(350_000, 600_000, 150_000, 20_000, 200_000, 500_000, 3_000_000)


class RotorMotor:
    """Turns the rotor at one speed either way. Every fault turns it off until the next `drive`."""

    def __init__(
        self,
        *,
        pwm: Any,
        direction: Any,
        enable: Any,
        estop: Any,
        overcurrent: Any,
        limits: Limits = LIMITS,
    ) -> None:
        """Takes a machine PWM and four Pins. Leaves the motor off."""
        self._pwm = pwm
        self._direction = direction
        self._enable = enable.value
        self._estop = estop.value
        self._overcurrent = overcurrent.value
        self._limits = limits
        self._armed = False
        self._wanted = 0
        self._way = 1  # what the direction pin says
        self._target_uturn_s = limits.target_uturn_s
        direction.value(1)
        self._tripped = ""  # the code of the safety input that is on now
        self._control_us = 0  # of the last control
        self.due_us = 0  # of the next: a poll before then only moves the wave
        self._over_us = 0  # for how long the rotor has been faster than the limit
        self._slow_us = 0  # for how long it has rested
        self._last = (0, 0)  # when the rotor's speed was last looked at, and what it was
        self._spin_from_us: Any = None  # when it was driven from rest, until it has its speed
        self._spin_up_us: Any = None  # what it then took
        self.stop()

    def drive(self, direction: int, now_us: int, speed_uturn_s: Any = None) -> None:
        """Turns the rotor ccw (1) or cw (-1), or lets it run out (0). Ramps; never a step.

        `speed_uturn_s`: how fast, below the limit; None: the target of the limits.
        The direction changes only through rest. Also arms the motor again after a fault.
        """
        if direction and not self._armed:
            self._armed = True
            self._tripped = ""  # told again if it still is on
            self._over_us = 0  # and so is a rotor that has not slowed down
            self._control_us = now_us
            self.due_us = now_us
        if direction != self._wanted:
            self.due_us = min(self.due_us, now_us + PERIOD_US)  # an order is not kept waiting
        self._wanted = direction
        if direction:
            self._target_uturn_s = speed_uturn_s or self._limits.target_uturn_s
            self._spin_from_us = self._spin_up_us = None

    def effort(self) -> "tuple[int | None, int]":
        """Returns how hard the motor works, to be compared from coup to coup.

        How long it took since the last order from rest to _SPUN_UP_PERCENT of the speed asked for
        (None: not from rest, or not yet); and how hard it drives now, in permille of its most.
        """
        return self._spin_up_us, self._duty * 1000 // _DUTY_MAX

    def stop(self) -> None:
        """Motor off and enable low, now. May be called at any time, twice too."""
        self._armed = False
        self._wave = 0
        self._enable(0)
        self._duty = 0
        self._pwm.duty_u16(0)
        self._wanted = 0
        self._spin_from_us = None
        self._ramp_uturn_s = 0  # the speed asked for now, in the direction of the pin
        self._integral_uturn = 0
        self._still_us = 0  # for how long the rotor has not followed the drive
        self._contrary_us = 0  # for how long it has turned against the drive

    def poll(self, now_us: int, speed_uturn_s: int) -> str | None:
        """Once every PERIOD_US: the safety inputs, the enable's wave, and every CONTROL_US the
        ramp and the checks against the encoder's signed speed.

        Returns the code of a new fault (then the motor is off), or None.
        """
        if self._estop() or self._overcurrent():
            return self._trip()
        self._tripped = ""
        if self._armed:
            self._wave ^= 1
            self._enable(self._wave)
        if now_us < self.due_us:
            return None
        return self._control(now_us, speed_uturn_s)

    def _trip(self) -> str | None:
        code = ESTOP if self._estop() else OVERCURRENT
        self.stop()
        if code == self._tripped:
            return None
        self._tripped = code
        return code

    def _control(self, now_us: int, speed_uturn_s: int) -> str | None:
        dt_us = min(now_us - self._control_us, _DT_MAX_US)
        self._control_us = now_us
        ahead_uturn_s = speed_uturn_s * self._way
        code = self._judge(dt_us, ahead_uturn_s)
        if code:
            self.stop()
        elif self._armed:
            self._ramp(dt_us, ahead_uturn_s)
            self._regulate(dt_us, ahead_uturn_s)
            self._time_spin_up(now_us, ahead_uturn_s)
        self._last = (now_us, ahead_uturn_s)
        self.due_us = now_us + (STEADY_US if self._is_steady(ahead_uturn_s) else CONTROL_US)
        return code

    def _is_steady(self, ahead_uturn_s: int) -> bool:
        """Returns whether the rotor turns as wanted, or nothing drives it."""
        target = self._target_uturn_s
        off = abs(ahead_uturn_s - target) * 100 > _STEADY_PERCENT * target
        return not self._armed or (self._ramp_uturn_s == target and not off)

    def _judge(self, dt_us: int, ahead_uturn_s: int) -> str | None:
        """Holds the encoder against what the motor was told. Returns a new fault's code."""
        limits = self._limits
        rest, speed = limits.rest_uturn_s, abs(ahead_uturn_s)
        was_us = self._over_us
        self._over_us = was_us + dt_us if speed > limits.limit_uturn_s else 0
        self._slow_us = self._slow_us + dt_us if speed <= rest else 0
        lags = ahead_uturn_s < rest < self._ramp_uturn_s  # driven, and does not follow
        self._still_us = self._still_us + dt_us if lags else 0
        self._contrary_us = self._contrary_us + dt_us if lags and ahead_uturn_s < -rest else 0
        if self._over_us > _OVER_US >= was_us:  # once, not again at every poll while it runs out
            return RUNAWAY
        if self._contrary_us >= _CONTRARY_US:
            return WRONG_DIRECTION
        if self._still_us >= limits.stall_us:
            return STALL
        return None

    def _ramp(self, dt_us: int, ahead_uturn_s: int) -> None:
        """Moves the speed asked for towards what is wanted; changes the direction at rest."""
        limits = self._limits
        speed = self._ramp_uturn_s
        if self._wanted == self._way and speed == self._target_uturn_s:
            return
        step = limits.ramp_uturn_s2 * (dt_us // 1000) // 1000
        if self._wanted == self._way and (speed or ahead_uturn_s >= -limits.rest_uturn_s):
            # A rotor that still runs out the right way is caught at its speed, not braked.
            speed = max(speed, min(ahead_uturn_s, self._target_uturn_s))
            self._ramp_uturn_s = max(1, min(self._target_uturn_s, speed + step))
            return
        self._ramp_uturn_s = max(0, speed - step)
        if self._ramp_uturn_s:
            return
        if self._wanted == 0:
            self.stop()
        elif self._wanted != self._way and self._duty == 0 and self._slow_us >= limits.rest_us:
            self._way = self._wanted
            self._direction.value(1 if self._way > 0 else 0)

    def _time_spin_up(self, now_us: int, ahead_uturn_s: int) -> None:
        """Times the rotor from the first drive at rest; between two controls along a line."""
        wanted = self._wanted == self._way
        if not self._ramp_uturn_s or not wanted:
            self._spin_from_us = None
        elif self._spin_from_us is None and ahead_uturn_s <= self._limits.rest_uturn_s:
            self._spin_from_us = now_us
        spun_up = self._target_uturn_s * _SPUN_UP_PERCENT // 100
        before_us, before_uturn_s = self._last
        if self._spin_from_us is None or self._spin_up_us or not before_uturn_s < spun_up:
            return
        if ahead_uturn_s >= spun_up:
            part_us = (now_us - before_us) * (spun_up - before_uturn_s)
            at_us = before_us + part_us // (ahead_uturn_s - before_uturn_s)
            self._spin_up_us = at_us - self._spin_from_us

    def _regulate(self, dt_us: int, ahead_uturn_s: int) -> None:
        """PI on the speed, with feed-forward.

        The gains make a rotor with a time constant of 1.5 s follow in 0.4 s, and the zero of the
        PI (3/2 s) cancels that time constant.
        """
        full = self._limits.full_scale_uturn_s
        asked = 0
        # What a hand has stopped while it runs out is not pushed on.
        stopped = self._wanted != self._way and ahead_uturn_s <= self._limits.rest_uturn_s
        if self._ramp_uturn_s and not stopped:
            error = self._ramp_uturn_s - ahead_uturn_s
            integral = self._integral_uturn + error * (dt_us // 1000) // 1000
            asked = self._ramp_uturn_s + 3 * error + 2 * integral
            # On the ramp, or with the drive at its end, it would wind up and overshoot.
            if self._ramp_uturn_s == self._target_uturn_s and 0 < asked < full:
                self._integral_uturn = integral
        else:
            self._integral_uturn = 0
        duty = max(0, min(_DUTY_MAX, asked * _DUTY_MAX // full))
        if duty != self._duty:
            self._duty = duty
            self._pwm.duty_u16(duty)
