"""What a review of the card table has found: a way around two people, a shoe trusted too long."""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_place import BURNED, CardPlace, deciding, folded

from firmware.core import facts as core_facts
from firmware.core.cards import facts, hold, reasons, states
from firmware.core.cards.house import HOUSE
from firmware.stakes import card_kinds
from rules.cards import deck


# --- the round read again -------------------------------------------------------------------------
@pytest.mark.parametrize("exposed", [True, False])
def test_no_round_is_read_again_to_be_rid_of_a_card_too_many(exposed: bool) -> None:
    place = deciding()
    place.card("QS")
    if exposed:
        place.key(facts.KEY_EXPOSED)
    ways = place.guide[1]["ways"]
    place.tell(facts.RescanAsked, "anna")
    assert "is ended first" in place.refusals()[-1]
    assert place.guide[1]["ways"] == ways
    place.tell(facts.BurnAsked, "anna", "carl", "seen") if exposed else place.key(facts.KEY_BURN)
    assert (place.state, place.table.too_many) == (states.PLAYING, 1)
    assert place.table.shoe.count.drawn == 10  # six burned at first, three dealt, this one


def test_a_round_that_is_read_again_wrongly_is_read_once_more() -> None:
    place = CardPlace()
    place.begin(2)
    place.card("KS", ident="S17-0100")
    place.card("5S", skip=1, ident="S17-0102")
    for texts in ("5H", "KS 5H 5S"):
        place.tell(facts.RescanAsked, "anna")
        for text in texts.split():
            place.card(text, ident={"KS": "S17-0100", "5H": "S17-0101", "5S": "S17-0102"}[text])
    place.key(facts.KEY_CONFIRM)
    assert place.state == states.PLAYING


def test_a_card_that_the_decks_have_no_more_is_foreign_as_the_round_is_read_again_too() -> None:
    place = CardPlace(idents=False)
    place.begin(*range(1, 8))
    place.cards("AH " * 5)
    place.card("AH", skip=1)  # one went by unread
    assert place.guide[1]["why"] == hold.MISSED
    place.tell(facts.RescanAsked, "anna")
    place.cards("AH " * 7)  # of six decks
    place.key(facts.KEY_CONFIRM)
    assert "K11" in [each.code for each in place.all(core_facts.Fault)]
    (void,) = place.all(facts.RoundVoid)
    assert void.reason == reasons.FOREIGN_CARD
    assert place.state == states.FAULT
    assert not place.table.shoe.count.is_trusted


# --- how many cards lie there ---------------------------------------------------------------------
def ended(place: CardPlace) -> str:
    """Why the round is void."""
    (void,) = place.all(facts.RoundVoid)
    return str(void.reason)


@pytest.mark.parametrize(
    ("skip", "texts"),
    [(0, "KS 5H 5H"), (1, "KS 5S"), (1, "KS 5H 5H 5S"), (2, "KS 5H 5S"), (3, "KS")],
)
def test_a_round_read_again_has_as_many_cards_as_came_out(skip: int, texts: str) -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.cards("KS")
    place.card("5H" if not skip else "5S", skip=skip)
    place.tell(facts.RescanAsked, "anna")
    place.cards(texts)
    place.key(facts.KEY_CONFIRM)
    assert ended(place) == reasons.MISDEALT


def test_a_card_that_goes_by_as_the_round_is_read_again_has_it_read_from_the_first() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.cards("KS")
    place.card("5S", skip=1)
    place.tell(facts.RescanAsked, "anna")
    place.card("KS")
    place.card("5S", skip=1)
    assert "from its first card" in place.refusals()[-1]
    place.cards("KS 5H 5S")
    place.key(facts.KEY_CONFIRM)
    assert [row["card"] for row in place.table.play.cards] == ["KS", "5H", "5S"]


@pytest.mark.parametrize("idents", [True, False])
def test_where_nobody_knows_how_many_came_out_no_card_is_read_as_two(idents: bool) -> None:
    place = CardPlace(idents=idents)
    place.begin(2)
    place.card("KS", ident="S17-0100" if idents else "")
    place.shoe(boot=2)
    place.tell(facts.RescanAsked, "anna")
    place.card("KS", ident="S17-0100" if idents else "")
    place.card("5H", ident="S17-0101" if idents else "")
    place.key(facts.KEY_CONFIRM)
    assert place.state == (states.DEALING if idents else states.VOID)


