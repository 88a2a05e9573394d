"""Every option and argument that takes a path is given what is no file, and ends with a sentence.

They are found by walking the commands: a new one is walked too, and fails here by its name until
LINES says how it is called. What is not read as a file has a table of its own, with the reason.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from walking import (
    BOARD,
    ENDLESS,
    TRAPS,
    Parameter,
    called,
    looks_like_a_path,
    parameters,
    path_parameters,
    trap,
    watched,
    words,
)

from firmware.api.server import Service
from firmware.lib.errors import OK
from firmware.services.update import keys as update_keys

# How each command is called, without the option that is tried: `COMMAND` for all of its options, or
# `COMMAND OPTION` for one. Of an argument its name stands for the option. True: a flag.
# fmt: off
_PINS = {"--croupier-pin-file": "pin", "--management-pin-file": "pin"}
_WHO = {"--croupier": "a", "--management": "b", "--why": "c", **_PINS}
_SIGNED = {"--key": f"update/{update_keys.KEY}", "--cert": f"update/{update_keys.CERTIFICATE}",
           "--version": "1.4.0", "--board": "pi4", "out": "out.raucb"}
_REGISTER = {"--board": BOARD, "--journal": "journal.db"}
_ASKED = {"--socket": "asked"}  # a controller's, where a PIN's file is tried; else none is there
_DESK = {"--employee": "anna", "--pin-file": "pin", **_ASKED}
_BOARD_ROOM = {"--management": "weber", "--why": "c", "--pin-file": "pin", **_ASKED}
LINES: dict[str, dict[str, str | bool]] = {
    "run": {"--board": BOARD, "--coups": "1", "--socket": "sockets"},
    "display": {"--port": "/dev/null", "--address": "1"},
    "gateway": {"--port": "/dev/null"},
    "table": {},
    "replay": {"--board": BOARD, "trace": "trace.vcd"},
    "sim": {"--coups": "1"},
    "rules": {"game": "roulette_lu"},
    "settle": {}, "settle --layout": {"file": "stakes.json"}, "settle --journal": {"--coup": "1"},
    "guide": {}, "status": {}, "call status": {}, "watch": {},
    "void": {}, "confirm": {}, "clear": {},
    "explain": {"coup": "1"}, "health": {},
    "manual": {"number": "17", **_WHO, **_ASKED},
    "correct": {"coup": "1", "number": "17", **_WHO, **_ASKED},
    "employee": {"presence": "on", "name": "anna", "--pin-file": "pin", **_ASKED},
    "shift": {"croupier": "4", "--as": "weber", "--pin-file": "pin", **_ASKED},
    "acknowledge": {"code": "H12", "--why": "c", "--as": "weber", "--pin-file": "pin", **_ASKED},
    "act": {"kind": "ball", "--as": "weber", "--pin-file": "pin", **_ASKED},
    "cards enter": {"card": "TH", **_WHO, **_ASKED},
    "cards burn": {**_WHO, **_ASKED}, "cards count": {**_WHO, **_ASKED}, "cards rescan": {},
    "cards correct": {"round_number": "41", "cards": "KD", **_WHO, **_ASKED},
    "cards pay": {"--management": "weber", "--pin-file": "pin", **_ASKED},
    "unseat": {"terminal": "1", "--employee": "anna", "--why": "c", "--pin-file": "pin",
               **_ASKED},
    "account open": {"player": "anna", "--player-pin-file": "pin", **_DESK},
    "account renew": {"account": "1", "--player-pin-file": "pin", **_DESK},
    "account deposit": {"account": "1", "cents": "500", **_DESK},
    "account payout": {"account": "1", **_DESK},
    "account redeem": {"file": "pin", **_DESK},
    "account reprint": {"receipt": "1", **_DESK},
    "account withhold": {"account": "1", **_BOARD_ROOM}, "account list": {},
    "account release": {"account": "1", **_BOARD_ROOM},
    "account bar": {"account": "1", **_BOARD_ROOM},
    "account admit": {"account": "1", **_BOARD_ROOM},
    "account close-day": {"--management": "weber", "--pin-file": "pin", **_ASKED},
    # It serves until it is stopped: here it ends where it would listen, TEST-NET-1 of RFC 5737.
    "page": {"--board": BOARD, "--socket": "sockets", "--listen": "192.0.2.1"},
    "journal adopt": {"file": "journal.db", "--keys": "keys"},
    "journal export": {}, "journal show": {"file": "journal.db", "coup": "1"}, "journal tail": {},
    "journal verify": {"file": "journal.db", "--keys": "keys"},
    "provision": {"--displays": "1"},
    "key rotate": {"--keys": "keys", "--journal": "journal.db"}, "key show": {},
    "terminal": {"--port": "/dev/null", "--keys": "keys", "--address": "1"},
    "followers": {"--port": "/dev/null", "--keys": "keys"},
    "terminal --pin-file": {"--port": "/dev/null", "--keys": "keys", "--address": "1",
                            "--account": "1"},
    "people add": {"name": "anna", "--role": "croupier", "--file": "new.jsonl",
                   "--pin-file": "pin"},
    "people list": {}, "people remove": {"name": "anna"},
    "orphelins list": _REGISTER,
    "orphelins mark": {"bet": "rouge", "--cents": "500", "--croupier": "anna", "--pin-file": "pin",
                       **_REGISTER},
    "orphelins found": {"--cents": "5", "--where": "a", "--croupier": "anna", "--pin-file": "pin",
                        **_REGISTER},
    "orphelins correct": {"n": "1", "--withdraw": True, "--croupier": "anna",
                          "--management": "weber", "--why": "a", "--croupier-pin-file": "pin",
                          "--management-pin-file": "pin", **_REGISTER},
    "orphelins close": {"exercice": "2026", "--commune": "a", "--receipt": "1",
                        "--management": "weber", "--pin-file": "pin", **_REGISTER},
    "orphelins house": {"registers": "register.jsonl"},
    "orphelins return": {"n": "1", "--name": "a", "--address": "b", "--proof": "c",
                         "--management": "weber", "--pin-file": "pin", **_REGISTER},
    "selftest": {"--as": "weber", "--board": BOARD, **_ASKED},
    "calibrate": {"--as": "weber", "--board": BOARD, **_ASKED},
    "calibrate show": {"file": "journal.calibration", "--keys": "keys"},
    "config check": {}, "config new": {}, "config show": {}, "config settle": {},
    "config apply": {"new": "wheel.toml", "--file": "etc.toml", "--dry-run": True},
    "doctor": {"--user": "root"}, "pinout": {"board": "pi4"},
    "support-bundle": {"--board": BOARD, "--keys": "keys"},
    "support read": {"file": "bundle.tar.gz"},
    "image build": {"--board": "pi4", "--deb": "a.deb", "--out": "new.img", "--dry-run": True},
    "flash": {"image": "a.img", "device": "/dev/null", "--dry-run": True},
    "update answers": {}, "update keys": {}, "update rollback": {}, "update settle": {},
    "update install": {"bundle": "a.raucb"},
    "update make": {"--root": "root.img", "--boot": "boot.img", **_SIGNED},
    "update make --image": _SIGNED,
    "orders": {"--folder": "orders"},
    "safe": {"--board": BOARD, "--keys": "keys", "--port": "/dev/null"},
    "verify-install": {},
    "hand cover": {"line": "rim0"}, "hand press": {"line": "btn_start"}, "hand lay": {"at": "1"},
    "hand lift": {}, "hand pause": {}, "hand throw": {}, "hand tilt": {"x": "1", "y": "1"},
    "hil campaign": {"--coups": "1"}, "hil run": {"scenario": "both_pressed"},
    "hil compare": {"first": "nobody", "second": "nobody"},
}
# Where a folder is meant, or may be: by the option, or by command and option.
FOLDERS = {
    "--socket", "--keys", "page --state", "--record", "--records", "--certificates",
    "provision folder", "doctor --root", "verify-install root", "update keys folder",
    "update make --root", "orders --folder", "hil campaign folder",
    "hil compare first", "hil compare second", "hil run --folder", "replay trace", "flash --config",
}
# Where something is written, and nothing read: what was there is not written through.
WRITTEN = {
    "selftest --certificate", "pinout --svg", "support-bundle --out", "support read --extract",
    "sim --trace", "hil run --junit", "image build --out", "update make out", "config new file",
}
_SLOTS = "a card's slots come first, and no machine that tests has them"
_CONTROLLER = "a controller that answers comes first: "
_PIN = "it is read by ask_pin, as that of manual, correct, employee and people is"
_ENTRY = "a register that takes the entry comes first: " + _PIN
_ASKED_FOR = "opened when a browser asks, as journal verify does"
# Where the path is not opened, or not in this line: what is wrong with it is not told by its name.
UNOPENED = {
    "--socket": "sockets alone are looked for in that folder",
    "selftest --pin-file": _CONTROLLER + _PIN, "calibrate --pin-file": _CONTROLLER + _PIN,
    "support-bundle --pin-file": "where --as is given " + _PIN,
    "orphelins mark --pin-file": _ENTRY, "orphelins found --pin-file": _ENTRY,
    "orphelins correct --croupier-pin-file": _ENTRY,
    "orphelins correct --management-pin-file": _ENTRY,
    "orphelins close --pin-file": _ENTRY, "orphelins return --pin-file": _ENTRY,
    "config apply --pin-file": "without --dry-run " + _PIN,
    "config apply --director-pin-file": "without --dry-run " + _PIN,
    "update install --pin-file": _SLOTS, "update rollback --pin-file": _SLOTS,
    "update settle --keys": _SLOTS, "update settle --journal": _SLOTS,
    "selftest --config": _CONTROLLER + "it is the file of config check",
    "calibrate --config": _CONTROLLER + "it is the file of config check",
    "calibrate --state": _CONTROLLER + "test_folders.py",
    "page --journal": _ASKED_FOR, "page --keys": _ASKED_FOR,
    "orders --journal": "no order waits: tests/orders", "orders --keys": "no order waits",
    "orders --config": "no order waits", "orders --folder": "no order lies in what is no folder",
    "config settle --file": "nothing is on trial, so it is not opened",
    "support-bundle --journal": "told in the bundle",
    "support-bundle --records": "told in the bundle",
    "support-bundle --certificates": "told in the bundle",
    "support-bundle --keys": "what is no folder has no keys",
    "support-bundle --config": "told in general: a mistake may hide where the keys are",
    "orphelins list --journal": "its folder alone counts",
    "orphelins mark --journal": "its folder alone counts",
    "orphelins return --journal": "its folder alone counts",
    "orphelins correct --journal": "its folder alone counts",
    "orphelins close --journal": "its folder alone counts",
    "safe --journal": "told as S10: who looks after the wheel is answered all the same",
    "doctor --config": "told as a finding", "doctor --root": "a machine without files",
    "verify-install root": "a machine without files",
}
# fmt: on


def _in(table: set[str] | dict[str, str], each: Parameter) -> bool:
    return str(each) in table or each.option in table


CASES = [
    pytest.param(each, kind, id=f"{each} is {kind}")
    for each in path_parameters()
    for kind in TRAPS
    if not (kind == "folder" and _in(FOLDERS, each))
]


@contextlib.contextmanager
def answering(sockets: Path, each: Parameter) -> Iterator[None]:
    """A controller that says how it stands, where a PIN's file is tried: it is asked first."""
    if not each.option.endswith("pin-file"):
        yield
        return
    game = "blackjack" if each.command.startswith("cards ") else "roulette"
    with contextlib.closing(Service(sockets, number_max=36, game=game)):
        yield


