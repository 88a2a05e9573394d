"""A restart in an open round voids it, and the shoe is not trusted until people say so (M6)."""

from __future__ import annotations

import pytest
from harness.card_place import BURNED, CardPlace

from firmware.core.cards import facts, reasons, states
from firmware.core.cards.fold import Fold
from firmware.stakes import card_kinds
from rules.cards import deck

TWO = ("anna", "carl", "counted by hand")


def restarted(place: CardPlace, game: str = "blackjack_live") -> CardPlace:
    """The same table after the controller died: all it knows are its rows."""
    fold = Fold()
    for kind, body in place.rows:
        fold.add(kind, body)
    after = CardPlace(game, restart_state=fold.state())
    after.n, after.drawn = place.n, place.drawn
    return after


def open_round() -> CardPlace:
    place = CardPlace("blackjack_live")
    place.begin(2)
    place.cards("8S 5D 8D TC")
    place.key(facts.KEY_PAIR)
    place.card("3S")
    return place


@pytest.mark.req("TABLE-M6.interrupted")
def test_an_open_round_is_void_and_everything_of_it_goes_back() -> None:
    place = restarted(open_round())
    assert place.end.reason == reasons.INTERRUPTED
    assert place.end.returned == [("p2", "main", 2, 1, 1000), ("p2", "main", 2, 2, 1000)]
    assert (place.table.round, place.table.seq, place.state) == (1, 1, states.VOID)


@pytest.mark.req("TABLE-M3.secret")
def test_the_hole_card_is_not_in_what_outlives_the_controller() -> None:
    rows = open_round().table.restart_state().interrupted
    assert rows is not None
    assert [row["to"] for row in rows.cards] == ["s2", "d", "s2", "s2"]


@pytest.mark.req("TABLE-M6.shoe")
def test_the_shoe_is_not_played_before_two_people_confirm_its_count() -> None:
    place = restarted(open_round())
    assert place.guide[0] == facts.COUNT
    place.key(facts.KEY_START)
    assert "confirm the count" in place.refusals()[-1]
    place.tell(facts.CountConfirmed, *TWO)
    place.key(facts.KEY_START)
    assert (place.state, place.table.round) == (states.BETS_OPEN, 2)
    assert place.table.shoe.count.drawn == 11  # what was seen before counts on


@pytest.mark.req("TABLE-M6.shoe")
def test_a_second_restart_trusts_it_no_more_than_the_first() -> None:
    first = restarted(open_round())
    fold = Fold()
    for kind, body in first.rows:
        fold.add(kind, body)
    assert not fold.state().shoe.is_trusted


@pytest.mark.req("TABLE-M6.shoe")
def test_or_it_is_changed() -> None:
    place = restarted(open_round())
    place.key(facts.KEY_CUT)
    assert (place.state, place.guide[0]) == (states.NO_SHOE, facts.COUNT)


def test_a_round_interrupted_before_the_call_has_nothing_to_return() -> None:
    first = CardPlace("blackjack_live")
    first.open()
    first.stake(2, 1000)
    place = restarted(first)
    assert (place.end.reason, place.end.returned) == (reasons.INTERRUPTED, [])


@pytest.mark.parametrize("is_void", [True, False])
def test_between_two_rounds_a_restart_changes_nothing(is_void: bool) -> None:
    first = open_round()
    if is_void:
        first.key(facts.KEY_VOID)
    else:
        first.key(facts.KEY_STAND)
        first.card("2C")
        first.key(facts.KEY_STAND, facts.KEY_TURNED)
        first.card("9C")
        assert first.state == states.CONFIRMED
    place = restarted(first)
    assert place.state == first.state
    assert place.table.view().outcome == first.table.view().outcome
    assert place.table.view().reason == first.table.view().reason
    assert not place.all(facts.RoundVoid)
    place.key(facts.KEY_START)
    assert place.table.round == 2
    assert place.table.restart_state().seq == 1


def test_a_stop_ends_an_open_round_as_a_restart_would() -> None:
    place = open_round()
    place.take(place.table.finish(place.at_us))
    assert place.end.reason == reasons.INTERRUPTED


