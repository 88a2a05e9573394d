"""A correction that says other decisions: who bets behind follows with the money that he would have
had (CARDS BB3), and a void that becomes a result takes again what it gave back."""

from __future__ import annotations

from typing import Any

import pytest
from harness.card_terminals import TerminalPlace, adds_up

from firmware.core.cards import facts
from rules.cards.deck import card_of

SPLIT = {"seat": 3, "hand": 1, "do": "split"}
DOUBLE = {"seat": 3, "hand": 1, "do": "double"}


def called(cards: str, *, carla: int, **more: Any) -> TerminalPlace:
    """Seat 3 plays, and carla, who has so much beside it, bets 600 behind; these cards came."""
    place = TerminalPlace(**more)
    place.open()
    assert place.sit(3, "anna").accepted
    assert place.lay(3, 1000).accepted
    assert place.follow("carla", 3, 600).accepted
    place.pay_out("carla", 99_400 - carla)
    place.call()
    place.cards(cards)
    return place


def correct(place: TerminalPlace, cards: str, *decisions: Any) -> dict[tuple[str, int], int]:
    """Two people say what came: returns what each player's stakes on each hand lost or won."""
    said = [card_of(text) for text in cards.split()]
    place.tell(facts.RoundCorrectionAsked, 1, said, list(decisions), "anna k", "weber", "film")
    told = place.last(facts.RoundCorrection)
    assert told.seq > 1, place.refusals()
    assert adds_up(place.terminals.money)
    return {(one.player, one.hand): one.won_cents for one in told.payments}


@pytest.mark.req("LIVE-2.9.2.follows")
@pytest.mark.parametrize(("carla", "lost"), [(0, 600), (599, 600), (600, 1200)])
def test_a_stake_that_a_void_gave_back_is_no_money_beside_it(carla: int, lost: int) -> None:
    place = called("5S 9D 6H KC", carla=carla)
    place.key(facts.KEY_VOID)
    assert place.cents("carla") == 600 + carla
    assert correct(place, "5S 9D 6H KC 5D", DOUBLE)["carla", 1] == -lost
    assert place.cents("carla") == 600 + carla - lost


def test_what_a_round_paid_is_no_money_as_it_was_decided() -> None:
    """Who won 600 by the record has them no more where the record is wrong."""
    place = called("9S 9D 9H 8C", carla=0)
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    assert place.cents("carla") == 1200
    assert correct(place, "5S 9D 6H KC 5D", DOUBLE)["carla", 1] == -600
    assert place.cents("carla") == 0


def test_two_decisions_of_a_correction_do_not_spend_the_same_money() -> None:
    place = called("8S 9D 8D KC", carla=600)
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    stand = {"seat": 3, "hand": 2, "do": "stand"}
    paid = correct(place, "8S 9D 8D KC 3H 2H TD", SPLIT, DOUBLE, stand)
    assert paid["anna", 1] == -2000
    assert (paid["carla", 1], paid["carla", 2]) == (-600, -600)
    assert place.cents("carla") == 0


def test_each_decision_that_stood_stands_for_one_of_the_correction() -> None:
    """Two splits of one hand are alike; who had money for the first alone follows no other."""
    place = called("8S 9D 8D", carla=600, game="blackjack_lu", side_bets=("behind",))
    for do, card in (("split", "8H"), ("split", "TS")):
        place.decide(3, do)
        place.card(card)
    for hand, card in ((1, "TD"), (2, "TH"), (3, "TC")):
        place.decide(3, "stand", hand=hand)
        place.card(card)
    assert place.cents("carla") == 0
    stands = [{"seat": 3, "hand": hand, "do": "stand"} for hand in (1, 2, 3)]
    correct(place, "8S 9D 8D 8H TS TD TH QC", SPLIT, SPLIT, *stands)
    assert place.cents("carla") == 0


def test_chips_behind_a_hand_keep_what_they_have_not_spent() -> None:
    place = TerminalPlace()
    place.open()
    assert place.sit(3, "anna").accepted
    assert place.lay(3, 1000).accepted
    chips = {"player": "q", "seat": 3, "bet": "behind", "cents": 500, "follow": "double"}
    place.tell(facts.StakesLaid, [chips | {"funds_cents": 1000}])
    place.call()
    place.cards("8S 9D 8D KC")
    place.decide(3, "split")
    place.card("3H")
    place.decide(3, "stand")
    place.card("3C")
    place.decide(3, "stand", hand=2)
    place.key(facts.KEY_TURNED)
    stands = [{"seat": 3, "hand": hand, "do": "stand"} for hand in (1, 2)]
    doubles = {"seat": 3, "hand": 2, "do": "double"}
    paid = correct(place, "8S 9D 8D KC 3H 3C 2C", SPLIT, stands[0], doubles)
    assert (paid["q", 1], paid["q", 2]) == (-500, -1000)
