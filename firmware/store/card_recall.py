"""What a card table remembers of its past: its rows since its shoe was loaded, folded."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from firmware.bus import record
from firmware.core.cards.fold import Fold
from firmware.core.cards.restart_state import RestartState
from firmware.stakes import card_kinds
from firmware.store import checked_lines, round_record, rows
from firmware.store.database import damaged, reading, select

# `what` of a shoe's row: it said what it is; its cards are in it, and the first are burned.
_LOADED, _BEGUN = "loaded", "begun"
_LAST_BEFORE = "WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT 1"
# Kinds that tell where a table stands, and the records that make the end of a round one.
_KINDS = (
    card_kinds.SHOE,
    card_kinds.ROUND,
    card_kinds.STAKES,
    card_kinds.CARD_ROW,
    card_kinds.CARD_BACK,
    card_kinds.ENGAGEMENT,
    card_kinds.RESULT,
    card_kinds.VOID,
    card_kinds.CORRECTION,
    card_kinds.PAID,
    *record.OUTCOMES,
)


def read(path: Path) -> RestartState:
    """Returns what a table that goes on with this journal is given. Raises JournalError."""
    with reading(path) as connection:
        fold = Fold()
        try:
            for kind, body in round_record.recorded(_rows(connection)):
                fold.add(kind, body)
            return fold.state()
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise damaged(path, 1) from error


def _rows(connection: sqlite3.Connection) -> Iterator[checked_lines.Row]:
    """Gives what the shoe last said it is; then all since its cards were loaded, and the round
    before that.
    """
    begun = _last_shoe(connection, _BEGUN, 1 << 62)
    rounds = select(connection, _LAST_BEFORE, card_kinds.ROUND, begun)
    since = rounds[0].n if rounds else begun
    said = _last_shoe(connection, _LOADED, since)
    marks = ", ".join("?" * len(_KINDS))
    where = f"WHERE (n = ? OR n >= ?) AND kind IN ({marks}) ORDER BY n"
    for row in select(connection, where, said, since, *_KINDS):
        yield rows.decoded(row)


def _last_shoe(connection: sqlite3.Connection, what: str, before: int) -> int:
    """Returns the last row of the shoe of that kind before another row; 0: there is none."""
    while found := select(connection, _LAST_BEFORE, card_kinds.SHOE, before):
        before = found[0].n
        if rows.decoded(found[0]).body["what"] == what:
            return before
    return 0