def test_a_card_drawn_while_the_controller_was_away_is_noticed() -> None:
    first = open_round()
    first.key(facts.KEY_VOID)
    place = restarted(first)
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    place.card("8S", skip=1)
    assert place.guide[1]["why"] == "card_missed"


# --- what came out of the shoe, and no row has it -------------------------------------------------
def counted(place: CardPlace, *, out: str) -> list[str]:
    """The shoe is changed and counted: `out` are all cards that left it, after those burned."""
    place.key(facts.KEY_CUT)
    left = [place.limits.decks] * 52
    for text in f"{BURNED} {out}".split():
        left[deck.card_of(text)] -= 1
    place.tell(facts.ShoeCounted, tuple(left))
    return [code for code in place.faults() if code.startswith("K")]


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_the_hole_card_of_an_interrupted_round_left_the_shoe_unread(is_confirmed: bool) -> None:
    first = CardPlace("blackjack_live")
    first.begin(2)
    first.cards("8S 5D 9D TC")  # the last of them lies face down, and is in no row
    place = restarted(first)
    place.shoe()
    out = "8S 5D 9D TC"
    if is_confirmed:
        place.tell(facts.CountConfirmed, *TWO)
        place.key(facts.KEY_START)
        place.stake(2, 1000)
        place.call()
        place.card("5H")
        assert [row["ordinal"] for row in place.table.play.cards] == [11]
        place.key(facts.KEY_VOID)
        out += " 5H"
    assert counted(place, out=out) == []
    assert place.guide[0] == facts.LOAD


def test_a_card_whose_row_was_not_durable_left_the_shoe_unread() -> None:
    first = CardPlace("baccarat_live")
    first.begin()
    first.cards("8S 5D 9D")
    rows = first.rows[:-1]  # of 9D there is none
    first.rows = rows
    place = restarted(first, "baccarat_live")
    place.shoe()
    assert place.table.restart_state().shoe.unread == 1
    fold = Fold()
    for kind, body in rows + place.rows:
        fold.add(kind, body)
    assert fold.state().shoe.unread == 1  # and it is counted once
    place.shoe()
    assert counted(place, out="8S 5D 9D") == []


def test_a_card_that_is_in_no_row_is_counted_whichever_row_of_a_restart_is_the_last() -> None:
    first = CardPlace("baccarat_live")
    first.begin()
    first.cards("8S 5D 9D")
    rows = first.rows[:-1]  # of 9D there is none
    first.rows = rows
    second = restarted(first, "baccarat_live")
    second.shoe()
    for end in range(len(second.rows) + 1):
        first.rows = rows + second.rows[:end]
        place = restarted(first, "baccarat_live")
        place.shoe()
        assert place.table.restart_state().shoe.unread == 1, end


def test_a_card_behind_a_missed_one_is_counted_though_its_row_is_not_durable() -> None:
    first = open_round()
    first.key(facts.KEY_VOID)
    first.card("4S", skip=1)
    assert [kind for kind, _ in first.rows[-2:]] == [card_kinds.SHOE, card_kinds.CARD_ROW]
    first.rows = first.rows[:-1]
    before = len([row for kind, row in first.rows if kind == card_kinds.CARD_ROW])
    place = restarted(first)
    place.shoe()
    assert place.table.restart_state().shoe.drawn == before + 2


@pytest.mark.parametrize("is_lost", [True, False])
def test_what_comes_out_of_a_shoe_that_has_ended_is_not_counted_by_a_restart(is_lost: bool) -> None:
    """Else a card that is taken away then is not missed."""
    first = open_round()
    first.key(facts.KEY_VOID, facts.KEY_CUT)
    first.card("4S")
    assert "the card is not counted" in first.refusals()[-1]
    place = restarted(first)
    place.shoe()
    left = [place.limits.decks] * 52
    for text in f"{BURNED} 8S 5D 8D TC 3S {'4S' if is_lost else ''}".split():
        left[deck.card_of(text)] -= 1
    place.tell(facts.ShoeCounted, tuple(left))
    assert place.faults() == (["K16"] if is_lost else [])


