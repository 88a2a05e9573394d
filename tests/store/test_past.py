"""What a journal says to whoever only reads it."""

import sqlite3
from pathlib import Path

import own_journal
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_journal import correction, result, void

from firmware.store import reader
from firmware.store.database import reading
from firmware.store.reader import Played, decoded, played, rows, sealed
from firmware.store.rows import JournalError

SEAL = "5e" * 32
STAKES = {"coup": 2, "seal": SEAL}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    store = own_journal.opened(tmp_path / "journal.db")
    store.write(*void(1))
    store.write("stakes", STAKES)
    store.write(*result(2, 5, stakes=SEAL))
    store.write("employee", {"who": "claire", "present": False})
    store.close()
    return store.path


def test_rows_come_in_their_order_from_where_one_asks(journal: Path) -> None:
    assert [row.kind for row in rows(journal)] == ["epoch", "void", "stakes", "result", "employee"]
    assert [row.n for row in rows(journal, after=3)] == [4, 5]
    row = list(rows(journal))[3]
    assert decoded(journal, row).body["number"] == 5
    assert decoded(journal, row).body["stakes"] == SEAL
    with pytest.raises(JournalError, match="row 4 is missing or was changed"):
        decoded(journal, row._replace(kind="void"))


def test_the_stakes_of_a_coup_and_its_end_are_found(journal: Path) -> None:
    stakes, (end,) = sealed(journal, 2)
    assert stakes == STAKES
    assert (end["coup"], end["number"], end["colour"], end["stakes"]) == (2, 5, "red", SEAL)
    stakes, (end,) = sealed(journal, 1)
    assert (stakes, end["reason"]) == (None, "croupier")
    assert sealed(journal, 3) == (None, ())


def test_a_corrected_coup_is_settled_as_it_stands_now(journal: Path) -> None:
    store = own_journal.opened(journal)
    store.write(*correction(2, 3, 2, number=17, compartment=17, colour="black"))
    store.close()
    _, (before, end) = sealed(journal, 2)
    assert (end["number"], end["colour"], end["stakes"]) == (17, "black", SEAL)
    assert (before["number"], before["seq"]) == (5, 2)
    assert (end["seq"], end["corrects"], "reason" in end) == (3, 2, False)
    store = own_journal.opened(journal)
    store.write(*correction(2, 4, 3, reason="croupier"))
    store.close()
    _, (_, before, end) = sealed(journal, 2)
    assert (before["number"], before["seq"]) == (17, 3)
    assert (end.get("number"), end["reason"], end["stakes"]) == (None, "croupier", SEAL)


def test_what_was_played_is_what_stands(journal: Path) -> None:
    assert played(journal, 0) == [Played(2, 5, "red")]
    assert played(journal, 2) == []
    store = own_journal.opened(journal)
    store.write(*correction(1, 3, 1, number=7, compartment=7, colour="red"))
    store.write(*correction(2, 4, 2, reason="croupier"))
    store.close()
    assert played(journal, 0) == [Played(1, 7, "red")]


@pytest.mark.parametrize(
    ("change", "n"),
    [
        ("UPDATE journal SET body = x'00' WHERE n = 4", 4),
        ("UPDATE journal SET body = x'7b7d' WHERE n = 3", 3),
        ("DELETE FROM journal WHERE n = 3", 3),
    ],
)
def test_from_altered_rows_nothing_is_settled(journal: Path, change: str, n: int) -> None:
    with sqlite3.connect(journal) as other:
        other.execute(change)
    other.close()
    with pytest.raises(JournalError, match=f"row {n} is missing or was changed"):
        sealed(journal, 2)


@given(coups=st.lists(st.integers(1, 3), max_size=12), data=st.data())
def test_the_end_of_a_coup_is_found_among_any_rows(
    tmp_path_factory: pytest.TempPathFactory, coups: list[int], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("ends") / "journal.db"
    store = own_journal.opened(path)
    coup = 0
    played_coups = []
    for seq, step in enumerate(coups, 1):  # a journal that was begun anew has gaps
        coup += step
        for _ in range(data.draw(st.integers(0, 3))):
            store.write("begun", {"coup": coup})
        store.write(*data.draw(st.sampled_from([result, void]))(coup, seq=seq))
        played_coups.append(coup)
    store.close()
    with reading(path) as connection:
        for wanted in range(coup + 3):
            row = reader.end_of(path, connection, wanted)
            assert (row is not None) == (wanted in played_coups)
            assert row is None or decoded(path, row).body["coup"] == wanted


def test_a_journal_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="There is no journal"):
        reader.recall(tmp_path / "journal.db")
    with pytest.raises(JournalError, match="is no journal of a wheel"):
        reader.recall(tmp_path)
