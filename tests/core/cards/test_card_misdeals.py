"""What goes wrong at a shoe, line by line as CARDS section 2 has it, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_place import CardPlace

from firmware.core import facts as core_facts
from firmware.core import faults
from firmware.core.cards import facts, reasons, states
from firmware.core.cards.house import HOUSE
from firmware.stakes import card_kinds
from rules.cards.deck import card_of

TWO = ("anna", "carl", "stained")


def dealing(game: str = "blackjack_lu", **options: Any) -> CardPlace:
    """A table whose next card is due."""
    place = CardPlace(game, **options)
    place.open()
    if game.startswith("blackjack"):
        place.stake(2, 1000)
    else:
        place.stake(None, 2000, bet="player", player="p2")
    place.call()
    return place


def deciding() -> CardPlace:
    """A table whose seat 2 decides with 15 points; 5 H is the dealer's."""
    place = dealing()
    place.cards("KS 5H 5S")
    return place


def voided(place: CardPlace, reason: str) -> None:
    """The round is void for that, and all its stakes have gone back."""
    assert isinstance(place.end, facts.RoundVoid)
    assert place.end.reason == reason
    stakes = next(body for kind, body in reversed(place.rows) if kind == card_kinds.STAKES)
    assert sum(cents for *_, cents in place.end.returned) >= stakes["total_cents"]


# --- unreadable -----------------------------------------------------------------------------------
@pytest.mark.req("TABLE-M2.next")
def test_an_unreadable_card_is_pulled_again_and_goes_where_it_was_due() -> None:
    place = dealing()
    place.card(None)
    assert place.guide == (
        facts.HELD,
        {"why": "unread", "to": "s2", "failures": 1, "ways": ("again", "void")},
    )
    assert dict(place.table.view().hands)["s2"] == (facts.DASH,)
    assert place.faults() == ["K10"]
    assert place.rows[-1] == (card_kinds.HELD, {"round": 1, "why": "unread", "to": "s2"})
    place.card("KS")
    assert (place.state, place.due()) == (states.DEALING, "d")
    assert dict(place.table.view().hands)["s2"] == (card_of("KS"),)


@pytest.mark.req("TABLE-misdeal.unread")
def test_after_three_failures_two_people_enter_the_card() -> None:
    place = dealing()
    place.card(None)
    place.tell(facts.CardEntered, card_of("KS"), *TWO)
    assert "over the reader again first" in place.refusals()[-1]
    place.card(None)
    place.card(None)
    assert place.guide[1]["ways"] == ("enter", "void")
    place.card("KS")
    assert "three readings failed" in place.refusals()[-1]
    place.tell(facts.CardEntered, card_of("KS"), "anna", "anna", "stained")
    assert "two different persons" in place.refusals()[-1]
    assert place.state == states.HOLD
    place.tell(facts.CardEntered, card_of("KS"), *TWO)
    assert place.due() == "d"
    row = place.rows[-1][1]
    assert (row["how"], row["manual"], row["why"]) == ("people", ["anna", "carl"], "stained")
    place.cards("5H TS")
    place.key(facts.KEY_STAND)
    place.cards("TD 9C")
    assert not place.end.verified


def test_two_key_switches_enter_it_as_well() -> None:
    place = dealing()
    for _ in range(3):
        place.card(None)
    place.card("KS", how=facts.PEOPLE)
    assert "key is turned first" in place.refusals()[-1]
    assert place.state == states.HOLD
    place.tell(facts.KeySwitched, facts.SWITCH_CROUPIER, True)
    place.card("KS", how=facts.PEOPLE)
    assert place.state == states.HOLD
    place.tell(facts.KeySwitched, facts.SWITCH_MANAGEMENT, True)
    assert place.due() == "d"
    assert place.rows[-1][1]["manual"] == ["key_croupier", "key_management"]


