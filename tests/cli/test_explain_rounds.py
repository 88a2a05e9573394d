"""`cylindre explain` and `settle --journal` of a card table: a round whole, from its rows alone."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import own_rounds
import pytest
import round_bench

from firmware.core.cards import facts
from firmware.lib.errors import FAILED, OK, USAGE
from firmware.stakes import card_kinds
from firmware.store import round_record
from tools.cli import main

Run = Callable[..., str]
# The middle of what is told: from what happened to what is recorded.
HAPPENED = {
    "blackjack_lu": """\
What happened:
  13:46:40  faites vos jeux: the stakes are open
  13:46:40  rien ne va plus; stakes: 4, 45.00 in all, sealed
  13:46:40  card 1: 8♠, seat 2, read by the shoe
  13:46:40  card 2: 9♣, seat 5, read by the shoe
  13:46:40  held, the card is not read; due: dealer
  13:46:40  held, the card is not read; due: dealer
  13:46:40  held, the card is not read; due: dealer
  13:46:40  card 3: A♥, dealer, entered by hand by anna in the presence of rené: smudged
  13:46:40  card 4: 8♦, seat 2, read by the shoe
  13:46:40  card 5: 7♦, seat 5, read by the shoe
  13:46:40  seat 2 is not insured, by the croupier's keys, after 5 cards
  13:46:40  seat 5 is insured, by the croupier's keys, after 5 cards
  13:46:40  seat 2 splits, by the croupier's keys, after 5 cards
  13:46:40  card 6: 10♣, seat 2, read by the shoe
  13:46:40  seat 2 stands, by the croupier's keys, after 6 cards
  13:46:40  card 7: 3♠, seat 2, hand 2, read by the shoe
  13:46:40  seat 2, hand 2 doubles, by the croupier's keys, after 7 cards
  13:46:40  card 8: 9♦, seat 2, hand 2, read by the shoe
  13:46:40  seat 5 draws, by the croupier's keys, after 8 cards
  13:46:40  card 9: V♣, seat 5, read by the shoe
  13:46:40  card 10: R♥, dealer, read by the shoe
  13:46:40  dealer Black Jack, confirmed automatically
  13:46:40  weber knows of the Gold Jack, which is paid
What came:
  banque: A♥ R♥ = Black Jack
  seat 2, hand 1: 8♠ 10♣ = 18
  seat 2, hand 2: 8♦ 3♠ 9♦ = 20
  seat 5, hand 1: 9♣ 7♦ V♣ = 26
Collected and paid, in this order:
  p2: Perfect Pairs, seat 2, 10.00 wins 60.00, returned 70.00
  p5: mise, seat 5, hand 1, 20.00 loses 20.00, returned 0.00
  p2: mise, seat 2, hand 2, 20.00 loses 20.00, returned 0.00
  p2: mise, seat 2, hand 1, 10.00 loses 10.00, returned 0.00
  p5: assurance, seat 5, 10.00 wins 20.00, returned 30.00
  p2: Super-Jack, Gold Jack, seat 2, 5.00 wins 1500.00, returned 1505.00; the management knows \
first
""",
    "blackjack_live": """\
What happened:
  13:46:40  faites vos jeux: the stakes are open
  13:46:40  rien ne va plus; stakes: 2, 14.00 in all, sealed
  13:46:40  card 1: 5♠, seat 3, read by the shoe
  13:46:40  card 2: 6♦, dealer, read by the shoe
  13:46:40  card 3: 6♣, seat 3, read by the shoe
  13:46:40  seat 3 doubles, at terminal 12, after 4 cards
  13:46:40  card 5: 9♥, seat 3, read by the shoe
  13:46:40  card 4, the hole card, is 10♦, read by the shoe
  13:46:40  card 6: D♣, dealer, read by the shoe
  13:46:40  dealer 26, confirmed automatically
What came:
  banque: 6♦ 10♦ D♣ = 26
  seat 3, hand 1: 5♠ 6♣ 9♥ = 20
Collected and paid, in this order:
  p3: mise, seat 3, hand 1, 20.00 wins 20.00, returned 40.00
  zoé: derrière, seat 3, hand 1, 8.00 wins 8.00, returned 16.00
""",
    "baccarat_live": """\
