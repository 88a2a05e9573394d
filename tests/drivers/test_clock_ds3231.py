import calendar
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.clock_ds3231 import ADDRESS, ClockDs3231
from firmware.shims.virtual import RegisterDevice, VirtualMachine

FIRST = calendar.timegm((2000, 1, 1, 0, 0, 0))
LAST = calendar.timegm((2099, 12, 31, 23, 59, 59))


def clock(registers=None):
    registers = bytearray(0x13) if registers is None else registers
    machine = VirtualMachine()
    machine.attach_i2c(1, ADDRESS, RegisterDevice(registers))
    return ClockDs3231(machine.I2C(1)), registers


@given(st.integers(FIRST, LAST))
def test_what_is_set_is_read(utc_s):
    chip, _ = clock()
    chip.set(utc_s)
    assert chip.read() == (utc_s, True)


@pytest.mark.parametrize("year", [2024, 2025, 2096, 2099])
def test_every_day_round_the_end_of_february_is_right(year):
    chip, registers = clock()
    for day in range(57, 63):
        utc_s = calendar.timegm((year, 1, 1, 0, 0, 0)) + day * 86_400
        chip.set(utc_s)
        date = time.gmtime(utc_s)
        assert registers[4:6].hex() == f"{date.tm_mday:02}{date.tm_mon:02}"
        assert chip.read().utc_s == utc_s


def test_the_registers_hold_what_the_datasheet_says():
    chip, registers = clock()
    chip.set(calendar.timegm((2026, 11, 21, 13, 8, 44)))
    assert registers[:7].hex() == "44081306211126"  # a Saturday is day 6


def test_a_twelve_hour_register_is_understood():
    chip, registers = clock(bytearray.fromhex("000072010101260000000000000000" + "00000000"))
    assert chip.read().utc_s == calendar.timegm((2026, 1, 1, 12, 0, 0))
    registers[2] = 0x52
    assert chip.read().utc_s == calendar.timegm((2026, 1, 1, 0, 0, 0))
    registers[2] = 0x71
    assert chip.read().utc_s == calendar.timegm((2026, 1, 1, 23, 0, 0))


def test_a_stopped_oscillator_is_not_trusted_until_the_time_is_set():
    chip, registers = clock()
    chip.set(FIRST)
    registers[0x0F] = 0x88
    assert chip.read().trusted is False
    chip.set(FIRST + 60)
    assert chip.read() == (FIRST + 60, True)
    assert registers[0x0F] == 0x08, "the other bits stay"


@pytest.mark.parametrize(
    "nonsense", ["ff" * 7, "00" * 7, "00600001010126", "00000001011326", "7a000001010126"]
)
def test_nonsense_in_the_registers_is_not_trusted(nonsense):
    chip, _ = clock(bytearray.fromhex(nonsense) + bytearray(12))
    assert chip.read().trusted is False


@pytest.mark.parametrize("utc_s", [FIRST - 1, LAST + 1])
def test_a_year_the_chip_cannot_hold_is_refused(utc_s):
    with pytest.raises(ValueError, match="2000 to 2099"):
        clock()[0].set(utc_s)
