"""Every command that means a wheel finds the same one, or says which there are and how to choose.

The commands are walked: a new one fails here by its name until it stands in a table.
"""

from __future__ import annotations

import errno
import importlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import click
import own_journal
import pytest

from firmware.api.server import Service
from firmware.client.ask import path_of
from firmware.config.this_wheel import (
    Started,
    config_file,
    files_meant,
    find,
    leave,
    left,
    meant,
)
from firmware.keys import people
from firmware.lib import places
from firmware.lib.errors import FAILED, NO_DEVICE, OK, USAGE, Failure
from firmware.services.configuring import apply
from firmware.services.page import certificate
from firmware.services.recorder.files import HEAD, NOTES, TRACE
from tools import cli
from tools.commands.group import COMMANDS
from tools.technician.doctor.case import open_case
from tools.technician.doctor.machine import Machine

PIN = "246810"
ASKED = "var/roulette_ref/cylindre.sock"  # who asks the controller says where none answers
REGISTER = "elsewhere/orphelins.jsonl"
PINS = ["--croupier-pin-file", "pin", "--management-pin-file", "pin"]
SIGNED = ["--croupier", "anna", "--management", "weber", "--why", "x", *PINS]
DESK = ["--employee", "anna", "--pin-file", "pin"]
ROOM = ["--management", "weber", "--pin-file", "pin"]
MONEY = ["--croupier", "anna", "--pin-file", "pin"]
# Each with what it says of the one wheel that is here, whose controller does not run.
# fmt: off
MEAN: dict[str, tuple[list[str], str]] = {
    "status": ([], "var/roulette_ref/status.sock"), "watch": ([], ASKED),
    "guide": ([], ASKED),
    "void": ([], ASKED), "confirm": ([], ASKED), "clear": ([], ASKED), "call status": ([], ASKED),
    "gateway": (["--port", "/dev/null"], "var/roulette_ref/status.sock"),
    "manual": (["17", *SIGNED], ASKED), "correct": (["1", "17", *SIGNED], ASKED),
    "employee": (["on", "anna", "--pin-file", "pin"], ASKED),
    "shift": (["4", "--as", "weber", "--pin-file", "pin"], ASKED),
    "acknowledge": (["H12", "--why", "x", "--as", "weber", "--pin-file", "pin"], ASKED),
    "act": (["ball", "--as", "weber", "--pin-file", "pin"], ASKED),
    "unseat": (["1", "--why", "x", *DESK], ASKED),
    "cards enter": (["TH", *SIGNED], ASKED), "cards burn": (SIGNED, ASKED),
    "cards count": (SIGNED, ASKED), "cards rescan": ([], ASKED),
    "cards correct": (["41", "KD", *SIGNED], ASKED), "cards pay": (ROOM, ASKED),
    "account open": (["Anna Lux", "--player-pin-file", "pin", *DESK], ASKED),
    "account renew": (["1", "--player-pin-file", "pin", *DESK], ASKED),
    "account deposit": (["1", "500", *DESK], ASKED),
    "account payout": (["1", *DESK], ASKED), "account redeem": (["pin", *DESK], ASKED),
    "account reprint": (["1", *DESK], ASKED),
    "account withhold": (["1", "--why", "x", *ROOM], ASKED),
    "account release": (["1", "--why", "x", *ROOM], ASKED),
    "account bar": (["1", "--why", "x", *ROOM], ASKED),
    "account admit": (["1", "--why", "x", *ROOM], ASKED),
    "account close-day": (ROOM, ASKED),
    "account list": ([], "all: in 0.00"),
    "explain": (["1"], "elsewhere.db"), "journal tail": ([], "coup 1"),
    "journal show": (["1"], "Coup 1"), "journal verify": ([], "elsewhere.db is intact"),
    "journal export": ([], '"coup": 1'), "health": ([], "0 coups"),
    "people list": ([], "weber"), "people add": (["anna", "--role", "croupier",
                                                  "--pin-file", "pin"], "staff.jsonl"),
    "people remove": (["weber"], "staff.jsonl"),
    "orphelins list": ([], "0.00"),
    "orphelins mark": (["rouge", "--cents", "500", *MONEY], "elsewhere.db"),
    "orphelins found": (["--cents", "350", "--where", "x", *MONEY], "elsewhere.db"),
    "orphelins correct": (["1", "noir", "--cents", "500", *SIGNED], REGISTER),
    "orphelins close": (["2026", "--commune", "Mondorf", "--receipt", "17", *ROOM], REGISTER),
    "orphelins return": (["1", "--name", "x", "--address", "x", "--proof", "x", *ROOM], REGISTER),
    "selftest": (["--dry-run"], "var/roulette_ref"),
    "calibrate": (["--as", "weber", "--pin-file", "pin"], ASKED),
    "config check": ([], "table.toml: no mistakes"), "config show": ([], "table.toml"),
    "config apply": (["table.toml", "--dry-run"], "table.toml would say this"),
    "doctor": (["--json"], ""),
    "support-bundle": (["--dry-run", "--json", "--without", "logs"], "coups/000001-coup-1/"),
    "page": ([], "elsewhere/tls"),
    "hand pause": ([], "var/roulette_ref/hand.sock"), "hand lay": (["17"], "hand.sock"),
    "hand lift": ([], "hand.sock"), "hand throw": ([], "hand.sock"),
    "hand cover": (["rim0"], "hand.sock"), "hand press": (["btn_void"], "hand.sock"),
    "hand tilt": (["100", "0"], "hand.sock"),
}
# Which mean no wheel, or one that somebody names. What stands for all below it ends with *.
OTHERS = {
    "run": "starts one", "table": "starts one", "demo": "starts one", "sim": "is one",
    "display": "hears a line",
    "terminal": "hears a line", "line": "makes ttys", "replay": "plays a trace",
    "followers": "hears a line",
    "boards": "data", "rules": "data", "pinout": "data", "settle": "reads what it is given",
    "provision": "makes keys", "key *": "changes keys: somebody names them",
    "journal adopt": "changes what holds: somebody names it", "support read": "reads a file",
    "orphelins house": "adds up many", "calibrate show": "reads a file",
    "config new": "writes a file", "config settle": "a device's unit, before its start",
    "update *": "a device", "orders": "a device's unit", "safe": "a device's unit",
    "completion": "prints a script", "verify-install": "a device", "image *": "makes an image",
    "flash": "writes a card",
    "hil *": "plays virtual wheels",
}
# fmt: on


