"""`cylindre terminal` at a card table: what a player types, what he is told."""

import json
from typing import Any

import pytest
from players import on
from test_player_stakes import Line

from firmware.bus.terminal import UNHEARD, Decided, Seat
from firmware.bus.terminal_messages import Decide, Stake
from firmware.services.terminal.commands import Decision, Order, WrongOrder, parse
from firmware.services.terminal.player_stakes import StakeSums
from firmware.services.terminal.program import Player
from firmware.services.terminal.text import Turn, as_json, as_words
from firmware.stakes.answers import CardDue, CardPaid, CardSettled

PLAYING = UNHEARD._replace(state="PLAYING", coup=7, employee=True, seated=True)
DUE = CardDue("decision", 3, 2, ("hit", "stand", "double"), 1_000, 9, 12_400_000, "7/17")


class Player3:
    """Who sits at seat 3, and what he was told."""

    def __init__(self, script: str = "") -> None:
        self.line = Line()
        self.told: list[Any] = []
        line: Any = self.line
        orders = [order for text in script.splitlines() if (order := parse(text)) is not None]
        self.player = Player(line, orders, self.told.append, {}, None, address=3, clock=lambda: 0)

    def hears(self, *events: Any, standing: Seat = PLAYING, due: Any = None) -> None:
        self.line.happened = list(events)
        self.line.standing = standing._replace(due=due)
        self.player.after_step()


@pytest.mark.parametrize(
    ("line", "do"),
    [
        ("main 500", Stake(0, "main", 500, ())),
        ("perfect_pairs 3 1000", Stake(0, "perfect_pairs", 1_000, (3,))),
        ("banker 500", Stake(0, "banker", 500, ())),
        ("hit", Decision("hit", 0)),
        ("double 500", Decision("double", 500)),
        ("Insure", Decision("insure", 0)),
        ("no", Decision("no_insurance", 0)),
        ("no_insurance", Decision("no_insurance", 0)),
    ],
)
def test_an_order_at_a_card_table_is_what_it_says(line: str, do: Any) -> None:
    assert parse(line) == Order(do)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("stand 500", '"stand" stands alone'),
        ("double 1 2", '"double" stands alone'),
        ("insure 0", "whole cents"),
        ("behind 500", 'there is no order "behind"'),
    ],
)
def test_what_no_seat_orders_says_why(line: str, why: str) -> None:
    with pytest.raises(WrongOrder, match=why):
        parse(line)


def test_a_stake_lies_at_this_seat_if_no_other_is_named() -> None:
    who = Player3()
    for text in ("main 500", "perfect_pairs 4 1000", "banker 500"):
        who.player.typed(text)
    assert [(ask.bet, ask.on) for ask in who.line.asked] == [
        ("main", (3,)), ("perfect_pairs", (4,)), ("banker", ()),
    ]  # fmt: skip


def test_what_is_due_is_told_with_the_seconds_left_and_decided_by_a_word() -> None:
    who = Player3()
    who.hears(due=DUE)
    assert Turn(DUE, 12) in who.told
    who.player.typed("double 400")
    assert who.line.asked == [Decide(7, 3, 2, "double", 400, 9)]
    who.hears(due=DUE)
    assert [type(told) for told in who.told].count(Turn) == 1
    who.hears()
    assert Turn(None, None) in who.told
    who.player.typed("hit")
    assert str(who.told[-1]) == "nothing is to be decided here now"
    assert len(who.line.asked) == 1


def test_a_script_waits_until_something_is_due() -> None:
    who = Player3("at DUE: stand\nat SETTLED: quit")
    who.hears()
    assert who.line.asked == []
    who.hears(due=DUE)
    assert [ask.do for ask in who.line.asked] == ["stand"]
    who.hears(CardSettled(7, None, ()))
    assert who.player.leaving