@pytest.mark.req("TABLE-misdeal.unread")
def test_a_hole_card_that_cannot_be_read_voids_the_round_and_nobody_types_it_in() -> None:
    place = dealing("blackjack_live", house=HOUSE._replace(reader=facts.PEOPLE))
    place.cards("KS 5H TS")
    place.card("7D", how=facts.PEOPLE)
    assert "nobody types in the hole card" in place.refusals()[-1]
    place.card(None)
    place.card(None)
    place.tell(facts.CardEntered, card_of("7D"), *TWO)
    assert place.state == states.HOLD
    place.card(None)
    voided(place, reasons.HOLE_UNREADABLE)


def test_no_people_enter_a_hole_card_where_the_shoe_is_silent_either() -> None:
    place = dealing("blackjack_live")
    place.cards("KS 5H TS")
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    assert place.guide[1]["ways"] == ("void",)
    place.tell(facts.CardEntered, card_of("7D"), *TWO)
    assert place.state == states.HOLD


@pytest.mark.req("TABLE-misdeal.unread")
def test_nobody_types_cards_in_alone_where_a_shoe_reads_them() -> None:
    place = dealing()
    place.card("KS", how=facts.PEOPLE)
    assert "nobody types them in alone" in place.refusals()[-1]
    assert place.due() == "s2"


# --- read twice -----------------------------------------------------------------------------------
@pytest.mark.req("TABLE-M1.whole")
def test_a_card_that_is_read_twice_counts_once() -> None:
    place = dealing()
    place.card("KS", ident="S17-0100")
    place.card("KS", ident="S17-0100")
    assert place.due() == "d"
    assert place.table.shoe.count.drawn == 7


def test_a_frame_that_is_told_twice_counts_once() -> None:
    place = dealing()
    place.card("KS")
    place.tell(facts.CardRead, place.n, card_of("KS"), "", facts.SHOE)
    assert place.due() == "d"


# --- pulled back ----------------------------------------------------------------------------------
@pytest.mark.req("TABLE-misdeal.back")
def test_a_card_pulled_back_before_it_counted_is_told_and_nothing_more() -> None:
    place = dealing()
    place.tell(facts.CardPulledBack, 0, facts.SHOE)
    assert (place.faults(), place.due()) == (["K18"], "s2")


@pytest.mark.req("TABLE-misdeal.back")
def test_a_card_that_counted_and_went_back_is_the_next_one_again() -> None:
    place = dealing()
    place.card("KS", ident="S17-0100")
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    assert place.guide[1]["why"] == "card_back"
    place.card("KS", ident="S17-0100")
    assert (place.state, place.due()) == (states.DEALING, "d")
    assert place.table.shoe.count.counts[card_of("KS")] == 1


# --- too early, one too many ----------------------------------------------------------------------
@pytest.mark.req("TABLE-misdeal.early")
def test_a_card_before_the_call_is_burned_and_the_stakes_lie() -> None:
    place = CardPlace()
    place.open()
    place.stake(2, 1000)
    place.card("KS")
    assert place.guide[1]["why"] == "card_early"
    assert place.table.view().hands == ()
    place.key(facts.KEY_BURN)
    assert place.state == states.BETS_OPEN
    burned, goes_on = place.rows[-2:]
    assert (burned[1]["to"], burned[1]["card"]) == (facts.BURN, "KS")
    assert goes_on == (card_kinds.HELD, {"round": 1, "why": None, "to": None})
    place.call()
    assert place.due() == "s2"


@pytest.mark.req("LIVE-2.7.6.waits")
def test_a_card_too_many_that_nobody_saw_is_burned_and_the_round_goes_on() -> None:
    place = deciding()
    place.card("QD")
    assert (place.state, place.guide[1]["why"]) == (states.HOLD, "card_extra")
    assert dict(place.table.view().hands)["s2"] == (card_of("KS"), card_of("5S"))
    place.key(facts.KEY_BURN)
    assert place.guide[0] == facts.DECIDE
    assert place.table.shoe.count.counts[card_of("QD")] == 1


