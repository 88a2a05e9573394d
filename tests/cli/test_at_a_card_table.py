"""Commands for a wheel, at a card table: one sentence, and nothing done."""

from pathlib import Path

import own_journal
import own_rounds
import pytest

from firmware.lib.errors import CONFIGURATION, OK, USAGE
from tools.cli import main

BOARD = "blackjack_ref"
WHO = ["--as", "weber", "--pin-file", "pin"]
LINES = [
    ["replay", "--board", BOARD, "trace.vcd"],
    ["selftest", "--board", BOARD, *WHO],
    ["calibrate", "--board", BOARD, *WHO],
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a card table has played a round."""
    monkeypatch.chdir(tmp_path)
    own_journal.keys(tmp_path / "keys")
    own_rounds.written(tmp_path / "journal.db", own_rounds.blackjack())
    (tmp_path / "trace.vcd").touch()
    (tmp_path / "pin").write_text("1234\n")
    return tmp_path


@pytest.mark.parametrize("line", LINES, ids=lambda line: str(line[0]))
def test_what_is_for_a_wheel_says_so(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == USAGE
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"{BOARD} is a card table, and this is for a wheel.")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (["--board", "blackjack_pi4", "--seed", "3"], "[cards] keyboard is missing"),
        (["--config", "t.toml", "--seed", "3"], "--seed is for a virtual table"),
        (["--board", BOARD, "--record", "r"], "--record keeps coups of a wheel"),
        (["--board", BOARD, "--wheel", "W1"], "--wheel, --wheel-port and --pace are of a wheel"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    line: list[str], why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "t.toml").write_text(
        '[wheel]\nboard = "blackjack_pi4"\n[cards]\nkeyboard = "/dev/ttyS9"\n'
    )
    assert main(["run", *line]) in (USAGE, CONFIGURATION)
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(why)


def test_its_journal_has_no_health(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["health", "journal.db"]) == USAGE
    (said,) = capsys.readouterr().err.splitlines()
    assert said == "It is of a card table, and this is for a wheel."


def test_the_boards_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards"]) == OK
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed[-4:] == ["blackjack_ref", "baccarat_ref", "blackjack_pi4", "baccarat_pi4"]
