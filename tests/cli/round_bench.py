"""One round of each card game as it was played, with what went wrong, for who reads its journal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import own_rounds

from firmware.core import facts as core_facts
from firmware.core.cards import facts
from rules.cards.deck import card_of

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
from harness.card_place import CardPlace


def blackjack_lu() -> CardPlace:
    """Seat 2 has a pair and splits it; a card is entered by two people; a Gold Jack is paid."""
    place = CardPlace("blackjack_lu", side_bets=("perfect_pairs", "super_gold"))
    place.open()
    place.tell(core_facts.EmployeePresent, "anna", True)
    place.stake(2, 1000)
    place.stake(2, 1000, bet="perfect_pairs")
    place.stake(2, 500, bet="super_gold")
    place.stake(5, 2000)
    place.call()
    place.cards("8S 9C")
    for _ in range(3):
        place.card(None)
    place.tell(facts.CardEntered, card_of("AH"), "anna", "rené", "smudged")
    place.cards("8D 7D")
    place.key("seat_2", facts.KEY_STAND)
    place.key("seat_5", facts.KEY_INSURANCE)
    place.key(facts.KEY_PAIR)
    place.card("TC")
    place.key(facts.KEY_STAND)
    place.card("3S")
    place.key(facts.KEY_DOUBLE)
    place.card("9D")
    place.key(facts.KEY_CARD)
    place.card("JC")
    place.card("KH")
    place.tell(facts.Acknowledged, "weber")
    return place


def blackjack_live() -> CardPlace:
    """A hole card; a follower who doubles with the seat, which decides at its terminal."""
    place = CardPlace("blackjack_live")
    place.open()
    place.stake(3, 1000)
    place.stake(3, 400, bet="behind", player="zoé", follow="double", funds_cents=5000)
    place.call()
    place.cards("5S 6D 6C TD")
    place.tell(facts.DecisionMade, 3, 1, "double", None, 4, "12")
    place.card("9H")
    place.key(facts.KEY_TURNED)
    place.card("QC")
    return place


def baccarat_live() -> CardPlace:
    """A card too many that players have seen, the cut card, and a correction of two people."""
    place = CardPlace("baccarat_live")
    place.open()
    place.stake(None, 2000, bet="banker", player="ada")
    place.stake(None, 500, bet="tie", player="ada")
    place.card("2C")
    place.key(facts.KEY_EXPOSED)
    place.call()
    place.cards("9S 4C")
    place.key(facts.KEY_CUT)
    place.cards("KD 5H")
    own_rounds.correct(place, 1, "9S 4C KD 4H")
    return place


def punto_2000() -> CardPlace:
    """Banco wins with six, by five; the Dragon Bonus on it is paid last."""
    place = CardPlace("punto_2000", side_bets=("dragon_player", "dragon_banker"))
    place.open()
    place.stake(None, 1000, bet="banker", player="ada")
    place.stake(None, 1000, bet="dragon_banker", player="ada")
    place.stake(None, 1000, bet="player", player="bob")
    place.call()
    place.cards("KS 2D QH 4D AC")
    return place


ROUNDS: dict[str, Callable[[], CardPlace]] = {
    "blackjack_lu": blackjack_lu,
    "blackjack_live": blackjack_live,
    "baccarat_live": baccarat_live,
    "punto_2000": punto_2000,
}


def written(folder: Path, game: str) -> Path:
    """The journal of that round."""
    return own_rounds.written(folder / "journal.db", ROUNDS[game]())