What happened:
  13:46:40  faites vos jeux: the stakes are open
  13:46:40  held, a card was drawn too early
  13:46:40  2♣, which players have seen, is burned
  13:46:40  the round goes on
  13:46:40  rien ne va plus; stakes: 2, 25.00 in all, sealed
  13:46:40  card 1: 9♠, player's side, read by the shoe
  13:46:40  card 2: 4♣, banker's side, read by the shoe
  13:46:40  shoe 17 is changed once this round is over
  13:46:40  card 3: R♦, player's side, read by the shoe
  13:46:40  card 4: 5♥, banker's side, read by the shoe
  13:46:40  a tie: player 9, banker 9, confirmed automatically
  13:46:40  shoe 17 has ended after 11 cards
What came:
  joueur: 9♠ R♦ = 9
  banquier: 4♣ 5♥ = 9
  égalité
Collected and paid, in this order:
  ada: banquier, 20.00 neither wins nor loses, returned 20.00
  ada: égalité, 5.00 wins 40.00, returned 45.00
""",
    "punto_2000": """\
What happened:
  13:46:40  faites vos jeux: the stakes are open
  13:46:40  rien ne va plus; stakes: 3, 30.00 in all, sealed
  13:46:40  card 1: R♠, player's side, read by the shoe
  13:46:40  card 2: 2♦, banker's side, read by the shoe
  13:46:40  card 3: D♥, player's side, read by the shoe
  13:46:40  card 4: 4♦, banker's side, read by the shoe
  13:46:40  card 5: A♣, player's side, read by the shoe
  13:46:40  the banker wins: player 1, banker 6, confirmed automatically
What came:
  joueur: R♠ D♥ A♣ = 1
  banquier: 2♦ 4♦ = 6
  banquier
Collected and paid, in this order:
  bob: joueur, 10.00 loses 10.00, returned 0.00
  ada: banquier, 10.00 wins 5.00, returned 15.00
  ada: Dragon Bonus, banquier, 10.00 wins 20.00, returned 30.00
""",
}
BEGINS = {
    "blackjack_lu": """\
Round 1: dealer Black Jack.
Shoe 17, authenticated: its cards 7 to 16.
Rules blackjack_lu, 6 decks, minimum 2.00, maximum 100.00; the house chose nothing of its own.
Side bets: Perfect Pairs; Super-Jack, Gold Jack.
At the table: anna.
Staked before the call: 45.00 in all.
  p2: mise, seat 2, 10.00
  p2: Perfect Pairs, seat 2, 10.00
  p2: Super-Jack, Gold Jack, seat 2, 5.00
  p5: mise, seat 5, 20.00
""",
    "blackjack_live": """\
Round 1: dealer 26.
Shoe 17, authenticated: its cards 7 to 12.
Rules blackjack_live, 8 decks, minimum 2.00; the house chose nothing of its own.
Staked before the call: 14.00 in all.
  p3: mise, seat 3, 10.00
  zoé: derrière, seat 3, 4.00, follows doubles and pairs
""",
    "baccarat_live": """\
Round 1: the player wins: player 9, banker 8 now; first recorded as a tie: player 9, banker 9.
Shoe 17, authenticated: its cards 8 to 11.
Rules baccarat_live, 8 decks, minimum 2.00; the house chose nothing of its own.
Staked before the call: 25.00 in all.
  ada: banquier, 20.00
  ada: égalité, 5.00
""",
    "punto_2000": """\
Round 1: the banker wins: player 1, banker 6.
Shoe 17, authenticated: its cards 7 to 11.
Rules punto_2000, 6 decks, minimum 2.00; the house chose nothing of its own.
Side bets: Dragon Bonus, joueur; Dragon Bonus, banquier.
Staked before the call: 30.00 in all.
  ada: banquier, 10.00
  ada: Dragon Bonus, banquier, 10.00
  bob: joueur, 10.00
""",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command and returns what it prints; one that fails says one sentence, and no more."""

    def ran(*words: object, status: int = OK) -> str:
        code = main([str(word) for word in words])
        told = capsys.readouterr()
        assert code == status, told.err
        if status == OK:
            assert told.err == ""
            return told.out
        assert told.out == ""
        return told.err

    return ran


@pytest.mark.parametrize("game", round_bench.ROUNDS)
def test_a_round_of_each_game_is_told_whole(game: str, tmp_path: Path, run: Run) -> None:
    told = run("explain", 1, "--journal", round_bench.written(tmp_path, game))
    begin, _, rest = told.partition("What happened:\n")
    assert begin == BEGINS[game]
    assert f"What happened:\n{rest}".startswith(HAPPENED[game] + "Recorded 2026-01-12T13:46:40Z")
    _, _, end = rest.partition("The seals hold; settled again, the rows give these payments.\n")
    assert end.startswith("  stakes ")
    assert "\n  cards " in end


