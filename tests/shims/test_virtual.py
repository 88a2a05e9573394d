import pytest

from firmware.shims.virtual import UART_ROOM, VirtualMachine, uart_pair


def test_a_pull_up_is_what_an_undriven_input_reads():
    machine = VirtualMachine()
    assert machine.Pin(3, machine.Pin.IN, machine.Pin.PULL_UP).value() == 1
    machine.set_input(3, 0)
    assert machine.Pin(3, machine.Pin.IN, machine.Pin.PULL_UP).value() == 0


def test_an_input_cannot_be_driven_from_inside():
    machine = VirtualMachine()
    machine.Pin(3, machine.Pin.IN).value(1)
    assert machine.level(3) == 0


def test_two_machines_share_no_lines():
    one, other = VirtualMachine(), VirtualMachine()
    one.Pin(3, one.Pin.OUT, value=1)
    assert (one.level(3), other.level(3)) == (1, 0)


def test_the_watchdog_expires_after_its_time_without_a_feed():
    clock = [0]
    machine = VirtualMachine(lambda: clock[0])
    dog = machine.WDT(timeout=1000)
    assert machine.dog is not None
    clock[0] = 900_000
    dog.feed()
    assert machine.dog.fed_us == [900_000]
    assert [machine.dog.expired(t) for t in (1_900_000, 1_900_001)] == [False, True]


def test_a_port_holds_what_a_tty_holds_and_no_more():
    near, far = uart_pair()
    assert near.write(bytes(UART_ROOM + 10)) == UART_ROOM
    assert near.write(b"x") == 0
    far.read(1)
    assert near.write(b"xy") == 1


def test_an_unplugged_port_raises_until_it_is_back():
    near, far = uart_pair()
    near.unplug()
    with pytest.raises(OSError, match="unplugged"):
        near.any()
    assert far.write(b"lost") == 4
    near.plug()
    assert near.any() == 0


def test_a_chip_taken_off_the_bus_no_longer_answers():
    machine = VirtualMachine()
    machine.attach_i2c(1, 0x10, device=None)
    assert machine.I2C(1).scan() == [0x10]
    machine.detach_i2c(1, 0x10)
    assert machine.I2C(1).scan() == []