def leaves(command: click.Command, words: tuple[str, ...]) -> Iterator[str]:
    """The commands that do something, by their words."""
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from leaves(each, (*words, name))
        if not command.invoke_without_command:
            return
    yield " ".join(words)


def commands() -> list[str]:
    found: list[str] = []
    for name, _ in COMMANDS:
        module = importlib.import_module(f"tools.commands.{name.replace('-', '_')}")
        found += leaves(module.command, (name,))
    return found


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where no wheel is, on a machine that is no device."""
    monkeypatch.setattr(places, "CONFIG_FILE", tmp_path / "etc/wheel.toml")
    monkeypatch.setattr(places, "DEVICE_SOCKETS", tmp_path / "run/cylindre")
    monkeypatch.setattr(places, "DEVICE_STATE", tmp_path / "state")
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "pin").write_text(PIN + "\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PIN}\n" * 4))
    return folder


@pytest.fixture
def one(nowhere: Path) -> Path:
    """A wheel as `cylindre run` has left it: nothing lies where it would by itself."""
    elsewhere = nowhere.parent / "elsewhere"
    kept = elsewhere / "records" / "000001-coup-1"
    kept.mkdir(parents=True)
    for name in (HEAD, TRACE, NOTES):
        (kept / name).write_text("{}\n")
    (nowhere / "table.toml").write_text('[wheel]\nboard = "roulette_ref"\nid = "table-3"\n')
    own_journal.keys(elsewhere / "mykeys")
    journal = own_journal.opened(elsewhere / "elsewhere.db")
    journal.write(*own_journal.result(1))
    journal.close(10)
    (elsewhere / "staff.jsonl").touch(mode=0o600)
    (elsewhere / "staff.jsonl").write_bytes(people.encode(people.enrol("weber", "management", PIN)))
    folder = nowhere / "var" / "roulette_ref"
    folder.mkdir(parents=True)
    started = Started(
        "roulette_ref",
        "table-3",
        Path("table.toml"),
        elsewhere / "elsewhere.db",
        elsewhere / "mykeys",
        elsewhere / "staff.jsonl",
        elsewhere / "records",
    )
    leave(started, folder)
    return folder


# These look at the machine, or at what a new device will have.
MACHINES = ("doctor", "config check", "config show", "config apply", "support-bundle")


def test_every_command_stands_in_a_table() -> None:
    groups = {name.removesuffix(" *") for name in OTHERS if name.endswith(" *")}
    left_over = [name for name in commands() if name not in MEAN and name not in OTHERS]
    assert [name for name in left_over if name.split()[0] not in groups] == []
    known = set(commands())
    assert [name for name in MEAN if name not in known] == []


@pytest.mark.parametrize("name", [name for name in MEAN if name not in MACHINES])
def test_where_no_wheel_is_that_is_said(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert cli.main([*name.split(), *MEAN[name][0]]) == NO_DEVICE
    assert "No wheel is here. Start one with cylindre run" in capsys.readouterr().err


@pytest.mark.parametrize("name", MEAN)
def test_the_one_wheel_that_is_here_is_found(
    one: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(folder: Path) -> None:
        raise Failure(FAILED, str(folder))

    monkeypatch.setattr(certificate, "load", told)  # else the page serves, and never ends
    words, says = MEAN[name]
    cli.main([*name.split(), *words])
    found = capsys.readouterr()
    assert says in found.out + found.err
    assert "No wheel is here" not in found.err


@pytest.mark.parametrize("name", MEAN)
def test_of_several_wheels_nobody_guesses(
    one: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (one.parent / "boule_ref").mkdir()
    (one.parent / "boule_ref" / "journal.db").touch()
    assert cli.main([*name.split(), *MEAN[name][0]]) == USAGE
    said = capsys.readouterr().err
    assert "Several wheels are here: var/boule_ref, var/roulette_ref. Say with " in said
    option = said.split("Say with ")[1].split()[0]
    module = importlib.import_module(f"tools.commands.{name.split()[0].replace('-', '_')}")
    chosen: click.Command = module.command
    for word in name.split()[1:]:
        assert isinstance(chosen, click.Group)
        chosen = chosen.commands[word]
    names = [opt for each in chosen.params for opt in (*each.opts, each.human_readable_name)]
    assert option in [*names, *[each.upper() for each in names]]  # it has what it asks for


def test_all_that_the_run_was_given_is_that_wheels(one: Path) -> None:
    elsewhere = one.parents[2] / "elsewhere"
    found = files_meant()
    assert found.journal == elsewhere / "elsewhere.db"
    assert (found.keys, found.people) == (elsewhere / "mykeys", elsewhere / "staff.jsonl")
    assert (found.sockets, found.records) == (one, elsewhere / "records")
    assert config_file(None, meant()) == one.parents[1] / "table.toml"


def test_the_doctor_looks_at_that_wheel(one: Path) -> None:
    case = open_case(Machine(), None, None)
    assert case.board is not None
    assert (case.board["name"], case.config.wheel_id) == ("roulette_ref", "table-3")
    assert case.files == files_meant()


def test_a_board_chooses_and_a_new_one_is_where_run_would_have_it(one: Path) -> None:
    (one.parent / "boule_ref").mkdir()
    (one.parent / "boule_ref" / "journal.db").touch()
    assert meant(None, "roulette_ref") == Path("var/roulette_ref")
    assert meant(None, "boule_ref") == Path("var/boule_ref")
    assert meant(None, "vingt_trois_ref") == Path("var/vingt_trois_ref")


def test_the_one_that_runs_goes_before_those_that_lie_here(one: Path) -> None:
    other = one.parent / "boule_ref"
    service = Service(other, number_max=9)
    try:
        assert meant() == Path("var/boule_ref")
        (one / places.CONTROL).touch()  # of one that was killed: nobody listens there
        assert path_of(None, places.CONTROL) == Path("var/boule_ref") / places.CONTROL
        device = Service(places.DEVICE_SOCKETS, number_max=36)
        try:
            with pytest.raises(Failure, match="Several wheels are here: var/boule_ref, /"):
                meant()
        finally:
            device.close()
    finally:
        service.close()


def lies_there(folder: Path, board: str) -> Path:
    """A wheel of that board, as a run with its sockets there has left it."""
    folder.mkdir(parents=True)
    paths = (folder / places.JOURNAL, folder / places.KEYS, folder / places.PEOPLE)
    leave(Started(board, folder.name, None, *paths, None), folder)
    return folder


def demo_in(folder: Path) -> Path:
    """A demo's wheel, as one that is killed leaves it."""
    lies_there(folder, "roulette_ref")
    (folder / places.DEMO).touch()
    return folder


