"""Baccarat counted: every pattern of points is dealt through the engine, and weighed by its ways.

A pattern is the points of the four to six cards that a round takes. The engine says when a round
takes another card, who wins and what is paid; how many ordered draws of six cards from N decks
begin with a pattern is counted here. So one traversal serves any number of decks and any odds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import prod
from typing import NamedTuple

import rules
from rules.cards import deck
from rules.cards.baccarat import BaccaratRound
from rules.cards.drawing import BANKER, PLAYER
from rules.cards.round import CARD, next_card, open_round
from rules.cards.stakes import CardTable, open_table

MOST_CARDS = 6
STAKE_CENTS = 20  # a multiple of every grain
# By points, 1 to 10: a card that has them, and how many of a deck's cards do.
CARD_OF = {deck.POINTS[card]: card for card in reversed(range(deck.CARDS))}
OF_DECK = Counter(deck.POINTS)


class Ended(NamedTuple):
    """Patterns that end a round with the same two hands, whatever the order of their cards."""

    pattern: tuple[int, ...]  # one of them
    winner: str
    banker_points: int
    margin: int
    is_natural: bool


class Counts(NamedTuple):
    """Ordered draws of six cards, by the round that they begin with."""

    draws: int
    wins: Counter[str]  # by winner: PLAYER, BANKER, TIE
    banker_six: int  # of the banker's: with 6 points
    naturals: Counter[str]  # of `wins`: with a natural
    margins: Counter[tuple[str, int]]  # the others, by winner and margin


@cache
def ended() -> dict[Ended, int]:
    """How many patterns of each kind there are, all of them dealt."""
    table = open_table(rules.load("baccarat_live"))
    found: dict[object, tuple[Ended, int]] = {}
    begun: list[tuple[int, ...]] = [()]
    while begun:
        pattern = begun.pop()
        round_ = dealt(table, pattern)
        if next_card(round_).kind == CARD:
            begun += [(*pattern, points) for points in CARD_OF]
            continue
        hands = tuple(tuple(sorted(round_.hands[side])) for side in (PLAYER, BANKER))
        first, count = found.get(hands) or (_ended(round_, pattern), 0)
        found[hands] = first, count + 1
    return dict(found.values())


def _ended(round_: BaccaratRound, pattern: tuple[int, ...]) -> Ended:
    player, banker = round_.points(PLAYER), round_.points(BANKER)
    return Ended(pattern, round_.winner(), banker, abs(player - banker), round_.is_natural())


def dealt(table: CardTable, pattern: Iterable[int]) -> BaccaratRound:
    """A round of `table` with STAKE_CENTS on every bet, after cards of these points."""
    stakes: list[dict[str, object]] = [
        {"player": "p", "bet": name, "cents": STAKE_CENTS} for name in table.bets
    ]
    round_ = open_round(table, stakes)
    assert isinstance(round_, BaccaratRound)
    for points in pattern:
        round_.deal(CARD_OF[points])
    return round_


def ways(pattern: tuple[int, ...], decks: int) -> int:
    """How many ordered draws of six cards from so many decks begin with a pattern."""
    left = decks * deck.CARDS - len(pattern)
    of_points = prod(
        decks * OF_DECK[points] - before
        for points, count in Counter(pattern).items()
        for before in range(count)
    )
    return of_points * prod(left - more for more in range(MOST_CARDS - len(pattern)))


@cache
def counted(decks: int) -> Counts:
    """All draws of six cards from so many decks, by what they are."""
    wins: Counter[str] = Counter()
    naturals: Counter[str] = Counter()
    margins: Counter[tuple[str, int]] = Counter()
    banker_six = 0
    for each, patterns in ended().items():
        draws = patterns * ways(each.pattern, decks)
        wins[each.winner] += draws
        if each.is_natural:
            naturals[each.winner] += draws
        else:
            margins[each.winner, each.margin] += draws
        if each.winner == BANKER and each.banker_points == 6:
            banker_six += draws
    return Counts(wins.total(), wins, banker_six, naturals, margins)


def edges(table: CardTable, decks: Iterable[int]) -> dict[int, dict[str, Fraction]]:
    """What the house keeps of a stake in the mean at a table's odds, by number of decks and bet.

    The table's own number of decks matters to no pattern: no card comes more than six times.
    """
    won: dict[int, Counter[str]] = {number: Counter() for number in decks}
    for each, patterns in ended().items():
        payments = dealt(table, each.pattern).payments()
        for number, sums in won.items():
            weight = patterns * ways(each.pattern, number)
            for payment in payments:
                sums[payment.bet] += weight * payment.won_cents
    return {
        number: {
            bet: Fraction(-sums[bet], counted(number).draws * STAKE_CENTS) for bet in table.bets
        }
        for number, sums in won.items()
    }