def test_a_correction_is_told_behind_the_round(tmp_path: Path, run: Run) -> None:
    told = run("explain", 1, "--journal", round_bench.written(tmp_path, "baccarat_live"))
    _, _, told = told.partition("2026-01-12T13:46:40Z: seq 2 corrects seq 1 to ")
    assert told.startswith(
        """\
the player wins: player 9, banker 8 by anna in the presence of weber: seen on the film.
What came:
  joueur: 9♠ R♦ = 9
  banquier: 4♣ 4♥ = 8
  joueur
Collected and paid, in this order:
  ada: banquier, 20.00 loses 20.00, returned 0.00
  ada: égalité, 5.00 loses 5.00, returned 0.00
  ada, corrected: 65.00 was due, 0.00 is: 65.00 to be given back
The seals hold; settled again, the rows give these payments.
"""
    )


@pytest.mark.parametrize("game", round_bench.ROUNDS)
def test_a_round_of_each_game_is_told_in_french(game: str, tmp_path: Path, run: Run) -> None:
    told = run("explain", 1, "--journal", round_bench.written(tmp_path, game), "--lang", "fr")
    for english in (" the ", " is ", " by ", "seat ", " of ", "Shoe", "Rules"):
        assert english not in told.replace("seen on the film", "")
    assert "Les sceaux tiennent ; réglées à nouveau, les lignes donnent ces paiements." in told


def test_a_void_round_and_one_that_ended_before_the_call(tmp_path: Path, run: Run) -> None:
    place = round_bench.CardPlace("blackjack_lu")
    place.begin(2)
    place.cards("KS")
    place.key(facts.KEY_VOID)
    place.key(facts.KEY_START)
    place.key(facts.KEY_VOID)
    path = own_rounds.written(tmp_path / "journal.db", place)
    told = run("explain", 1, "--journal", path)
    assert told.startswith("Round 1: void (declared at the table).\n")
    assert "Returned:\n  p2: mise, seat 2, hand 1, 10.00 neither wins nor loses, returned" in told
    told = run("settle", "--journal", path, "--coup", 1)
    assert told.startswith("coup nul : les mises sont rendues\np2: mise, seat 2, hand 1, 10.00")
    told = run("explain", 2, "--journal", path)
    assert "none of its cards.\nIt ended before the call: nothing was staked.\n" in told
    told = run("settle", "--journal", path, "--coup", 2, status=FAILED)
    assert told.count("\n") == 1
    assert "no stakes were sealed for coup 2." in told
    told = run("explain", 3, "--journal", path, status=FAILED)
    assert "coup 3 has not ended; the last that has ended is 2." in told


def test_an_end_that_was_not_signed_any_more_says_nothing(tmp_path: Path, run: Run) -> None:
    """The controller stopped between the two: it found the round open, and voided it."""
    place = round_bench.punto_2000()
    kind, result = place.rows.pop()
    path = own_rounds.written(tmp_path / "journal.db", place)
    journal = own_rounds.opened(path, "punto_2000")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(round_record, "SIGNED", {})
        journal.write(kind, result)
    void = {"round": 1, "seq": 1, "shoe": "17", "reason": "interrupted"}
    journal.write(card_kinds.VOID, void)
    journal.close()
    told = run("explain", 1, "--journal", path)
    assert told.startswith("Round 1: void (a restart of the controller interrupted it).\n")
    assert "the banker wins" not in told
    assert "Returned:\n  ada: banquier, 10.00 neither wins nor loses, returned 10.00\n" in told


# --- payments -------------------------------------------------------------------------------------
@pytest.mark.req("TABLE-M7.rows")
@pytest.mark.parametrize("game", round_bench.ROUNDS)
def test_payments_from_the_rows_are_those_that_were_told(
    game: str, tmp_path: Path, run: Run
) -> None:
    place = round_bench.ROUNDS[game]()
    path = own_rounds.written(tmp_path / "journal.db", place)
    last = place.last((facts.RoundResult, facts.RoundCorrection))
    told = [payment._asdict() for payment in last.payments]
    answer = json.loads(run("settle", "--journal", path, "--coup", 1, "--json"))
    assert answer["payments"] == told != []
    assert answer["outcome"] == last.outcome
    assert answer["to"][0] in ("s2", "s3", "P")
    said = run("explain", 1, "--journal", path, "--json")
    ends = json.loads(said)["ends"]
    assert ends[-1]["payments"] == told
    assert ends[0]["payments"] == [p._asdict() for p in place.last(facts.RoundResult).payments]
    assert len(ends) == (2 if game == "baccarat_live" else 1)


