import pytest

from drivers import rotor_motor
from drivers.rotor_motor import LIMITS, PERIOD_US, RotorMotor
from firmware.shims.virtual import VirtualMachine

PWM, DIRECTION, ENABLE, ESTOP, OVERCURRENT = 20, 21, 22, 11, 12
SECOND = 1_000_000


class Bench:
    """A motor on a rotor of first order: 0.6 turn/s at full drive, 1.5 s, a little friction."""

    def __init__(self, wiring=1):
        self.machine = machine = VirtualMachine()
        pin = machine.Pin
        self.motor = RotorMotor(
            pwm=machine.PWM(pin(PWM), freq=1000),
            direction=pin(DIRECTION, pin.OUT),
            enable=pin(ENABLE, pin.OUT),
            estop=pin(ESTOP, pin.IN),
            overcurrent=pin(OVERCURRENT, pin.IN),
        )
        self.now_us = 5 * SECOND
        self.speed = 0.0  # turns a second
        self.wiring, self.blocked, self.shorted = wiring, False, False
        self.speeds, self.codes, self.enables, self.flips = [], [], [], []

    def run(self, seconds):
        for _ in range(round(seconds * SECOND / PERIOD_US)):
            self.step()
        return self

    def step(self):
        self.now_us += PERIOD_US
        way = self.machine.level(DIRECTION)
        code = self.motor.poll(self.now_us, round(self.speed * 1_000_000))
        if code:
            self.codes.append(code)
        if self.machine.level(DIRECTION) != way:
            self.flips.append(self.speed)
        self.enables.append(self.machine.level(ENABLE))
        drive = self.machine.duty_u16(PWM) / 65535 * (1 if self.machine.level(DIRECTION) else -1)
        if self.shorted:
            drive = 1.2
        dt = PERIOD_US / SECOND
        self.speed += (drive * self.wiring * 0.6 - self.speed) / 1.5 * dt
        friction = 0.02 / 1.5 * dt
        self.speed = max(0.0, self.speed - friction) + min(0.0, self.speed + friction)
        if self.blocked:
            self.speed = 0.0
        self.speeds.append(self.speed)

    def drive(self, direction):
        self.motor.drive(direction, self.now_us)
        return self

    @property
    def duty(self):
        return self.machine.duty_u16(PWM)


def running(direction=1):
    bench = Bench().drive(direction).run(8)
    bench.speeds.clear()
    bench.enables.clear()
    return bench


@pytest.mark.parametrize("direction", [1, -1])
def test_a_spin_up_is_timed_from_rest_to_nine_tenths_of_the_speed(direction):
    bench = Bench().drive(direction)
    while not bench.duty:  # the other way takes a rest first
        bench.step()
    began_us = bench.now_us
    while abs(bench.speed) * 10 < LIMITS.target_uturn_s / 1_000_000 * 9:
        assert bench.motor.effort()[0] is None
        bench.step()
    took_us = bench.now_us - began_us
    bench.run(3)
    assert bench.motor.effort()[0] == pytest.approx(took_us, abs=30_000)
    bench.run(5)
    assert bench.motor.effort()[0] == pytest.approx(took_us, abs=30_000), "the last one stands"


def test_a_rotor_that_is_reversed_is_timed_from_its_rest():
    bench = Bench().drive(1).run(8)
    alone_us, _ = bench.motor.effort()
    bench.drive(-1)
    assert bench.motor.effort()[0] is None
    bench.run(12)
    assert bench.motor.effort()[0] == pytest.approx(alone_us, abs=100_000)


@pytest.mark.parametrize("runs_out_s", [0.0, 0.5])
def test_a_rotor_that_turned_when_it_was_ordered_has_no_spin_up(runs_out_s):
    bench = running(1)
    if runs_out_s:
        bench.drive(0).run(runs_out_s)
    bench.drive(1).run(8)
    assert bench.speed == pytest.approx(0.35, abs=0.01)
    assert bench.motor.effort()[0] is None


