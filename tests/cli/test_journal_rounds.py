"""`cylindre journal` at a card table: an object a round, without a number; rounds explained."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_journal
import own_rounds
import pytest

from firmware.lib.errors import OK
from tools.cli import main

Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*options: object) -> str:
        code = main(["journal", *map(str, options)])
        told = capsys.readouterr()
        assert (code, told.err) == (OK, "")
        return told.out

    return ran


@pytest.fixture
def baccarat(tmp_path: Path) -> Path:
    """Three rounds, the last a tie, which was corrected."""
    own_journal.keys(tmp_path / "keys")
    place = own_rounds.baccarat()
    own_rounds.correct(place, 3, "9S 4C KD 4H")
    return own_rounds.written(tmp_path / "journal.db", place)


@pytest.fixture
def blackjack(tmp_path: Path) -> Path:
    """One round, with a card that two people entered."""
    return own_rounds.written(tmp_path / "journal.db", own_rounds.blackjack())


def objects(told: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in told.splitlines()]


def test_the_export_has_one_object_a_round(baccarat: Path, run: Run) -> None:
    first, void, tie = objects(run("export", baccarat, "--format", "json"))
    for told, seq in ((first, 1), (void, 2), (tie, 3)):
        assert (told["seq"], told["coup"], told["game"]) == (seq, seq, "baccarat")
        assert (told["number"], told["compartment"], told["colour"]) == (None, None, None)
        assert told["utc"].endswith("Z")
    assert (first["winner"], first["player_points"], first["banker_points"]) == ("player", 9, 6)
    assert first["cards"] == "5S 2H 6D TC 8H 4S".split()
    assert (first["decks"], first["authenticated"], first["verified"]) == (8, True, True)
    assert (void["reason"], void["winner"], void["cards"]) == ("croupier", None, None)
    assert (tie["winner"], tie["cards"]) == ("player", "9S 4C KD 4H".split())
    assert (tie["first_winner"], tie["first_cards"]) == ("tie", "9S 4C KD 5H".split())
    assert (tie["corrected"], tie["manual"]) == (4, ["anna", "weber"])


def test_the_export_of_black_jack_has_the_dealers_hand(blackjack: Path, run: Run) -> None:
    (told,) = objects(run("export", blackjack))
    assert (told["cards"], told["dealer_points"]) == (["TH", "6C", "AD"], 17)
    assert (told["winner"], told["number"], told["reason"]) == (None, None, None)
    assert (told["verified"], told["manual"]) == (False, ["anna", "rené"])


def test_the_export_as_csv_says_the_same(baccarat: Path, run: Run) -> None:
    table = list(csv.DictReader(io.StringIO(run("export", baccarat, "--format", "csv"))))
    assert [row["winner"] for row in table] == ["player", "", "player"]
    assert [row["cards"] for row in table] == ["5S 2H 6D TC 8H 4S", "", "9S 4C KD 4H"]
    assert [row["croupier"] for row in table] == ["", "", "anna"]
    assert {row["number"] for row in table} == {""}
    told = objects(run("export", baccarat))
    for row, found in zip(table, told, strict=True):
        assert set(found) - set(row) == {"manual", "first_manual"}


def test_a_round_is_explained(baccarat: Path, run: Run) -> None:
    told = run("show", baccarat, 1)
    assert told.startswith("Round 1: the player wins: player 9, banker 6 (5S 2H 6D TC 8H 4S).\n")
    assert "a shoe of 8 decks, authenticated." in told
    assert "entered by hand" not in told
    assert "  round 1: card 1: 5♠, player's side, read by the shoe\n" in told
    assert run("show", baccarat, 2).startswith("Round 2: void (declared at the table).\n")
    told = run("show", baccarat, 3)
    assert "now; first recorded as a tie: player 9, banker 9 (9S 4C KD 5H)." in told
    assert "seq 4 corrects seq 3 to the player wins: player 9, banker 8 (9S 4C KD 4H) by" in told


def test_a_card_that_people_entered_is_told(blackjack: Path, run: Run) -> None:
    told = run("show", blackjack, 1)
    assert told.startswith("Round 1: dealer 17 (TH 6C AD).\n")
    assert "A card of it is entered by hand by anna, in the presence of rené." in told
    assert "  round 1: seat 2 stands, by the croupier's keys, after 3 cards\n" in told


def test_a_round_is_shown_as_json_with_every_row_that_is_of_it(baccarat: Path, run: Run) -> None:
    told = json.loads(run("show", baccarat, 3, "--json"))
    assert (told["coup"], told["stands"]["winner"]) == (3, "player")
    kinds = [row["kind"] for row in told["rows"]]
    assert kinds == ["card_round", "card_stakes", *["card"] * 4, "card_result", "result",
                     "correction"]  # fmt: skip


def test_the_last_rows_and_the_check_know_rounds(baccarat: Path, run: Run) -> None:
    told = run("tail", baccarat, "-n", 3)
    assert "  round 3: corrected to the player wins: player 9, banker 8 (9S 4C KD 4H)" in told
    assert "  round 3: a tie: player 9, banker 9 (9S 4C KD 5H), seq 3\n" in told
    assert "intact" in run("verify", baccarat, "--keys", baccarat.parent / "keys")
