"""Cards that go back into the shoe: one that comes again, one that counts, one nobody can name."""

from __future__ import annotations

import pytest
from harness.card_place import CardPlace, deciding, folded

from firmware.core.cards import facts, hold, reasons, states
from firmware.core.cards.house import HOUSE
from firmware.stakes import card_kinds
from rules.cards import deck


def unreadable() -> CardPlace:
    """A card for seat 2 has come, and three readings of it failed."""
    place = CardPlace(idents=False)
    place.begin(2)
    for _ in range(3):
        place.card(None)
    assert place.guide[1]["ways"][0] == facts.ENTER
    return place


def in_doubt(place: CardPlace, reason: str = reasons.MISDEALT) -> None:
    """The round is void, and nothing more is played of this shoe."""
    assert place.faults()[-1] == "K23"
    (void,) = place.all(facts.RoundVoid)
    assert void.reason == reason
    assert (place.state, place.guide[0]) == (states.NO_SHOE, facts.COUNT)
    assert (card_kinds.SHOE, "doubted") in [(kind, body.get("what")) for kind, body in place.rows]
    found = folded(place.rows).shoe
    assert (found.is_trusted, found.must_count, found.in_play) == (False, True, False)


@pytest.mark.req("TABLE-misdeal.back")
def test_a_dealt_card_that_goes_back_after_one_was_burned_makes_the_round_void() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.cards("KS 5H 5S")
    place.card("QD")
    place.key(facts.KEY_BURN)
    assert place.state == states.PLAYING
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)  # 5 S or Q D
    in_doubt(place)


@pytest.mark.req("TABLE-misdeal.back")
def test_two_cards_that_go_back_make_the_round_void() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.cards("KS 5H")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    assert place.guide[1]["why"] == hold.BACK
    place.tell(facts.CardPulledBack, place.n - 1, facts.SHOE)
    in_doubt(place)


def test_a_card_that_the_reader_has_no_number_of_makes_the_round_void() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.tell(facts.ShoeLoaded, "ours", "17", 6, 2, True, 0)  # it began anew: numbers from 1
    place.key(facts.KEY_CONFIRM)
    place.tell(facts.CardPulledBack, facts.UNKNOWN, facts.SHOE)
    in_doubt(place)


def test_a_card_of_before_that_goes_back_while_the_stakes_lie_makes_the_round_void() -> None:
    place = CardPlace(idents=False)
    place.open()
    place.stake(2, 1000)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    in_doubt(place)


def test_a_card_that_goes_back_between_two_rounds_ends_the_shoe() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.key(facts.KEY_VOID)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    in_doubt(place, reasons.BY_CROUPIER)


@pytest.mark.req("TABLE-misdeal.back")
def test_a_round_that_is_void_while_its_last_card_is_in_the_shoe_ends_the_shoe() -> None:
    place = CardPlace()
    place.begin(2)
    place.card("KS")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    place.key(facts.KEY_VOID)
    in_doubt(place, reasons.BY_CROUPIER)


@pytest.mark.req("TABLE-misdeal.back")
@pytest.mark.parametrize("text", ["QS", None])
def test_another_card_than_the_one_that_went_back_makes_the_round_void(text: str | None) -> None:
    place = CardPlace()
    place.begin(2)
    place.card("KS")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    place.card(text)
    in_doubt(place)
    assert place.table.shoe.count.drawn == 8  # six burned at first; it counts


def test_an_exposed_card_does_not_go_back_into_the_shoe() -> None:
    place = deciding()
    place.card("QD")
    place.key(facts.KEY_EXPOSED)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    in_doubt(place)


def test_nobody_looks_at_the_next_card_four_times_in_a_round() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.cards("KS 5H 5S")
    for _ in range(3):
        place.card("QD")
        place.tell(facts.CardPulledBack, place.n, facts.SHOE)
        assert place.state == states.PLAYING
    place.card("QD")
    assert place.guide[1]["ways"] == (facts.MAKE_VOID,)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    in_doubt(place)


def test_a_card_that_nobody_can_name_and_that_goes_back_is_none_without_a_number() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.cards("KS")
    place.card(None)
    place.shoe(boot=2)
    place.tell(facts.CardPulledBack, facts.UNKNOWN, facts.SHOE)
    in_doubt(place)


