"""What two people decide: corrections, counts; the Gold Jack that waits for the management."""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_place import BURNED, CardPlace

from firmware.core import facts as core_facts
from firmware.core.cards import facts, reasons, states
from firmware.core.cards.house import HOUSE
from firmware.stakes import card_kinds
from rules.cards.deck import card_of

TWO = ("anna", "carl", "the scan was wrong")


def ended() -> CardPlace:
    """A round that seat 2 won with 20 against 19."""
    place = CardPlace()
    place.begin(2)
    place.cards("KS TD QS")
    place.key(facts.KEY_STAND)
    place.card("9C")
    assert place.end.payments[0].won_cents == 1000
    return place


def cards(texts: str) -> list[int]:
    return [card_of(text) for text in texts.split()]


# --- corrections ----------------------------------------------------------------------------------
@pytest.mark.req("TABLE-M5.corrected")
def test_two_people_correct_a_round_and_the_rows_pay_it_as_it_stands_then() -> None:
    place = ended()
    place.tell(facts.RoundCorrectionAsked, 1, cards("KS TD QS AC"), None, *TWO)
    told = place.last(facts.RoundCorrection)
    assert (told.seq, told.corrects, told.reason) == (2, 1, None)
    assert told.payments[0].won_cents == -1000
    assert place.table.view().outcome == told.outcome
    assert place.paid() == [tuple(payment) for payment in told.payments]
    row = place.rows[-1][1]
    assert (row["manual"], row["why"]) == (["anna", "carl"], "the scan was wrong")
    assert [card["id"] for card in row["cards"]][:3] == ["S17-0007", "S17-0008", "S17-0009"]


def test_two_people_make_a_round_void_and_a_void_a_round_again() -> None:
    place = ended()
    place.tell(facts.RoundCorrectionAsked, 1, None, None, *TWO)
    assert place.state == states.VOID
    assert place.table.view().reason == reasons.BY_CROUPIER
    assert place.last(facts.RoundCorrection).payments[0].won_cents == 0
    place.tell(facts.RoundCorrectionAsked, 1, None, None, *TWO)
    assert "void already" in place.refusals()[-1]
    place.tell(facts.RoundCorrectionAsked, 1, cards("KS TD QS 9C"), None, *TWO)
    assert place.state == states.CONFIRMED
    assert (place.table.seq, place.last(facts.RoundCorrection).corrects) == (3, 2)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ((7, "KS TD QS AC", None), "not the last"),
        ((1, "KS TD QS", None), "give it too"),
        ((1, "KS TD QS 9C 2D", None), "ends before"),
        ((1, "KS TD QS 9C", []), "somebody decides"),
        ((1, "KS TD QS 9C", [{"seat": 2, "hand": 1, "do": "split", "cents": 5}]), "cents"),
        ((1, "KS TD QS 9C", [{"seat": 3, "hand": 1, "do": "stand"}]), "seat 2"),
    ],
)
def test_a_correction_that_no_round_can_be_is_refused_with_what_is_wrong(
    asked: tuple[int, str, Any], why: str
) -> None:
    place = ended()
    number, texts, decisions = asked
    place.tell(facts.RoundCorrectionAsked, number, cards(texts), decisions, *TWO)
    assert why in place.refusals()[-1]
    assert not place.all(facts.RoundCorrection)


@pytest.mark.req("TABLE-M5.corrected")
def test_one_person_alone_corrects_nothing_and_nobody_does_while_a_round_is_open() -> None:
    place = ended()
    place.tell(facts.RoundCorrectionAsked, 1, None, None, "anna", "anna", "why")
    assert "two different persons" in place.refusals()[-1]
    place.key(facts.KEY_START)
    place.tell(facts.RoundCorrectionAsked, 1, None, None, *TWO)
    assert "out of reach" in place.refusals()[-1]