def test_what_was_laid_is_repeated_once_its_round_is_settled() -> None:
    who = Player3()
    stake = Stake(7, "main", 500, (3,))
    who.hears(standing=PLAYING._replace(seated=False))
    who.hears(Decided(2, stake, True, "", ""))
    assert who.told[-1] == StakeSums(500, 0, 0)
    paid = CardPaid(2, "main", 3, 1, 500, 750)
    standing = PLAYING._replace(coup=8)
    who.hears(CardSettled(7, {"dealer": 20}, (paid,)), standing=standing)
    assert who.told[-1] == StakeSums(0, 7, 500)
    who.player.typed("repeat")
    assert who.line.asked == [Stake(0, "main", 500, (3,))]


def test_what_is_due_in_words_and_as_json() -> None:
    assert as_words(Turn(DUE, 12), {}) == (
        "decide: seat 3, hand 2 has 7/17: hit (a card), stand (no more), double (one card);"
        " it costs 10.00 at most; 12 s left"
    )
    assert json.loads(as_json(Turn(DUE, 12), 5, {})) == {
        "t_us": 5, "event": "due", "kind": "decision", "seat": 3, "hand": 2,
        "choices": ["hit", "stand", "double"], "cents": 1_000, "seen": 9, "points": "7/17",
        "left_s": 12,
    }  # fmt: skip
    assert json.loads(as_json(Turn(None, None), 5, {})) == {
        "t_us": 5, "event": "due", "kind": None,
    }  # fmt: skip


def test_a_seats_standing_has_no_word_of_what_is_due() -> None:
    said = json.loads(as_json(PLAYING._replace(due=DUE), 5, {}))
    assert set(said) == {
        "t_us", "event", "state", "coup", "open", "employee", "seated", "conflict", "funds_cents",
    }  # fmt: skip


def test_at_a_card_table_no_number_is_out() -> None:
    who = Player3()
    confirmed = PLAYING._replace(state="CONFIRMED", seated=False)
    who.hears(standing=confirmed)
    assert "the number is out" in as_words(who.told[-1], {})
    who.hears()
    who.hears(standing=confirmed)
    assert as_words(who.told[-1], {}).startswith("le coup est terminé · the round is over;")
    assert json.loads(as_json(who.told[-1], 5, {})) == json.loads(as_json(confirmed, 5, {}))


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (None, "void, all stakes come back"),
        ({"dealer": 19}, "the dealer has 19"),
        ({"winner": "banker", "player": 6, "banker": 8}, "the banker wins, 6 to 8"),
    ],
)
def test_payments_of_a_round_are_told_losing_ones_first(outcome: Any, said: str) -> None:
    paid = (CardPaid(2, "main", 3, 2, 1_000, 1_500), CardPaid(3, "tie", 0, 0, 500, -500))
    told = CardSettled(7, outcome, paid)
    assert as_words(told, {}).splitlines() == [
        f"round 7: {said}",
        "  stake 3: égalité, 5.00 loses 5.00, returned 0.00",
        "  stake 2: mise, seat 3, hand 2, 10.00 wins 15.00, returned 25.00",
        "  together: 15.00 wins 10.00, returned 25.00",
    ]
    line = json.loads(as_json(told, 5, {}))
    assert line["outcome"] == outcome
    assert line["payments"][1] == {
        "id": 3, "bet": "tie", "seat": 0, "hand": 0, "stake_cents": 500, "won_cents": -500,
        "returned_cents": 0,
    }  # fmt: skip


def test_a_decision_that_is_refused_names_its_rule() -> None:
    told = Decided(4, Decide(7, 3, 2, "double", 400, 9), False, "2.6.6", "not now")
    assert as_words(told, {}) == "refused: double (one card) 4.00 (2.6.6: not now)"
    assert json.loads(as_json(told, 5, {}))["decision"] == "double"
    laid = Decided(4, Stake(7, "main", 500, (3,)), True, "", "")
    assert as_words(laid, {}) == "accepted: mise 3 5.00  stake 4"


def test_a_player_with_an_account_signs_on_at_a_card_table_too() -> None:
    line: Any = Line()
    Player(line, None, lambda told: None, {}, on("anna"), address=3)
    assert line.asked == [on("anna")]
