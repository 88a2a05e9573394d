"""What of a card table outlives a restart, folded from its rows in their order.

fold = Fold()
for kind, body in rows: fold.add(kind, body)
CardTable(limits, restart_state=fold.state())
"""

from firmware.core.cards import shoe_count
from firmware.core.cards.hold import BACK
from firmware.core.cards.play import HOLE
from firmware.core.cards.restart_state import Ended, OpenRound, RestartState
from firmware.core.cards.shoe_count import ShoeState
from firmware.shims.typed import Any
from firmware.stakes import card_kinds
from rules.cards import deck


class Fold:
    """Takes rows of firmware/stakes/card_round.py; rows of other kinds change nothing."""

    def __init__(self) -> None:
        """A table that has never played."""
        self._round = 0  # the last that ended
        self._seq = 0
        self._open = 0  # the one that is open, or 0
        self._stakes: Any = None
        self._cards: list[Any] = []
        self._engagements: list[Any] = []
        self._last: Any = None
        self._shoe: Any = shoe_count.NONE
        self._drawn = 0
        self._n = -1
        self._first = 0  # round of the shoe
        self._is_burning = False
        self._is_back = False  # a card that counts is in it again
        self._is_over = False
        self._seen: dict[int, Any] = {}  # by ordinal: the row of a card that left the shoe

    def add(self, kind: str, body: "dict[str, Any]") -> None:
        """Takes the next row."""
        if kind == card_kinds.SHOE:
            self._add_shoe(body)
        elif kind == card_kinds.ROUND:
            self._open, self._is_burning = body["round"], False
            self._stakes, self._cards, self._engagements, self._last = None, [], [], None
            self._first = self._first or body["round"]
            self._trust(is_trusted=True, must_count=False, in_play=True)
        elif kind == card_kinds.STAKES:
            self._stakes = body
        elif kind == card_kinds.CARD_ROW:
            self._add_card(body)
        elif kind == card_kinds.CARD_BACK:
            self._take_back(body["k"])
        elif kind == card_kinds.ENGAGEMENT:
            self._engagements.append(body)
        elif kind in (card_kinds.RESULT, card_kinds.VOID):
            self._end(body)
        elif kind == card_kinds.CORRECTION:
            self._seq = body["seq"]
            waits = bool(body.get("held"))
            self._last = Ended(self._stakes, body["cards"], body["engagements"], body, waits)
        elif kind == card_kinds.PAID and self._last is not None:
            stakes, cards, engagements, end, _ = self._last
            self._last = Ended(stakes, cards, engagements, end, False)

    def state(self) -> RestartState:
        """Returns what a table that begins now is given."""
        interrupted = None
        if self._open:
            interrupted = OpenRound(self._open, self._stakes, self._cards, self._engagements)
        return RestartState(self._round, self._seq, interrupted, self._shoe_state(), self._last)

    def _end(self, body: "dict[str, Any]") -> None:
        self._round, self._seq, self._open = body["round"], body["seq"], 0
        self._n = body.get("n", self._n)  # rows of before have neither
        self._drawn = body.get("drawn", self._drawn)
        self._trust(is_trusted=body["trusted"], must_count=False, in_play=True)
        waits = bool(body.get("held"))
        self._last = Ended(self._stakes, self._cards, self._engagements, body, waits)

    def _add_card(self, row: "dict[str, Any]") -> None:
        self._seen[row["ordinal"]] = row
        self._drawn = max(self._drawn, row["ordinal"])
        self._n = row["n"]
        if self._is_burning:  # what is burned already is in it no more
            self._trust(is_trusted=False, must_count=True, in_play=False)
        if row["round"] and row["to"] == HOLE:
            self._cards.insert(row["k"] - 1, row)
        elif row["round"]:
            self._cards.append(row)

    def _take_back(self, k: int) -> None:
        """Forgets the round's cards from the k-th on: they are read again, or another is typed."""
        for row in self._cards:
            if row["k"] >= k:
                del self._seen[row["ordinal"]]
        self._cards = [row for row in self._cards if row["k"] < k]
        self._drawn = max([0] + list(self._seen))

    def _add_shoe(self, body: "dict[str, Any]") -> None:
        shoe = self._shoe
        if body["what"] == "loaded":
            shoe = ShoeState(
                body["model"],
                body["serial"],
                body["decks"],
                body["boot"],
                body["authenticated"],
                *shoe[5:],
            )
        elif body["what"] == "begun":
            self._seen = {}
            self._first = 0
        if body["what"] in ("begun", "ended"):
            self._is_burning = body["what"] == "begun"
            self._is_back, self._is_over = False, False
        elif body["what"] == "doubted" and body["why"] == BACK:
            self._is_back = True
        elif body["what"] == "cut":
            self._is_over = True
        self._shoe, self._n = shoe, body["n"]
        self._drawn = body["drawn"]
        in_play = shoe.in_play and body["what"] not in ("begun", "ended")
        self._trust(is_trusted=body["trusted"], must_count=body["must_count"], in_play=in_play)

    def _trust(self, *, is_trusted: bool, must_count: bool, in_play: bool) -> None:
        must_count, in_play = must_count or self._is_back, in_play and not self._is_back
        self._shoe = ShoeState(
            *(tuple(self._shoe[:10]) + (is_trusted, must_count, in_play, 0, False))
        )

    def _shoe_state(self) -> ShoeState:
        counts = [0] * shoe_count.CARDS
        idents = []
        for ordinal in sorted(self._seen):
            row = self._seen[ordinal]
            if row["card"] is not None:
                counts[deck.card_of(row["card"])] += 1
                if row["id"]:
                    idents.append(row["id"])
        shoe = self._shoe
        told = (self._n, self._drawn, tuple(counts), self._drawn - sum(counts), tuple(idents))
        last = (self._first, shoe.in_play and self._is_over)
        return ShoeState(*(tuple(shoe[:5]) + told + tuple(shoe[10:13]) + last))
