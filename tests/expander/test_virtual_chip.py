"""The virtual MCP23017 against the tables of its datasheet, DS20001952."""

import pytest

from tools.sim.expander import ChipMcp23017

# Tables 3-4 and 3-5: the address of each register of ports A and B with BANK 0 and with BANK 1, and
# its value after power-on.
# fmt: off
REGISTERS = [
    ("IODIR",   0x00, 0x00, 0xFF),
    ("IPOL",    0x02, 0x01, 0x00),
    ("GPINTEN", 0x04, 0x02, 0x00),
    ("DEFVAL",  0x06, 0x03, 0x00),
    ("INTCON",  0x08, 0x04, 0x00),
    ("IOCON",   0x0A, 0x05, 0x00),
    ("GPPU",    0x0C, 0x06, 0x00),
    ("INTF",    0x0E, 0x07, 0x00),
    ("INTCAP",  0x10, 0x08, 0x00),
    ("GPIO",    0x12, 0x09, 0x00),
    ("OLAT",    0x14, 0x0A, 0x00),
]
# fmt: on
ADDRESS = {name: address for name, address, _, _ in REGISTERS}
PLAIN = ["IODIR", "IPOL", "GPINTEN", "DEFVAL", "INTCON", "GPPU", "OLAT"]


def put(chip, name, *values):
    chip.write(bytes((ADDRESS[name], *values)))


def get(chip, name, count=2):
    chip.write(bytes((ADDRESS[name],)))
    return list(chip.read(count))


@pytest.fixture
def chip():
    return ChipMcp23017()


@pytest.fixture
def on_change(chip):
    """All pins interrupt on change; the line is active high, either port moves it."""
    put(chip, "IOCON", 0x42)
    put(chip, "GPINTEN", 0xFF, 0xFF)
    return chip


@pytest.mark.parametrize(("name", "address", "_", "value"), REGISTERS)
def test_registers_after_power_on_are_those_of_table_3_5(chip, name, address, _, value):
    chip.write(bytes((address,)))
    assert list(chip.read(2)) == [value, value], name


@pytest.mark.parametrize("name", PLAIN)
def test_registers_read_back_port_by_port_in_both_banks(chip, name):
    put(chip, name, 0x5A, 0xC3)
    assert get(chip, name) == [0x5A, 0xC3]
    put(chip, "IOCON", 0x80)
    bank_1 = next(address for known, _, address, _ in REGISTERS if known == name)
    for address, value in ((bank_1, 0x5A), (bank_1 + 0x10, 0xC3)):
        chip.write(bytes((address,)))
        assert chip.read(1)[0] == value


def test_the_address_rolls_over_after_the_last_register(chip):
    put(chip, "OLAT", 0x12, 0x34, 0x0F)
    assert get(chip, "OLAT", 3) == [0x12, 0x34, 0x0F]
    assert get(chip, "IODIR", 1) == [0x0F]


def test_with_seqop_the_address_stays_at_the_pair(chip):
    put(chip, "IOCON", 0x20)
    put(chip, "OLAT", 1, 2, 3)
    assert get(chip, "OLAT", 4) == [3, 2, 3, 2]


def test_the_reset_idle_interrupt_is_high_and_lets_go_once_it_is_active_high(chip):
    assert (chip.interrupt(0), chip.interrupt(1)) == (1, 1)
    put(chip, "IOCON", 0x42)
    assert (chip.interrupt(0), chip.interrupt(1)) == (0, 0)


@pytest.mark.parametrize("register", ["INTCAP", "GPIO"])
def test_the_interrupt_lasts_until_capture_or_port_is_read(on_change, register):
    on_change.set_pin(2, 1)
    assert get(on_change, "INTF") == [4, 0]
    assert on_change.interrupt() == 1
    assert get(on_change, register) == [4, 0]
    assert on_change.interrupt() == 0
    assert get(on_change, "INTF") == [0, 0]


def test_the_capture_is_frozen_at_the_first_change(on_change):
    on_change.set_pin(2, 1)
    on_change.set_pin(2, 0)
    on_change.set_pin(7, 1)
    assert get(on_change, "INTF", 6) == [4, 0, 4, 0, 0x80, 0]


def test_reading_one_port_leaves_the_interrupt_of_the_other(on_change):
    on_change.set_pin(2, 1)
    on_change.set_pin(8, 1)
    get(on_change, "GPIO", 1)
    assert on_change.interrupt() == 1
    get(on_change, "GPIO")
    assert on_change.interrupt() == 0


def test_without_mirror_each_port_has_its_line(on_change):
    put(on_change, "IOCON", 0x02)
    on_change.set_pin(8, 1)
    assert (on_change.interrupt(0), on_change.interrupt(1)) == (0, 1)


def test_open_drain_is_active_low_whatever_the_polarity(on_change):
    put(on_change, "IOCON", 0x46)
    assert on_change.interrupt() == 1
    on_change.set_pin(0, 1)
    assert on_change.interrupt() == 0


def test_compared_with_its_default_a_pin_interrupts_as_long_as_it_differs(on_change):
    put(on_change, "INTCON", 1, 0)
    on_change.set_pin(0, 1)
    get(on_change, "GPIO")
    assert on_change.interrupt() == 1
    on_change.set_pin(0, 0)
    get(on_change, "GPIO")
    assert on_change.interrupt() == 0


def test_a_pin_that_may_not_interrupts_nobody(on_change):
    put(on_change, "GPINTEN", 0xFE, 0xFF)
    on_change.set_pin(0, 1)
    assert on_change.interrupt() == 0
    assert get(on_change, "GPIO") == [1, 0]


def test_polarity_and_outputs_show_in_the_port(chip):
    put(chip, "IODIR", 0x0F, 0xFF)
    put(chip, "GPIO", 0xA5, 0)
    put(chip, "IPOL", 0x01, 0)
    assert get(chip, "GPIO") == [0xA1, 0]
    assert get(chip, "OLAT") == [0xA5, 0]


def test_flags_and_capture_cannot_be_written(on_change):
    put(on_change, "INTF", 0xFF, 0xFF, 0xFF, 0xFF)
    assert get(on_change, "INTF", 4) == [0, 0, 0, 0]


def test_a_dip_of_the_supply_resets_the_registers_and_not_the_pins(on_change):
    on_change.set_pin(3, 1)
    on_change.brown_out()
    assert get(on_change, "GPINTEN") == [0, 0]
    assert get(on_change, "GPIO") == [8, 0]
    assert on_change.interrupt() == 1, "an idle line is high again"
