"""An act is chained into the journal and signed at once, and is believed only so."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import own_journal
import pytest
from own_journal import SIGNER, result

from firmware.store import acts, reader, rows
from firmware.store.signing import Signer
from firmware.store.verify import first_bad

SHA256 = "ab" * 32
ORDER = {
    "what": "config",
    "who": "weber",
    "role": "supervisor",
    "detail": "pace 60 s",
    "sha256": SHA256,
}
KEYS = (SIGNER.public,)
ROOT = SIGNER.public


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    store = own_journal.opened(tmp_path / "journal.db")
    store.write("act", ORDER)
    store.write(*result(1, 5))
    store.write("act", ORDER | {"what": "note", "sha256": None})
    store.close()
    return store.path


def change(path: Path, sql: str, *values: Any) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(sql, values)
    connection.close()


@pytest.mark.req("IEC-CR-2.8")
def test_a_signed_row_vouches_for_each_act_at_once(journal: Path) -> None:
    kinds = [row.kind for row in reader.rows(journal)]
    assert kinds == ["epoch", "act", "checkpoint", "result", "act", "checkpoint"]
    assert first_bad(journal, ROOT) is None


def test_acts_are_found_newest_first_with_all_they_say(journal: Path) -> None:
    note, order = acts.last(journal)
    assert (note.what, note.sha256) == ("note", None)
    assert order[2:-1] == ("config", "weber", "supervisor", "pace 60 s", SHA256)
    assert order.n == 2
    assert len(acts.last(journal, 1)) == 1
    assert acts.vouched(journal, order, KEYS)
    assert acts.vouched(journal, note, KEYS)


@pytest.mark.req("IEC-CR-2.12")
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE journal SET body = replace(body, 'pace', 'Pace') WHERE n = 2",
        "UPDATE journal SET utc = '2020-01-01T00:00:00Z' WHERE n = 2",
        "UPDATE journal SET hash = zeroblob(32) WHERE n = 1",
        "UPDATE journal SET body = (SELECT body FROM journal WHERE n = 6) WHERE n = 3",
        "DELETE FROM journal WHERE n = 3",
        "DELETE FROM journal WHERE n = 1",
    ],
)
def test_an_act_that_was_altered_or_moved_is_nobodys(journal: Path, sql: str) -> None:
    change(journal, sql)
    order = acts.last(journal)[1]
    assert not acts.vouched(journal, order, KEYS)


def test_an_act_that_somebody_added_is_nobodys(journal: Path) -> None:
    last = list(reader.rows(journal))[-1]
    forged = rows.follow(last.point, last.utc, "act", rows.plain(ORDER | {"who": "eve"}))
    change(journal, "INSERT INTO journal VALUES (?, ?, ?, ?, ?)", *forged)
    act = acts.last(journal)[0]
    assert act.who == "eve"
    assert not acts.vouched(journal, act, KEYS)


def test_another_wheels_key_vouches_for_nothing(journal: Path) -> None:
    act = acts.last(journal)[0]
    assert not acts.vouched(journal, act, (Signer(bytes(32)).public,))
    assert not acts.vouched(journal, act, ())


@pytest.mark.parametrize("body", [b"", b"[]", b'{"what":1}', b"\xff", b'{"what":"x","who":"y"}'])
def test_a_body_of_another_form_is_no_act(journal: Path, body: bytes) -> None:
    change(journal, "UPDATE journal SET body = ? WHERE n = 5", body)
    assert [act.n for act in acts.last(journal)] == [2]


@pytest.mark.parametrize("n", [3, 6])
def test_a_journal_whose_act_lost_its_checkpoint_is_not_intact(journal: Path, n: int) -> None:
    change(journal, "DELETE FROM journal WHERE n >= ?", n)
    bad = first_bad(journal, ROOT)
    assert n == 6 or bad is None  # what is cut off at the end, the FRAM knows
    store = own_journal.opened(journal)
    store.write(*result(1 if n == 3 else 2, 5))
    store.close()
    bad = first_bad(journal, ROOT)
    assert bad is not None
    assert "should be a checkpoint" in bad.sentence