def test_a_restart_plays_no_more_of_a_shoe_in_which_a_card_is_that_counts() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.key(facts.KEY_VOID)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    rows = [(kind, body) for kind, body in place.rows if body.get("what") != "ended"]
    assert len(rows) == len(place.rows) - 1  # the power went before that was durable
    place = CardPlace(idents=False, restart_state=folded(rows))
    assert (place.state, place.guide[0]) == (states.NO_SHOE, facts.COUNT)


def test_a_restart_in_a_round_plays_no_more_of_such_a_shoe_either() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.card("KS")
    place.is_slow = True
    place.tell(facts.CardPulledBack, facts.UNKNOWN, facts.SHOE)
    rows = [(kind, body) for kind, body in place.rows if kind != card_kinds.VOID]
    place = CardPlace(idents=False, restart_state=folded(rows))
    assert (place.state, place.guide[0]) == (states.NO_SHOE, facts.COUNT)


def test_a_shoe_of_which_a_burned_card_went_back_is_loaded_again() -> None:
    place = CardPlace(idents=False)
    place.open()
    place.key(facts.KEY_VOID, facts.KEY_CUT)
    assert place.state == states.NO_SHOE
    place.key(facts.KEY_START)
    place.card("KS")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    assert place.guide[0] == facts.COUNT
    place.tell(facts.CountConfirmed, "anna", "carl", "counted")
    place.key(facts.KEY_START)
    assert place.guide[0] == facts.BURNING


def test_a_card_that_people_entered_and_that_goes_back_counts_once() -> None:
    place = unreadable()
    place.tell(facts.CardEntered, deck.card_of("KS"), "anna", "carl", "torn")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    assert place.guide[1]["why"] == hold.BACK
    place.card("KS")
    assert [row["card"] for row in place.table.play.cards] == ["KS"]
    assert place.table.shoe.count.drawn == 7  # six burned at first


def test_a_card_that_is_in_the_shoe_again_is_entered_by_nobody() -> None:
    place = unreadable()
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    assert facts.ENTER not in place.guide[1]["ways"]
    place.tell(facts.CardEntered, deck.card_of("KS"), "anna", "carl", "torn")
    assert "pulled over the reader again" in place.refusals()[-1]
    place.card("KS")
    assert [row["how"] for row in place.table.play.cards] == [facts.SHOE]


def test_a_restart_knows_the_number_of_a_card_that_came_again() -> None:
    place = CardPlace(idents=False, house=HOUSE._replace(confirm="croupier"))
    place.begin(2)
    place.cards("KS 5H 9S")
    place.key(facts.KEY_STAND)
    place.cards("TD 9C")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    place.card("9C")
    place.key(facts.KEY_CONFIRM)
    assert folded(place.rows).shoe.n == place.n


def test_a_card_that_goes_back_as_the_round_is_read_again_makes_it_void() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.card("KS")
    place.tell(facts.RescanAsked, "anna")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    in_doubt(place)


def test_an_unread_card_that_is_in_the_shoe_again_is_not_out_of_it() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.card(None)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    place.key(facts.KEY_VOID)
    count = place.table.shoe.count
    assert (count.drawn, count.unread, count.is_trusted) == (6, 0, True)


def test_a_card_that_goes_back_unread_again_and_again_is_entered_in_the_end() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    for _ in range(2):
        place.card(None)
        place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    place.card(None)
    assert place.guide[1]["ways"] == (facts.ENTER, facts.MAKE_VOID)


def test_the_back_key_lets_no_card_of_the_shoe_go() -> None:
    place = CardPlace()
    place.open()
    place.stake(2, 1000)
    place.card("KS")
    assert place.guide[1]["why"] == hold.EARLY
    place.tell(facts.CardPulledBack, place.n, facts.PEOPLE)
    assert "by keys" in place.refusals()[-1]
    assert place.guide[1]["why"] == hold.EARLY
    place.key(facts.KEY_BURN)
    assert place.table.shoe.count.drawn == 7


def test_the_back_key_holds_no_round_that_the_shoe_deals() -> None:
    place = CardPlace()
    place.begin(2)
    place.card("KS")
    place.tell(facts.CardPulledBack, place.n, facts.PEOPLE)
    assert place.due() == "d"
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    assert place.guide[1]["why"] == hold.BACK


def test_a_card_typed_before_the_call_goes_back_by_its_key() -> None:
    place = CardPlace(house=HOUSE._replace(reader=facts.PEOPLE), idents=False)
    place.open()
    place.card("KS", how=facts.PEOPLE)
    assert place.guide[1]["why"] == hold.EARLY
    place.tell(facts.CardPulledBack, place.typed, facts.PEOPLE)
    assert place.state == states.BETS_OPEN
