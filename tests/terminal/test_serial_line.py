"""A port that goes: opened again by its name, unless the name may be another program's by then."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.lib.errors import NO_DEVICE, Failure
from firmware.lib.serial_line import Line, LineLostError
from firmware.run.bus_line import tty_opener

BAUD = 115_200
Made = list[tuple[int, int]]


@pytest.fixture
def made() -> Iterator[Made]:
    """Pseudo-terminals, each with both its ends; those that are not taken out are closed."""
    pairs: Made = []
    yield pairs
    for pair in pairs:
        for handle in pair:
            os.close(handle)


def new(made: Made) -> str:
    made.append(os.openpty())
    return os.ttyname(made[-1][1])


def hang_up(made: Made) -> None:
    for handle in made.pop():
        os.close(handle)


def take_over(made: Made, name: str) -> None:
    """Another program takes the lowest number that is free, until it is that one."""
    for _ in range(100):
        if os.path.exists(name):
            return
        new(made)
    raise AssertionError(name)


def test_a_pseudo_terminal_that_hung_up_is_not_opened_again_whoever_has_its_number(
    made: Made,
) -> None:
    name = new(made)
    line = Line(name, BAUD)
    line.open()
    hang_up(made)
    with pytest.raises(LineLostError):
        line.read()
    take_over(made, name)
    with pytest.raises(Failure, match="There is no port") as told:
        line.open()
    assert told.value.exit_code == NO_DEVICE
    assert not line.is_open


def test_a_port_with_a_name_of_its_own_is_opened_again(made: Made, tmp_path: Path) -> None:
    link = tmp_path / "bus"
    link.symlink_to(new(made))
    line = Line(str(link), BAUD)
    line.open()
    hang_up(made)
    with pytest.raises(LineLostError):
        line.read()
    link.unlink()
    link.symlink_to(new(made))
    line.open()
    os.write(made[-1][0], b"x")
    assert line.read() == b"x"
    line.close()


def test_nor_does_a_controller_open_it_again(made: Made, tmp_path: Path) -> None:
    name = new(made)
    open_uart = tty_opener(name, BAUD)
    uart = open_uart()
    hang_up(made)
    uart.deinit()
    take_over(made, name)
    with pytest.raises(FileNotFoundError, match=f"{name} has hung up for good"):
        open_uart()

    link = tmp_path / "bus"
    link.symlink_to(new(made))
    open_uart = tty_opener(str(link), BAUD)
    for _ in range(2):
        open_uart().deinit()