def test_a_correction_is_told_once_it_is_durable_and_no_round_begins_before() -> None:
    place = ended()
    place.is_slow = True
    place.tell(facts.RoundCorrectionAsked, 1, None, None, *TWO)
    assert place.state == states.CONFIRMED
    place.key(facts.KEY_START)
    assert "a correction is being recorded" in place.refusals()[-1]
    place.tell(facts.RoundCorrectionAsked, 1, None, None, *TWO)
    assert "another correction" in place.refusals()[-1]
    place.write()
    assert place.state == states.VOID


def test_no_round_is_corrected_while_the_next_shoe_is_burned() -> None:
    place = over()
    place.tell(facts.ShoeCounted, left(place))
    place.key(facts.KEY_START)
    place.tell(facts.RoundCorrectionAsked, 1, None, None, *TWO)
    assert "being burned" in place.refusals()[-1]


# --- the Gold Jack --------------------------------------------------------------------------------
def gold() -> CardPlace:
    """The dealer has made a Gold Jack; seat 2 lost, and has 5 euros on each of two lines."""
    place = CardPlace()
    place.open()
    place.stake(2, 1000)
    place.stake(2, 500, bet="super_gold")
    place.stake(2, 500, bet="super_black")
    place.call()
    place.cards("9S AH 9D")
    assert facts.GOLD_JACK_POSSIBLE in [guide.code for guide in place.all(facts.Guide)]
    place.key(facts.KEY_NO_MORE_BETS, facts.KEY_STAND)
    place.card("KH")
    return place


@pytest.mark.req("LU-super-jack.announced")
@pytest.mark.parametrize(("first", "is_told"), [("AH", True), ("KH", True), ("AS", False)])
def test_a_possible_gold_jack_is_announced_at_once(first: str, is_told: bool) -> None:
    """Seeds 000, Super-Jack: "un as de cœur ou une carte de cœur valant dix points"."""
    place = CardPlace()
    place.open()
    place.stake(2, 1000)
    place.stake(2, 500, bet="super_gold")
    place.call()
    place.card("9S")
    place.card(first)
    said = [guide.code for guide in place.all(facts.Guide)]
    assert (facts.GOLD_JACK_POSSIBLE in said) == is_told


@pytest.mark.req("LU-super-jack.gold")
def test_a_gold_jack_holds_its_one_payment_until_the_management_knows() -> None:
    """Seeds 000, Super-Jack: "le chef de salle doit en être informé au préalable"."""
    place = gold()
    held = [place.end.payments[at] for at in place.end.held]
    assert [(payment.bet, payment.won_cents) for payment in held] == [("super_gold", 150_000)]
    assert place.state == states.CONFIRMED
    assert place.guide == (facts.GOLD_JACK, {"payments": ((2, "p2", 150_000),)})
    place.key(facts.KEY_START)
    assert "has not acknowledged the Gold Jack" in place.refusals()[-1]
    place.tell(facts.Acknowledged, "carl")
    assert place.last(facts.HeldPaid).payments == held
    assert place.rows[-1] == (card_kinds.PAID, {"round": 1, "manager": "carl"})
    place.tell(facts.Acknowledged, "carl")
    assert "no payment waits" in place.refusals()[-1]
    place.key(facts.KEY_START)
    assert place.state == states.BETS_OPEN


@pytest.mark.req("LU-super-jack.gold")
def test_the_managements_key_acknowledges_it_as_well_and_after_a_restart_too() -> None:
    first = gold()
    first.key(facts.KEY_CUT)
    assert first.state == states.CONFIRMED  # the shoe is changed once it is paid
    place = CardPlace(restart_state=first.table.restart_state())
    assert place.guide[0] == facts.GOLD_JACK
    place.tell(facts.KeySwitched, facts.SWITCH_MANAGEMENT, True)
    assert place.last(facts.HeldPaid).payments[0].won_cents == 150_000
    first.tell(facts.Acknowledged, "carl")
    assert first.state == states.NO_SHOE


def test_a_correction_that_makes_no_gold_jack_holds_nothing() -> None:
    place = gold()
    place.tell(facts.RoundCorrectionAsked, 1, cards("9S AH 9D KS"), None, *TWO)
    assert not place.table.waits()
    assert place.last(facts.RoundCorrection).held == []


