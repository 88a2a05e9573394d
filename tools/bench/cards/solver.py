"""The best total-dependent play of a black jack with infinitely many decks, and what it is worth.

Every card comes with the same chances, 1/13 a rank, whatever has gone. So what a hand is worth
hangs on its points, on whether an ace counts 11, and on the dealer's first card:

    stand(p) = P(dealer over 21) + P(dealer < p) - P(dealer > p) - B
    hit(p)   = sum over c of 1/13 best(p + c), and -1 over 21
    best(p)  = max(stand(p), hit(p)); with two cards max(..., double(p))
    double(p) = sum over c of 1/13 [2 stand(p + c) + B where additions are given back]

B is the chance of a dealer's Black Jack that nobody has looked for before the hands are played: it
takes what lies on every hand, and no hand equals it but a Black Jack. Where the dealer has looked,
hands are played only if he has none. A doubled hand over 21 loses 2.

Splits are exact up to the most hands. Let k hands wait with one card each, and m splits be left;
x is what the second cards that make no pair are worth, q the chance of a pair, y that hand unsplit:

    w(0, m) = 0
    w(k, m) = x + (1 - q) w(k - 1, m) + q max(y + w(k - 1, m), w(k + 1, m - 1))

and a split is worth w(2, most hands - 2). A split ace gets one card. Tens of all ranks are a pair.
All values are exact fractions of the stake.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

from rules.cards.hands import MOST
from rules.cards.stakes import CardTable

ACE, TEN = 1, 10
# By points: the chance that the next card has them.
CHANCES = {points: Fraction(4 if points == TEN else 1, 13) for points in range(ACE, TEN + 1)}
BUST = MOST + 1
_STOPS_AT = 17
# House keys that the recursion does not have: they must be as they are by default.
_AS_DEFAULT = (
    "similar_only",
    "resplit_aces",
    "soft_double",
    "dealer_bj_takes_split",
    "bust_double_returned",
    "split_21_equals_black_jack",
    "split_ten_ace_is_21",
    "stand_on_21",
)


class Game(NamedTuple):
    """What the play of a black jack hangs on."""

    double_points: tuple[int, ...] | None  # None: any
    das: bool  # doubles after splits
    most_hands: int
    h17: bool
    looks_under: tuple[int, ...]  # first cards under which the dealer looks before hands are played
    double_returned: bool  # a dealer's Black Jack leaves the addition of a double


# The dealer looks under aces and tens, as in the United States; nothing else differs from Live.
US = Game(None, True, 4, False, (ACE, TEN), False)
US_ONE_SPLIT = US._replace(most_hands=2, das=False)


def game_of(table: CardTable) -> Game:
    """The game that a table of the engine plays. Raises ValueError for a house key not solved."""
    rules, house = table.rules, table.house
    defaults = {key.name: key.default for key in rules["house"]}
    for name in _AS_DEFAULT:
        if house.get(name) != defaults.get(name):
            raise ValueError(f"the solver has no {name} {house[name]}")
    if not house["max_hands"]:
        raise ValueError("the solver wants a most number of hands")
    return Game(
        double_points=rules["double_points"],
        das=house["das"],
        most_hands=house["max_hands"],
        h17=house["h17"],
        looks_under=(ACE,) if rules["hole_card"] else (),
        double_returned=rules["double_returned"],
    )


class Hand(NamedTuple):
    """Points with every ace 1, and whether there is an ace."""

    hard: int
    has_ace: bool

    def with_card(self, points: int) -> Hand:
        """It and another card."""
        return Hand(self.hard + points, self.has_ace or points == ACE)

    @property
    def is_soft(self) -> bool:
        """Whether an ace counts 11."""
        return self.has_ace and self.hard + 10 <= MOST

    @property
    def points(self) -> int:
        """Its best points; BUST for all that is more than 21."""
        return min(self.hard + 10 if self.is_soft else self.hard, BUST)


NO_CARD = Hand(0, False)


class Strategy(NamedTuple):
    """When to split, double and draw; a hand by its points and whether it is soft.

    `up`: the points of the dealer's first card, 1 for an ace.
    """

    splits: frozenset[tuple[int, int]]  # points of one of the two cards, up
    doubles: frozenset[tuple[int, bool, int]]
    draws: frozenset[tuple[int, bool, int]]


@cache
def ends_of(hand: Hand, h17: bool) -> Mapping[int, Fraction]:
    """Chances of the points with which a dealer ends who has two cards or more."""
    if hand.points > _STOPS_AT or (hand.points == _STOPS_AT and not (hand.is_soft and h17)):
        return {hand.points: Fraction(1)}
    found: dict[int, Fraction] = {}
    for card, of_card in CHANCES.items():
        for points, chance in ends_of(hand.with_card(card), h17).items():
            found[points] = found.get(points, Fraction(0)) + of_card * chance
    return found


class AgainstUp:
    """What every hand is worth against one first card of the dealer, and what to do with it."""

    def __init__(self, game: Game, up: int) -> None:
        """`up`: its points, 1 for an ace."""
        self.game = game
        self.up = up
        makes = CHANCES[TEN] if up == ACE else CHANCES[ACE] if up == TEN else Fraction(0)
        self.black_jack = makes
        self._looked = up in game.looks_under
        # B: of a Black Jack that is still possible while hands are played.
        self._unseen = Fraction(0) if self._looked else makes
        self._stands: dict[int, Fraction] = {}  # by points
        self._best: dict[Hand, Fraction] = {}
        self._pairs: dict[tuple[int, int, int], Fraction] = {}

    @cached_property
    def dealer(self) -> Mapping[int, Fraction]:
        """Chances of his points where he has no Black Jack; they sum to 1 - B."""
        found: dict[int, Fraction] = {}
        first = NO_CARD.with_card(self.up)
        share = (1 - self._unseen) / (1 - self.black_jack)
        for second, of_card in CHANCES.items():
            if {self.up, second} != {ACE, TEN}:
                for points, chance in ends_of(first.with_card(second), self.game.h17).items():
                    found[points] = found.get(points, Fraction(0)) + share * of_card * chance
        return found

    def stand(self, hand: Hand) -> Fraction:
        """What a hand is worth that stands; it is no Black Jack."""
        mine = hand.points
        if mine not in self._stands:
            higher = {points: chance for points, chance in self.dealer.items() if points != BUST}
            wins = self.dealer[BUST] + sum(higher[each] for each in higher if each < mine)
            loses = self._unseen + sum(higher[each] for each in higher if each > mine)
            self._stands[mine] = Fraction(-1) if mine == BUST else wins - loses
        return self._stands[mine]

    def hit(self, hand: Hand) -> Fraction:
        """What it is worth to draw a card and then play as well as can be."""
        return sum(
            (chance * self.best(hand.with_card(each)) for each, chance in CHANCES.items()),
            Fraction(0),
        )

    def best(self, hand: Hand) -> Fraction:
        """The better of stand and hit."""
        if hand not in self._best:
            worth = self.stand(hand)
            if hand.points < MOST:
                worth = max(worth, self.hit(hand))
            self._best[hand] = worth
        return self._best[hand]

    def may_double(self, hand: Hand) -> bool:
        """Whether two cards that are this hand may be doubled, split or not."""
        allowed = self.game.double_points
        return hand.points < MOST and (allowed is None or hand.points in allowed)

    def double(self, hand: Hand) -> Fraction:
        """What a double is worth."""
        worth = Fraction(0)
        for each, chance in CHANCES.items():
            drawn = hand.with_card(each)
            worth += chance * 2 * self.stand(drawn)
            if self.game.double_returned and drawn.points < BUST:
                worth += chance * self._unseen
        return worth

    def unsplit(self, hand: Hand, is_split: bool) -> Fraction:
        """What two cards are worth that are not split (again)."""
        worth = self.best(hand)
        if self.may_double(hand) and (self.game.das or not is_split):
            worth = max(worth, self.double(hand))
        return worth

    def split(self, card: int) -> Fraction:
        """What it is worth to split two cards of these points."""
        return self._waiting(card, 2, self.game.most_hands - 2)

    def _waiting(self, card: int, hands: int, splits: int) -> Fraction:
        """w(k, m) of the module's docstring."""
        if not hands:
            return Fraction(0)
        key = (card, hands, splits)
        if key not in self._pairs:
            first = NO_CARD.with_card(card)
            worth = self._waiting(card, hands - 1, splits)
            for each, chance in CHANCES.items():
                two = first.with_card(each)
                if card == ACE:
                    gain = self.stand(two)  # one card, and no other split
                else:
                    gain = self.unsplit(two, is_split=True)
                    if each == card and splits:
                        rest = self._waiting(card, hands - 1, splits)
                        gain = max(gain, self._waiting(card, hands + 1, splits - 1) - rest)
                worth += chance * gain
            self._pairs[key] = worth
        return self._pairs[key]

    def worth(self, one: int, other: int) -> Fraction:
        """What two first cards are worth, the dealer's Black Jack included."""
        hand = NO_CARD.with_card(one).with_card(other)
        if {one, other} == {ACE, TEN}:
            return Fraction(3, 2) * (1 - self.black_jack)
        worth = self.unsplit(hand, is_split=False)
        if one == other:
            worth = max(worth, self.split(one))
        return worth * (1 - self.black_jack) - self.black_jack if self._looked else worth


def worth(game: Game) -> Fraction:
    """What a stake wins in the mean with the best play: below 0, the house's edge."""
    total = Fraction(0)
    for up, of_up in CHANCES.items():
        against = AgainstUp(game, up)
        for one, of_one in CHANCES.items():
            for other, of_other in CHANCES.items():
                total += of_up * of_one * of_other * against.worth(one, other)
    return total


@cache
def strategy(game: Game) -> Strategy:
    """The best total-dependent play: the basic strategy of a game."""
    splits, doubles, draws = set(), set(), set()
    hands = [Hand(hard, False) for hard in range(4, MOST)]
    hands += [Hand(hard, True) for hard in range(2, MOST - 10)]
    for up in CHANCES:
        against = AgainstUp(game, up)
        for hand in hands:
            where = (hand.points, hand.is_soft, up)
            if against.hit(hand) > against.stand(hand):
                draws.add(where)
            if against.may_double(hand) and against.double(hand) > against.best(hand):
                doubles.add(where)
        for card in CHANCES:
            pair = NO_CARD.with_card(card).with_card(card)
            if against.split(card) > against.unsplit(pair, is_split=False):
                splits.add((card, up))
    return Strategy(frozenset(splits), frozenset(doubles), frozenset(draws))
