"""Every option and argument that takes a path is given what is no file, and ends with a sentence.

They are found by walking the commands: a new one is walked too, and fails here until LINES says how
it is called.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from walking import (
    TRAPS,
    Parameter,
    called,
    path_parameters,
    trap,
    watched,
)

from firmware.lib.errors import OK
from tools import cli

BOARD = "roulette_ref"

# How each command is called, without the option that is tried: `COMMAND` for all of its options, or
# `COMMAND OPTION` for one. Of an argument its name stands for the option. True: a flag.
# fmt: off
LINES: dict[str, dict[str, str | bool]] = {
    "run": {"--board": BOARD, "--coups": "1", "--socket": "sockets"},
    "display": {"--port": "/dev/null", "--address": "1"},
    "gateway": {"--port": "/dev/null"},
    "table": {},
    "replay": {"--board": BOARD, "trace": "trace.vcd"},
    "sim": {"--coups": "1"},
    "rules": {"game": "roulette_lu"},
    "settle": {},
    "settle --layout": {"file": "stakes.json"},
    "settle --journal": {"--coup": "1"},
    "status": {}, "call status": {}, "watch": {}, "void": {}, "confirm": {}, "clear": {},
    "explain": {"coup": "1"},
    "manual": {"number": "17", "--croupier": "a", "--management": "b", "--why": "c"},
    "correct": {"coup": "1", "number": "17", "--croupier": "a", "--management": "b", "--why": "c"},
    "employee": {"name": "anna"},
    "journal adopt": {"file": "journal.db", "--keys": "keys"},
    "journal export": {}, "journal show": {}, "journal tail": {},
    "journal verify": {"file": "journal.db", "--keys": "keys"},
    "provision": {"--displays": "1"},
    "key rotate": {"--keys": "keys", "--journal": "journal.db"},
    "key show": {},
    "terminal": {"--port": "/dev/null", "--keys": "keys", "--address": "1"},
    "people add": {"name": "anna", "--role": "croupier", "--file": "people.jsonl"},
    "people list": {}, "people remove": {"name": "anna"},
    "orphelins list": {"--journal": "journal.db"},
    "orphelins mark": {"bet": "rouge", "cents": "500", "--croupier": "a",
                       "--journal": "journal.db"},
    "orphelins return": {"n": "1", "--name": "a", "--address": "b", "--proof": "c",
                         "--management": "d", "--journal": "journal.db"},
    "selftest": {"--as": "weber"}, "calibrate": {"--as": "weber"},
    "calibrate show": {"file": "journal.calibration", "--keys": "keys"},
    "config check": {}, "config show": {}, "config settle": {},
    "config apply": {"new": "wheel.toml", "--file": "etc.toml", "--dry-run": True},
    "doctor": {}, "pinout": {"board": "pi4"},
    "support-bundle": {"--board": BOARD},
    "support read": {"file": "bundle.tar.gz"},
    "page": {"--board": BOARD, "--listen": "127.0.0.1", "--port": "0"},
    "image build": {"--board": "pi4", "--deb": "a.deb", "--out": "a.img", "--dry-run": True},
    "flash": {"image": "a.img", "device": "/dev/null", "--dry-run": True},
    "update answers": {}, "update keys": {}, "update rollback": {}, "update settle": {},
    "update install": {"bundle": "a.raucb"},
    "update make": {"--root": "root", "--boot": "boot.img", "--key": "a.key", "--cert": "a.crt",
                    "--version": "1.4.0", "--board": "pi4", "out": "out.raucb"},
    "orders": {}, "safe": {"--board": BOARD, "--keys": "keys", "--port": "/dev/null"},
    "verify-install": {},
    "hand cover": {"line": "rim0"}, "hand lay": {}, "hand lift": {}, "hand pause": {},
    "hand press": {"line": "btn"},
    "hand throw": {}, "hand tilt": {},
    "hil campaign": {"--coups": "1"}, "hil run": {"scenario": "beam_dark"},
}
# fmt: on


def _line(each: Parameter, path: str) -> list[str]:
    given = LINES.get(str(each), LINES.get(each.command))
    if given is None:
        pytest.fail(f"{each} takes a path: say in LINES how {each.command} is called")
    line = each.command.split()
    for option, value in ({**given, each.option: path}).items():
        if option.startswith("-"):
            line += [option] if value is True else [option, str(value)]
        else:
            line.append(str(value))
    return line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["provision", "keys", "--displays", "1", "--terminals", "1"]) == OK
    (tmp_path / "wheel.toml").write_text("")
    (tmp_path / "stakes.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize("kind", TRAPS)
@pytest.mark.parametrize("each", path_parameters(), ids=str)
def test_it(each: Parameter, kind: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = trap(kind, folder / "there")
    capsys.readouterr()
    with watched(path, kind):
        code = called(_line(each, str(path)))
    told = capsys.readouterr()
    print("RESULT", code, str(path) in told.out + told.err, told.err[:300])
    assert "Traceback" not in told.err and "mistake in cylindre itself" not in told.err
    assert code != OK and str(path) in told.err + told.out
