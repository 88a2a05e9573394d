"""What a card table remembers of its past: its rows since its shoe was loaded, folded."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from firmware.bus import record
from firmware.core.cards.fold import Fold
from firmware.core.cards.restart_state import RestartState
from firmware.stakes import card_round
from firmware.store import checked_lines, round_record, rows
from firmware.store.database import damaged, reading, select

_BEGUN = "begun"  # `what` of the row of a shoe that is loaded
_SHOES_MAX = 64  # rows of one shoe: loaded, begun, counted, ended, and a few more
# Kinds that tell where a table stands, and the records that make the end of a round one.
_KINDS = (
    card_round.SHOE,
    card_round.ROUND,
    card_round.STAKES,
    card_round.CARD_ROW,
    card_round.CARD_BACK,
    card_round.ENGAGEMENT,
    card_round.RESULT,
    card_round.VOID,
    card_round.CORRECTION,
    card_round.PAID,
    *record.OUTCOMES,
)


def read(path: Path) -> RestartState:
    """Returns what a table that goes on with this journal is given. Raises JournalError."""
    with reading(path) as connection:
        fold = Fold()
        try:
            for kind, body in round_record.recorded(_rows(path, connection)):
                fold.add(kind, body)
            return fold.state()
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise damaged(path, 1) from error


def _rows(path: Path, connection: sqlite3.Connection) -> Iterator[checked_lines.Row]:
    """Gives the rows since the last shoe was loaded, and the last round before it."""
    marks = ", ".join("?" * len(_KINDS))
    where = f"WHERE n >= ? AND kind IN ({marks}) ORDER BY n"
    for row in select(connection, where, _since(connection), *_KINDS):
        yield rows.decoded(row)


def _since(connection: sqlite3.Connection) -> int:
    """Returns the row that all begins with: the last round's before the last shoe; 0: none."""
    since = 0
    where = f"WHERE kind = ? ORDER BY n DESC LIMIT {_SHOES_MAX}"
    for row in select(connection, where, card_round.SHOE):
        since = row.n
        if rows.decoded(row).body.get("what") == _BEGUN:
            break
    before = select(
        connection, "WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT 1", card_round.ROUND, since
    )
    return before[0].n if before else since
