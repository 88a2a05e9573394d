"""Rounds of cards that were really played, and a journal of them as a card table has it."""

import sys
from pathlib import Path
from typing import Any

import own_journal

import rules
from firmware.core.cards import facts
from firmware.store import signing
from firmware.store.identity import Identity
from firmware.store.journal import Journal
from rules.cards.deck import card_of

sys.path.insert(0, str(Path(__file__).parent / "core"))
from harness.card_place import CardPlace


def identity(game: str) -> Identity:
    """A card table as its records name it."""
    played = rules.load(game)
    hashed = signing.rules_hash(played)
    return Identity("table-9", played["family"], game, hashed, None, b"firmware", "virtual")


def baccarat() -> CardPlace:
    """Round 1: player 9 to 6, all six cards. Round 2: void. Round 3: a tie, 9 to 9."""
    place = CardPlace("baccarat_live")
    place.open()
    _bet(place)
    place.cards("5S 2H 6D TC 8H 4S")
    place.key(facts.KEY_START)
    _bet(place)
    place.cards("9H 9C")
    place.key(facts.KEY_VOID)
    place.key(facts.KEY_START)
    _bet(place)
    place.cards("9S 4C KD 5H")
    return place


def _bet(place: CardPlace) -> None:
    place.stake(None, 1000, bet="player", player="p")
    place.call()


def blackjack() -> CardPlace:
    """One round: the dealer's first card is entered by two people, he has ten, six and ace."""
    place = CardPlace("blackjack_lu")
    place.begin(2)
    place.card("KS")
    for _ in range(3):
        place.card(None)
    place.tell(facts.CardEntered, card_of("TH"), "anna", "rené", "smudged")
    place.cards("9D")
    place.key(facts.KEY_STAND)
    place.cards("6C AD")
    return place


def correct(place: CardPlace, number: int, cards: str | None) -> None:
    """Two people correct a round: these cards, or void."""
    given = None if cards is None else [card_of(word) for word in cards.split()]
    place.tell(facts.RoundCorrectionAsked, number, given, None, "anna", "weber", "seen on the film")


def opened(path: Path, game: str, **choices: Any) -> Journal:
    """The journal of a card table, gone on with or made."""
    return own_journal.opened(path, identity=identity(game), **choices)


def written(path: Path, place: CardPlace, **choices: Any) -> Path:
    """Its journal, with all that was recorded."""
    journal = opened(path, place.limits.rules["name"], **choices)
    for kind, body in place.rows:
        journal.write(kind, body)
    journal.close()
    return path