@pytest.mark.req("LIVE-2.7.6.waits")
def test_no_decision_is_taken_while_the_round_is_held() -> None:
    place = deciding()
    place.card("QD")
    place.tell(facts.DecisionMade, 2, 1, "stand", None, None, "2")
    assert "nobody decides now" in place.refusals()[-1]
    assert card_kinds.ENGAGEMENT not in place.kinds()


@pytest.mark.req("TABLE-misdeal.exposed")
def test_an_exposed_card_too_many_at_black_jack_is_burned_by_two_people_or_the_round_is_void() -> (
    None
):
    place = deciding()
    place.card("QD")
    place.key(facts.KEY_EXPOSED)
    assert place.guide[1]["ways"] == ("burn_by_two", "void")
    place.key(facts.KEY_BURN)
    assert "turn the croupier's key" in place.refusals()[-1]
    place.tell(facts.BurnAsked, *TWO)
    assert place.guide[0] == facts.DECIDE
    assert place.rows[-2][1]["manual"] == ["anna", "carl"]
    place.card("QC")
    place.key(facts.KEY_EXPOSED, facts.KEY_VOID)
    voided(place, reasons.BY_CROUPIER)


def test_two_key_switches_burn_an_exposed_card() -> None:
    place = deciding()
    place.card("QD")
    place.key(facts.KEY_EXPOSED)
    place.tell(facts.KeySwitched, facts.SWITCH_CROUPIER, True)
    place.key(facts.KEY_BURN)
    place.tell(facts.KeySwitched, facts.SWITCH_MANAGEMENT, True)
    assert place.guide[0] == facts.DECIDE


@pytest.mark.req("TABLE-misdeal.exposed")
def test_an_exposed_card_too_many_at_baccarat_is_burned_and_the_round_stands() -> None:
    place = CardPlace("baccarat_live")
    place.open()
    place.stake(None, 2000, bet="player", player="p2")
    place.card("KS")
    place.key(facts.KEY_EXPOSED)
    assert place.state == states.BETS_OPEN
    assert place.rows[-2][1]["exposed"]


@pytest.mark.req("LIVE-2.7.5.three")
def test_more_than_three_cards_too_many_leave_the_void_alone() -> None:
    """Live 2.7.5: three may be burned after an error of the deal."""
    place = deciding()
    for text in "QD QC QH".split():
        place.card(text)
        place.key(facts.KEY_BURN)
    assert place.guide[0] == facts.DECIDE
    place.card("QS")
    assert place.guide[1]["ways"] == ("void",)
    place.key(facts.KEY_BURN)
    assert place.state == states.HOLD


# --- missed ---------------------------------------------------------------------------------------
@pytest.mark.req("TABLE-misdeal.missed")
def test_a_missed_card_has_the_round_read_again_from_its_first() -> None:
    place = dealing()
    place.card("KS", ident="S17-0100")
    place.card("5S", skip=1, ident="S17-0102")
    assert place.guide[1]["why"] == "card_missed"
    place.tell(facts.RescanAsked, "anna")
    for text, ident in (("KS", "S17-0100"), ("5H", "S17-0101"), ("5S", "S17-0102")):
        place.card(text, ident=ident)
    place.key(facts.KEY_CONFIRM)
    assert place.guide[0] == facts.DECIDE
    assert dict(place.table.view().hands)["d"] == (card_of("5H"),)
    place.key(facts.KEY_STAND)
    place.cards("TD 9C")
    assert place.paid() == [tuple(payment) for payment in place.end.payments]


@pytest.mark.req("TABLE-misdeal.missed")
def test_what_is_read_again_repeats_what_stands_or_the_round_is_void() -> None:
    place = dealing()
    place.card("KS", ident="S17-0100")
    place.tell(facts.RescanAsked, "anna")
    place.card("QS", ident="S17-0103")
    place.key(facts.KEY_CONFIRM)
    voided(place, reasons.MISDEALT)
    assert not place.table.shoe.count.is_trusted


