"""Who plays at a card table: what they stake, and what each hand does."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random
from typing import Any

BLACKJACK = "blackjack"
RANDOM, BASIC = "random", "basic"  # how a table's players decide
INSURE_SHARE = 0.4
SEATS = 7
FLOOR_CENTS = 1_000  # where the table has no limits
PAIRS = "perfect_pairs"
PAIR_CENTS = 1_000  # its pieces are of 10 euros whatever the minimum (000, Perfect Pairs)
_GRAIN_CENTS = 20  # what every bet can be paid exactly with (rules/cards)

Stake = dict[str, Any]


class Players:
    """The players of one table. Money is whole cents."""

    def __init__(
        self,
        family: str,
        rng: Random,
        *,
        style: str,
        bets: Sequence[str],
        floor_cents: int | None = None,
        ceiling_cents: int | None = None,
        seats: Sequence[int] = range(1, SEATS + 1),
    ) -> None:
        """`bets`: that they may lay beside a hand, or behind it; `style`: RANDOM, BASIC; `seats`:
        where they may sit.

        They lay one to ten of the table's minima, and no more than its maximum.
        """
        self._family = family
        self._rng = rng
        self._style = style
        self._bets = tuple(bets)
        self._unit_cents = _GRAIN_CENTS * ceil((floor_cents or FLOOR_CENTS) / _GRAIN_CENTS / 10)
        self._seats = tuple(seats)
        self._most = 100 if ceiling_cents is None else ceiling_cents // self._unit_cents

    def stakes(self) -> list[Stake]:
        """What they lay in a round; at least one hand, where there is a seat."""
        return self._at_blackjack() if self._family == BLACKJACK else self._at_baccarat()

    def insures(self) -> bool:
        """Whether a seat does."""
        return self._rng.random() < INSURE_SHARE

    def decide(self, points: str, choices: Sequence[str]) -> str:
        """What a hand of such points does, as "15" or "7/17"; one of `choices`."""
        if self._style == RANDOM:
            return self._rng.choice(tuple(choices))
        best = int(points.split("/")[-1])
        if "split" in choices and (best in (16, 12) or self._rng.random() < 0.2):
            return "split"
        if "double" in choices and best in (9, 10, 11):
            return "double"
        limit = 17 if "/" not in points else 18
        return "hit" if best < limit and "hit" in choices else "stand"

    def _at_blackjack(self) -> list[Stake]:
        rng = self._rng
        found: list[Stake] = []
        count = min(len(self._seats), rng.choice((1, 1, 2, 2, 3, 5)))
        for seat in sorted(rng.sample(self._seats, count)):
            found += self.hand(f"p{seat}", seat)
            if "behind" in self._bets and rng.random() < 0.3:
                found.append(self.behind(f"q{seat}", seat))
                found[-1]["funds_cents"] = rng.choice((0, 5_000, 50_000))
        return found

    def hand(self, player: str, seat: int) -> list[Stake]:
        """What a player lays at a seat of black jack: a main stake, side bets beside it."""
        rng = self._rng
        found = [_stake(player, seat, "main", self._cents(10, 100))]
        for bet in self._bets:
            if bet != "behind" and rng.random() < 0.3:
                pieces = rng.randint(1, 5)
                piece_cents = PAIR_CENTS if bet == PAIRS else self._unit_cents * 10
                found.append(_stake(player, seat, bet, pieces * piece_cents))
        return found

    def behind(self, player: str, seat: int) -> Stake:
        """What a player lays behind the hand of a seat, and whether he follows it."""
        stake = _stake(player, seat, "behind", self._cents(10, 50))
        stake["follow"] = self._rng.choice(("double", "not"))
        return stake

    def on_sides(self, player: str) -> list[Stake]:
        """What a player lays at baccarat: one stake or two, each on its own side."""
        rng = self._rng
        sides = rng.sample(("player", "banker", "tie", *self._bets), rng.choice((1, 2)))
        return [{"player": player, "bet": bet, "cents": self._cents(10, 99)} for bet in sides]

    def _at_baccarat(self) -> list[Stake]:
        rng = self._rng
        found: list[Stake] = []
        for number in range(1, rng.choice((2, 3, 4))):
            found += self.on_sides(f"p{number}")
        return found

    def _cents(self, least: int, most: int) -> int:
        """Some units between these, as the table takes them."""
        return self._rng.randint(least, max(least, min(most, self._most))) * self._unit_cents


def _stake(player: str, seat: int, bet: str, cents: int) -> Stake:
    return {"player": player, "seat": seat, "bet": bet, "cents": cents}