def test_a_motor_that_works_against_a_brake_takes_longer_and_drives_harder():
    free = running(1)
    braked = Bench().drive(1)
    for _ in range(800):
        braked.step()
        braked.speed = max(0.0, braked.speed - 0.0006)
    free_us, free_permille = free.motor.effort()
    braked_us, braked_permille = braked.motor.effort()
    assert braked_us > free_us + 50_000
    assert braked_permille > free_permille + 50
    assert free_permille == free.duty * 1000 // 65535


@pytest.mark.parametrize("direction", [1, -1])
def test_the_rotor_comes_to_its_speed_and_keeps_it(direction):
    bench = running(direction).run(10)
    assert bench.codes == []
    target = LIMITS.target_uturn_s / 1_000_000
    assert all(abs(speed * direction - target) < 0.01 for speed in bench.speeds)


def test_it_ramps_and_never_jumps():
    bench = Bench().drive(1).run(4)
    steps = [b - a for a, b in zip(bench.speeds, bench.speeds[1:], strict=False)]
    assert max(steps) * SECOND / PERIOD_US < 0.25, "turns a second squared"
    assert max(bench.speeds) < 0.37


def test_a_motor_that_was_held_back_does_not_overshoot():
    bench = running(1)
    bench.speeds.clear()
    for _ in range(250):
        bench.speed = min(bench.speed, 0.1)  # a hand brakes; full drive cannot help
        bench.step()
    bench.run(8)
    assert max(bench.speeds) < 0.4
    assert bench.codes == []


def test_a_reversal_goes_through_rest():
    bench = running(1).drive(-1).run(12)
    assert bench.codes == []
    assert bench.speed == pytest.approx(-0.35, abs=0.01)
    assert len(bench.flips) == 1
    assert abs(bench.flips[0]) <= LIMITS.rest_uturn_s / 1_000_000


def test_the_direction_is_never_changed_while_the_rotor_turns():
    bench = running(1).drive(-1)
    bench.wiring = 0  # the drive no longer acts
    turning = 0
    for _ in range(2000):
        bench.speed = 0.3  # something else turns the rotor
        bench.step()
        turning += bench.machine.level(DIRECTION)
    assert turning == 2000


def test_without_drive_the_rotor_runs_out_and_the_enable_stays_low():
    bench = running(1).drive(0).run(10)
    assert bench.speed == 0
    assert bench.duty == 0
    bench.enables.clear()
    assert set(bench.run(1).enables) == {0}


@pytest.mark.parametrize("then", [0, -1])
def test_a_rotor_that_a_hand_has_stopped_is_not_pushed_on_while_it_runs_out(then):
    """A ball was laid on a plate that stood, and .1 s of drive stirred it (campaign, seed 22)."""
    bench = running(1).drive(then)
    while bench.duty:  # it is faster than the ramp, for a moment: a hand may brake it
        bench.step()
    bench.blocked = True
    bench.step()
    duties = []
    while bench.machine.level(DIRECTION) and len(duties) < 300:
        bench.step()
        duties.append(bench.duty if bench.machine.level(DIRECTION) else 0)
    assert not any(duties), duties


def test_the_enable_is_a_square_wave_of_the_polls():
    bench = running(1).run(1)
    assert bench.enables in ([0, 1] * 50, [1, 0] * 50)


def test_stop_is_at_once_and_may_come_twice():
    bench = running(1)
    bench.motor.stop()
    bench.motor.stop()
    assert (bench.duty, bench.machine.level(ENABLE)) == (0, 0)
    assert bench.run(10).codes == []
    assert bench.speed == 0


@pytest.mark.parametrize(
    ("pin", "code"), [(ESTOP, rotor_motor.ESTOP), (OVERCURRENT, rotor_motor.OVERCURRENT)]
)
def test_a_safety_input_stops_at_the_next_poll_and_tells_once_an_order(pin, code):
    bench = running(1)
    bench.machine.set_input(pin, 1)
    bench.step()
    assert (bench.duty, bench.machine.level(ENABLE), bench.codes) == (0, 0, [code])
    assert bench.run(1).codes == [code]
    bench.drive(1).run(1)
    assert (bench.duty, bench.codes) == (0, [code, code]), "a new order does not turn it"
    bench.machine.set_input(pin, 0)
    bench.run(2)
    assert bench.duty == 0, "nor does the input's end"
    assert bench.drive(1).run(8).speed == pytest.approx(0.35, abs=0.01)
    assert bench.codes == [code, code]


