"""The driver against the chip's memory, and its bytes on the wire."""

import sys
import threading
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import LAST_RESORT_S

from drivers.fram_mb85rc256v import ADDRESS, SIZE, FramMb85rc256v
from firmware.shims.linux import SmbusI2c
from firmware.shims.machine import Machine
from firmware.shims.virtual import RegisterDevice, VirtualMachine
from tools.sim.chips import ChipMb85rc256v, attach

BUS = 1
BLOCK_MAX = 32


class Bench:
    def __init__(self, address=ADDRESS):
        self.machine = VirtualMachine()
        self.chip = attach(self.machine, BUS, address)
        self.i2c = self.machine.I2C(BUS)
        self.driver = FramMb85rc256v(self.i2c, address)


@pytest.fixture
def bench():
    return Bench()


class Wire:
    """An I2C that notes what goes over it; it answers what the chip would."""

    def __init__(self, bench):
        self.i2c, self.sent = bench.i2c, []

    def writeto_mem(self, address, at, data, *, addrsize=8):
        self.sent.append(("write", address, addrsize, at, bytes(data).hex()))
        self.i2c.writeto_mem(address, at, data, addrsize=addrsize)

    def readfrom_mem(self, address, at, count, *, addrsize=8):
        self.sent.append(("read", address, addrsize, at, count))
        return self.i2c.readfrom_mem(address, at, count, addrsize=addrsize)


def test_a_write_is_two_bytes_of_address_high_first_and_then_the_data():
    wire = Wire(Bench(0x53))
    FramMb85rc256v(wire, 0x53).write(0x1234, b"\xca\xfe")
    assert wire.sent == [("write", 0x53, 16, 0x1234, "cafe")]


