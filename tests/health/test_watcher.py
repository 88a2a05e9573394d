"""The watch beside a wheel that plays: it follows the journal, and goes on where it was."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from beside import Beside

from firmware.health import saved
from firmware.health.journal_coups import JournalCoups
from firmware.health.saved import state_path


@pytest.fixture
def played(tmp_path: Path) -> Beside:
    return Beside(tmp_path / "journal.db")


def test_what_it_finds_is_told_once_and_goes_on_from_what_was_kept(played: Beside) -> None:
    play = played.journal.play
    first = played.watched(lambda: play(66), lambda: play(40))
    ((code, detail, body),) = [each for each in first if each[0]]
    assert code == "L12" and abs(int(detail) - 330) <= 45
    assert body == {
        "coup": body["coup"],
        "code": "L12",
        "detail": detail,
        "kind": "tilt",
        "stream": "drops",
    }
    assert 0 < body["coup"] <= 106
    assert state_path(played.path).exists()
    # A restart reminds, and records nothing twice; so it does without what was kept.
    assert played.watched() == [["L12", detail, None]]
    state_path(played.path).unlink()
    assert played.watched() == [["L12", detail, None]]


def test_what_was_found_and_not_recorded_before_a_crash_is_found_again(played: Beside) -> None:
    played.records = False
    first = played.watched(lambda: played.journal.play(100))
    played.records = True
    assert state_path(played.path).exists()
    assert played.watched() == [first[0]]
    assert played.watched() == [[*first[0][:2], None]]


def test_an_act_ends_the_evidence_and_its_epochs_are_recorded(played: Beside) -> None:
    journal = played.journal
    played.watched(lambda: journal.play(100))
    found = played.watched(lambda: (journal.act("levelled"), journal.play(1)))
    assert found[0][0] == "L12"  # the reminder
    ((_, _, body),) = found[1:]
    assert (body["coup"], body["act"]) == (100, "levelled")
    (epoch,) = body["epochs"]
    assert (epoch["stream"], epoch["coups"], epoch["told"]) == ("drops", 100, True)
    assert played.watched() == []  # nothing stands, nothing is news
    state_path(played.path).unlink()
    assert played.watched() == []


def test_a_notice_that_was_acknowledged_is_reminded_of_no_more(played: Beside) -> None:
    played.watched(lambda: played.journal.play(100))
    played.journal.act("acknowledged", "L12: level ordered")
    assert played.watched() == []


def test_what_cannot_be_judged_is_told_once_and_anew_after_a_supervisor_knows(
    played: Beside,
) -> None:
    play = played.journal.play
    unverified = ["H30", "no source gives the order of the compartments", None]
    bad = {"layout_verified": False}
    assert played.watched(lambda: play(1, **bad), lambda: play(1, **bad)) == [unverified]
    assert played.watched() == [unverified]  # a restart reminds
    know = played.journal.act
    assert played.watched(
        lambda: (know("acknowledged", "H30: looked at"), play(1)), lambda: play(1, **bad)
    ) == [unverified, unverified]
    know("acknowledged", "H30: looked at")
    assert played.watched() == []


@pytest.mark.parametrize("kept", ["kept", "lost", "of another journal"])
def test_from_its_state_it_has_the_same_bits_as_from_the_first_row(
    played: Beside, kept: str, tmp_path: Path
) -> None:
    journal = played.journal
    parts = (
        lambda: journal.play(70),
        lambda: (journal.void(), journal.act("frets"), journal.play(70)),
        lambda: (journal.correct(30, 4), journal.correct(71, None), journal.play(64)),
    )
    played.watched(parts[0])
    played.watched(parts[1])
    if kept == "lost":
        state_path(played.path).unlink()
    elif kept == "of another journal":
        (tmp_path / "other").mkdir()
        other = Beside(tmp_path / "other" / "journal.db")
        other.watched(lambda: other.journal.play(64))
        state_path(other.path).rename(state_path(played.path))
    played.watched(parts[2])
    found = saved.load(state_path(played.path))
    state_path(played.path).unlink()
    played.watched(lambda: None)
    whole = saved.load(state_path(played.path))
    assert found is not None and whole is not None
    assert found["replay"]["watch"] == whole["replay"]["watch"]
    assert found["journal"] == whole["journal"]
    assert JournalCoups(played.path).restore(found["journal"])


def test_too_many_coups_without_a_number_cannot_be_judged(tmp_path: Path) -> None:
    played = Beside(tmp_path / "journal.db", change=lambda *_: None)
    journal = played.journal

    def lossy() -> None:
        journal.play(60)
        for _ in range(45):
            journal.void(ball=1)

    def known() -> None:
        journal.act("acknowledged", "H30: a sensor is on its way")
        journal.play(2)

    # Told once, whoever knows of it: it stands until coups that are lost are few.
    (found,) = played.watched(lossy, known, lambda: journal.play(2))
    assert found[0] == "H30" and "have no number" in found[1]


def test_a_row_that_is_none_of_a_wheel_is_a_sentence_and_the_watch_waits(played: Beside) -> None:
    journal = played.journal
    found = played.watched(lambda: journal.write("act", {"who": "x"}), lambda: None, lambda: None)
    ((code, why, body),) = found
    assert (code, body) == ("H30", None) and "row" in why


def test_a_state_that_cannot_be_kept_and_a_row_that_is_mended_end_no_watch(
    played: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(saved, "save", full)
    first = played.watched(lambda: played.journal.play(66), lambda: played.journal.play(40))
    assert [found[0] for found in first] == ["L12"]


def test_a_clock_that_goes_back_is_told_and_shifts_no_time(played: Beside) -> None:
    journal = played.journal
    (first,) = played.watched(lambda: journal.play(100))
    before = saved.load(state_path(played.path))
    journal.now_s -= 900_000
    found = played.watched(lambda: journal.play(64))
    assert [each[0] for each in found] == [first[0], "H30"] and "clock" in found[1][1]
    after = saved.load(state_path(played.path))
    assert before is not None and after is not None
    assert after["replay"]["notices"] == before["replay"]["notices"]


def test_of_an_uneven_wheel_no_number_is_named(tmp_path: Path) -> None:
    def every_third(coup: int, _draw: random.Random, told: dict[str, Any], _: Any) -> None:
        told["place"] = coup * 3 % 37

    played = Beside(tmp_path / "journal.db", change=every_third)
    found = played.watched(lambda: played.journal.play(60))
    told = [each for each in found if each[0] == "H10"]
    assert [each[1] for each in told] == ["one number leads to another"]