def test_a_rotor_that_does_not_move_is_a_stall():
    bench = Bench()
    bench.blocked = True
    bench.drive(1).run(2.9)
    assert bench.codes == []
    assert bench.run(0.4).codes == [rotor_motor.STALL]
    assert bench.duty == 0
    assert bench.run(10).codes == [rotor_motor.STALL], "once"


def test_a_dead_encoder_is_a_stall_too():
    bench = running(1)
    for _ in range(400):
        bench.now_us += PERIOD_US
        code = bench.motor.poll(bench.now_us, 0)
        if code:
            break
    assert (code, bench.duty) == (rotor_motor.STALL, 0)


def test_a_rotor_above_the_limit_runs_away_and_is_told_once():
    bench = running(1)
    bench.shorted = True
    bench.run(10)
    assert bench.codes == [rotor_motor.RUNAWAY]
    assert (bench.duty, bench.machine.level(ENABLE)) == (0, 0)


def test_a_runaway_that_goes_on_is_told_again_to_who_orders_it_to_turn():
    bench = running(1)
    bench.shorted = True
    bench.run(10).drive(-1).run(1)
    assert bench.codes == [rotor_motor.RUNAWAY, rotor_motor.RUNAWAY]


def test_a_rotor_that_nobody_drives_runs_away_too():
    bench = Bench()
    bench.shorted = True
    assert bench.run(10).codes == [rotor_motor.RUNAWAY]


def test_one_wild_reading_of_the_encoder_is_no_runaway():
    bench = running(1)
    assert bench.motor.poll(bench.now_us + 60_000, 900_000) is None
    bench.now_us += 60_000
    assert bench.run(2).codes == []


def test_swapped_wires_are_a_wrong_direction():
    bench = Bench(wiring=-1).drive(1).run(3)
    assert bench.codes == [rotor_motor.WRONG_DIRECTION]
    assert min(bench.speeds) > -0.2


def test_a_rotor_that_still_runs_out_is_caught_at_its_speed():
    bench = running(1).drive(0).run(3.5)
    slow = bench.speed
    assert 0.02 < slow < 0.2
    bench.speeds.clear()
    bench.drive(1).run(8)
    assert min(bench.speeds) > slow * 0.95
    assert bench.codes == []


def waits(bench, seconds):
    """From poll to poll: how long the motor then waits to look at its speed again."""
    found = []
    for _ in range(round(seconds * SECOND / PERIOD_US)):
        due_us = bench.motor.due_us
        bench.step()
        if bench.motor.due_us != due_us:
            found.append(bench.motor.due_us - bench.now_us)
    return found


def test_the_speed_is_looked_at_half_as_often_while_it_is_as_it_should_be():
    bench = Bench().drive(1)
    assert set(waits(bench, 2)) == {rotor_motor.CONTROL_US}
    bench.run(6)
    assert set(waits(bench, 5)) == {rotor_motor.STEADY_US}
    bench.drive(-1).run(0.3)
    assert set(waits(bench, 2)) == {rotor_motor.CONTROL_US}


@pytest.mark.parametrize("direction", [-1, 0])
def test_an_order_to_a_steady_motor_is_not_kept_waiting(direction):
    bench = running(1)
    duty = bench.duty
    bench.drive(direction).run(0.02)
    assert bench.duty < duty


def test_a_rotor_that_is_held_back_is_looked_at_more_often_at_once():
    bench = running(1)
    bench.speed *= 0.9
    bench.run(0.3)
    assert waits(bench, 0.1) == [rotor_motor.CONTROL_US]


def test_a_late_poll_does_not_jump():
    bench = running(1).drive(-1)
    bench.now_us += 20 * SECOND
    bench.step()
    assert bench.machine.level(DIRECTION) == 1
    assert bench.duty > 0
    assert bench.codes == []
