"""What the last numbers were: shares of the simple chances, hot and cold. Confirmed ones alone."""

from collections.abc import Iterable
from typing import NamedTuple

from firmware.text.display_words import rules_of
from rules import announce

# Four hours at a coup every 45 s: as many as the displays of the trade look back upon.
WINDOW_MAX = 300
_KEPT_MAX = 2 * WINDOW_MAX  # with voids
SHOWN = 5  # hot and cold ones: what is read at a glance

# One chance, a key of display_words.CHANCES, and how often it came.
Share = NamedTuple("Share", [("chance", str), ("count", int)])
# `window`: how many numbers all this is about. `pairs`: two shares each. `hot`: number and how
# often it came, twice at least. `cold`: number and before how many coups it came last, None if
# not within the window. `hot_more`, `cold_more`: how many others are like the last of them.
Tally = NamedTuple(
    "Tally",
    [
        ("window", int),
        ("pairs", tuple[tuple[Share, Share], ...]),
        ("hot", tuple[tuple[int, int], ...]),
        ("hot_more", int),
        ("cold", tuple[tuple[int, int | None], ...]),
        ("cold_more", int),
    ],
)
# Epoch and coup name an outcome, also after a correction.
Key = tuple[int, int]
Outcome = tuple[int, str] | None  # number and colour; None for a void
_PAIRS = (("rouge", "noir"), ("impair", "pair"), ("manque", "passe"))


class Book:
    """The outcomes that were seen."""

    def __init__(self) -> None:
        self._game: str | None = None
        self._outcomes: dict[Key, Outcome] = {}

    def add_outcomes(self, game: str, told: Iterable[tuple[Key, Outcome]]) -> None:
        """Takes outcomes; what was told of one before is replaced. Another game starts anew."""
        if game != self._game:
            self._game = game
            self._outcomes = {}
        self._outcomes.update(told)
        if len(self._outcomes) > _KEPT_MAX:
            for key in sorted(self._outcomes)[:-_KEPT_MAX]:
                del self._outcomes[key]

    def tally(self) -> Tally | None:
        """Returns what the last numbers were, as far back as no coup is missing; None if there are
        none.
        """
        seen = self._numbers()
        if self._game is None or not seen:
            return None
        game = rules_of(self._game)
        numbers = sorted(set(game["layout"]), key=game["layout"].index)
        counts = dict.fromkeys(numbers, 0)
        last: dict[int, int] = {}
        for place, (number, _) in enumerate(seen):
            counts[number] += 1
            last[number] = place
        hot = sorted(numbers, key=lambda n: (-counts[n], -last.get(n, -1)))
        hot = [number for number in hot if counts[number] > 1]
        cold = sorted(numbers, key=lambda n: last.get(n, -1))
        unseen = len(numbers) - len(last)
        return Tally(
            len(seen),
            _pairs(game, seen),
            tuple((number, counts[number]) for number in hot[:SHOWN]),
            sum(counts[number] == counts[hot[SHOWN - 1]] for number in hot[SHOWN:]),
            tuple(
                (number, len(seen) - last[number] if number in last else None)
                for number in cold[:SHOWN]
            ),
            max(0, unseen - SHOWN),
        )

    def _numbers(self) -> list[tuple[int, str]]:
        """Returns the last numbers, oldest first, at most WINDOW_MAX."""
        found: list[tuple[int, str]] = []
        follows: Key | None = None
        for key in sorted(self._outcomes, reverse=True):
            if follows not in (None, (key[0], key[1] + 1)) or len(found) == WINDOW_MAX:
                break
            follows = key
            outcome = self._outcomes[key]
            if outcome is not None:
                found.insert(0, outcome)
        return found


def _pairs(game: dict, seen: list[tuple[int, str]]) -> tuple[tuple[Share, Share], ...]:  # type: ignore[type-arg]
    """The simple chances that the game has, each beside its contrary."""
    known = {bet.name for bet in game["bets"] if bet.simple}
    counts: dict[str, int] = {}
    for number, colour in seen:
        for bet, _ in announce.chances(game, number, colour):
            counts[bet] = counts.get(bet, 0) + 1
    pockets = zip(game["layout"], game["colours"], strict=True)
    chances = dict(pair for pocket in pockets for pair in announce.chances(game, *pocket))
    return tuple(
        (
            Share(chances[one], counts.get(one, 0)),
            Share(chances[other], counts.get(other, 0)),
        )
        for one, other in _PAIRS
        if one in known and other in known
    )
