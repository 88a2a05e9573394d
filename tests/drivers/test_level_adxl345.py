import errno
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.level_adxl345 import ADDRESS, SAMPLES, LevelAdxl345, _atan_mdeg
from firmware.shims.virtual import RegisterDevice, VirtualMachine


class Chip:
    """An ADXL345 lying at an angle, with the scatter of one count that the real one has."""

    def __init__(self, x_deg, y_deg, z_sign=1):
        self.registers = bytearray(64)
        self.registers[0x00] = 0xE5
        self.registers[0x30] = 0x80
        self.machine = VirtualMachine()
        self.machine.attach_i2c(1, ADDRESS, RegisterDevice(self.registers))
        z = 256 / math.sqrt(1 + math.tan(math.radians(x_deg)) ** 2
                            + math.tan(math.radians(y_deg)) ** 2)  # fmt: skip
        self.axes = (
            z * math.tan(math.radians(x_deg)),
            z * math.tan(math.radians(y_deg)),
            z * z_sign,
        )

    def turn(self, i):
        noise = (i * 37 % SAMPLES + 0.5) / SAMPLES - 0.5
        for axis, value in enumerate(self.axes):
            count = round(value + noise)
            self.registers[0x32 + 2 * axis : 0x34 + 2 * axis] = count.to_bytes(
                2, "little", signed=True
            )


def read(chip, level):
    answers = []
    for i in range(SAMPLES):
        chip.turn(i)
        answers.append(level.sample())
    assert answers[:-1] == [None] * (SAMPLES - 1)
    return answers[-1]


@pytest.mark.parametrize(("x", "y"), [(0, 0), (0.05, -0.05), (-0.5, 0.2), (5, -9.9)])
def test_a_mean_sees_far_less_than_one_count(x, y):
    chip = Chip(x, y)
    level = LevelAdxl345(chip.machine.I2C(1))
    level.start()
    x_mdeg, y_mdeg = read(chip, level)
    assert abs(x_mdeg - x * 1000) < 10
    assert abs(y_mdeg - y * 1000) < 10


def test_start_makes_it_measure_at_full_resolution():
    chip = Chip(0, 0)
    LevelAdxl345(chip.machine.I2C(1)).start()
    assert (chip.registers[0x2C], chip.registers[0x2D], chip.registers[0x31]) == (0x0A, 8, 8)


def test_the_zero_of_the_wheel_is_taken_off():
    chip = Chip(0.3, 0)
    x_mdeg, y_mdeg = read(chip, LevelAdxl345(chip.machine.I2C(1), zero_mdeg=(300, -100)))
    assert abs(x_mdeg) < 10
    assert abs(y_mdeg - 100) < 10


def test_a_reading_is_not_counted_twice():
    chip = Chip(0, 0)
    chip.registers[0x30] = 0
    level = LevelAdxl345(chip.machine.I2C(1))
    assert [level.sample() for _ in range(2 * SAMPLES)] == [None] * (2 * SAMPLES)


def test_a_chip_that_hangs_head_down_has_no_level():
    chip = Chip(0, 0, z_sign=-1)
    assert read(chip, LevelAdxl345(chip.machine.I2C(1))) is None


def test_another_chip_at_its_address_is_refused():
    chip = Chip(0, 0)
    chip.registers[0] = 0x33
    with pytest.raises(OSError, match=f"Errno {errno.ENODEV}"):
        LevelAdxl345(chip.machine.I2C(1)).start()


@given(st.integers(-45_000, 45_000), st.integers(256 * SAMPLES // 2, 256 * SAMPLES))
def test_the_integer_arc_tangent_is_within_two_millidegrees_at_ten_degrees(rise, run):
    exact = math.degrees(math.atan2(rise, run)) * 1000
    if abs(exact) <= 10_000:
        assert abs(_atan_mdeg(rise, run) - exact) <= 4
    else:
        assert (_atan_mdeg(rise, run) > 0) == (rise > 0)
