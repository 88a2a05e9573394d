"""The driver against the chip's registers, and its bytes on the wire."""

import errno
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.expander_mcp23017 import ADDRESS, ExpanderMcp23017, Reading
from firmware.shims.linux import SmbusI2c
from firmware.shims.machine import Machine
from firmware.shims.virtual import VirtualMachine
from tools.sim.expander import ChipMcp23017

BUS = 1
PINS = range(16)


class Bench:
    def __init__(self, address=ADDRESS):
        self.chip = ChipMcp23017()
        self.machine = VirtualMachine()
        self.machine.attach_i2c(BUS, address, self.chip)
        self.i2c = self.machine.I2C(BUS)
        self.driver = ExpanderMcp23017(self.i2c, address)

    def set(self, levels):
        for pin in PINS:
            self.chip.set_pin(pin, levels >> pin & 1)


@pytest.fixture
def bench():
    bench = Bench()
    bench.driver.start()
    return bench


class Wire:
    """An I2C that notes what goes over it; it answers what the chip would."""

    def __init__(self, bench):
        self.i2c, self.sent = bench.i2c, []

    def writeto_mem(self, address, register, data):
        self.sent.append(("write", address, register, bytes(data).hex()))
        self.i2c.writeto_mem(address, register, data)

    def readfrom_mem(self, address, register, count):
        self.sent.append(("read", address, register, count))
        return self.i2c.readfrom_mem(address, register, count)


def test_the_set_up_on_the_wire_is_that_of_the_datasheet():
    wire = Wire(Bench(0x23))
    ExpanderMcp23017(wire, 0x23).start()
    assert wire.sent == [
        ("write", 0x23, 0x05, "00"),  # IOCON, if BANK is 1
        ("write", 0x23, 0x0A, "42"),  # IOCON: MIRROR, INTPOL
        # IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU of ports A and B
        ("write", 0x23, 0x00, "ffff0000ffff000000004242ffff"),
        ("read", 0x23, 0x00, 14),
    ]


def test_a_reading_is_one_transfer_of_flags_capture_and_port():
    wire = Wire(Bench())
    driver = ExpanderMcp23017(wire)
    driver.start()
    wire.sent.clear()
    driver.read()
    assert wire.sent == [("read", 0x20, 0x0E, 6)]


@pytest.mark.parametrize("iocon", [0x80, 0x20, 0xA0, 0xFE])
def test_the_chip_is_set_up_whatever_it_was_set_to(iocon):
    bench = Bench()
    bench.i2c.writeto_mem(ADDRESS, 0x0A, bytes((iocon,)))
    bench.driver.start()
    bench.chip.set_pin(9, 1)
    assert bench.driver.read() == Reading(1 << 9, 1 << 9, 1 << 9)


def test_a_chip_that_does_not_keep_its_set_up_is_refused():
    class Worn(ChipMcp23017):
        def write(self, data):
            super().write(data if data[0] != 0 else data[:5])

    bench = Bench()
    bench.machine.attach_i2c(BUS, ADDRESS, Worn())
    with pytest.raises(OSError, match=f"Errno {errno.EIO}"):
        bench.driver.start()


def test_a_chip_that_is_not_there_is_enodev():
    driver = ExpanderMcp23017(VirtualMachine().I2C(BUS))
    for call in (driver.start, driver.read, driver.check):
        with pytest.raises(OSError, match=f"Errno {errno.ENODEV}"):
            call()


@pytest.mark.parametrize("pin", PINS)
def test_each_pin_raises_the_interrupt_both_ways_and_a_reading_ends_it(bench, pin):
    for level in (1, 0):
        assert (bench.chip.interrupt(0), bench.chip.interrupt(1)) == (0, 0)
        bench.chip.set_pin(pin, level)
        assert (bench.chip.interrupt(0), bench.chip.interrupt(1)) == (1, 1), "mirrored"
        assert bench.driver.read() == Reading(1 << pin, level << pin, level << pin)
    assert bench.chip.interrupt() == 0
    assert bench.driver.read().flagged == 0


def test_a_pulse_that_is_over_before_it_is_read_is_captured(bench):
    bench.chip.set_pin(3, 1)
    bench.chip.set_pin(3, 0)
    assert bench.driver.read() == Reading(1 << 3, 1 << 3, 0)


def test_of_two_changes_between_readings_the_first_is_captured_and_both_are_present(bench):
    bench.chip.set_pin(3, 1)
    bench.chip.set_pin(5, 1)
    assert bench.driver.read() == Reading(1 << 3, 1 << 3, 1 << 3 | 1 << 5)
    assert bench.driver.read() == Reading(0, 1 << 3, 1 << 3 | 1 << 5)


def test_each_port_captures_its_own_first_change(bench):
    bench.chip.set_pin(3, 1)
    bench.chip.set_pin(12, 1)
    assert bench.driver.read() == Reading(0x1008, 0x1008, 0x1008)


def test_a_dip_of_the_supply_is_noticed(bench):
    assert bench.driver.check()
    bench.chip.brown_out()
    assert not bench.driver.check()
    bench.driver.start()
    assert bench.driver.check()


@given(before=st.integers(0, 0xFFFF), changes=st.lists(st.tuples(st.sampled_from(PINS))))
def test_what_is_present_is_what_the_pins_stand_at(before, changes):
    bench = Bench()
    bench.set(before)
    bench.driver.start()
    bench.driver.read()
    levels = before
    for (pin,) in changes:
        levels ^= 1 << pin
        bench.chip.set_pin(pin, levels >> pin & 1)
    flagged, captured, present = bench.driver.read()
    assert present == levels
    assert (captured ^ before) & flagged == flagged, "a flagged pin was captured changed"
    assert not (present ^ before) or flagged, "nothing changes without an interrupt"


def test_smbus2_carries_every_transfer_as_a_block(monkeypatch):
    """i2c-stub and the Pi's adapters know these; this machine has no kernel I2C to try."""
    bench = Bench()
    calls = []

    class SMBus:
        def __init__(self, bus):
            calls.append(("open", bus))

        def write_i2c_block_data(self, addr, register, data):
            calls.append(("write", addr, register, len(data)))
            assert len(data) <= 32
            bench.chip.write(bytes((register, *data)))

        def read_i2c_block_data(self, addr, register, length):
            calls.append(("read", addr, register, length))
            bench.chip.write(bytes((register,)))
            return list(bench.chip.read(length))

    module = ModuleType("smbus2")
    module.SMBus, module.i2c_msg = SMBus, None
    monkeypatch.setitem(sys.modules, "smbus2", module)

    class Backend:
        lines = None

        def open_i2c(self, bus, freq_hz):
            return SmbusI2c(bus)

    driver = ExpanderMcp23017(Machine(Backend()).I2C(BUS))
    driver.start()
    bench.chip.set_pin(8, 1)
    assert driver.read() == Reading(0x100, 0x100, 0x100)
    assert [call[:1] + call[2:] for call in calls[1:]] == [
        ("write", 0x05, 1),
        ("write", 0x0A, 1),
        ("write", 0x00, 14),
        ("read", 0x00, 14),
        ("read", 0x0E, 6),
    ]
