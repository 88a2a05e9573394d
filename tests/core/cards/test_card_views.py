"""What a card table tells its displays besides cards: side bets as they fall, the shoe's last round
and its first, and a round as it stands once it is recorded."""

from __future__ import annotations

from typing import Any

import own_rounds
import pytest
from harness.card_place import CardPlace

from firmware.core.cards import facts
from firmware.core.cards.fold import Fold
from firmware.core.cards.table import CardTable
from rules.cards.deck import card_of


def views(place: CardPlace) -> list[facts.CardView]:
    return [fact for fact in place.facts if type(fact) is facts.CardView]


def events(place: CardPlace) -> set[tuple[str, str]]:
    return set(views(place)[-1].events)


def lu(*side_bets: str, seats: tuple[int, ...] = (2, 5)) -> CardPlace:
    """A table of Luxembourg with all its side bets, and these staked on seat 2."""
    place = CardPlace(
        "blackjack_lu",
        side_bets=("perfect_pairs", "super_black", "super_silver", "super_gold"),
    )
    place.open()
    for seat in seats:
        place.stake(seat, 1000)
    for bet in side_bets:
        place.stake(2, 1000, bet=bet)
    place.call()
    return place


@pytest.mark.parametrize(
    ("cards", "event"),
    [("8S 9C 5D 8S", "pair_perfect"), ("8S 9C 5D 8C", "pair_colour"),
     ("8S 9C 5D 8D", "pair_mixed"), ("8S 9C 5D 9S", None)],
)  # fmt: skip
def test_a_perfect_pair_is_told_with_the_second_card_and_where_it_is_staked_alone(
    cards: str, event: str | None
) -> None:
    expected = set() if event is None else {(event, "s2")}
    place = lu("perfect_pairs")
    place.cards(cards.rsplit(" ", 1)[0])
    assert events(place) == set()
    place.cards(cards.rsplit(" ", 1)[1])
    assert events(place) == expected
    place.cards("9D")  # seat 5 has a pair and no stake on it
    assert events(place) == expected
    place.key(facts.KEY_STAND)
    assert events(place) == expected
    bare = lu()
    bare.cards(cards)
    assert events(bare) == set()


def test_a_gold_jack_is_told_to_be_possible_and_then_what_came() -> None:
    bets = ("super_black", "super_silver", "super_gold")
    for second, lines in (
        ("KH", bets), ("KS", ("super_black",)), ("9H", ()),
    ):  # fmt: skip
        place = lu(*bets)
        place.cards("8S 9C AH")
        assert events(place) == {("gold_jack_possible", "d")}
        place.cards("7S 7D")
        place.key("seat_2", facts.KEY_INSURANCE)
        place.key("seat_5", facts.KEY_STAND)
        assert events(place) == {("gold_jack_possible", "d"), ("insured", "s2")}
        place.key(facts.KEY_STAND)
        place.key(facts.KEY_STAND)
        place.cards(second)
        assert events(place) == {(line, "d") for line in lines} | {("insured", "s2")}


def test_a_line_of_the_super_jack_that_nobody_staked_is_not_told() -> None:
    place = lu("super_black")
    place.cards("8S 9C AH 7S 7D")
    assert events(place) == set()
    place.key(facts.KEY_NO_MORE_BETS)
    place.key(facts.KEY_STAND)
    place.key(facts.KEY_STAND)
    place.cards("KH")
    assert events(place) == {("super_black", "d")}


@pytest.mark.parametrize(
    ("cards", "event"),
    [("9S 2D KD 3H", "dragon_natural"), ("2S TD 4D TC AH", "dragon_5"), ("2S TD 4D TC 9H", None)],
)  # fmt: skip
def test_a_dragon_bonus_is_told_once_the_last_card_lies(cards: str, event: str | None) -> None:
    place = CardPlace("punto_2000", side_bets=("dragon_player", "dragon_banker"))
    place.open()
    place.stake(None, 2000, bet="player", player="ada")
    place.stake(None, 2000, bet="dragon_player", player="ada")
    place.call()
    place.cards(cards.rsplit(" ", 1)[0])
    assert events(place) == set()
    place.cards(cards.rsplit(" ", 1)[1])
    assert events(place) == (set() if event is None else {(event, "P")})


def test_the_last_round_of_a_shoe_is_told_from_the_cut_card_on() -> None:
    place = own_rounds.blackjack()
    assert not [view for view in views(place) if view.is_last]
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    place.card("9S")
    assert not views(place)[-1].is_last
    place.key(facts.KEY_CUT)
    assert views(place)[-1].is_last
    place.key(facts.KEY_VOID)
    assert views(place)[-1].state == "NO_SHOE" and not views(place)[-1].is_last


def test_the_first_round_of_the_shoe_is_told_over_a_restart_and_anew_with_another() -> None:
    place = own_rounds.blackjack()
    assert {view.first for view in views(place) if view.state != "NO_SHOE"} == {1}
    place.key(facts.KEY_START)
    assert (views(place)[-1].round, views(place)[-1].first) == (2, 1)
    fold = Fold()
    for kind, body in place.rows:
        fold.add(kind, body)
    again = CardTable(place.limits, restart_state=fold.state())
    assert again.view().first == 1
    assert fold.state().shoe.first == place.table.restart_state().shoe.first == 1
    place.key(facts.KEY_CUT)
    place.key(facts.KEY_VOID)
    assert views(place)[-1].first == 1  # it is still the shoe of the roads
    place.tell(facts.CountConfirmed, "anna", "weber", "counted by hand")
    place.open()
    assert views(place)[-1].first == views(place)[-1].round == 3


def test_a_round_that_is_recorded_lies_as_its_outcome_says_and_after_a_restart_too() -> None:
    place = own_rounds.blackjack()
    view = views(place)[-1]
    outcome = view.outcome
    assert outcome is not None
    assert dict(view.hands)["d"] == tuple(map(card_of, outcome["dealer"]["cards"]))
    fold = Fold()
    for kind, body in place.rows:
        fold.add(kind, body)
    again = CardTable(place.limits, restart_state=fold.state()).view()
    assert (again.hands, again.points, again.outcome) == (view.hands, view.points, outcome)


def test_a_corrected_round_lies_as_it_was_corrected() -> None:
    place = CardPlace("baccarat_live")
    place.open()
    place.stake(None, 2000, bet="banker", player="ada")
    place.call()
    place.cards("9S 4C KD 5H")
    own_rounds.correct(place, 1, "9S 4C KD 4H")
    view = views(place)[-1]
    assert dict(view.hands) == {
        "P": (card_of("9S"), card_of("KD")), "B": (card_of("4C"), card_of("4H")),
    }  # fmt: skip
    assert view.outcome is not None and view.outcome["winner"] == "player"
    assert view.events == ()


def test_every_event_has_its_name() -> None:
    assert len(set(facts.EVENTS)) == len(facts.EVENTS)
    hands: Any = facts.CardView._fields
    assert hands[-3:] == ("events", "is_last", "first")