@pytest.mark.parametrize("how", [facts.BARCODE, facts.PEOPLE])
def test_people_who_find_that_a_card_is_missing_have_the_round_read_again(how: str) -> None:
    house = HOUSE._replace(reader=how)
    place = CardPlace(house=house, idents=how == facts.BARCODE)
    place.shoe()
    place.key(facts.KEY_START)
    for text in BURNED.split():
        place.card(text, how=how)
    place.stake(2, 1000)
    place.call()
    lie = {"KS": "S17-0100", "5H": "S17-0101", "5S": "S17-0102"}
    if how == facts.PEOPLE:
        lie = dict.fromkeys(lie, "")
    place.card("KS", how=how, ident=lie["KS"])
    place.card("5S", how=how, ident=lie["5S"])  # of 5 H it said nothing
    place.tell(facts.RescanAsked, "anna")
    for text, ident in lie.items():
        place.card(text, how=how, ident=ident)
    place.key(facts.KEY_CONFIRM)
    assert [row["card"] for row in place.table.play.cards] == ["KS", "5H", "5S"]


def test_after_a_lie_nobody_knows_how_many_went_by() -> None:
    place = CardPlace(idents=False)
    place.open()
    place.stake(2, 1000)
    place.tell(facts.ShoeTrouble, facts.LYING, "something that happened was not said")
    place.tell(facts.ShoeTroubleEnded, facts.LYING)
    place.call()
    place.card("KS", skip=1)
    place.tell(facts.RescanAsked, "anna")
    place.cards("KS KS")  # one, pulled twice
    place.key(facts.KEY_CONFIRM)
    assert ended(place) == reasons.MISDEALT


def test_nobody_confirms_the_count_of_a_shoe_in_trouble() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.key(facts.KEY_VOID)
    place.tell(facts.ShoeTrouble, facts.LYING, "something that happened was not said")
    place.tell(facts.CountConfirmed, "anna", "carl", "seen")
    assert "in trouble: lying" in place.refusals()[-1]
    place.tell(facts.ShoeTroubleEnded, facts.LYING)
    place.tell(facts.CountConfirmed, "anna", "carl", "seen")
    assert place.table.shoe.count.is_trusted


@pytest.mark.parametrize("is_looked_at", [True, False])
def test_a_reader_that_began_anew_leaves_the_count_in_doubt_unless_people_look(
    is_looked_at: bool,
) -> None:
    place = deciding()
    place.shoe(boot=2)
    if is_looked_at:
        place.key(facts.KEY_CARD)
        assert place.guide[1]["why"] == hold.REBOOT
        place.key(facts.KEY_CONFIRM)
    place.key(facts.KEY_VOID)
    assert place.table.shoe.count.is_trusted == is_looked_at
    place.tell(facts.CountConfirmed, "anna", "carl", "seen")
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    assert place.state == states.DEALING


def test_a_restart_reads_ends_that_were_written_before_they_had_the_number() -> None:
    place = CardPlace()
    place.begin(2)
    place.key(facts.KEY_VOID)
    rows = [
        (
            kind,
            {name: body[name] for name in body if name != "n"} if kind == card_kinds.VOID else body,
        )
        for kind, body in place.rows
    ]
    assert rows != place.rows
    assert folded(rows).shoe == folded(place.rows).shoe


def test_a_card_that_went_by_before_the_call_has_no_round_read_again() -> None:
    place = CardPlace(idents=False)
    place.open()
    place.stake(2, 1000)
    place.card("KS")
    place.card("QS", skip=1)
    assert place.guide[1]["ways"] == (facts.MAKE_VOID,)


def test_a_card_that_was_on_its_way_as_one_could_not_be_read_is_not_taken_for_it() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.card(None)
    place.n += 1
    place.tell(facts.CardRead, place.n, deck.card_of("5H"), "", facts.SHOE)  # a tenth of a second
    assert place.guide[1]["why"] == hold.MISSED
    place.tell(facts.RescanAsked, "anna")
    place.cards("KS 5H")
    place.key(facts.KEY_CONFIRM)
    assert [row["card"] for row in place.table.play.cards] == ["KS", "5H"]


@pytest.mark.parametrize(("failures", "is_trusted"), [(1, True), (2, False)])
def test_readings_that_failed_are_one_card_or_nobody_knows(failures: int, is_trusted: bool) -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    for _ in range(failures):
        place.card(None)
    place.key(facts.KEY_VOID)
    count = place.table.shoe.count
    assert (count.drawn, count.unread, count.is_trusted) == (7, 1, is_trusted)


def test_what_was_never_said_leaves_the_count_in_doubt() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.key(facts.KEY_VOID)
    place.tell(facts.ShoeTrouble, facts.LYING, "something that happened was not said")
    place.tell(facts.ShoeTroubleEnded, facts.LYING)
    assert not folded(place.rows).shoe.is_trusted
    place.key(facts.KEY_START)
    assert "two people confirm the count" in place.refusals()[-1]


