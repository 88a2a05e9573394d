"""The rotor against closed forms."""

from math import exp, inf

import pytest

from tools.sim.parameters import PRESETS
from tools.sim.rotor import Rotor
from tools.sim.sensors import Marks

CIRCLE = Marks([(at / 144, at % 2, 1) for at in range(144)])
SMOOTH = PRESETS["W1"].changed(ripple=0.0, motor_friction_turn_s2=0.0)


def test_the_motor_brings_the_rotor_to_its_speed_with_its_time_constant():
    rotor = Rotor(SMOOTH, CIRCLE, 0.1)
    rotor.motor(0.0, 500)
    for seconds in (0.5, 1.5, 4.0):
        rotor.run(seconds, [])
        assert rotor.speed_at(seconds) == pytest.approx(0.3 * (1 - exp(-seconds / 1.5)), rel=0.01)


def test_the_way_is_the_integral_of_the_speed():
    rotor = Rotor(SMOOTH, CIRCLE, 0.1)
    rotor.motor(0.0, 500)
    crossings = []
    rotor.run(6.0, crossings)
    way = 0.3 * (6.0 - 1.5 * (1 - exp(-6.0 / 1.5)))
    assert len(crossings) / 144 == pytest.approx(way, abs=0.015)


def test_a_free_rotor_slows_by_friction_alone_and_stays_at_rest():
    p = SMOOTH.changed(runout_friction_turn_s2=0.05, runout_time_constant_s=1e9)
    rotor = Rotor(p, CIRCLE, 0.1)
    rotor.motor(0.0, 500)
    rotor.run(10.0, [])
    speed = rotor.speed_at(10.0)
    rotor.motor(10.0, 0)
    crossings = []
    rotor.run(30.0, crossings)
    assert rotor.speed_at(30.0) == 0.0
    assert rotor.t_end == inf
    assert len(crossings) / 144 == pytest.approx(speed**2 / 2 / 0.05, abs=0.01)


def test_a_reversed_motor_takes_the_rotor_through_zero_back_over_the_same_marks():
    rotor = Rotor(SMOOTH, CIRCLE, 0.1)
    rotor.motor(0.0, 600)
    crossings = []
    rotor.run(2.0, crossings)
    rotor.motor(2.0, -600)
    back = []
    rotor.run(6.0, back)
    assert rotor.speed_at(6.0) < -0.2
    # These marks rise ccw and fall cw: what rose less what fell is where the rotor stands.
    passed = sum(1 if level else -1 for _, _, level in crossings + back) / 144
    assert (rotor.turn_at(6.0) - 0.1 - passed + 0.5) % 1.0 - 0.5 == pytest.approx(0, abs=1 / 144)
    assert [entry[2] for entry in back[-20:]] == [0] * 20
    assert [entry[2] for entry in crossings] == [1] * len(crossings)


def test_the_ripple_is_one_percent_once_a_turn():
    p = PRESETS["W1"]
    rotor = Rotor(p, CIRCLE, 0.0)
    rotor.steer(0.0, 0.2, 0.0, 0.0)
    rotor.run(1.5, [])
    rotor.steer(1.5, 0.0, 0.0, 0.0)
    speeds = []
    for step in range(150, 150 + 350):
        rotor.run(step / 100, [])
        speeds.append(rotor.speed_at(step / 100))
    mean = (max(speeds) + min(speeds)) / 2
    assert (max(speeds) - min(speeds)) / 2 / mean == pytest.approx(0.01, rel=0.1)


def test_a_motor_too_weak_for_the_friction_does_not_move_the_rotor():
    rotor = Rotor(PRESETS["W1"], CIRCLE, 0.1)
    rotor.motor(0.0, 10)
    crossings = []
    rotor.run(100.0, crossings)
    assert crossings == []
    assert rotor.speed_at(100.0) == 0.0


def test_clockwise_is_the_mirror_of_counter_clockwise():
    passed = []
    for permille in (500, -500):
        rotor = Rotor(SMOOTH, CIRCLE, 0.5 / 144)
        rotor.motor(0.0, permille)
        crossings = []
        rotor.run(5.0, crossings)
        passed.append([at for at, _, _ in crossings])
    assert len(passed[0]) > 100
    assert passed[0] == pytest.approx(passed[1], abs=1e-9)
