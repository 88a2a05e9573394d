"""Who plays at a card table: what they stake, and what each hand does."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

BLACKJACK = "blackjack"
RANDOM, BASIC = "random", "basic"  # how a table's players decide
INSURE_SHARE = 0.4
SEATS = 7

Stake = dict[str, Any]


class Players:
    """The players of one table. Money is whole cents."""

    def __init__(self, family: str, rng: Random, *, style: str, bets: Sequence[str]) -> None:
        """`bets`: that they may lay beside a hand, or behind it; `style`: RANDOM, BASIC."""
        self._family = family
        self._rng = rng
        self._style = style
        self._bets = tuple(bets)

    def stakes(self) -> list[Stake]:
        """What they lay in a round; at least one hand."""
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
        for seat in sorted(rng.sample(range(1, SEATS + 1), rng.choice((1, 1, 2, 2, 3, 5)))):
            player = f"p{seat}"
            found.append(_stake(player, seat, "main", rng.randint(10, 100) * 100))
            for bet in self._bets:
                if bet == "behind":
                    if rng.random() < 0.3:
                        follower = _stake(f"q{seat}", seat, bet, rng.randint(10, 50) * 100)
                        follower["follow"] = rng.choice(("double", "not"))
                        follower["funds_cents"] = rng.choice((0, 5_000, 50_000))
                        found.append(follower)
                elif rng.random() < 0.3:
                    found.append(_stake(player, seat, bet, rng.randint(1, 5) * 1_000))
        return found

    def _at_baccarat(self) -> list[Stake]:
        rng = self._rng
        found: list[Stake] = []
        for number in range(1, rng.choice((2, 3, 4))):
            for bet in rng.sample(("player", "banker", "tie", *self._bets), rng.choice((1, 2))):
                stake = {"player": f"p{number}", "bet": bet, "cents": rng.randint(10, 99) * 100}
                found.append(stake)
        return found


def _stake(player: str, seat: int, bet: str, cents: int) -> Stake:
    return {"player": player, "seat": seat, "bet": bet, "cents": cents}
