"""What only a real kernel can show. Runs inside the guest (make kernel-rig) alone."""

import contextlib
import errno
import fcntl
import os
import threading
import time
from pathlib import Path

import pytest
from kernel_bench import chip

from boards import pi4
from drivers.expander_mcp23017 import ExpanderMcp23017
from drivers.fram_mb85rc256v import FramMb85rc256v
from firmware.shims.linux import KernelWatchdog, i2c
from firmware.shims.pi import open_machine
from firmware.store.clone import board_serial
from tools.hil.kernel.devices import BUS, ChipBus, SimChip, interrupts
from tools.sim.chips import ChipMb85rc256v, attach
from tools.sim.expander import ChipMcp23017

FRAM, EXPANDER = 0x50, 0x20
WATCHDOG = Path("/sys/class/watchdog/watchdog0")


class Served:
    """A bus whose chips answer from a thread."""

    def __init__(self):
        self.bus = ChipBus()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                self.bus.serve()
            except OSError:
                return


@contextlib.contextmanager
def opened(board):
    chip()
    machine = open_machine(board)
    try:
        yield machine
    finally:
        machine.close()


@pytest.fixture(scope="module")
def served():
    return Served().bus


@pytest.mark.req("ON-3.2.4.survive")
def test_the_fram_behind_a_real_bus_keeps_what_the_driver_writes(served):
    memory = attach(served, BUS, FRAM).memory
    driver = FramMb85rc256v(i2c(BUS), FRAM)
    data = bytes(range(256)) * 2
    driver.write(32_000, data)
    assert memory[32_000:32_512] == data
    assert driver.read(32_000, len(data)) == data
    served.detach_i2c(BUS, FRAM)


def test_an_expanders_interrupt_goes_when_it_is_read_over_a_real_bus(served):
    expander = ChipMcp23017()
    served.attach_i2c(BUS, EXPANDER, expander)
    driver = ExpanderMcp23017(i2c(BUS), EXPANDER)
    driver.start()
    quiet = expander.interrupt()
    expander.set_pin(3, 1)
    assert expander.interrupt() != quiet
    driver.read()
    driver.read()  # the first ends the interrupt of what it was told
    assert expander.interrupt() == quiet
    served.detach_i2c(BUS, EXPANDER)


def test_a_bus_that_is_held_gives_up_after_its_timeout(served):
    served.held = True
    start_s = time.monotonic()
    with pytest.raises(OSError, match=str(errno.ETIMEDOUT)):
        i2c(BUS).readfrom(FRAM, 4)
    assert time.monotonic() - start_s >= 0.9
    served.held = False
    served.attach_i2c(BUS, FRAM, ChipMb85rc256v())
    assert i2c(BUS).readfrom(FRAM, 4) == bytes(4), "a late answer must not be taken for the next"
    served.detach_i2c(BUS, FRAM)


def test_the_kernels_watchdog_is_armed_with_its_time_and_wound_up_by_a_feed():
    dog = KernelWatchdog("/dev/watchdog", 3_000, fcntl.ioctl)
    assert int((WATCHDOG / "timeout").read_text()) == 3
    for _ in range(3):  # unfed it would end the guest, and with it all tests
        time.sleep(2)
        dog.feed()
    os.write(dog._fd, b"V")  # ours may be disarmed, unlike the Pi's
    os.close(dog._fd)


def test_a_pull_of_the_firmware_is_the_lines_level_where_nobody_drives_it():
    with opened(pi4.BOARD) as machine:
        chip().set_input(4, 0)
        machine.edges.set_pull(4, machine.Pin.PULL_UP)
        assert machine.edges.level(4) == 1
        chip().set_input(4, 0)
        assert machine.edges.level(4) == 0


@pytest.mark.req("UK-2.2.parts")
def test_every_edge_of_a_burst_is_counted_by_the_kernel_and_read():
    with opened(pi4.BOARD) as machine:
        before = interrupts("cylindre")
        for i in range(500):
            chip().set_input(16, (i + 1) % 2)
        assert interrupts("cylindre") - before == 500
        found = machine.edges.read(machine.edges.now_us())
    line = [name for name, _ in pi4.BOARD["inputs"]].index("enc_a")
    assert [level for _, at, level in found if at == line] == [1, 0] * 250


def test_lines_that_somebody_has_are_refused_with_a_sentence():
    with opened(pi4.BOARD), pytest.raises(OSError, match="busy"), opened(pi4.BOARD):
        pass


def test_the_serial_number_is_read_of_a_real_device_tree():
    assert board_serial(pi4.BOARD) == "10000000c0ffee23"


def test_a_chip_of_that_name_is_made_once():
    with pytest.raises(FileExistsError):
        SimChip("pinctrl-bcm2711")
    assert Path(chip().path).exists()


def test_a_chip_that_was_taken_away_may_be_made_again():
    for _ in range(2):
        found = SimChip("another")
        found.set_input(3, 1)
        assert found.level(3) == 1
        found.close()
        assert not Path(found.path).exists()