def test_a_burned_card_whose_row_was_not_durable_is_counted_by_a_restart() -> None:
    first = CardPlace("blackjack_live")
    first.shoe()
    first.key(facts.KEY_START)
    first.cards("2C 3C")
    first.rows = first.rows[:-1]
    place = restarted(first)
    place.shoe()
    left = [place.limits.decks] * 52
    for text in ("2C", "3C"):
        left[deck.card_of(text)] -= 1
    place.tell(facts.ShoeCounted, tuple(left))
    assert place.faults() == []


def test_a_shoe_that_tells_a_number_too_high_does_not_stop_the_table() -> None:
    first = open_round()
    first.key(facts.KEY_VOID)
    place = restarted(first)
    place.n = 2**32 - 2
    place.shoe()
    assert place.faults() == ["K19"]


def test_a_card_that_came_between_two_rounds_and_has_no_row_is_told_after_a_restart() -> None:
    first = open_round()
    first.key(facts.KEY_VOID)
    rows = list(first.rows)
    first.card("4S")
    first.rows = rows
    place = restarted(first)
    place.shoe()
    assert place.faults() == ["K19"]
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    place.card("8S")
    assert place.state == states.DEALING


def test_a_hole_card_is_counted_where_its_void_is_durable_and_its_row_is_not() -> None:
    first = CardPlace("blackjack_live")
    first.begin(2)
    first.cards("8S 5D 9D TC")
    first.key(facts.KEY_VOID)
    assert first.rows[-1][0] == card_kinds.CARD_ROW
    first.rows = first.rows[:-1]
    place = restarted(first)
    place.shoe()
    assert counted(place, out="8S 5D 9D TC") == []


def test_a_shoe_that_began_anew_meanwhile_does_not_say_what_came_out() -> None:
    first = open_round()
    place = restarted(first)
    place.shoe(boot=2)
    assert place.table.restart_state().shoe.drawn == 11


def test_a_card_that_goes_by_after_two_people_have_confirmed_the_count_is_noticed() -> None:
    place = restarted(open_round())
    place.shoe()
    place.tell(facts.CountConfirmed, *TWO)
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.call()
    place.card("8S", skip=1)
    assert place.guide[1]["why"] == "card_missed"


# --- the last round of a shoe ---------------------------------------------------------------------
def test_a_cut_card_that_came_in_an_interrupted_round_ends_the_shoe() -> None:
    first = open_round()
    first.tell(facts.CutCardSeen)
    place = restarted(first)
    assert place.end.reason == reasons.INTERRUPTED
    assert (place.state, place.guide[0]) == (states.NO_SHOE, facts.COUNT)


def test_a_shoe_whose_last_round_has_ended_is_played_no_more_after_a_restart() -> None:
    first = open_round()
    first.key(facts.KEY_CUT, facts.KEY_VOID)
    assert first.rows[-1][1]["what"] == "ended"
    first.rows = first.rows[:-1]
    place = restarted(first)
    assert (place.state, place.guide[0]) == (states.NO_SHOE, facts.COUNT)
    place.tell(facts.CountConfirmed, *TWO)
    place.shoe()
    place.key(facts.KEY_START)
    assert place.guide[0] == facts.BURNING
    place.cards(BURNED)
    assert not place.table.view().is_last


def test_a_shoe_is_counted_that_was_burned_whichever_row_was_the_last_of_a_cut_card() -> None:
    first = CardPlace("blackjack_live")
    first.shoe()
    first.key(facts.KEY_START)
    first.tell(facts.CutCardSeen)
    first.cards(BURNED)
    assert [row.get("what") for _, row in first.rows[-2:]] == ["cut", None]
    rows = list(first.rows)
    for end in range(3, len(rows)):
        first.rows = rows[:end]
        place = restarted(first)
        place.shoe()
        place.key(facts.KEY_START)
        assert place.guide[0] == facts.COUNT, end
