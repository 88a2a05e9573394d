"""What else may be wrong with a journal's file than its rows, and how a wrong row is named."""

import os
import sqlite3
from typing import NamedTuple

from firmware.bus import record
from firmware.store import rows
from firmware.store.database import last_point, select
from firmware.store.rows import Row

_SIZES = ("page_count", "page_size")
_INDEXED = "SELECT count(*) FROM journal INDEXED BY journal_kind"
_OF_A_COUP = ("begun", "actuation", *record.ENDS)


class Bad(NamedTuple):
    """The first row that is not as it was written (0: the file as a whole), and why."""

    n: int
    sentence: str
    coup: int | None = None  # in which it is, or after which; None: before the first, or not known


def index(connection: sqlite3.Connection, chunk: list[Row]) -> Bad | None:
    """Returns whether a start would find these rows by their kind."""
    found = set()
    for kind in {row.kind for row in chunk}:
        query = "SELECT n FROM journal INDEXED BY journal_kind WHERE kind = ? AND n BETWEEN ? AND ?"
        for (n,) in connection.execute(query, (kind, chunk[0].n, chunk[-1].n)):
            found.add((n, kind))
    wrong = sorted(found ^ {(row.n, row.kind) for row in chunk})
    return Bad(wrong[0][0], f"Row {wrong[0][0]} is not found by its kind.") if wrong else None


def placed(connection: sqlite3.Connection, bad: Bad) -> Bad:
    """Returns it with the coup it is in: the rows before it are as they were written."""
    if bad.n < 1:
        return bad
    where = f"WHERE n < ? AND kind IN ({', '.join('?' * len(_OF_A_COUP))}) ORDER BY n DESC LIMIT 1"
    try:
        row = select(connection, where, bad.n, *_OF_A_COUP)[0]
        coup = int(rows.decoded(row).body["coup"])
    except (sqlite3.Error, IndexError, KeyError, TypeError, ValueError, RecursionError):
        return bad
    place = f"{'after' if row.kind in record.ENDS else 'in'} coup {coup}"
    if bad.sentence.startswith(f"Row {bad.n} "):
        return Bad(bad.n, f"{bad.sentence[:-1]} ({place}).", coup)
    return Bad(bad.n, f"{bad.sentence} Row {bad.n} comes {place}.", coup)


def surplus(connection: sqlite3.Connection) -> Bad | None:
    """Returns whether the file holds more than its rows."""
    below = select(connection, "WHERE n < 1")
    if below:
        return Bad(below[0].n, f"Row {below[0].n} was added.")
    connection.execute("BEGIN")
    try:
        last = last_point(connection).n  # no commit from here on
        indexed = connection.execute(_INDEXED).fetchone()[0]
        if indexed != last:
            return Bad(0, f"The index of {last} rows names {indexed}.")
        pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
        where = connection.execute("PRAGMA database_list").fetchone()[2]
        more = os.stat(where).st_size - pages * size
    finally:
        connection.execute("ROLLBACK")
    return Bad(0, f"{more} bytes were added behind the last row.") if more else None
