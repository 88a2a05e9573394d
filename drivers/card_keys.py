"""Cards that people enter: 13 keys for the rank, 4 for the suit, OK and back.

For a table whose shoe is out of order, or has none. What is typed is shown in full before it
counts, and counts with OK. Until the next card or decision it may be taken back. Every card is
marked as read by people.
"""

from firmware.core.cards import facts
from firmware.shims.typed import TYPE_CHECKING, Any, NamedTuple
from rules.cards.deck import RANKS, SUITS, card_of

if TYPE_CHECKING:
    Facts = list[Any]  # CardTyped, and records of firmware/core/cards/facts.py

OK = "ok"
BACK = "back"
KEYS = tuple(RANKS) + tuple(SUITS) + (OK, BACK)

# What stands on the croupier's screen of a card that does not count yet. rank and suit: a letter
# of rules/cards/deck.py, or "" while it is not typed.
CardTyped = NamedTuple("CardTyped", [("at_us", int), ("rank", str), ("suit", str)])


class CardKeys:
    """Hears the keys, one after the other."""

    def __init__(self) -> None:
        self._rank = ""
        self._suit = ""
        self._n = 0  # of the last card that was entered
        self._may_go = False  # that card may still be taken back

    def press(self, key: str, at_us: int) -> "Facts":
        """Takes a key, of KEYS; gives what stands on the screen now, or what counts.

        Raises ValueError for another key.
        """
        if key not in KEYS:
            raise ValueError("there is no key " + key)
        if key == OK:
            return self._enter(at_us)
        if key == BACK:
            return self._go_back(at_us)
        if key in RANKS:
            self._rank = key
        else:
            self._suit = key
        return [CardTyped(at_us, self._rank, self._suit)]

    def keep(self) -> None:
        """The next card or a decision came, from wherever: what was entered stays."""
        self._may_go = False

    def _enter(self, at_us: int) -> "Facts":
        if not self._rank or not self._suit:
            return [CardTyped(at_us, self._rank, self._suit)]
        card = card_of(self._rank + self._suit)
        self._rank = self._suit = ""
        self._n += 1
        self._may_go = True
        return [facts.CardRead(at_us, self._n, card, "", facts.PEOPLE)]

    def _go_back(self, at_us: int) -> "Facts":
        if not self._rank and not self._suit and self._may_go:
            self._may_go = False
            return [facts.CardPulledBack(at_us, self._n)]
        self._rank = self._suit = ""
        return [CardTyped(at_us, "", "")]
