"""What campaigns of card tables have found: each was a wrong round, or a decision nobody said."""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_place import CardPlace

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from rules.cards.deck import card_of, text_of

BY_TWO = ("anna", "bruno", "the shoe was silent")


def at_baccarat(*, idents: bool = True) -> CardPlace:
    """A table of baccarat where one stake lies."""
    place = CardPlace("baccarat_live", idents=idents)
    place.open()
    place.stake(None, 2000, bet="player", player="p9")
    return place


def rows(place: CardPlace) -> list[str]:
    """The cards of the round, as they count."""
    return [text_of(card) for card in place.table.play.round.cards]


@pytest.mark.parametrize("idents", [True, False])
def test_a_card_that_people_enter_counts_once_when_the_shoe_speaks_of_it_later(
    idents: bool,
) -> None:
    """The shoe kept what it saw while its line was dead, and says it when people have said it."""
    place = at_baccarat(idents=idents)
    place.call()
    place.cards("2S")
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.CardEntered, card_of("3D"), *BY_TWO)
    place.tell(facts.CardEntered, card_of("4D"), *BY_TWO)
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    place.card("3D")
    place.card("4D")
    assert rows(place) == ["2S", "3D", "4D"]
    place.key(facts.KEY_CONFIRM)
    place.card("KD")
    assert rows(place) == ["2S", "3D", "4D", "KD"]


def test_a_card_that_people_entered_and_no_reader_saw_keeps_the_next_one_from_nothing() -> None:
    place = at_baccarat()
    place.call()
    place.tell(facts.ShoeTrouble, facts.JAM, "")
    place.tell(facts.CardEntered, card_of("3D"), *BY_TWO)
    place.tell(facts.ShoeTroubleEnded, facts.JAM)
    place.key(facts.KEY_CONFIRM)
    place.card("9S")
    place.card("3D")  # the next one of its kind: another was heard between
    assert rows(place) == ["3D", "9S", "3D"]


def test_a_late_word_of_an_entered_card_is_no_card_too_many_either() -> None:
    place = CardPlace("blackjack_lu")
    place.begin(1)
    place.cards("TS 7D")
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.CardEntered, card_of("5S"), *BY_TWO)
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    assert place.state == states.PLAYING
    place.card(None)  # what was on its way as the line died
    assert place.state == states.PLAYING
    place.key(facts.KEY_CARD)
    place.card("2D")
    assert rows(place) == ["TS", "7D", "5S", "2D"]


@pytest.mark.parametrize("late_ms", [0, 300, 900])
def test_a_key_pressed_as_a_hands_time_runs_out_decides_for_no_other_hand(late_ms: int) -> None:
    place = CardPlace()
    place.begin(2, 5)
    place.cards("KS 9D 6H 5S 3S")
    due_us = place.table.timers.due_us
    assert due_us is not None
    place.take(place.table.handle(core_facts.Tick(due_us)))
    assert place.guide[1]["seat"] == 5
    place.at_us = due_us + late_ms * 1000 - 100_000
    place.tell(facts.KeyPressed, facts.KEY_CARD)
    assert place.guide[1]["seat"] == 5
    assert place.due() is None
    assert "just made" in place.refusals()[-1]
    place.key(facts.KEY_CARD)
    assert place.due() == "s5"


def test_a_key_pressed_as_the_time_for_insurance_runs_out_is_no_decision() -> None:
    place = CardPlace("blackjack_live")
    place.begin(1, 3)
    place.cards("TS 8D AD 8S 9C 9H")
    place.key("seat_1")
    due_us = place.table.timers.due_us
    assert due_us is not None
    place.take(place.table.handle(core_facts.Tick(due_us)))
    assert place.state == states.PLAYING
    place.at_us = due_us
    place.tell(facts.KeyPressed, facts.KEY_STAND)
    assert place.guide[1]["seat"] == 1


def engaged(place: CardPlace) -> list[Any]:
    """What was decided."""
    return [(fact.seat, fact.do) for fact in place.all(facts.Engaged)]


def test_a_key_pressed_as_a_terminal_decides_the_same_is_no_decision_of_the_next_hand() -> None:
    place = CardPlace()
    place.begin(2, 5)
    place.cards("KS 9D 6H 5S 3S")
    place.tell(facts.DecisionMade, 2, 1, "stand", None, 5, "3")
    place.tell(facts.KeyPressed, facts.KEY_STAND)
    assert engaged(place) == [(2, "stand")]
    place.key(facts.KEY_STAND)
    assert engaged(place) == [(2, "stand"), (5, "stand")]


def test_a_card_typed_as_the_shoe_reads_it_too_counts_once() -> None:
    """The shoe was silent, people had begun to type, and it spoke again."""
    place = at_baccarat()
    place.call()
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.KeySwitched, facts.SWITCH_CROUPIER, True)
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    place.card("TD")
    place.tell(facts.CardRead, 1, card_of("TD"), "", facts.PEOPLE)
    assert rows(place) == ["TD"]
    assert "types" in place.refusals()[-1]


def test_a_card_typed_as_a_silent_shoe_tells_it_late_counts_once() -> None:
    """The people look at the card that it has just told: nobody types one while it does."""
    place = at_baccarat()
    place.call()
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.KeySwitched, facts.SWITCH_CROUPIER, True)
    place.card("TD")
    assert facts.ENTER not in place.guide[1]["ways"]
    place.tell(facts.CardRead, 1, card_of("TD"), "", facts.PEOPLE)
    assert rows(place) == ["TD"]
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    place.key(facts.KEY_CONFIRM)
    assert (place.state, place.due()) == (states.DEALING, "B")


def test_what_a_shoe_tells_late_stands_once_people_say_that_it_lies_there() -> None:
    """Cards that were drawn before the call, and told after it: the line was dead meanwhile."""
    place = at_baccarat()
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.call()
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    place.cards("9S 3D KS KD 4H")
    assert place.state == states.HOLD
    place.key(facts.KEY_BURN)  # the fifth
    assert place.guide[1]["why"] == facts.SILENT
    assert place.guide[1]["ways"] == (facts.ON, facts.RESCAN, facts.MAKE_VOID)
    assert not place.all(facts.RoundResult)
    place.key(facts.KEY_CONFIRM)
    assert place.state == states.CONFIRMED


def test_an_unreadable_card_told_late_does_not_end_the_doubt() -> None:
    place = at_baccarat()
    place.call()
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    place.card(None)
    assert place.guide[1]["why"] == "unread"
    place.card("9S")
    assert place.guide[1]["why"] == facts.SILENT
    place.key(facts.KEY_CONFIRM)
    assert place.due() == "B"


def test_an_entered_card_that_goes_back_into_the_shoe_counts_no_more() -> None:
    place = at_baccarat()
    place.call()
    place.card("TD")
    place.tell(facts.ShoeTrouble, facts.SILENT, "")
    place.tell(facts.CardEntered, card_of("7H"), *BY_TWO)
    place.tell(facts.ShoeTroubleEnded, facts.SILENT)
    place.card("7H")
    place.key(facts.KEY_CONFIRM)
    place.tell(facts.CardPulledBack, place.n, facts.SHOE)
    place.card("7H")
    assert rows(place) == ["TD", "7H"]
