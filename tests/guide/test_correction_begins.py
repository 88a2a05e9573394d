"""A correction's form begins with the round as it is recorded: whoever corrected it before, and no
card in the place of one that nobody saw."""

from __future__ import annotations

from typing import Any

import pytest
from guide_cases import dealing, done
from patience import until

from firmware.core.cards import facts
from rules.cards import deck

DEALT = "KS 9H 5H 5S 2D TD 4C".split()
CORRECTED = "QS 9H 5H 5S 2D TD 4C".split()
STOOD = [(2, "stand"), (5, "stand")]
NEXT = "7S 9H 5H".split()


def correct(place: Any, cards: list[str] | None) -> None:
    """As two people do with `cylindre cards correct`."""
    coded = None if cards is None else [deck.card_of(each) for each in cards]
    place.tell(facts.RoundCorrectionAsked, place.table.round, coded, None, "anna", "weber", "film")
    assert place.all(facts.RoundCorrection)


def recorded(stand: Any) -> tuple[list[str], list[tuple[int, str]]]:
    """What the form would begin with."""
    scene = stand.scene
    return scene.get("cards"), [(each["seat"], each["do"]) for each in scene.get("decisions", ())]


@pytest.mark.parametrize("cards", [CORRECTED, None], ids=["other cards", "void"])
def test_it_begins_with_what_was_corrected_elsewhere(table: Any, guide: Any, cards: Any) -> None:
    place = table()
    done(place)
    stand = guide(place)
    until(lambda: recorded(stand) == (DEALT, STOOD), "the round as it was dealt")
    correct(place, cards)
    stands = (cards or DEALT, STOOD)
    until(lambda: recorded(stand) == stands, "the round as it was corrected")
    later = guide(place)
    until(lambda: recorded(later) == stands, "the same on one that is switched on now")


def test_it_begins_with_the_next_round_once_that_has_ended(table: Any, guide: Any) -> None:
    place = table()
    done(place)
    correct(place, CORRECTED)
    stand = guide(place)
    until(lambda: recorded(stand) == (CORRECTED, STOOD), "the round as it was corrected")
    place.key(facts.KEY_START)
    place.stake(2, 1000)
    place.key(facts.KEY_NO_MORE_BETS)
    place.cards(" ".join(NEXT))
    place.key(facts.KEY_VOID)
    until(lambda: recorded(stand) == (NEXT, []), "the round that was void")


def test_of_a_void_it_has_no_card_in_the_place_of_the_hole_card(table: Any, guide: Any) -> None:
    place = table("blackjack_live")
    dealing(place)
    place.cards("KS 9H 5H 2S 2D 7C")
    place.key(facts.KEY_CARD)
    place.card("3C")
    place.key(facts.KEY_VOID)
    assert place.all(facts.RoundVoid)
    stand = guide(place)
    until(lambda: recorded(stand) == (["KS", "9H", "5H", "2S", "2D"], [(2, "hit")]), "the void")
