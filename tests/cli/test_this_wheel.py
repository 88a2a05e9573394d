"""Which wheel is meant where nobody says it: on a device, in a checkout, on the card of another."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import boards
from firmware.config import Config
from firmware.config.this_wheel import board_name, config_file, displays_port, files_of, game_of
from firmware.lib import places
from firmware.lib.errors import CONFIGURATION, USAGE, Failure

HOUSE = '[wheel]\nboard = "pi4"\nid = "table-3"\n[rotor]\ntarget_rpm = 18\n'


class Device(NamedTuple):
    """Where a device has its things."""

    config: Path
    sockets: Path
    state: Path


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Device:
    """A machine with the package and a house's configuration; whoever asks stands elsewhere."""
    made = Device(
        tmp_path / "etc/cylindre/wheel.toml",
        tmp_path / "run/cylindre",
        tmp_path / "var/lib/cylindre",
    )
    for folder in (made.config.parent, made.sockets, made.state, tmp_path / "elsewhere"):
        folder.mkdir(parents=True)
    made.config.write_text(HOUSE)
    monkeypatch.setattr(places, "CONFIG_FILE", made.config)
    monkeypatch.setattr(places, "DEVICE_SOCKETS", made.sockets)
    monkeypatch.setattr(places, "DEVICE_STATE", made.state)
    monkeypatch.chdir(tmp_path / "elsewhere")
    return made


def test_at_a_devices_sockets_board_and_choices_are_those_of_its_configuration(
    device: Device,
) -> None:
    game, config = game_of(None, None, device.sockets)
    assert (game.board["name"], config.wheel_id, config.target_rpm) == ("pi4", "table-3", 18)


def test_the_sockets_are_the_devices_by_whatever_path(device: Device) -> None:
    link = Path("run")
    link.symlink_to(device.sockets.parent)
    assert game_of(None, None, link / "cylindre")[1].wheel_id == "table-3"


def test_a_wheel_of_a_checkout_on_that_machine_is_none_of_the_device(device: Device) -> None:
    folder = Path("var/roulette_ref")
    folder.mkdir(parents=True)
    game, config = game_of(None, None, folder)
    assert (game.board["name"], config) == ("roulette_ref", Config())
    assert files_of("roulette_ref", config, folder).journal == folder.absolute() / "journal.db"


def test_the_command_line_goes_before_all(device: Device) -> None:
    other = Path("other.toml")
    other.write_text('[wheel]\nboard = "boule_ref"\nid = "table-9"\n')
    game, config = game_of(None, other, device.sockets)
    assert (game.board["name"], config.wheel_id) == ("boule_ref", "table-9")
    game, config = game_of("pi5", None, device.sockets)
    assert (game.board["name"], config.wheel_id) == ("pi5", "table-3")


def test_a_configuration_that_is_named_and_not_there_is_told(device: Device) -> None:
    with pytest.raises(Failure) as refused:
        game_of(None, Path("none.toml"), device.sockets)
    assert refused.value.exit_code == CONFIGURATION


def test_where_nothing_says_it_the_machine_does(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert board_name(None, Config(), Path("var/x"), tmp_path) == "pi5"
    assert board_name(None, Config(), Path("var/boule_ref"), tmp_path) == "boule_ref"
    assert board_name(None, Config(board="pi4"), None, tmp_path) == "pi4"


def test_where_nobody_can_know_it_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="Which board") as refused:
        game_of(None, None, tmp_path)
    assert refused.value.exit_code == USAGE


def test_a_devices_files_lie_in_the_places_of_the_standard(device: Device) -> None:
    for sockets in (None, device.sockets):
        files = files_of("pi4", Config(), sockets)
        assert files.sockets == device.sockets
        assert files.certificates == device.state / "selftest"
        assert {path.parent for path in (files.journal, files.keys, files.people)} == {device.state}


def test_beside_the_journal_is_beside_the_one_that_the_house_names(device: Device) -> None:
    config = Config(journal="/data/coups.db")
    files = files_of("pi4", config, device.sockets)
    assert files.journal == Path("/data/coups.db")
    assert files.certificates == Path("/data/selftest")
    assert files.people == Path("/data/people.jsonl")


def test_the_card_of_another_machine_is_read_below_its_folder(tmp_path: Path) -> None:
    assert config_file(None, None, tmp_path) is None
    own = tmp_path / "etc/cylindre/wheel.toml"
    own.parent.mkdir(parents=True)
    own.write_text(HOUSE)
    assert config_file(None, None, tmp_path) == own
    assert files_of("pi4", Config(), None, tmp_path).journal == Path("var/pi4/journal.db")
    (tmp_path / "var/lib/cylindre").mkdir(parents=True)
    journal = files_of("pi4", Config(), None, tmp_path).journal
    assert journal == Path("/var/lib/cylindre/journal.db")


@pytest.mark.parametrize(
    ("board", "port", "expected"),
    [
        ("pi4", None, "/dev/ttyAMA0"),
        ("pi4", "/dev/ttyUSB0", "/dev/ttyUSB0"),
        ("roulette_ref", None, None),
        ("roulette_ref", "/dev/pts/4", "/dev/pts/4"),
    ],
)
def test_the_displays_line_is_the_houses_or_else_the_boards(
    board: str, port: str | None, expected: str | None
) -> None:
    assert displays_port(boards.load(board), Config(port=port)) == expected