def test_a_shoe_that_is_counted_with_a_card_too_many_is_counted_again() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.card(None)
    place.key(facts.KEY_VOID, facts.KEY_CUT)
    left = [place.table.limits.decks] * 52
    for text in BURNED.split():
        left[deck.card_of(text)] -= 1
    place.tell(facts.ShoeCounted, tuple(left))
    assert place.faults()[-1] == "K16"
    assert place.guide[0] == facts.COUNT
    left[7] -= 1
    place.tell(facts.ShoeCounted, tuple(left))
    assert place.guide[0] == facts.LOAD


def test_once_two_people_have_confirmed_the_count_nothing_went_by_before() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.card("KS")
    rows = place.rows
    place = CardPlace(idents=False, restart_state=folded(rows))
    place.n = 9  # two more cards came, whose rows were not durable
    place.shoe()
    place.key(facts.KEY_START)
    assert "two people confirm" in place.refusals()[-1]
    place.tell(facts.CountConfirmed, "anna", "carl", "seen")
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    place.card("5H")
    assert [row["card"] for row in place.table.play.cards] == ["5H"]


# --- the first cards of a shoe --------------------------------------------------------------------
def burning() -> CardPlace:
    """Half of the first cards are burned."""
    place = CardPlace(idents=False)
    place.shoe()
    place.key(facts.KEY_START)
    place.cards("KS 5H 5S")
    return place


def test_a_shoe_whose_first_cards_a_restart_interrupted_is_counted_before_it_is_begun() -> None:
    rows = burning().rows
    place = CardPlace(restart_state=folded(rows))
    assert place.guide[0] == facts.COUNT
    place.key(facts.KEY_START)
    assert "counted first" in place.refusals()[-1]


def test_a_shoe_that_was_opened_to_free_a_card_is_begun() -> None:
    place = CardPlace(idents=False)
    place.begin(2)
    place.tell(facts.ShoeTrouble, facts.JAM, "")
    place.key(facts.KEY_VOID, facts.KEY_CUT)
    place.tell(facts.ShoeCounted, (0,) * 52)
    place.tell(facts.CountConfirmed, "anna", "carl", "opened")
    place.key(facts.KEY_START)
    assert place.guide[0] == facts.BURNING
    place.tell(facts.ShoeTroubleEnded, facts.JAM)  # with the first card that moves
    place.cards(BURNED)
    assert place.state == states.BETS_OPEN


def test_a_shoe_that_is_empty_before_its_first_cards_are_burned_is_loaded_again() -> None:
    place = burning()
    place.tell(facts.ShoeEmpty)
    place.tell(facts.CountConfirmed, "anna", "carl", "empty")
    place.key(facts.KEY_START)
    place.cards(BURNED)
    assert place.state == states.BETS_OPEN


def test_a_foreign_card_among_the_first_is_not_told_as_one_between_two_rounds() -> None:
    place = CardPlace(idents=True)
    place.shoe()
    place.key(facts.KEY_START)
    place.card("KS", ident="S17-0100")
    place.card("5H", ident="S18-0101")
    assert place.faults() == ["K11"]
    assert "5♥, it is of another set" in place.last(core_facts.Fault).text
    assert place.state == states.FAULT
    assert [body["what"] for kind, body in place.rows if kind == card_kinds.SHOE].count(
        "ended"
    ) == 1


# --- a shoe whose count is in doubt ---------------------------------------------------------------
@pytest.mark.req("TABLE-M6.shoe")
def test_a_stop_within_a_round_leaves_the_count_of_the_shoe_to_two_people() -> None:
    place = deciding()
    place.take(place.table.finish(place.at_us))
    assert place.end.reason == reasons.INTERRUPTED
    after = CardPlace(restart_state=folded(place.rows))
    after.key(facts.KEY_START)
    assert "confirm the count" in after.refusals()[-1]
    after.tell(facts.CountConfirmed, "anna", "carl", "counted")
    after.key(facts.KEY_START)
    assert (after.state, after.table.shoe.count.drawn) == (states.BETS_OPEN, 9)


@pytest.mark.req("TABLE-M6.shoe")
def test_a_stop_between_two_rounds_leaves_it_trusted() -> None:
    place = deciding()
    place.key(facts.KEY_VOID)
    place.take(place.table.finish(place.at_us))
    assert folded(place.rows).shoe.is_trusted


def foreign(place: CardPlace) -> None:
    """A card of another set comes."""
    place.card("9D", ident="S18-0001")


def exhausted(place: CardPlace) -> None:
    """The shoe runs out."""
    place.tell(facts.ShoeEmpty)


