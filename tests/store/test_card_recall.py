"""What a card table finds of itself in its journal, however long it has played."""

import sqlite3
from pathlib import Path
from typing import Any

import own_rounds
import pytest

from firmware.core.cards import facts
from firmware.core.cards.restart_state import FRESH, RestartState
from firmware.store import card_recall
from firmware.store.rows import JournalError


def recalled(folder: Path, place: Any) -> RestartState:
    return card_recall.read(own_rounds.written(folder / "journal.db", place))


@pytest.mark.parametrize("make", [own_rounds.baccarat, own_rounds.blackjack])
def test_between_two_rounds_it_is_what_the_table_knew(tmp_path: Path, make: Any) -> None:
    place = make()
    assert recalled(tmp_path, place) == place.table.restart_state()


def test_a_round_that_is_open_is_found_with_its_rows(tmp_path: Path) -> None:
    place = own_rounds.baccarat()
    place.key(facts.KEY_START)
    place.stake(None, 500, bet="tie", player="q")
    place.call()
    place.cards("2S 3H")
    found, knew = recalled(tmp_path, place), place.table.restart_state()
    assert found == knew
    assert found.interrupted is not None
    assert [row["card"] for row in found.interrupted.cards] == ["2S", "3H"]


def test_a_correction_and_a_shoe_that_was_changed_are_found(tmp_path: Path) -> None:
    place = own_rounds.baccarat()
    own_rounds.correct(place, 3, "9S 4C KD 4H")
    assert recalled(tmp_path, place) == place.table.restart_state()


def test_an_empty_journal_is_of_a_table_that_never_played(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    own_rounds.opened(path, "baccarat_live").close()
    assert card_recall.read(path) == FRESH


def test_a_row_that_is_none_of_a_shoe_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = own_rounds.written(tmp_path / "journal.db", own_rounds.baccarat())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE journal SET body = ? WHERE kind = 'card_shoe'", (b"{}",))
    with pytest.raises(JournalError, match="was changed"):
        card_recall.read(path)
