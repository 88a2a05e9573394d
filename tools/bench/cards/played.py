"""Black jack played by the million: each round from a fresh shuffled shoe, through the engine.

One seat, one stake of two cents, the basic strategy of infinitely many decks, no insurance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import NamedTuple

from rules.cards import deck
from rules.cards.blackjack import BlackjackRound
from rules.cards.due import DOUBLE, HIT, NO_INSURANCE, SPLIT, STAND
from rules.cards.round import CARD, CHECK, DECISION, DONE, INSURANCE, next_card, open_round
from rules.cards.stakes import CardTable
from tools.bench.cards.solver import Strategy, game_of, strategy
from tools.testing.workers import Tell, silent

STAKE_CENTS = 2
_SEAT = 1
_TOLD = 10_000  # rounds between two words of how far it is


class Played(NamedTuple):
    """So many rounds: the sum of what they won, in stakes, and of its squares."""

    rounds: int = 0
    won: float = 0.0
    squares: float = 0.0

    def plus(self, other: Played) -> Played:
        """Both together."""
        return Played(
            self.rounds + other.rounds, self.won + other.won, self.squares + other.squares
        )

    @property
    def mean(self) -> float:
        """What a round won, in stakes."""
        return self.won / self.rounds

    @property
    def error(self) -> float:
        """Its standard error."""
        return sqrt((self.squares / self.rounds - self.mean**2) / self.rounds)


class Shoe:
    """Cards drawn from N decks without return; only those that are needed are shuffled."""

    def __init__(self, decks: int, random: Random) -> None:
        """Fresh."""
        self._cards = list(range(deck.CARDS)) * decks
        self._left = len(self._cards)
        self._random = random.random

    def refill(self) -> None:
        """Puts all cards back."""
        self._left = len(self._cards)

    def draw(self) -> int:
        """The next card."""
        cards = self._cards
        at = int(self._random() * self._left)
        self._left = last = self._left - 1
        cards[at], cards[last] = cards[last], cards[at]
        return cards[last]


def play_round(
    table: CardTable, plan: Strategy, stakes: list[dict[str, object]], draw: Callable[[], int]
) -> BlackjackRound:
    """A round of one hand on seat 1, played to its end by a plan."""
    round_ = open_round(table, stakes)
    assert isinstance(round_, BlackjackRound)
    deal = round_.deal
    while True:
        due = next_card(round_)
        kind = due.kind
        if kind == CARD:
            deal(draw())
        elif kind == DECISION:
            round_.decide(_SEAT, due.hand, choose(plan, round_, due.hand, due.choices))
        elif kind == DONE:
            return round_
        elif kind == INSURANCE:
            round_.decide(_SEAT, 1, NO_INSURANCE)
        elif kind == CHECK:
            round_.check()
        else:
            round_.turn()


def choose(plan: Strategy, round_: BlackjackRound, number: int, choices: tuple[str, ...]) -> str:
    """What a plan does with a hand that has these choices."""
    hand = round_.seats[0].hands[number - 1]
    up = deck.POINTS[round_.dealer.cards[0]]
    if SPLIT in choices and (deck.POINTS[hand.cards[0]], up) in plan.splits:
        return SPLIT
    where = (hand.points, hand.is_soft, up)
    if DOUBLE in choices and where in plan.doubles:
        return DOUBLE
    return HIT if where in plan.draws else STAND


def play(table: CardTable, rounds: int, seed: object, tell: Tell = silent) -> Played:
    """So many rounds at a table; the same seed plays the same ones."""
    plan = strategy(game_of(table))
    shoe = Shoe(table.decks, Random(f"{table.rules['name']} {seed}"))
    stakes: list[dict[str, object]] = [
        {"player": "p", "seat": _SEAT, "bet": "main", "cents": STAKE_CENTS}
    ]
    won = squares = 0
    for number in range(1, rounds + 1):
        shoe.refill()
        gain = sum(
            [each.won_cents for each in play_round(table, plan, stakes, shoe.draw).payments()]
        )
        won += gain
        squares += gain * gain
        if not number % _TOLD:
            tell(_TOLD)
    tell(rounds % _TOLD)
    return Played(rounds, won / STAKE_CENTS, squares / STAKE_CENTS**2)
