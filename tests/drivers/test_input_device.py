import errno
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.lib.errors import NO_DEVICE, Failure
from firmware.lib.input_device import InputDevice
from firmware.lib.serial_line import LineLostError


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "event0"
    os.mkfifo(path)
    return path


class Kernel:
    """What ioctl is asked for, and what it answers."""

    def __init__(self, refusal: int = 0) -> None:
        self.asked: list[tuple[int, Any]] = []
        self.name, self.ident = b"keyboard", b"\x03\x00\x01\x02"
        self._refusal = refusal

    def __call__(self, fd: int, request: int, argument: Any) -> Any:
        if self._refusal:
            raise OSError(self._refusal, os.strerror(self._refusal))
        if request in (0x80084502, 0x81004506):  # EVIOCGID, EVIOCGNAME(256)
            said = self.ident if request == 0x80084502 else self.name
            return said.ljust(len(argument), b"\0")
        self.asked.append((request, argument))
        return 0


def test_it_is_ours_alone_and_stamped_by_the_clock_that_decides(fifo: Path) -> None:
    kernel = Kernel()
    device = InputDevice(str(fifo), kernel)
    device.open()
    assert kernel.asked == [(0x400445A0, struct.pack("i", 1)), (0x40044590, 1)]
    assert device.is_open
    assert device.fileno() > 2
    device.close()
    assert not device.is_open


def test_nothing_waits_and_what_came_is_given(fifo: Path) -> None:
    device = InputDevice(str(fifo), Kernel())
    device.open()
    with fifo.open("wb", buffering=0) as writer:
        assert device.read() == b""
        writer.write(b"an event")
        assert device.read() == b"an event"
    device.close()


def test_a_keyboard_that_has_gone_is_told_and_closed(
    fifo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = InputDevice(str(fifo), Kernel())
    device.open()

    def gone(fd: int, size: int) -> bytes:
        raise OSError(errno.ENODEV, "No such device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "read", gone)
        with pytest.raises(LineLostError):
            device.read()
    assert not device.is_open


@pytest.mark.parametrize("what", ["name", "ident"])
def test_another_device_that_came_to_that_number_is_none(fifo: Path, what: str) -> None:
    kernel = Kernel()
    device = InputDevice(str(fifo), kernel)
    for _ in range(2):
        device.open()
        device.close()
    ours = getattr(kernel, what)
    setattr(kernel, what, b"reader")
    with pytest.raises(Failure, match="is another device"):
        device.open()
    assert not device.is_open
    assert len(kernel.asked) == 4  # it was not taken from who has it
    setattr(kernel, what, ours)
    device.open()
    device.close()


@pytest.mark.parametrize(
    ("ioctl", "says"),
    [
        (Kernel(errno.EBUSY), "is in use"),
        (Kernel(errno.EACCES), "is not yours to read"),
        (Kernel(errno.ENOTTY), "is no keyboard"),
    ],
)
def test_what_cannot_be_opened_is_told_and_not_kept_open(
    fifo: Path, ioctl: Callable[..., Any], says: str
) -> None:
    device = InputDevice(str(fifo), ioctl)
    with pytest.raises(Failure, match=says) as failure:
        device.open()
    assert failure.value.exit_code == NO_DEVICE
    assert not device.is_open


def test_a_file_that_is_not_there_is_no_keyboard(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="is no keyboard"):
        InputDevice(str(tmp_path / "none")).open()
