"""The one signed record of a round of cards, from the row that the core makes of its end.

That row lies before it, in JSON, with all hands, stakes and payments that wait; the record has what
displays and an inspector need, and signs the chain with that row. A round has ended once its record
is there: a row without one behind it says nothing, and `recorded` leaves it out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from firmware.bus import record
from firmware.stakes import card_kinds
from firmware.store.checked_lines import Row
from rules.cards import deck

# Kinds of those rows, and what is signed after each.
SIGNED = {
    card_kinds.RESULT: record.RESULT,
    card_kinds.VOID: record.VOID,
    card_kinds.CORRECTION: record.CORRECTION,
}
_AS_THEY_ARE = ("seq", "reason", "corrects", "manual", "decks", "authenticated", "verified")


def fields(body: dict[str, Any]) -> dict[str, Any]:
    """Returns what the record says of a round, by the names of record.FIELDS.

    `body`: of a row of a kind in SIGNED. Raises KeyError or ValueError for no such body.
    """
    found = {name: body[name] for name in _AS_THEY_ARE if name in body}
    found["coup"] = body["round"]
    outcome = body.get("outcome")
    if outcome is None:
        return found
    if "dealer" in outcome:
        cards = outcome["dealer"]["cards"]
        found["dealer_points"] = outcome["dealer"]["points"]
    else:
        player, banker = outcome["player_cards"], outcome["banker_cards"]
        # Two each in turn; then what each drew, the player first.
        cards = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        found["winner"] = outcome["winner"]
        found |= {"player_points": outcome["player"], "banker_points": outcome["banker"]}
    found["cards"] = bytes(map(deck.card_of, cards))
    found["seal"] = bytes.fromhex(body["seal"])
    return found


def recorded(rows: Iterable[Row]) -> Iterator[tuple[str, Any]]:
    """Returns kind and body of a journal's rows, for firmware/core/cards/fold.py and
    card_kinds.collect: the end of a round stands where its record does.

    `rows`: decoded, in their order.
    """
    ends = RecordedEnds()
    for row in rows:
        yield from ends.add(row)


class RecordedEnds:
    """Takes a journal's rows in their order, and gives each end of a round where its record is."""

    def __init__(self) -> None:
        """Before any row."""
        self._waits: Row | None = None  # an end whose record has not come

    def add(self, row: Row) -> list[tuple[str, Any]]:
        """Takes the next row, decoded; returns kind and body of what stands since."""
        waits = self._waits
        if row.kind in SIGNED:
            self._waits = row
            return []
        found = []
        if waits is not None and row.kind == SIGNED[waits.kind]:
            if row.body["seq"] == waits.body["seq"]:
                found = [(waits.kind, waits.body)]
            self._waits = None
        return [*found, (row.kind, row.body)]