def test_of_two_wheels_of_one_board_that_in_the_folder_of_its_name_is_meant(one: Path) -> None:
    other = lies_there(one.with_name("bench"), "roulette_ref")
    service = Service(other, number_max=36)
    try:
        assert meant(None, "roulette_ref") == Path("var/roulette_ref")
    finally:
        service.close()
    one.rename(one.parents[1] / "away")
    assert meant(None, "roulette_ref") == Path("var/bench")


def test_a_folder_where_nobody_may_look_is_no_wheel(
    one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = lies_there(one.with_name("closed"), "boule_ref")
    look = Path.stat

    def stat(path: Path, **how: bool) -> os.stat_result:  # root may look everywhere
        if closed.name in path.parent.parts:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return look(path, **how)

    monkeypatch.setattr(Path, "stat", stat)
    assert meant() == Path("var/roulette_ref")


def test_no_demo_is_meant_where_another_wheel_is(one: Path) -> None:
    service = Service(demo_in(one.with_name("demo-x1")), number_max=36)
    try:
        assert meant() == meant(None, "roulette_ref") == Path("var/roulette_ref")
    finally:
        service.close()


def test_a_demo_is_meant_while_it_plays_where_nobody_names_a_board(nowhere: Path) -> None:
    demo = demo_in(nowhere / "var/demo-x1")
    assert find() is None
    service = Service(demo, number_max=36)
    try:
        assert meant() == Path("var/demo-x1")
        assert meant(None, "roulette_ref") == Path("var/roulette_ref")
    finally:
        service.close()


def test_a_device_is_meant_by_the_board_of_a_machine_alone(nowhere: Path) -> None:
    places.CONFIG_FILE.parent.mkdir()
    places.CONFIG_FILE.touch()
    assert meant(None, "pi4") == places.DEVICE_SOCKETS
    assert meant(None, "roulette_ref") == Path("var/roulette_ref")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["people", "list"], "weber"),
        (["people", "add", "anna", "--role", "croupier", "--pin-file", "pin"], "staff.jsonl"),
        (["orphelins", "mark", "rouge", "--cents", "500", *MONEY], "elsewhere.db"),
        (["support-bundle", "--dry-run", "--json", "--without", "logs"], "000001-coup-1/"),
    ],
)
def test_a_board_means_the_wheel_and_the_files_that_it_was_started_with(
    one: Path, words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    service = Service(demo_in(one.with_name("demo-x1")), number_max=36)
    try:
        cli.main([*words, "--board", "roulette_ref"])
    finally:
        service.close()
    found = capsys.readouterr()
    assert says in found.out + found.err
    assert not (one / places.PEOPLE).exists()


def test_the_first_of_the_people_are_where_run_will_look_for_them(nowhere: Path) -> None:
    add = ["people", "add", "anna", "--role", "croupier", "--pin-file", "pin"]
    assert cli.main([*add, "--board", "roulette_ref"]) == OK
    assert [each.name for each in people.load(Path("var/roulette_ref/people.jsonl"))] == ["anna"]


def test_a_folder_that_was_moved_is_still_that_wheel(one: Path) -> None:
    started = left(one)
    assert started is not None
    leave(started._replace(journal=one / "journal.db"), one)
    moved = one.rename(one.parent / "moved")
    found = left(moved)
    assert found is not None
    assert found.journal == moved / "journal.db"


def said(**other: object) -> str:
    """What a run leaves, but for that."""
    paths = {"config": None, "journal": "j.db", "keys": "k", "people": "p", "records": None}
    return json.dumps({"board": "roulette_ref", "wheel": "table-3", **paths, **other})


WRONG = {
    "nothing": "", "half": "{", "a list": "[]", "null": "null", "no keys": "{}",
    "one key": '{"board": 3}', "no text": "\0", "long": "9" * 70_000, "deep": "[" * 60_000,
    "a board that is unknown": said(board="roulete_ref"), "a list of boards": said(board=["pi4"]),
    "no name": said(wheel=None), "a name of no letters": said(wheel="\ud800"),
    "no journal": said(journal=None), "an empty name": said(journal=""),
    "a null character": said(journal="a\0b"), "half a character": said(keys="\ud800"),
    "an object as configuration": said(config={}), "a number as records": said(records=7),
    "an empty list as records": said(records=[]),
}  # fmt: skip


def test_what_is_as_a_run_leaves_it_is_taken(one: Path) -> None:
    (one / places.RUN).write_text(said())
    found = left(one)
    assert found is not None and found.journal == one.absolute() / "j.db"


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_there_is_as_if_nothing_was_left(one: Path, text: str) -> None:
    (one / places.RUN).write_text(text)
    assert left(one) is None
    assert files_meant().journal == one / "journal.db"


def test_root_heeds_what_root_or_the_owner_of_the_folder_has_left(
    one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may write there would choose the files that root writes into."""
    stat, owner = os.fstat, one.stat().st_uid

    def owned(uid: int) -> Started | None:
        def fstat(handle: int) -> os.stat_result:
            found = list(stat(handle))
            found[4] = uid
            return os.stat_result(found)

        monkeypatch.setattr(os, "fstat", fstat)
        return left(one)

    for reader, stranger_is_heeded in ((0, False), (owner + 1, True)):
        monkeypatch.setattr(os, "geteuid", lambda uid=reader: uid)
        assert owned(owner) is not None and owned(0) is not None
        assert (owned(owner + 7) is not None) is stranger_is_heeded


def test_the_devices_sockets_are_a_devices_by_whatever_path(
    nowhere: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    places.DEVICE_SOCKETS.mkdir(parents=True)
    places.CONFIG_FILE.parent.mkdir()
    link = nowhere / "link"
    link.symlink_to(places.DEVICE_SOCKETS)
    cli.main(["config", "show", "--socket", str(link)])
    assert "was started without a configuration" not in capsys.readouterr().out
    (nowhere / "new.toml").write_text('[wheel]\nboard = "pi4"\n')
    words = ["config", "apply", "new.toml", "--socket", str(link)]
    assert cli.main([*words, "--dry-run"]) == OK
    assert "wheel.toml would say this" in capsys.readouterr().out
    monkeypatch.setattr(apply, "apply", lambda change, how: " ".join(how.restart))
    assert cli.main([*words, "--offline"]) == OK
    assert "systemctl" in capsys.readouterr().out


def test_at_a_device_its_configuration_says_it_and_the_run_where_its_coups_are(one: Path) -> None:
    """Whoever asks as root takes no place of keys from who may write beside the sockets."""
    places.DEVICE_SOCKETS.mkdir(parents=True)
    places.DEVICE_STATE.mkdir()
    places.CONFIG_FILE.parent.mkdir()
    places.CONFIG_FILE.write_text('[wheel]\nboard = "pi4"\n')
    started = left(one)
    assert started is not None
    leave(started._replace(board="boule_ref", config=Path("/x")), places.DEVICE_SOCKETS)
    found = files_meant(places.DEVICE_SOCKETS)
    assert config_file(None, places.DEVICE_SOCKETS) == places.CONFIG_FILE
    assert (found.journal.parent, found.keys.parent) == (places.DEVICE_STATE,) * 2
    assert found.people == places.DEVICE_STATE / places.PEOPLE
    assert found.records == started.records


def test_the_config_of_the_wheel_is_applied_where_the_wheel_has_it(
    one: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = one.parents[1] / "table.toml"
    new = one.parents[1] / "new.toml"
    new.write_text(table.read_text() + "[rotor]\ntarget_rpm = 18\n")
    assert cli.main(["config", "apply", "new.toml", "--offline"]) == USAGE
    assert "is no unit of systemd: say with --restart" in capsys.readouterr().err
    line = ["config", "apply", "new.toml", "--dry-run", "--json"]
    assert cli.main(line) == OK
    assert json.loads(capsys.readouterr().out)["file"] == str(table)
    started = left(one)
    assert started is not None
    leave(started._replace(config=None), one)
    assert cli.main(line) == USAGE
    assert "was started without a configuration" in capsys.readouterr().err
