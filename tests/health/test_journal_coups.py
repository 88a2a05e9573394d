"""A wheel's journal and its export as a file of coups give the same answers, to the last bit."""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from coup_journal import CoupJournal
from replays import replayed

from firmware.health.coup_file import CoupFile
from firmware.health.items import Acted, Corrected, Played
from firmware.health.journal_coups import JournalCoups
from firmware.lib.errors import FAILED, OK
from tools import cli


def exported(journal: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The journal as a file of coups."""
    assert cli.main(["journal", "export", str(journal), "--format", "health"]) == OK
    path = journal.with_suffix(".txt")
    path.write_text(capsys.readouterr().out)
    return path


def test_export_and_journal_have_the_same_items_and_sums(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def some_unknown(coup: int, draw: random.Random, told: Any, said: dict[str, Any]) -> None:
        for key in draw.sample(sorted(said), draw.randrange(3)):
            del said[key]
        if coup % 20 == 0:
            said |= {"spin_up_us": 2_000_499 + coup, "duty_permille": 400 + coup % 7}
        said.setdefault("settled_us", 1_234_567)

    journal = CoupJournal(tmp_path / "journal.db", "same", some_unknown)
    journal.play_of_before(3)
    journal.act("levelled")
    journal.play(30)
    journal.void()
    journal.act("note")
    journal.play(2, manual=["anna", "weber"])
    journal.correct(20, 5)
    journal.correct(34, 5)  # of a void: people gave it
    journal.correct(1, 5)  # of before
    journal.act("ball")
    journal.play(120)
    journal.correct(21, None)
    journal.correct(20, None)
    journal.close()
    recorded = JournalCoups(journal.path, croupiers=True)
    file = CoupFile(exported(journal.path, capsys))
    items = list(recorded.items())
    assert list(file.items()) == items
    assert [type(item) for item in items].count(Played) == 150
    assert [item for item in items if not isinstance(item, Played)] == [
        Acted(3, 3 * 40.0, "levelled"),
        Corrected(34, 36 * 40.0, 20, 5),
        Acted(35, 36 * 40.0, "ball"),
        Corrected(156, 156 * 40.0, 21, None),
        Corrected(157, 156 * 40.0, 20, None),
    ]
    assert (file.name, file.wheel, file.numbers) == (
        recorded.name, recorded.wheel, recorded.numbers,
    )  # fmt: skip
    assert (recorded.not_judged, recorded.void) == (3, 1)
    assert replayed(file).watch.save() == replayed(recorded).watch.save()
    assert recorded.coup_at(items[3].line) == 6


def test_a_biased_wheel_has_the_same_notice_by_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def favoured(coup: int, draw: random.Random, told: dict[str, Any], said: Any) -> None:
        if draw.random() < 0.3:
            told["place"] = 8  # number 17

    journal = CoupJournal(tmp_path / "journal.db", "biased", favoured)
    journal.play_of_before(5)
    journal.play(150)
    journal.close()
    answers = []
    for path in (journal.path, exported(journal.path, capsys)):
        assert cli.main(["health", str(path), "--json"]) == FAILED
        answers.append(json.loads(capsys.readouterr().out))
    coups = [each.pop("coup_number") for each in answers[0]["notices"]]
    assert not any(each.pop("acknowledged") for each in answers[0]["notices"])
    assert [each.pop("verified") for each in answers] == [True, False]
    assert answers[0] == answers[1]
    first = answers[0]["notices"][0]
    assert (first["kind"], first["place"]) == ("pocket", 17)
    assert coups[0] == first["coup"] - 2 + 5
    until = [*("health", str(journal.path), "--json"), "--until"]
    assert cli.main([*until, str(coups[0] - 1)]) == OK
    assert json.loads(capsys.readouterr().out)["notices"] == []
    assert cli.main([*until, str(coups[0])]) == FAILED
    found = json.loads(capsys.readouterr().out)["notices"]
    assert found == [first | {"coup_number": coups[0], "acknowledged": None}]


def test_whose_throws_they_are_is_judged_from_shift_to_shift_and_not_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = CoupJournal(tmp_path / "journal.db", "shifts")
    journal.play(5)
    for croupier, coups in ((4, 10), (7, 20), (4, 10), (0, 6)):
        journal.act("shift", str(croupier))
        journal.play(coups)
    journal.correct(12, 3)
    journal.close()

    def judged(recorded: JournalCoups) -> dict[str, int]:
        streams = replayed(recorded).watch.streams
        return {each.name: each.coups for each in streams if each.family == "signature"}

    assert judged(JournalCoups(journal.path, croupiers=True)) == {"croupier4": 20, "croupier7": 20}
    assert judged(JournalCoups(journal.path)) == {}
    kept = JournalCoups(journal.path)
    *_, last = islice(kept.items(), 12)
    assert isinstance(last, Played) and last.coup.croupier == 4
    rest = JournalCoups(journal.path)
    assert rest.restore(kept.save())
    thrown = [each.coup.croupier for each in rest.follow(lambda: False) if isinstance(each, Played)]
    assert thrown == [4] * 3 + [7] * 20 + [4] * 10 + [None] * 6
    file = CoupFile(exported(journal.path, capsys))
    assert [each for each in file.items() if isinstance(each, Acted)] == []
    assert {each.coup.croupier for each in file.items() if isinstance(each, Played)} == {None}
    ties = [
        [each.coup.tie for each in recorded.items() if isinstance(each, Played)]
        for recorded in (file, JournalCoups(journal.path))
    ]
    assert ties[0] == ties[1]


def test_throws_of_one_croupier_that_lead_to_like_numbers_are_told_from_a_journal(
    tmp_path: Path,
) -> None:
    def alike(coup: int, draw: random.Random, told: dict[str, Any], said: dict[str, Any]) -> None:
        if coup > 100:
            said["launch_place"] = (told["place"] - told["ball"] * draw.randrange(9)) % 37

    journal = CoupJournal(tmp_path / "journal.db", "alike", alike)
    journal.act("shift", "3")
    journal.play(100)
    journal.act("shift", "8")
    journal.play(100)
    journal.close()
    (given,) = replayed(JournalCoups(journal.path, croupiers=True)).notices
    assert (given.notice.kind, given.notice.place) == ("signature", 8)


def test_a_shift_counts_from_the_next_coup_that_begins_and_other_words_are_nobody(
    tmp_path: Path,
) -> None:
    journal = CoupJournal(tmp_path / "journal.db", "odd")

    def throws(*details: object) -> int | None:
        for detail in details:
            journal.write("act", {"what": "shift", "who": "klein", "detail": detail})
        journal.play(1)
        *_, last = JournalCoups(journal.path).items()
        assert isinstance(last, Played)
        return last.coup.croupier

    assert throws("4") == 4
    assert throws("4", "8") == 8
    for odd in (None, "anna", "4.0", "-3", True, 4.5, 10**30, "9" * 400, "٤", ["4"]):
        assert throws("4", odd) is None
    journal.begin()
    journal.act("shift", "6")  # while the ball of another runs
    journal.end()
    assert throws() == 6
    thrown = [each.coup.croupier for each in JournalCoups(journal.path).items()]  # type: ignore
    assert thrown[-2:] == [None, 6]
    journal.write("act", {"what": "acknowledged", "who": None, "detail": None})
    assert len(list(JournalCoups(journal.path).items())) == len(thrown)
    journal.close()


def test_who_acknowledged_a_notice_first_stays_beside_it(tmp_path: Path) -> None:
    journal = CoupJournal(tmp_path / "journal.db", "twice")
    journal.play(5)
    journal.act("acknowledged", "H10: first")
    journal.play(5)
    journal.act("acknowledged", "H10: second")
    journal.close()
    recorded = JournalCoups(journal.path)
    last = max(item.line for item in recorded.items())
    whys = [found and found.why for found in (recorded.knows("H10", n) for n in (3, 8, last + 1))]
    assert whys == ["first", "second", None]
