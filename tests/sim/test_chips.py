"""Level and clock of the guest's bus, read by the drivers of the wheel."""

import time
from random import Random

import pytest

from drivers.clock_ds3231 import ClockDs3231
from drivers.level_adxl345 import SAMPLES, LevelAdxl345
from firmware.shims.virtual import VirtualMachine
from tools.sim.chips import ADXL345, DS3231, ChipAdxl345, ChipDs3231, KeptFram

PERIOD_US = 10_000


class Bench:
    def __init__(self):
        self.now_us = 0
        self.tilt_mdeg = (0, 0)
        machine = VirtualMachine()
        level = ChipAdxl345(lambda: self.tilt_mdeg, lambda: self.now_us, Random(1))
        machine.attach_i2c(1, ADXL345, level)
        machine.attach_i2c(1, DS3231, ChipDs3231(lambda: self.now_us / 1e6))
        self.i2c = machine.I2C(1)

    def level_mdeg(self):
        driver = LevelAdxl345(self.i2c)
        driver.start()
        for _ in range(SAMPLES):
            self.now_us += PERIOD_US
            found = driver.sample()
        return found


@pytest.mark.parametrize("tilt_mdeg", [(0, 0), (300, -150), (-1000, 2000)])
def test_the_driver_reads_the_tilt_of_the_wheel(tilt_mdeg):
    bench = Bench()
    bench.tilt_mdeg = tilt_mdeg
    assert bench.level_mdeg() == pytest.approx(tilt_mdeg, abs=40)


def test_a_reading_is_new_every_ten_milliseconds_alone():
    bench = Bench()
    driver = LevelAdxl345(bench.i2c)
    driver.start()
    for _ in range(3 * SAMPLES):
        bench.now_us += PERIOD_US // 4
        assert driver.sample() is None


def test_the_clock_chip_goes_on_by_itself_when_the_machines_time_is_set_anew(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_790_000_059.0)
    bench = Bench()
    monkeypatch.setattr(time, "time", lambda: 1_690_000_000.0)
    bench.now_us = 2_000_000
    reading = ClockDs3231(bench.i2c).read()
    assert (reading.utc_s, reading.trusted) == (1_790_000_061, True)


def test_the_fram_keeps_in_its_file_what_it_acknowledged(tmp_path):
    path = tmp_path / "fram"
    KeptFram(path).write(b"\x01\x02a record")
    again = KeptFram(path)
    again.write(b"\x01\x02")
    assert again.read(8) == b"a record"