def test_a_long_write_leaves_the_bus_to_the_sensors_every_64_bytes():
    wire = Wire(Bench())
    driver = FramMb85rc256v(wire)
    driver.write(100, bytes(130))
    driver.read(100, 130)
    assert [(at, len(data) // 2) for _, _, _, at, data in wire.sent[:3]] == [
        (100, 64),
        (164, 64),
        (228, 2),
    ]
    assert [(at, count) for _, _, _, at, count in wire.sent[3:]] == [(100, 64), (164, 64), (228, 2)]


@given(
    writes=st.lists(
        st.tuples(st.integers(0, SIZE - 1), st.binary(max_size=300)), min_size=1, max_size=6
    )
)
def test_what_was_written_is_read_wherever_it_lies(writes):
    bench, expected = Bench(), bytearray(SIZE)
    for at, data in writes:
        part = data[: SIZE - at]
        bench.driver.write(at, part)
        expected[at : at + len(part)] = part
    assert bytes(bench.chip.memory) == bytes(expected)
    for at, data in writes:
        size = min(len(data), SIZE - at)
        assert bench.driver.read(at, size) == expected[at : at + size]


def test_the_chip_itself_goes_on_at_0_past_its_end(bench):
    bench.i2c.writeto_mem(ADDRESS, SIZE - 1, b"ab", addrsize=16)
    assert bench.chip.memory[-1:] + bench.chip.memory[:1] == b"ab"
    assert bench.i2c.readfrom_mem(ADDRESS, SIZE - 1, 2, addrsize=16) == b"ab"


@pytest.mark.parametrize(("at", "size"), [(SIZE - 1, 2), (SIZE, 1), (-1, 1), (0, SIZE + 1)])
def test_nothing_goes_past_the_end_where_it_would_begin_again(bench, at, size):
    with pytest.raises(ValueError, match="32768 bytes"):
        bench.driver.write(at, bytes(size))
    with pytest.raises(ValueError, match="32768 bytes"):
        bench.driver.read(at, size)
    assert not any(bench.chip.memory)


def test_there_is_no_page_to_wrap_in(bench):
    data = bytes(range(256)) * 2
    bench.driver.write(4000, data)
    assert bench.chip.memory[4000:4512] == data


def test_the_chip_is_known_by_its_device_id(bench):
    assert bench.driver.identify()


def test_the_device_id_is_asked_for_at_the_reserved_address():
    wire = Wire(Bench(0x51))
    assert FramMb85rc256v(wire, 0x51).identify()
    assert wire.sent == [("read", 0x7C, 8, 0xA2, 3)]


def test_a_chip_at_another_address_is_not_taken_for_this_one():
    bench = Bench(0x51)
    assert not FramMb85rc256v(bench.i2c, 0x50).identify()


def test_an_eeprom_at_its_address_has_no_device_id():
    machine = VirtualMachine()
    machine.attach_i2c(BUS, ADDRESS, RegisterDevice(bytearray(256)))
    with pytest.raises(OSError, match="0x7c"):
        FramMb85rc256v(machine.I2C(BUS)).identify()


@pytest.mark.parametrize(
    "call", [lambda driver: driver.read(0, 1), lambda driver: driver.write(0, b"1")]
)
def test_a_chip_that_is_gone_is_an_os_error(bench, call):
    bench.machine.detach_i2c(BUS, ADDRESS)
    with pytest.raises(OSError, match="0x50"):
        call(bench.driver)


def test_a_write_protected_chip_acknowledges_and_keeps_nothing(bench):
    bench.chip.protected = True
    bench.driver.write(0, b"lost")
    assert bench.driver.read(0, 4) == bytes(4)


# --- through smbus2, as on a Pi ------------------------------------------------------------------
class Smbus:
    """smbus2.SMBus: it holds one address at a time, as the file of i2c-dev does."""

    def __init__(self, chip, other):
        self.devices = {ADDRESS: chip, 0x53: other}
        self.address = None
        self.between = lambda: None  # another thread's turn, between the two calls to the kernel

    def _device(self, address):
        self.address = address
        self.between()
        return self.devices[self.address]

    def write_i2c_block_data(self, address, register, data):
        assert len(data) <= BLOCK_MAX
        self._device(address).write(bytes((register, *data)))

    def read_i2c_block_data(self, address, register, count):
        assert count <= BLOCK_MAX
        device = self._device(address)
        device.write(bytes((register,)))
        return list(device.read(count))

    def i2c_rdwr(self, *messages):
        for message in messages:
            device = self.devices[message.address]
            if message.count:
                message.data = device.read(message.count)
            else:
                device.write(message.data)


class Message:
    def __init__(self, address, data=b"", count=0):
        self.address, self.data, self.count = address, bytes(data), count

    def __iter__(self):
        return iter(self.data)


class LinuxBackend:
    lines = None

    def __init__(self, bus):
        self.open_i2c = lambda number, freq_hz: bus


@pytest.fixture
def linux(monkeypatch):
    """The driver over SmbusI2c, with a level sensor's registers on the same bus."""
    chip, level = ChipMb85rc256v(), RegisterDevice(bytearray(range(64)))
    smbus = Smbus(chip, level)
    module = ModuleType("smbus2")
    module.SMBus = lambda number: smbus
    module.i2c_msg = SimpleNamespace(
        write=Message, read=lambda address, count: Message(address, count=count)
    )
    monkeypatch.setitem(sys.modules, "smbus2", module)
    i2c = Machine(LinuxBackend(SmbusI2c(BUS))).I2C(BUS)
    return SimpleNamespace(chip=chip, smbus=smbus, i2c=i2c, driver=FramMb85rc256v(i2c))


@pytest.mark.parametrize("size", [1, 29, 30, 31, 32, 33, 64, 65, 500])
def test_any_size_goes_through_smbus2(linux, size):
    data = bytes((7 * at + 1) % 256 for at in range(size))
    linux.driver.write(0x0FF0, data)
    assert linux.chip.memory[0x0FF0 : 0x0FF0 + size] == data
    assert linux.driver.read(0x0FF0, size) == data


def test_the_attendants_thread_on_the_same_bus_disturbs_no_byte(linux):
    """While one thread is between its two calls to the kernel, the other wants the bus too."""
    wants, seen = threading.Event(), []

    def attend():
        wants.set()
        seen.append(linux.i2c.readfrom_mem(0x53, 10, 6))

    def between():
        linux.smbus.between = lambda: None
        thread.start()
        assert wants.wait(LAST_RESORT_S)
        thread.join(0.05)  # long enough to do harm where nothing holds it back

    thread = threading.Thread(target=attend)
    linux.smbus.between = between
    linux.driver.write(0, b"a result")
    thread.join(LAST_RESORT_S)
    assert seen == [bytes(range(10, 16))]
    assert linux.chip.memory[:8] == b"a result"
