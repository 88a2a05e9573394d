"""What the journal is made of: rows that hold on to each other, in one table of an SQLite file.

    hash = SHA-256(hash of the row before | n | utc | kind | body)

Each of the four stands with its length before it (4 bytes, high first), n as decimal text; before
the first row stand 32 zero bytes. Kinds of SIGNED have a record of firmware.bus.record as their
body, every other has JSON: keys sorted, no blanks, ASCII.
"""

import hashlib
import json
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.lib.language import Message
from firmware.stakes.accounts import ENTRIES
from firmware.store import checked_lines
from firmware.store.fram import START, Point
from rules.cards import deck


class JournalError(Exception):
    """The journal cannot be used; the text says why and what to do."""


APPLICATION_ID = 0x43594C4A  # "CYLJ", at offset 68 of the file
VERSION = 1  # of the schema and of what rows mean, at offset 60
CHECKPOINT_EVERY = 64  # rows: two minutes of play; signed, so that even a quiet table's rows are
BODY_MAX = 524_288  # bytes; the stakes of 32 full terminals are 400 000, so longer is not ours

SIGNED = tuple(word for _, word in record.KINDS)
FRAM = "fram"  # JSON {"state": "lost", ...}: from here on without the FRAM; a checkpoint follows
# JSON: what a technician did (firmware/core/coup/maintenance.py); a checkpoint follows, too
ACT = "act"
HEALTH = "health"  # what the watch over the wheel's health has found
VOUCHED_ASKED = (ACT, *ENTRIES)  # those that somebody asked for; ENTRIES: of money
VOUCHED = (FRAM, *VOUCHED_ASKED)  # kinds that a checkpoint follows at once, and signs

TABLE = "CREATE TABLE journal(n INTEGER PRIMARY KEY, utc TEXT, kind TEXT, body BLOB, hash BLOB)"
# So that a start finds the last of each kind at once, however long the wheel has been playing.
INDEX = "CREATE INDEX journal_kind ON journal(kind)"
SCHEMA = [
    ("index", "journal_kind", "journal", INDEX),
    ("table", "journal", "journal", TABLE),
]
COLUMNS = "n, utc, kind, body, hash"

__all__ = ["START", "Point", "Row"]


class Row(NamedTuple):
    """One row as it lies in the file."""

    n: int
    utc: str
    kind: str
    body: bytes
    hash: bytes

    @property
    def point(self) -> Point:
        """Returns where the chain stands with it."""
        return Point(self.n, self.hash)


def link(before: bytes, n: int, utc: str, kind: str, body: bytes) -> bytes:
    """Returns the hash of a row, given that of the row before."""
    parts = [before]
    for part in (b"%d" % n, utc.encode(), kind.encode(), body):
        parts.append(len(part).to_bytes(4, "big"))
        parts.append(part)
    return hashlib.sha256(b"".join(parts)).digest()


def follow(before: Point, utc: str, kind: str, body: bytes) -> Row:
    """Returns the row that comes after `before`."""
    n = before.n + 1
    return Row(n, utc, kind, body, link(before.hash, n, utc, kind, body))


def is_whole(row: Row, before: Point) -> bool:
    """Returns whether a row that was read is the one that was written after `before`."""
    if row.n != before.n + 1 or not _is_typed(row) or not isinstance(before.hash, bytes):
        return False
    return row.hash == link(before.hash, row.n, row.utc, row.kind, row.body)


def _is_typed(row: Row) -> bool:
    """Returns whether each value is of its kind: SQLite keeps any in any column."""
    types = (type(row.utc), type(row.kind), type(row.body), type(row.hash))
    return types == (str, str, bytes, bytes)


def plain(body: Any) -> bytes:
    """Returns a body as JSON.

    Raises ValueError or TypeError for what JSON cannot hold, or too long.
    """
    data = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
    if len(data) > BODY_MAX:
        raise ValueError(
            Message("{count} bytes, {body_max} is the limit", count=len(data), body_max=BODY_MAX)
        )
    return data


def decoded(row: Row) -> checked_lines.Row:
    """Returns a row with its body as the core made it; of a signed one, with all the record has,
    too.

    Bytes are hexadecimal there, cards as "TH". Raises ValueError or RecursionError for a body of
    another form; says nothing of who signed it.
    """
    if not _is_typed(row):
        raise ValueError(Message("row {n} holds something else than a row does", n=row.n))
    if row.kind not in SIGNED:
        return checked_lines.Row(row.n, row.utc, row.kind, json.loads(row.body))
    found = record.parse(row.body)
    if found is None or found.kind != row.kind:
        raise ValueError(Message("row {n} holds no {kind}", n=row.n, kind=row.kind))
    body = {}
    for name, value in found._asdict().items():
        if value is not None and name != "kind":
            body[name] = value.hex() if isinstance(value, bytes) else value
    if found.cards is not None:
        body["cards"] = [deck.text_of(card) for card in found.cards]
    if "manual" in body:
        body["manual"] = list(body["manual"])
    if row.kind == record.RESULT and found.cards is None:
        body.setdefault("compartment", None)
    return checked_lines.Row(row.n, row.utc, row.kind, body)