# --- the count ------------------------------------------------------------------------------------
def over() -> CardPlace:
    """A round is over, and the cut card came: the shoe is to be counted."""
    place = ended()
    place.key(facts.KEY_CUT)
    assert place.guide[0] == facts.COUNT
    return place


def left(place: CardPlace) -> list[int]:
    return [6 - seen for seen in place.table.shoe.count.counts]


def test_a_count_that_agrees_opens_the_next_shoe() -> None:
    place = over()
    place.tell(facts.ShoeCounted, left(place))
    assert place.guide[0] == facts.LOAD
    place.key(facts.KEY_START)
    place.cards(BURNED)
    assert place.state == states.BETS_OPEN


def test_a_count_with_a_card_too_many_is_told_and_two_people_decide() -> None:
    place = over()
    counted = left(place)
    counted[card_of("TH")] += 1
    place.tell(facts.ShoeCounted, counted)
    assert place.faults()[-1] == "K16"
    assert ": 10♥." in place.last(core_facts.Fault).text
    place.key(facts.KEY_START)
    assert "counted first" in place.refusals()[-1]
    place.tell(facts.CountConfirmed, "anna", "anna", "why")
    assert place.guide[0] == facts.COUNT
    place.tell(facts.CountConfirmed, *TWO)
    assert place.guide[0] == facts.LOAD


@pytest.mark.req("LIVE-2.7.5.six")
def test_2_7_5_six_cards_are_burned_after_a_shuffle() -> None:
    # "Lorsque les cartes sont battues, six cartes sont supprimées"
    place = CardPlace("blackjack_live")
    place.shoe()
    place.key(facts.KEY_START)
    for card in BURNED.split():
        assert place.guide[0] == facts.BURNING
        place.card(card)
    assert place.state == states.BETS_OPEN


@pytest.mark.req("LIVE-2.7.5.six")
@pytest.mark.parametrize("burned", [0, 1])
def test_the_house_says_how_many_cards_are_burned(burned: int) -> None:
    house = HOUSE._replace(burned=burned)
    place = CardPlace(house=house)
    place.shoe()
    place.key(facts.KEY_START)
    place.cards(BURNED[: 2 * burned])
    assert place.state == states.BETS_OPEN


def test_a_shoe_with_another_number_of_decks_is_not_played() -> None:
    place = CardPlace()
    place.shoe(decks=8)
    assert place.faults() == ["K17"]
    place.key(facts.KEY_START)
    assert "8 decks" in place.refusals()[-1]


def test_a_card_between_two_rounds_is_burned_and_counted() -> None:
    place = ended()
    place.card("2H")
    assert place.faults()[-1] == "K19"
    assert place.rows[-1][1]["to"] == facts.BURN
    assert place.table.shoe.count.counts[card_of("2H")] == 1


# --- typed cards ----------------------------------------------------------------------------------
def test_what_was_typed_may_be_taken_back_until_the_next_card_or_decision() -> None:
    place = CardPlace(house=HOUSE._replace(reader=facts.PEOPLE), idents=False)
    place.begin(2)
    for text in ("KS", "TD", "QS"):
        place.card(text, how=facts.PEOPLE)
    assert place.guide[0] == facts.DECIDE
    place.tell(facts.CardPulledBack, place.typed, facts.PEOPLE)
    assert (place.state, place.due()) == (states.DEALING, "s2")
    assert place.kinds()[-1] == card_kinds.CARD_BACK
    place.card("6S", how=facts.PEOPLE)
    place.key(facts.KEY_STAND)
    place.tell(facts.CardPulledBack, place.typed, facts.PEOPLE)
    assert "before the next decision" in place.refusals()[-1]
    place.card("9C", how=facts.PEOPLE)
    assert not place.end.verified
    assert place.end.outcome["hands"][0]["cards"] == ["KS", "6S"]
    assert place.paid() == [tuple(payment) for payment in place.end.payments]
