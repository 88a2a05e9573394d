"""What else may be wrong with a journal's file than its rows, and how a wrong row is named."""

import os
import sqlite3
from typing import NamedTuple

from firmware.bus import record
from firmware.lib.language import Message
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
    return (
        Bad(wrong[0][0], Message("Row {wrong} is not found by its kind.", wrong=wrong[0][0]))
        if wrong
        else None
    )


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
    ended = row.kind in record.ENDS
    place = (
        Message("after coup {coup}", coup=coup) if ended else Message("in coup {coup}", coup=coup)
    )
    named = f"Row {bad.n} "
    if bad.sentence.startswith(named):
        wrong = Message(bad.sentence.removeprefix(named)[:-1])
        text = Message("Row {n} {wrong} ({place}).", n=bad.n, wrong=wrong, place=place)
        return Bad(bad.n, text, coup)
    return Bad(
        bad.n,
        Message(
            "{sentence} Row {n} comes {place}.",
            sentence=Message(bad.sentence),
            n=bad.n,
            place=place,
        ),
        coup,
    )


def surplus(connection: sqlite3.Connection) -> Bad | None:
    """Returns whether the file holds more than its rows."""
    below = select(connection, "WHERE n < 1")
    if below:
        return Bad(below[0].n, Message("Row {n} was added.", n=below[0].n))
    connection.execute("BEGIN")
    try:
        last = last_point(connection).n  # no commit from here on
        indexed = connection.execute(_INDEXED).fetchone()[0]
        if indexed != last:
            return Bad(
                0, Message("The index of {last} rows names {indexed}.", last=last, indexed=indexed)
            )
        pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SIZES)
        where = connection.execute("PRAGMA database_list").fetchone()[2]
        more = os.stat(where).st_size - pages * size
    finally:
        connection.execute("ROLLBACK")
    return (
        Bad(0, Message("{more} bytes were added behind the last row.", more=more)) if more else None
    )