@pytest.mark.req("TABLE-misdeal.missed")
def test_nothing_is_read_again_once_somebody_has_decided() -> None:
    place = deciding()
    place.key(facts.KEY_STAND)
    place.tell(facts.RescanAsked, "anna")
    assert "somebody has decided" in place.refusals()[-1]
    assert place.state == states.DEALER


# --- foreign --------------------------------------------------------------------------------------
@pytest.mark.req("LIVE-2.8.1.foreign")
@pytest.mark.parametrize(
    ("text", "ident", "why"),
    [
        ("2C", "S17-0001", "seen before"),  # the first that was burned
        ("KS", "S18-0900", "other set"),
        ("KS", "", "no identity"),
    ],
)
def test_a_foreign_card_voids_the_round_and_locks_the_table(
    text: str, ident: str, why: str
) -> None:
    place = dealing()
    place.n += 1
    place.tell(facts.CardRead, place.n, card_of(text), ident, facts.SHOE)
    voided(place, reasons.FOREIGN_CARD)
    assert place.state == states.FAULT
    assert why in place.last(core_facts.Fault).text
    place.key(facts.KEY_START)
    assert place.state == states.FAULT
    place.tell(core_facts.ClearAsked, "dora")
    assert place.guide[0] == facts.COUNT
    place.key(facts.KEY_START)
    assert "counted first" in place.refusals()[-1]
    place.tell(facts.CountConfirmed, *TWO)
    place.key(facts.KEY_START)
    assert place.guide[0] == facts.BURNING


@pytest.mark.req("TABLE-M1.whole")
def test_a_card_that_comes_more_often_than_there_are_decks_is_foreign() -> None:
    place = CardPlace(idents=False)
    place.shoe()
    place.key(facts.KEY_START)
    place.cards("2C " * 6)
    place.stake(2, 1000)
    place.call()
    place.card("2C")
    voided(place, reasons.FOREIGN_CARD)
    assert "too often" in place.last(core_facts.Fault).text


def test_a_foreign_card_among_the_burned_locks_the_table() -> None:
    place = CardPlace()
    place.shoe()
    place.key(facts.KEY_START)
    place.card("2C", ident="S17-0001")
    place.card("3C", ident="S09-0002")
    assert place.state == states.FAULT


# --- jam, silence ---------------------------------------------------------------------------------
@pytest.mark.parametrize("what", facts.SHOE_TROUBLES)
def test_a_trouble_of_the_shoe_ends_as_it_was_told(what: str) -> None:
    """Else the status has it as a fault that lasts, after it is over."""
    place = dealing()
    place.tell(facts.ShoeTrouble, what, "3 s")
    place.tell(facts.ShoeTrouble, what, "4 s")
    place.tell(facts.ShoeTroubleEnded, what)
    told = [each.text for each in place.all(core_facts.Fault) if each.code == "K13"]
    ended = place.last(core_facts.FaultEnded)
    assert told == [faults.sentence("K13", ended.detail)]
    assert "works again" not in ended.text  # it names what it no longer does


@pytest.mark.req("TABLE-misdeal.trouble")
@pytest.mark.parametrize("what", facts.SHOE_TROUBLES)
def test_a_shoe_in_trouble_holds_the_round_until_it_is_over_and_the_cloth_lies_right(
    what: str,
) -> None:
    place = dealing()
    place.tell(facts.ShoeTrouble, what, "3 s")
    assert place.guide[1] == {"why": what, "to": "s2", "failures": 0, "ways": ("enter", "void")}
    assert place.faults() == ["K13", "K10"]
    place.key(facts.KEY_CONFIRM)
    assert "is not over" in place.refusals()[-1]
    place.tell(facts.ShoeTroubleEnded, what)
    assert place.guide[1]["ways"] == ("on", "void")
    place.key(facts.KEY_CONFIRM)
    assert (place.state, place.due()) == (states.DEALING, "s2")


