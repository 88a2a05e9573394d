"""A player's key is kept as it is made; one that the journal does not know opens nothing."""

from pathlib import Path

import pytest
from patience import until
from players import SECRET, funded

import rules
from firmware.core.facts import Entered
from firmware.keys.players import Kept, players_file, read_players, write_players
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.run.players_keeper import PlayersKeeper
from firmware.stakes.book import Book
from firmware.stakes.terminal_book import account_key

OLD, NEW = bytes(32), bytes(range(32))


def book() -> Book:
    return Book(rules.load("roulette_lu"), minimum_cents=500, terminals=(1,), money=funded("anna"))


def renewed(opened: Book, folder: Path) -> PlayersKeeper:
    """Her card is lost: an employee gives her another, and that is durable."""
    keeper = PlayersKeeper(folder, opened)
    made = opened.entry("renewed", {"account": 1, "key": SECRET, "who": "claire"})
    keeper.take_fact(Entered(0, *made, None))
    return keeper


def test_a_key_that_was_given_is_there_after_a_restart(tmp_path: Path) -> None:
    opened = book()
    keeper = renewed(opened, tmp_path)
    keeper.close()
    assert read_players(tmp_path, {1: ("anna", 2)}) == {1: Kept("anna", 2, account_key(SECRET, 1))}
    assert players_file(tmp_path).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("known", [{1: ("anna", 2)}, {1: ("bob", 1)}, {2: ("anna", 1)}, {}])
def test_an_old_card_opens_nothing_after_a_crash(
    tmp_path: Path, known: dict[int, tuple[str, int]]
) -> None:
    """Renewed, and the file was not written; or another journal has another player there."""
    write_players(tmp_path, {1: Kept("anna", 1, OLD)})
    assert read_players(tmp_path, {1: ("anna", 1)}) == {1: Kept("anna", 1, OLD)}
    assert read_players(tmp_path, known) == {}


def test_a_key_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    opened = book()
    folder = tmp_path / "gone"
    keeper = renewed(opened, folder)
    told: list[str] = []
    until(lambda: told.extend(one.code for one in keeper.take_events()) or told, told=lambda: told)
    assert told == ["S15"]
    folder.mkdir()
    until(lambda: players_file(folder).exists(), told=lambda: told)
    keeper.close()


@pytest.mark.parametrize(
    "line", ["x", "{}", '{"account":1,"player":"a","good":1,"key":"00"}', "[]"]
)
def test_what_is_no_key_is_one_sentence(tmp_path: Path, line: str) -> None:
    players_file(tmp_path).write_text(line + "\n")
    players_file(tmp_path).chmod(0o600)
    with pytest.raises(Failure, match="players:1 is no key of an account") as refused:
        read_players(tmp_path, {})
    assert refused.value.exit_code == CONFIGURATION


def test_keys_that_others_can_read_are_refused(tmp_path: Path) -> None:
    write_players(tmp_path, {1: Kept("anna", 1, NEW)})
    players_file(tmp_path).chmod(0o644)
    with pytest.raises(Failure, match="can be read by others"):
        read_players(tmp_path, {1: ("anna", 1)})
