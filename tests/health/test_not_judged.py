"""What cannot be judged is told in one sentence, and nothing of it is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from coup_journal import CoupJournal

from firmware.core.facts import CCW
from firmware.lib.errors import FAILED, OK, USAGE
from tools import cli

CANNOT = "The wheel's health cannot be judged: "


def asked(capsys: pytest.CaptureFixture[str], path: Path) -> tuple[int, dict[str, Any]]:
    before = path.read_bytes()
    code = cli.main(["health", str(path), "--json"])
    assert path.read_bytes() == before
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, found


def remarks(capsys: pytest.CaptureFixture[str], path: Path) -> list[str]:
    code, found = asked(capsys, path)
    assert code == (FAILED if found["remarks"] else OK)
    assert {each["code"] for each in found["remarks"]} <= {"H30"}
    return [each["text"] for each in found["remarks"]]


@pytest.fixture
def journal(tmp_path: Path) -> CoupJournal:
    return CoupJournal(tmp_path / "journal.db")


def test_a_journal_that_is_not_intact_has_no_verdict(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play(20)
    journal.close()
    assert remarks(capsys, journal.path) == []
    with sqlite3.connect(journal.path) as connection:
        connection.execute("UPDATE journal SET body = '{}' WHERE kind = 'begun' AND n > 30")
    connection.close()
    code, found = asked(capsys, journal.path)
    assert (code, found["notices"]) == (FAILED, [])
    (remark,) = found["remarks"]
    assert remark["text"].startswith(CANNOT + "the journal is not intact: Row ")
    shutil.rmtree(journal.path.parent / "keys")  # then its own first key vouches for it
    assert len(remarks(capsys, journal.path)) == 1


def test_a_journal_of_another_wheels_key_has_no_verdict(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play(2)
    journal.close()
    (journal.path.parent / "keys/wheel.pub").write_text("00" * 32 + "\n")
    assert "not intact" in remarks(capsys, journal.path)[0]


def test_an_unverified_layout_is_told(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play(3, layout_verified=False)
    journal.close()
    assert remarks(capsys, journal.path) == [
        CANNOT + "no source gives the order of the compartments."
    ]


def test_a_corrected_layout_is_told_with_its_first_coup(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play(3)
    journal.play(2, number=5, compartment=0)
    journal.close()
    assert remarks(capsys, journal.path) == [
        CANNOT + "coup 4 has another order of the compartments."
    ]


def test_a_clock_that_goes_back_is_told(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play(3)
    journal.now_s -= 500
    journal.play(3)
    journal.close()
    assert remarks(capsys, journal.path) == [CANNOT + "the clock goes back at coup 4."]
    assert cli.main(["journal", "export", str(journal.path), "--format", "health"]) == OK
    file = journal.path.with_suffix(".txt")
    file.write_text(capsys.readouterr().out)
    assert remarks(capsys, file) == [CANNOT + "the clock goes back at line 6."]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"layout_verified": False}, "no source gives the order of the compartments."),
        ({"number": 5, "compartment": 0}, "coup {} has another order of the compartments."),
        ({}, "the clock goes back at coup {}."),
    ],
    ids=["unverified", "other order", "clock"],
)
def test_what_a_supervisor_has_looked_at_is_judged_until_it_happens_again(
    journal: CoupJournal, wrong: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(coups: int) -> None:
        if not wrong:
            journal.now_s -= 100
        journal.play(coups, **wrong)

    journal.play(3)
    play(2)
    assert remarks(capsys, journal.path) == [CANNOT + says.format(4)]
    journal.act("acknowledged", "H20: looked at")
    assert len(remarks(capsys, journal.path)) == 1  # of another fault
    journal.act("acknowledged", "H30: looked at")
    assert remarks(capsys, journal.path) == []
    journal.play(2)
    play(1)
    journal.close()
    assert remarks(capsys, journal.path) == [CANNOT + says.format(8)]


def lose(journal: CoupJournal) -> None:
    """Half of the coups whose ball runs counter-clockwise have no number."""
    for _ in range(20):
        journal.play(2)
        journal.void(ball=CCW)


def test_too_many_coups_of_one_direction_without_a_number_are_told(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    lose(journal)
    journal.close()
    assert remarks(capsys, journal.path) == [
        CANNOT + "50 % of the coups whose ball ran counter-clockwise have no number."
    ]


def test_that_coups_are_lost_is_told_until_they_are_fewer_whoever_knows(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    lose(journal)
    journal.act("acknowledged", "H30: looked at")
    assert len(remarks(capsys, journal.path)) == 1
    journal.play(800)
    journal.close()
    assert remarks(capsys, journal.path) == []


def test_coups_of_before_are_read_and_said_to_be_not_judged(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play_of_before(4)
    journal.close()
    assert remarks(capsys, journal.path) == []
    assert cli.main(["health", str(journal.path)]) == OK
    said = capsys.readouterr().out
    assert "0 coups, 0 void, 4 of before the journal had what is needed are not judged" in said


def test_a_journal_without_coups_is_judged_to_have_none(
    journal: CoupJournal, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.act("levelled")
    journal.close()
    assert remarks(capsys, journal.path) == []


@pytest.mark.parametrize("rest", [b"", b"\0" * 200])
def test_what_is_no_journal_is_refused(
    tmp_path: Path, rest: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"SQLite format 3\0" + rest)
    assert cli.main(["health", str(path), "--json"]) == USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("since", ["noon", "12.3.2026"])
def test_a_day_of_another_form_is_refused(
    journal: CoupJournal, since: str, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.play(1)
    journal.close()
    assert cli.main(["health", str(journal.path), "--since", since]) == USAGE
    assert "give a day as 2026-03-12" in capsys.readouterr().err
