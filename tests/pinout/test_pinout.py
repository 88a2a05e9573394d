"""`cylindre pinout`: the header of every board, drawn three ways from the same data."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner, Result

import boards
from boards import raspberry
from boards.pin_map import pin_map
from firmware.config import this_wheel
from firmware.lib.errors import USAGE, Failure
from tools.commands.pinout import command
from tools.pinout import header, svg, text

# "Raspberry Pi HAT+ specification": the pin of each GPIO from 0 on, as RPi.GPIO's BOARD numbers.
PINS = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33)
PINS += (8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)
SVG = "{http://www.w3.org/2000/svg}"
WITH_HEADER = this_wheel.with_header()


def run(*options: object) -> Result:
    return CliRunner().invoke(command, [*map(str, options)])


def refused(*options: object) -> str:
    failure = run(*options).exception
    assert isinstance(failure, Failure)
    assert failure.exit_code == USAGE
    return failure.sentence


def test_the_header_is_the_one_that_every_pi_has() -> None:
    at = {what: pin for pin, what in enumerate(raspberry.HEADER, 1)}
    assert tuple(at[gpio] for gpio in range(28)) == PINS
    others = [(pin, what) for pin, what in enumerate(raspberry.HEADER, 1) if what not in range(28)]
    assert [pin for pin, what in others if what == "5V"] == [2, 4]
    assert [pin for pin, what in others if what == "3V3"] == [1, 17]
    assert [pin for pin, what in others if what == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]


@pytest.mark.parametrize("name", WITH_HEADER)
def test_every_line_of_a_board_is_at_its_pin(name: str) -> None:
    board = boards.load(name)
    pins = {pin.signal: pin for pin in header.header(board)}
    for use in pin_map(board):
        if isinstance(use.pin, int):
            assert pins[use.signal].position == PINS[use.pin]
            assert pins[use.signal].way == use.direction


@pytest.mark.parametrize("name", WITH_HEADER)
def test_every_cup_is_at_its_pin_of_its_expander(name: str) -> None:
    board = boards.load(name)
    told = {
        (chip.address, pin, signal)
        for chip in header.expanders(board)
        for pin, signal in chip.pins
        if signal
    }
    uses = [use for use in pin_map(board) if isinstance(use.pin, str)]
    assert told == {(int(use.direction.split()[2], 16), use.pin, use.signal) for use in uses}
    assert bool(told) == (board["apparatus"] == "boule")


def test_what_comes_in_goes_out_or_both() -> None:
    pins = {pin.signal: pin for pin in header.header(boards.load("pi4"))}
    ways = {name: (pins[name].comes, pins[name].goes) for name in pins}
    assert ways["rim0"] == ways["estop"] == ways["displays rx"] == (True, False)
    assert ways["motor_pwm"] == ways["displays tx"] == (False, True)
    assert ways["sensors sda"] == (True, True)
    assert ways[""] == ways["HAT EEPROM"] == (False, False)


@pytest.mark.parametrize("name", WITH_HEADER)
@pytest.mark.parametrize("plain", [True, False])
def test_the_drawing_fits_80_columns_and_has_every_signal(name: str, plain: bool) -> None:
    board = boards.load(name)
    lines = [*text.lines(board, colours=False, plain=plain)]
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    for use in pin_map(board):
        assert any(use.signal in line for line in lines), use
    assert "\n".join(lines).isascii() == plain


def test_colours_change_nothing_but_colours() -> None:
    board = boards.load("boule_pi4")
    painted = [*text.lines(board, colours=True, plain=False)]
    assert [click.unstyle(line) for line in painted] == [
        *text.lines(board, colours=False, plain=False)
    ]
    assert "\x1b[31m\x1b[1m5V" in "".join(painted)


def test_the_rows_are_drawn_as_they_lie() -> None:
    lines = [*text.lines(boards.load("pi4"), colours=False, plain=False)]
    assert lines[2] == "                         3V3  1 │ ■ ● │ 2  5V"
    assert lines[5] == "              rim0 →  GPIO 4  7 │ ● ● │ 8  GPIO 14 → displays tx"
    assert lines[21] == "                         GND 39 │ ● ● │ 40 GPIO 21 ← btn_start"


@pytest.mark.parametrize("name", WITH_HEADER)
def test_the_picture_is_whole_stands_alone_and_has_every_signal(name: str) -> None:
    board = boards.load(name)
    picture = svg.picture(board)
    root = ElementTree.fromstring(picture)
    words = [element.text or "" for element in root.iter(f"{SVG}text")]
    for use in pin_map(board):
        assert words.count(use.signal) == 1 or use.signal.startswith("int_"), use
    assert [word for word in words if word.isdigit()] == [str(pin) for pin in range(1, 41)]
    assert "href" not in picture
    assert "http" not in picture.replace('xmlns="http://www.w3.org/2000/svg"', "")
    height = float(root.attrib["height"])
    for shape in root.iter():
        assert float(shape.attrib.get("y", 0)) < height
        assert 0 <= float(shape.attrib.get("x", 0)) <= svg.WIDTH


def test_power_and_ground_have_the_usual_colours() -> None:
    root = ElementTree.fromstring(svg.picture(boards.load("pi5")))
    pads = [*root.iter(f"{SVG}rect"), *root.iter(f"{SVG}circle")]
    fills = [pad.attrib["fill"] for pad in pads if pad.attrib.get("r") == "12"]
    fills += [pad.attrib["fill"] for pad in pads if pad.attrib.get("height") == "24"]
    assert fills.count(svg._FILL[header.V5]) == 2
    assert fills.count(svg._FILL[header.V3]) == 2
    assert fills.count(svg._FILL[header.GND]) == 8


def test_programs_get_an_object_a_board() -> None:
    told = [json.loads(line) for line in run("--json").output.splitlines()]
    assert [each["board"] for each in told] == WITH_HEADER
    assert told[0]["header"][6] == {
        "position": 7,
        "name": "GPIO 4",
        "kind": "in",
        "signal": "rim0",
        "way": "in",
    }
    boule = next(each for each in told if each["board"] == "boule_pi4")
    assert boule["expanders"][0]["pins"][8] == {"pin": "GPB0", "signal": "cup07"}


def test_the_picture_is_written_whole_and_again(tmp_path: Path) -> None:
    path = tmp_path / "pins.svg"
    path.write_text("old")
    done = run("pi4", "--svg", path)
    assert (done.exit_code, done.stdout) == (0, "")
    assert path.read_text() == svg.picture(boards.load("pi4"))
    assert [*tmp_path.iterdir()] == [path]
    assert run("pi4", "--svg", "-").stdout == path.read_text()


def test_a_dry_run_draws_and_writes_nothing(tmp_path: Path) -> None:
    done = run("pi4", "--svg", tmp_path / "pins.svg", "--dry-run")
    assert (done.exit_code, [*tmp_path.iterdir()]) == (0, [])
    assert f"{len(svg.picture(boards.load('pi4')).encode())} bytes would be" in done.stderr
    assert "without --svg FILE" in refused("pi4", "--dry-run")


def test_a_picture_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    failure = run("pi4", "--svg", tmp_path / "gone" / "pins.svg").exception
    assert isinstance(failure, Failure)
    assert failure.sentence.endswith("pins.svg: no such file or directory.")


def test_a_wrong_board_is_usage() -> None:
    assert "did you mean" in refused("pi44")
    assert "roulette_ref is virtual" in refused("roulette_ref")
    assert "choose one of pi4, pi5" in refused("--svg", "x.svg")
    assert "not both" in refused("pi4", "--svg", "x.svg", "--json")


@pytest.mark.parametrize(
    ("machine", "found"),
    [
        (
            "Raspberry Pi 4 Model B Rev 1.4\0",
            ["pi4", "vingt_trois_pi4", "boule_pi4", "blackjack_pi4", "baccarat_pi4"],
        ),
        ("Raspberry Pi 5 Model B Rev 1.0\0", ["pi5"]),
        ("Raspberry Pi Compute Module 4 Rev 1.1\0", ["cm4"]),
        ("Raspberry Pi Compute Module 4S Rev 1.0\0", []),  # another form, without the header
        ("Raspberry Pi Zero 2 W Rev 1.0\0", ["zero2w"]),
        ("Raspberry Pi 3 Model B Plus Rev 1.3\0", []),
        ("", []),
    ],
)
def test_this_machine_is_told_by_its_device_tree(
    tmp_path: Path, machine: str, found: list[str]
) -> None:
    path = tmp_path / this_wheel.MODEL_FILE
    assert this_wheel.of_this_machine(tmp_path) == []
    path.parent.mkdir(parents=True)
    path.write_text(machine)
    assert this_wheel.of_this_machine(tmp_path) == found
