"""`cylindre people`, and the PINs that commands ask for."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import Waiting

from firmware.api.server import Service
from firmware.keys.people import People, load
from firmware.lib.errors import CONFIGURATION, FAILED, OK, USAGE
from tools import cli

ROOT = Path(__file__).parents[2]
Said = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "people.jsonl"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a text on standard input, which is no terminal."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def run(*options: str, path: Path) -> int:
    return cli.main(["people", *options, "--file", str(path)])


@pytest.mark.req("EN-5.11-1")
def test_somebody_is_added_listed_and_removed(
    path: Path, typed: Callable[[str], None], capsys: Said
) -> None:
    typed("246810\n135799\n")
    assert run("add", "anna", "--role", "croupier", path=path) == OK
    assert run("add", "weber", "--role", "management", path=path) == OK
    assert People(path).check("anna", "246810").role == "croupier"
    assert People(path).check("weber", "135799").role == "management"
    assert "anna is croupier now" in capsys.readouterr().out
    assert run("list", path=path) == OK
    assert capsys.readouterr().out == "croupier    anna\nmanagement  weber\n"
    assert run("list", "--json", path=path) == OK
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[0] == {"name": "anna", "role": "croupier"}
    assert run("remove", "anna", path=path) == OK
    assert [person.name for person in load(path)] == ["weber"]


def test_a_program_is_told_who_was_added_and_removed(
    path: Path, typed: Callable[[str], None], capsys: Said
) -> None:
    typed("246810\n")
    assert run("add", "anna", "--role", "croupier", "--json", path=path) == OK
    assert run("remove", "ANNA", "--json", path=path) == OK
    anna = {"name": "anna", "role": "croupier"}
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [anna, anna]


@pytest.mark.parametrize("board", ["roulete_ref", "../roulette_ref"])
def test_a_board_that_is_none_has_no_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said, board: str
) -> None:
    """They would lie where no controller looks for them."""
    monkeypatch.chdir(tmp_path)
    for options in (["add", "anna", "--role", "croupier"], ["remove", "anna"], ["list"]):
        assert cli.main(["people", *options, "--board", board]) == USAGE
        assert 'did you mean "roulette_ref"?' in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.req("EN-5.1-1")
def test_in_a_new_file_there_is_nobody_and_no_pin(path: Path, capsys: Said) -> None:
    """ETSI EN 303 645, 5.1: no universal default passwords."""
    assert run("list", path=path) == OK
    out, err = capsys.readouterr()
    assert out == ""
    assert "Add somebody with cylindre people add" in err
    assert not path.exists()


@pytest.mark.parametrize("pin", ["12345", "111111"])
def test_a_pin_that_is_too_easy_adds_nobody(
    path: Path, typed: Callable[[str], None], capsys: Said, pin: str
) -> None:
    typed(pin + "\n")
    assert run("add", "anna", "--role", "croupier", path=path) == USAGE
    out, err = capsys.readouterr()
    assert "A PIN has" in err
    assert pin not in out + err
    assert not path.exists()


def test_a_pin_may_come_from_a_file(path: Path, tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "pin"
    file.write_text("246810\r\nsecond line\n")
    assert run("add", "anna", "--role", "croupier", "--pin-file", str(file), path=path) == OK
    assert People(path).check("anna", "246810").role == "croupier"
    for bad in (b"", b"\xff\xfe\xfa\n"):
        file.write_bytes(bad)
        assert run("add", "béa", "--role", "croupier", "--pin-file", str(file), path=path) == USAGE
        assert "There is no PIN in" in capsys.readouterr().err
    missing = str(tmp_path / "none")
    assert run("add", "béa", "--role", "croupier", "--pin-file", missing, path=path) == FAILED
    assert "no such file" in capsys.readouterr().err


def test_nobody_is_added_twice_nor_removed_who_is_not_there(
    path: Path, typed: Callable[[str], None], capsys: Said
) -> None:
    typed("246810\n246810\n")
    assert run("add", "anna", "--role", "croupier", path=path) == OK
    assert run("add", "Anna", "--role", "management", path=path) == FAILED
    assert "Remove Anna first" in capsys.readouterr().err
    assert run("remove", "béa", path=path) == FAILED
    assert "There is nobody called béa" in capsys.readouterr().err
    assert [person.name for person in load(path)] == ["anna"]


def test_a_file_with_mistakes_is_told_with_its_lines_and_left_alone(
    path: Path, typed: Callable[[str], None], capsys: Said
) -> None:
    path.write_text("x\n\ny\n")
    path.chmod(0o600)
    typed("246810\n")
    adding = ("add", "anna", "--role", "croupier")
    for options in (("list",), adding, ("remove", "anna")):
        assert run(*options, path=path) == CONFIGURATION
        err = capsys.readouterr().err
        assert f"{path}:1: " in err
        assert f"{path}:3: " in err
    assert path.read_text() == "x\n\ny\n"


def test_whose_people_has_to_be_said_once(capsys: Said) -> None:
    assert cli.main(["people", "list", "--board", "pi4", "--file", "f"]) == USAGE
    assert "Whose people?" in capsys.readouterr().err


def test_a_board_has_its_people_beside_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Callable[[str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed("246810\n")
    assert cli.main(["people", "add", "anna", "--role", "croupier", "--board", "pi4"]) == OK
    assert (tmp_path / "var" / "pi4" / "people.jsonl").exists()


def test_without_a_pin_nothing_is_asked_of_the_controller(
    tmp_path: Path, typed: Callable[[str], None], capsys: Said
) -> None:
    typed("246810\n")  # the croupier's; nobody of the management
    line = ["manual", "17", "--croupier", "anna", "--management", "weber", "--why", "x"]
    with contextlib.closing(Service(tmp_path, number_max=36)) as service:
        assert cli.main([*line, "--socket", str(tmp_path)]) == USAGE
        assert service.take_events() == ()
    assert "There is no PIN in standard input, for weber" in capsys.readouterr().err


@pytest.mark.req("IEC-CR-1.10")
def test_no_command_takes_a_pin_as_an_argument(cylindre: Callable[..., object]) -> None:
    """There every process of the machine could read it."""
    for command in (["people", "add"], ["manual"], ["employee"]):
        done = cylindre(*command, "--help")
        assert isinstance(done, subprocess.CompletedProcess)
        options = [word for word in done.stdout.split() if word.startswith("--") and "pin" in word]
        assert all(option.endswith("pin-file") for option in options)


@pytest.mark.req("IEC-CR-1.10")
def test_on_a_terminal_the_pin_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    pid, handle = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        command = "people add anna --role croupier --file people.jsonl".split()
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        os.execve(sys.executable, [sys.executable, "-P", "-m", "tools.cli", *command], environment)
    seen = b""
    answered = 0
    with Waiting("its end", told=lambda: seen) as waiting:
        while True:
            waiting.on()
            if not select.select([handle], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(handle, 4096)
            except OSError:
                break
            if not data:
                break
            seen += data
            if seen.count(b": ") > answered:  # it asks, and echo is off by then
                answered += 1
                os.write(handle, b"246810\n")
    os.close(handle)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == OK, seen
    assert answered == 2
    assert b"246810" not in seen
    assert People(tmp_path / "people.jsonl").check("anna", "246810").role == "croupier"


def test_the_list_says_whose_pin_is_hashed_as_before(path: Path, capsys: Said) -> None:
    before = {"n": 16384, "r": 8, "p": 1, "salt": "00" * 16, "hash": "11" * 32}
    path.write_text(json.dumps({"name": "anna", "role": "croupier", **before}) + "\n")
    path.chmod(0o600)
    assert run("list", path=path) == OK
    said = capsys.readouterr()
    assert said.out == "croupier    anna\n"
    assert "The PIN of anna is hashed as it was done before" in said.err