def test_what_a_correction_means_is_in_the_answer(tmp_path: Path, run: Run) -> None:
    path = round_bench.written(tmp_path, "baccarat_live")
    answer = json.loads(run("settle", "--journal", path, "--coup", 1, "--json"))
    owed = {"player": "ada", "paid_cents": 6500, "due_cents": 0, "cents": -6500}
    assert answer["differences"] == [owed]
    told = run("settle", "--journal", path, "--coup", 1, "--totals", status=USAGE)
    assert "a round of cards has none" in told


def test_the_object_of_a_round_has_what_was_sealed(tmp_path: Path, run: Run) -> None:
    path = round_bench.written(tmp_path, "blackjack_lu")
    told = json.loads(run("explain", 1, "--journal", path, "--json"))
    assert (told["round"], told["shoe"]["serial"]) == (1, "17")
    assert [stake["bet"] for stake in told["stakes"]["stakes"]][:2] == ["main", "perfect_pairs"]
    assert [row["card"] for row in told["ends"][0]["cards"]][:3] == ["8S", "9C", "AH"]
    assert [row["do"] for row in told["ends"][0]["engagements"]][2] == "split"
    assert told["lines"][0] == "Round 1: dealer Black Jack."


# --- what is not as it was ------------------------------------------------------------------------
def stakes(body: dict[str, Any]) -> None:
    body["stakes"][0]["cents"] = 100_000


def engagement(body: dict[str, Any]) -> None:
    body["by"] = "9"


def card(body: dict[str, Any]) -> None:
    if body["k"] == 10:
        body["card"] = "QH"


def place_of_card(body: dict[str, Any]) -> None:
    if body["k"] == 1:
        body["to"] = "s5"


def came(body: dict[str, Any]) -> None:
    body["outcome"] = body["outcome"] | {"hands": []}


@pytest.mark.parametrize(
    ("kind", "change", "why"),
    [
        (card_kinds.STAKES, stakes, "The stakes of the round are not those that were sealed at"),
        (card_kinds.ENGAGEMENT, engagement, "Engagement 1 of the round is not what was sealed."),
        (card_kinds.CARD_ROW, card, "The result does not name these stakes, engagements and"),
        (card_kinds.CARD_ROW, place_of_card, "Card 1 lies at s5, and s2 was due."),
        (card_kinds.RESULT, came, "The result says another outcome than its cards make."),
    ],
)
@pytest.mark.parametrize("command", ["explain", "settle"])
def test_a_row_that_was_not_so_is_one_sentence(
    command: str, kind: str, change: Any, why: str, tmp_path: Path, run: Run
) -> None:
    """As somebody would write it who can make a whole chain anew, and signs it."""
    place = round_bench.blackjack_lu()
    for own, body in place.rows:
        if own == kind and body.get("round"):
            change(body)
    path = own_rounds.written(tmp_path / "journal.db", place)
    words = (command, 1) if command == "explain" else (command, "--coup", 1)
    told = run(*words, "--journal", path, status=FAILED)
    assert told.count("\n") == 1
    assert f"{path}, round 1: {why}" in told
    assert told.endswith(" Keep it for inspection.\n")


def test_a_row_changed_in_the_file_is_one_sentence(tmp_path: Path, run: Run) -> None:
    path = round_bench.written(tmp_path, "punto_2000")
    with contextlib.closing(sqlite3.connect(path)) as file, file:
        file.execute(
            "UPDATE journal SET body = CAST(replace(body, ?, ?) AS BLOB) WHERE kind = ?",
            ('"AC"', '"AD"', card_kinds.CARD_ROW),
        )
    for words in (("explain", 1), ("settle", "--coup", 1)):
        told = run(*words, "--journal", path, status=FAILED)
        assert told.count("\n") == 1
        assert told.startswith(f"{path}: row 16 is missing or was changed.")


def test_a_record_that_says_otherwise_than_its_row_is_one_sentence(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = round_record.fields
    with monkeypatch.context() as patched:
        patched.setattr(
            round_record, "fields", lambda body: fields(body) | {"authenticated": False}
        )
        path = round_bench.written(tmp_path, "punto_2000")
    told = run("explain", 1, "--journal", path, status=FAILED)
    assert "The signed record says otherwise than the row before it." in told