@pytest.mark.parametrize(
    ("befalls", "state"), [(foreign, states.VOID), (exhausted, states.NO_SHOE)]
)
def test_a_controller_that_dies_before_the_lock_plays_no_more_of_that_shoe(
    befalls: Any, state: str
) -> None:
    place = CardPlace()
    place.begin(2)
    befalls(place)
    assert place.state == states.FAULT
    kinds = place.kinds()
    rows = place.rows[: len(kinds) - kinds[::-1].index(card_kinds.VOID)]
    after = CardPlace(restart_state=folded(rows))
    assert (after.state, after.guide[0]) == (state, facts.COUNT)
    after.key(facts.KEY_START)
    assert "confirm" in after.refusals()[-1]


def test_a_locked_table_counts_its_shoe_once_the_fault_is_cleared_as_k11_says() -> None:
    place = CardPlace()
    place.begin(2)
    foreign(place)
    assert place.guide[0] == facts.LOCKED  # the shoe is not asked for a count
    place.tell(core_facts.ClearAsked, "dora")
    assert place.guide[0] == facts.COUNT
    left = [place.limits.decks - seen for seen in place.table.shoe.count.counts]
    place.tell(facts.ShoeCounted, left)
    assert place.guide[0] == facts.LOAD
    place.key(facts.KEY_START)
    assert place.guide[0] == facts.BURNING


def between() -> CardPlace:
    """A table after a round."""
    place = deciding()
    place.key(facts.KEY_VOID)
    return place


def test_a_shoe_that_begins_anew_between_two_rounds_is_counted_by_two_people() -> None:
    place = between()
    place.shoe(boot=2)
    assert place.guide[0] == facts.COUNT
    assert not folded(place.rows).shoe.is_trusted
    place.key(facts.KEY_START)
    assert place.state == states.VOID
    place.tell(facts.CountConfirmed, "anna", "carl", "it was switched off")
    place.key(facts.KEY_START)
    assert place.state == states.BETS_OPEN


@pytest.mark.parametrize("boot", [1, 2])
def test_a_shoe_is_trusted_after_a_restart_if_it_was_on_all_the_time(boot: int) -> None:
    place = CardPlace(restart_state=folded(between().rows))
    place.shoe(boot=boot)
    assert place.table.shoe.count.is_trusted == (boot == 1)


def test_a_shoe_that_says_nothing_of_itself_has_another_boot_with_each_start() -> None:
    house = HOUSE._replace(reader=facts.BARCODE)
    place = CardPlace(restart_state=folded(between().rows), house=house)
    place.shoe(boot=2)
    assert place.table.shoe.count.is_trusted


# --- a fault that comes twice ---------------------------------------------------------------------
def test_a_trouble_of_the_shoe_that_comes_again_in_a_round_is_told_again() -> None:
    place = CardPlace()
    place.open()
    for _ in range(2):
        place.tell(facts.ShoeTrouble, facts.SILENT, "it speaks and does not answer")
        place.tell(facts.ShoeTrouble, facts.SILENT, "it speaks and does not answer")
        place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    assert place.faults() == ["K13", "K13"]


def test_a_keyboard_that_goes_twice_in_a_round_is_told_twice() -> None:
    place = CardPlace()
    place.open()
    for _ in range(2):
        place.tell(core_facts.Trouble, "K21", "/dev/input/event3")
        place.tell(core_facts.TroubleEnded, "K21", "/dev/input/event3")
    assert place.faults() == ["K21", "K21"]
    assert len(place.all(core_facts.FaultEnded)) == 2


# --- a key tapped twice ---------------------------------------------------------------------------
def engaged(place: CardPlace) -> list[Any]:
    """What was decided."""
    return [(fact.seat, fact.do) for fact in place.all(facts.Engaged)]


def test_a_key_tapped_twice_decides_for_one_hand() -> None:
    place = deciding(1, 2)
    place.key(facts.KEY_STAND)
    place.tell(facts.KeyPressed, facts.KEY_STAND)
    assert engaged(place) == [(1, "stand")]
    assert "for the hand that is next" in place.refusals()[-1]
    place.key(facts.KEY_STAND)
    assert engaged(place) == [(1, "stand"), (2, "stand")]


def test_the_key_for_no_insurance_tapped_twice_has_no_hand_stand() -> None:
    place = CardPlace("blackjack_live")
    place.begin(1)
    place.cards("TS AD 8S 9H")
    place.key("seat_1", facts.KEY_STAND)
    assert place.state == states.PLAYING
    place.tell(facts.KeyPressed, facts.KEY_STAND)
    assert engaged(place) == [(1, "no_insurance")]


def test_a_hand_that_gets_its_card_at_once_decides_at_once() -> None:
    place = deciding()
    place.key(facts.KEY_CARD)
    place.card("2S")
    place.tell(facts.KeyPressed, facts.KEY_STAND)
    assert engaged(place) == [(2, "hit"), (2, "stand")]
