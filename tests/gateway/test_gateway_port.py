"""The gateway's serial line when nobody takes what it says: a port that is ours, byte by byte."""

import os
import termios
from collections.abc import Callable

import pytest

from firmware.lib.serial_line import LineLostError
from firmware.services.gateway.link import Port

LINE = b"*X;4;011;  ;0;165;1\r\n"
FILENO = 1_000_000  # no file's: what is written goes to the test


class Tty:
    """What a port needs of pyserial; remembers whether its buffer was thrown away."""

    def __init__(self, out_waiting: int = 0) -> None:
        self.out_waiting = out_waiting
        self.resets = 0
        self.refuses_reset = False
        self.is_closed = False

    def fileno(self) -> int:
        return FILENO

    def reset_output_buffer(self) -> None:
        self.resets += 1
        if self.refuses_reset:
            raise termios.error(5, "Input/output error")

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was written; every write takes all."""
    return writes(monkeypatch, len)


def writes(monkeypatch: pytest.MonkeyPatch, takes: Callable[[bytes], int]) -> list[bytes]:
    """Lets a write take so many bytes, or raise; returns what it will be given."""
    given: list[bytes] = []

    def write(fileno: int, data: bytes) -> int:
        assert fileno == FILENO
        given.append(data)
        return takes(data)

    monkeypatch.setattr(os, "write", write)
    return given


def port_on(tty: Tty) -> Port:
    port = Port("/dev/none")
    port._serial = tty  # type: ignore[assignment]
    return port


@pytest.mark.parametrize("waiting", [0, 120])
def test_a_line_goes_out_whole_behind_what_still_waits(written: list[bytes], waiting: int) -> None:
    tty = Tty(waiting)
    assert port_on(tty).put(LINE)
    assert (written, tty.resets) == ([LINE], 0)


def test_where_more_than_a_few_lines_wait_all_are_thrown_away(written: list[bytes]) -> None:
    tty = Tty(out_waiting=121)
    port = port_on(tty)
    assert not port.put(LINE)
    assert (written, tty.resets) == ([], 1)
    tty.out_waiting = 0
    assert port.put(LINE)
    assert (written, tty.resets) == ([LINE], 1)


def test_a_line_that_went_in_part_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    written = writes(monkeypatch, lambda data: len(data) - 1)
    tty = Tty()
    port = port_on(tty)
    assert not port.put(LINE)
    assert (written, tty.resets, port.is_open) == ([LINE], 1, True)


@pytest.mark.parametrize("refuses_reset", [False, True])
def test_a_line_for_which_there_is_no_room_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch, refuses_reset: bool
) -> None:
    def full(_: bytes) -> int:
        raise BlockingIOError

    written = writes(monkeypatch, full)
    tty = Tty()
    tty.refuses_reset = refuses_reset
    port = port_on(tty)
    assert not port.put(LINE)
    assert (written, tty.resets, port.is_open) == ([LINE], 1, True)


def test_a_port_that_is_gone_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: bytes) -> int:
        raise OSError(5, "Input/output error")

    writes(monkeypatch, gone)
    tty = Tty()
    port = port_on(tty)
    with pytest.raises(LineLostError):
        port.put(LINE)
    assert tty.is_closed
    assert not port.is_open


def test_a_port_that_is_gone_when_it_is_emptied_is_closed(written: list[bytes]) -> None:
    tty = Tty(out_waiting=121)
    tty.refuses_reset = True
    port = port_on(tty)
    with pytest.raises(LineLostError):
        port.put(LINE)
    assert tty.is_closed
    assert (written, port.is_open) == ([], False)