def _line(each: Parameter, path: str) -> list[str]:
    given = LINES.get(str(each), LINES.get(each.command))
    if given is None:
        pytest.fail(f"{each} takes a path: say in LINES how `cylindre {each.command}` is called")
    return words(each.command, {**given, each.option: path})


@pytest.mark.parametrize(("each", "kind"), CASES)
def test_a_path_that_is_no_file_ends_with_a_sentence(
    each: Parameter, kind: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = trap(kind, folder / "there")
    with answering(folder / "asked", each), watched(path, kind):
        code = called(_line(each, str(path)))
    said = "".join(capsys.readouterr())
    assert "Traceback" not in said
    assert "mistake in cylindre itself" not in said
    assert "Missing argument" not in said and "Missing option" not in said, "LINES is wrong"
    if _in(WRITTEN, each):
        assert kind != "endless" or not path.is_symlink() or path.readlink() == ENDLESS
    elif not _in(UNOPENED, each):
        assert code != OK
        assert str(path) in said


def test_a_new_option_fails_by_its_name_until_somebody_says_how_it_is_called() -> None:
    new = Parameter("frobnicate", "--layout", click.Option(["--layout"], type=click.Path()))
    with pytest.raises(
        pytest.fail.Exception, match="frobnicate --layout takes a path: say in LINES"
    ):
        _line(new, "there")


def test_an_option_that_says_it_takes_a_path_is_told_to_click() -> None:
    assert [str(each) for each in parameters() if looks_like_a_path(each)] == []


def test_the_tables_name_nothing_that_is_gone() -> None:
    there = {name for each in path_parameters() for name in (str(each), each.option)}
    commands = {each.command for each in path_parameters()}
    assert {*FOLDERS, *WRITTEN, *UNOPENED} <= there
    assert set(LINES) <= there | commands
