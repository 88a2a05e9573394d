"""Side bets at black jack counted: every ordered pair of cards is dealt through the engine.

A pair's weight is how many ordered draws of two cards from N decks give it. Which cards of a round
they are matters to no weight: any two places of a shuffled shoe are alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import rules
from rules.cards import deck
from rules.cards.due import INSURE, NO_INSURANCE, STAND
from rules.cards.round import (
    CARD,
    DECISION,
    DONE,
    INSURANCE,
    CardPayment,
    next_card,
    open_round,
)
from rules.cards.stakes import CardTable, open_table

STAKE_CENTS = 1000  # the unit of Perfect Pairs
SUPER_JACK = ("super_black", "super_silver", "super_gold")
PAIRS = ("perfect", "coloured", "mixed")
_DEALER = "d"
_REST = "89"  # of what else is dealt: ranks that make no pair and no ten
_SEAT = 1


def pairs(decks: int) -> Iterator[tuple[int, int, int]]:
    """Every ordered pair of cards with its weight."""
    for one, other in product(range(deck.CARDS), repeat=2):
        yield one, other, decks * (decks - 1 if one == other else decks)


def played(
    table: CardTable, bets: tuple[str, ...], player: list[int], dealer: list[int], insured: bool
) -> list[CardPayment]:
    """The payments of a round of one hand that stands, with these first cards of each side."""
    stakes: list[dict[str, object]] = [
        {"player": "p", "seat": _SEAT, "bet": bet, "cents": STAKE_CENTS} for bet in ("main", *bets)
    ]
    round_ = open_round(table, stakes)
    sides = {_DEALER: iter(dealer), "s1": iter(player)}
    rest = iter([deck.card_of(rank + suit) for suit in deck.SUITS for rank in _REST])
    while (due := next_card(round_)).kind != DONE:
        if due.kind == CARD:
            card = next(sides[due.to], None)
            round_.deal(next(rest) if card is None else card)
        elif due.kind == INSURANCE:
            round_.decide(_SEAT, 1, INSURE if insured else NO_INSURANCE)
        else:
            assert due.kind == DECISION
            round_.decide(due.seat, due.hand, STAND)
    return round_.payments()


def perfect_pairs(decks: int) -> tuple[dict[str, Fraction], Fraction]:
    """Chances of a perfect, a coloured and a mixed pair, and what the house keeps."""
    table = open_table(rules.load("blackjack_lu"), decks)
    by_gain: Counter[int] = Counter()
    for one, other, weight in pairs(decks):
        payments = played(table, ("perfect_pairs",), [one, other], [], False)
        by_gain[_gain(payments, "perfect_pairs")] += weight
    total = by_gain.total()
    pays = table.bets["perfect_pairs"].pays
    chances = {
        name: Fraction(by_gain[n * STAKE_CENTS], total) for name, n in zip(PAIRS, pays, strict=True)
    }
    return chances, _edge(by_gain)


def insurance(decks: int) -> Fraction:
    """What the house keeps of an insurance: the dealer has an ace, his second card is any."""
    table = open_table(rules.load("blackjack_lu"), decks)
    by_gain: Counter[int] = Counter()
    for one, other, weight in pairs(decks):
        if deck.rank_of(one) == deck.ACE:
            payments = played(table, (), [], [one, other], True)
            by_gain[_gain(payments, "insurance")] += weight
    return _edge(by_gain, STAKE_CENTS // 2)


def super_jack(decks: int, stake_kept: bool) -> dict[str, Fraction]:
    """What the house keeps of each line. `stake_kept`: n to 1; otherwise n for 1."""
    house: dict[str, object] = {"super_jack_stake_kept": stake_kept}
    table = open_table(rules.load("blackjack_lu"), decks, house)
    by_gain: dict[str, Counter[int]] = {bet: Counter() for bet in SUPER_JACK}
    for one, other, weight in pairs(decks):
        payments = played(table, SUPER_JACK, [], [one, other], False)
        for bet, gains in by_gain.items():
            gains[_gain(payments, bet)] += weight
    return {bet: _edge(gains) for bet, gains in by_gain.items()}


def _gain(payments: list[CardPayment], bet: str) -> int:
    found: list[int] = [each.won_cents for each in payments if each.bet == bet]
    (won,) = found
    return won


def _edge(by_gain: Counter[int], stake_cents: int = STAKE_CENTS) -> Fraction:
    won = sum(cents * weight for cents, weight in by_gain.items())
    return Fraction(-won, by_gain.total() * stake_cents)