@pytest.mark.req("TABLE-misdeal.trouble")
def test_two_people_enter_cards_while_the_shoe_is_silent() -> None:
    place = dealing()
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.CardEntered, card_of("KS"), *TWO)
    assert (place.state, place.guide[1]["to"]) == (states.HOLD, "d")  # and the next one waits too


def test_a_shoe_in_trouble_while_somebody_decides_holds_at_the_next_card() -> None:
    place = deciding()
    place.tell(facts.ShoeTrouble, facts.JAM, "")
    assert place.guide[0] == facts.DECIDE
    place.key(facts.KEY_CARD)
    assert place.guide[1]["why"] == facts.JAM


def test_the_card_that_a_jam_held_counts_when_it_comes_whole() -> None:
    place = dealing()
    place.tell(facts.ShoeTrouble, facts.JAM, "")
    place.tell(facts.ShoeTroubleEnded, facts.JAM)
    place.card("KS")
    assert (place.state, place.due()) == (states.DEALING, "d")


def test_a_reader_that_began_anew_holds_the_round_until_the_cloth_is_confirmed() -> None:
    place = dealing()
    place.card("KS")
    place.shoe(boot=2)
    assert place.guide[1]["ways"] == ("on", "rescan", "void")
    place.key(facts.KEY_CONFIRM)
    assert place.due() == "d"
    place.card("5H")
    assert place.due() == "s2"


# --- the end of a shoe ----------------------------------------------------------------------------
@pytest.mark.req("TABLE-misdeal.cut")
@pytest.mark.parametrize("by_key", [True, False])
def test_the_cut_card_ends_the_shoe_after_this_round(by_key: bool) -> None:
    place = dealing()
    if by_key:
        place.key(facts.KEY_CUT)
    else:
        place.tell(facts.CutCardSeen)  # even as the first card: this round is played
    place.cards("KS 5H TS")
    place.key(facts.KEY_STAND)
    place.cards("TD 9C")
    assert isinstance(place.end, facts.RoundResult)
    assert place.state == states.NO_SHOE
    assert place.guide[0] == facts.COUNT
    assert place.table.view().outcome == place.end.outcome  # the players still see it


@pytest.mark.req("TABLE-misdeal.exhausted")
def test_a_shoe_that_runs_out_within_a_round_voids_it_and_locks() -> None:
    place = deciding()
    place.tell(facts.ShoeEmpty)
    assert place.guide[0] == facts.DECIDE
    place.key(facts.KEY_CARD)
    voided(place, reasons.SHOE_EXHAUSTED)
    assert place.state == states.FAULT


def test_a_shoe_that_is_empty_before_the_call_is_changed() -> None:
    place = CardPlace()
    place.open()
    place.stake(2, 1000)
    place.tell(facts.ShoeEmpty)
    assert place.end.reason == reasons.SHOE_EXHAUSTED
    assert place.state == states.NO_SHOE


def test_another_shoe_within_a_round_voids_it() -> None:
    place = dealing()
    place.card("KS")
    place.shoe(serial="18")
    voided(place, reasons.SHOE_CHANGED)
    assert place.state == states.NO_SHOE


# --- decisions ------------------------------------------------------------------------------------
@pytest.mark.req("TABLE-M4.late")
def test_a_decision_that_comes_after_the_next_card_of_its_hand_does_not_exist() -> None:
    """CARDS M4."""
    place = deciding()
    seen = place.last(facts.Guide).seen
    place.key(facts.KEY_CARD)  # by gesture; the terminal's own comes late
    place.card("2D")
    place.tell(facts.DecisionMade, 2, 1, "hit", None, seen, "2")
    assert "does not exist" in place.refusals()[-1]
    assert [body["n"] for kind, body in place.rows if kind == card_kinds.ENGAGEMENT] == [1]


def test_a_decision_that_is_not_offered_is_refused_with_its_article() -> None:
    place = deciding()
    place.key(facts.KEY_DOUBLE)
    assert "II.4" in place.refusals()[-1]
    assert place.guide[0] == facts.DECIDE
