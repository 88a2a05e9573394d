"""`health --kept` goes on from what the watch beside the wheel keeps, and says the same."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from beside import Beside
from coup_journal import CoupJournal

from firmware.health import saved
from firmware.health.replay import Replay
from firmware.lib.errors import FAILED, OK
from tools import cli


def favoured(_: int, draw: random.Random, told: dict[str, Any], _said: Any) -> None:
    if draw.random() < 0.6:
        told["place"] = 8


@pytest.fixture
def wheel(tmp_path: Path) -> Beside:
    """70 coups that the watch has kept; an act, 10 more and a correction that it has not."""
    found = Beside(tmp_path / "journal.db", change=favoured)
    found.watched(lambda: found.journal.play(70))
    found.journal.act("ball")
    found.journal.play(10)
    found.journal.correct(75, 3)
    found.journal.close()
    return found


def asked(
    capsys: pytest.CaptureFixture[str], path: Path, *words: str
) -> tuple[int, dict[str, Any]]:
    code = cli.main(["health", str(path), "--json", "--charts", *words])
    return code, json.loads(capsys.readouterr().out or "{}")


def test_what_is_kept_gives_the_same_answer_and_the_rest_alone_is_read(
    wheel: Beside, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, whole = asked(capsys, wheel.path)
    assert whole["notices"] and code == FAILED
    judged = counted_in(monkeypatch)
    assert whole["verified"]
    assert asked(capsys, wheel.path, "--kept") == (code, whole | {"verified": False})
    assert len(judged) == 10 + 10  # since the state, and again for the correction


def counted_in(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Counts the coups that are judged from now on."""
    judged: list[Any] = []
    judge = Replay._judge

    def counted(self: Replay, item: Any) -> None:
        judged.append(item)
        judge(self, item)

    monkeypatch.setattr(Replay, "_judge", counted)
    return judged


def test_it_tells_who_knows_of_which_notice_from_the_journal_and_from_what_is_kept(
    wheel: Beside, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = asked(capsys, wheel.path)
    assert all(each["acknowledged"] is None for each in found["notices"])
    code = found["notices"][0]["code"]
    wheel.journal = CoupJournal(wheel.path)
    wheel.watched(lambda: wheel.journal.act("acknowledged", f"{code}: looked at: sound"))
    wheel.journal.close()
    _, whole = asked(capsys, wheel.path)
    known = {each["code"]: each["acknowledged"] for each in whole["notices"]}
    assert known.pop(code) == {"who": "weber", "why": "looked at: sound"}
    assert not any(known.values())
    assert asked(capsys, wheel.path, "--kept")[1] == whole | {"verified": False}
    cli.main(["health", str(wheel.path)])
    assert capsys.readouterr().out.count("Acknowledged by weber: looked at: sound\n") == 1


def test_without_a_state_of_this_journal_it_is_verified_and_read_whole(
    wheel: Beside, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = asked(capsys, wheel.path)
    state = saved.load(saved.state_path(wheel.path))
    assert state is not None
    state["journal"]["point"][1] = "00" * 32
    saved.save(saved.state_path(wheel.path), state)
    assert asked(capsys, wheel.path, "--kept") == whole
    alter(wheel.path, 5)
    _, found = asked(capsys, wheel.path, "--kept")
    assert found["notices"] == [] and "not intact" in found["remarks"][0]["text"]


def test_a_row_since_then_that_was_altered_has_no_verdict(
    wheel: Beside, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(wheel.path) as connection:
        (last,) = connection.execute("SELECT max(n) FROM journal").fetchone()
    alter(wheel.path, last - 3)
    code, found = asked(capsys, wheel.path, "--kept")
    assert (code, found["notices"]) == (FAILED, [])
    assert "not intact" in found["remarks"][0]["text"]


def alter(journal: Path, n: int) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("UPDATE journal SET utc = '2026-01-01T00:00:00Z' WHERE n = ?", (n,))


def test_it_says_that_a_journal_is_intact_where_it_was_verified(
    wheel: Beside, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, is_said in (((), True), (("--kept",), False)):
        assert cli.main(["health", str(wheel.path), *words]) in (OK, FAILED)
        assert ("journal intact" in capsys.readouterr().out) == is_said
