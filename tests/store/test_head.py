"""The FRAM of a board, or the file that stands in for it, as commands open them."""

import contextlib

import pytest

import boards
from firmware.lib.errors import FAILED, NO_DEVICE, Failure
from firmware.run.open_head import open_head, read_slot
from firmware.shims import linux
from firmware.shims.virtual import RegisterDevice, VirtualMachine
from firmware.store.fram import START, Point
from tools.sim.chips import attach

PI = boards.load("pi4")
VIRTUAL = boards.load("roulette_ref")


@pytest.fixture
def machine(monkeypatch):
    """What is on /dev/i2c-1."""
    found = VirtualMachine()
    monkeypatch.setattr(linux, "i2c", lambda bus: found.I2C(bus))
    return found


@pytest.fixture
def stack():
    with contextlib.ExitStack() as stack:
        yield stack


def test_a_virtual_board_has_none_but_by_a_file(stack, tmp_path):
    assert open_head(VIRTUAL, None, stack) is None
    assert read_slot(VIRTUAL, None) is None
    assert open_head(VIRTUAL, tmp_path / "fram.bin", stack).state is None


def test_a_boards_own_chip_is_used(machine, stack):
    chip = attach(machine, 1, 0x50)
    head = open_head(PI, None, stack)
    head.before(START, Point(1, bytes(32)), 1)
    assert chip.memory.startswith(b"CYL4")
    assert read_slot(PI, None).fram_id == head.fram_id


def test_a_file_goes_before_the_chip_that_is_broken(machine, stack, tmp_path):
    assert open_head(PI, tmp_path / "fram.bin", stack).state is None


def test_a_chip_that_does_not_answer_is_one_sentence_and_no_device(machine, stack):
    with pytest.raises(
        Failure, match=r"^The FRAM \(MB85RC256V at 0x50 of i2c 1\) cannot"
    ) as caught:
        open_head(PI, None, stack)
    assert caught.value.exit_code == NO_DEVICE
    assert caught.value.sentence.endswith("Check it and its bus; or give --fram FILE for one.")


def test_another_chip_in_its_place_is_refused(machine, stack):
    machine.attach_i2c(1, 0x50, RegisterDevice(bytearray(256)))
    machine.attach_i2c(1, 0x7C, RegisterDevice(bytearray(256)))
    with pytest.raises(Failure, match="The chip where the FRAM should be is none") as caught:
        open_head(PI, None, stack)
    assert caught.value.exit_code == NO_DEVICE


def test_a_damaged_file_is_named(stack, tmp_path):
    path = tmp_path / "fram.bin"
    path.write_bytes(b"something else".ljust(32_768))
    for call in (lambda: open_head(VIRTUAL, path, stack), lambda: read_slot(VIRTUAL, path)):
        with pytest.raises(Failure, match=f"^{path}: The FRAM holds something") as caught:
            call()
        assert caught.value.exit_code == FAILED


def test_a_file_that_is_not_there_is_not_made_by_looking(tmp_path):
    with pytest.raises(Failure, match="no such file"):
        read_slot(VIRTUAL, tmp_path / "fram.bin")
    assert list(tmp_path.iterdir()) == []
