"""What somebody may do to a journal with an SQLite shell and time: every way, one after the other.

Nothing here knows how a journal is verified: what was altered, and where first, is read from the
rows themselves, before and after.
"""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import own_journal
from own_journal import SIGNER, actuation, correction, result, void

from firmware.core.facts import CCW, CW
from firmware.stakes.seal import seal
from firmware.store import rows
from firmware.store.fram import Head
from firmware.store.fram_file import FileFram
from firmware.store.rows import Row, follow
from firmware.store.signing import Signer

ROOT = SIGNER.public
SECOND = Signer(b"2" * 32)
OTHERS_WHEEL = own_journal.WHEEL._replace(wheel="wheel-2")
BOARD = own_journal.WHEEL._replace(board="10000000abcdef01")
COLUMNS = ("n", "utc", "kind", "body", "hash")
_STAKE = {"player": "anna", "bet": "plein", "on": [17], "cents": 500, "terminal": 1, "id": 1}

Statement = tuple[str, tuple[Any, ...]]
Alteration = tuple[str, list[Statement]]


def write(folder: Path) -> Path:
    """A journal that was really written: two epochs, two keys, corrections, voids, stakes."""
    fram = FileFram(folder / "fram")
    path = folder / "journal.db"
    journal = own_journal.opened(path, head=Head(fram))
    _play(journal, 1, 4)
    journal.write(*correction(2, 5, 2, number=7, compartment=7, colour="red"))
    journal.close()
    moved = {"head": Head(fram), "identity": BOARD}
    journal = own_journal.opened(path, adopt=True, next_epoch=lambda: 2, **moved)
    _play(journal, 5, 2, seq=6)
    journal.write("rotation", {"next_key": SECOND.public})
    journal.close()
    journal = own_journal.opened(path, signer=SECOND, **moved)
    _play(journal, 7, 3, seq=8)
    journal.write(*correction(8, 11, 9, reason="foreign_object"))
    journal.write("begun", {"coup": 10})
    journal.write(*actuation(10, CW))
    journal.close()
    fram.close()
    return path


def _play(journal: Any, first: int, count: int, seq: int = 0) -> None:
    seq = seq or first
    for coup in range(first, first + count):
        journal.write("begun", {"coup": coup})
        journal.write(*actuation(coup, CW if coup % 2 else CCW))
        more = {}
        if coup % 3 == 1:
            sealed = {
                "coup": coup, "rules": "roulette_lu", "minimum_cents": 500,
                "maximum_multiples": {}, "employees": ["anna"], "stakes": [_STAKE],
            }  # fmt: skip
            more["stakes"] = seal(sealed)
            journal.write("stakes", sealed | {"seal": more["stakes"], "count": 1})
        journal.write("evidence", {"coup": coup, "seq": seq, "why": "predicted"})
        end = void(coup, seq=seq) if coup % 4 == 3 else result(coup, 17, seq=seq, **more)
        journal.write(*end)
        seq += 1


def contents(path: Path) -> dict[int, Any]:
    """The rows by their number, with the types in which they lie there."""
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    found = {}
    types = ", ".join(f"typeof({name})" for name in COLUMNS)
    for n, *values in connection.execute(f"SELECT {', '.join(COLUMNS)}, {types} FROM journal"):
        found[n] = tuple(values)
    connection.close()
    return found


def first_difference(before: dict[int, Any], after: dict[int, Any]) -> int | None:
    """The first row that is not as it was, one below 1 last of all; None: all are."""
    numbers = sorted(set(before) | set(after), key=lambda n: (n < 1, n))
    return next((n for n in numbers if before.get(n) != after.get(n)), None)


# --- alterations in place -------------------------------------------------------------------------
def columns(kept: list[Row], rng: random.Random) -> Iterator[Alteration]:
    """Each column of each row: one bit, another type, nothing, a number."""
    for row in kept:
        for name in COLUMNS[1:]:
            value = getattr(row, name)
            where = (row.n,)
            flipped = _flip(value, rng)
            for what, new in (("a bit", flipped), ("NULL", None), ("5", 5), ("1.5", 1.5)):
                sql = f"UPDATE journal SET {name} = ? WHERE n = ?"
                yield f"{name} of {row.n}: {what}", [(sql, (new, *where))]
            other = "TEXT" if isinstance(value, bytes) else "BLOB"
            sql = f"UPDATE journal SET {name} = CAST({name} AS {other}) WHERE n = ?"
            yield f"{name} of {row.n}: as {other}", [(sql, where)]
            tail = "x'00'" if isinstance(value, bytes) else "char(0)"
            sql = f"UPDATE journal SET {name} = {name} || {tail} WHERE n = ?"
            yield f"{name} of {row.n}: longer", [(sql, where)]


def _flip(value: Any, rng: random.Random) -> Any:
    data = bytearray(value if isinstance(value, bytes) else value.encode())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(7)
    return bytes(data) if isinstance(value, bytes) else data.decode()


def numbers(kept: list[Row], rng: random.Random) -> Iterator[Alteration]:
    """Rows taken out, copied, exchanged, renumbered, put in between, cut off."""
    end = kept[-1].n
    move = "UPDATE journal SET n = ? WHERE n = ?"
    for row in kept:
        yield f"without {row.n}", [("DELETE FROM journal WHERE n = ?", (row.n,))]
        yield (
            f"without {row.n}, closed up",
            [
                ("DELETE FROM journal WHERE n = ?", (row.n,)),
                *_shift(row.n + 1, -1),
            ],
        )
        for to in (end + 1, end + 2, 0, -row.n, 2**62):
            yield f"{row.n} becomes {to}", [(move, (to, row.n))]
        for to in (end + 1, 0, -1):
            yield f"{row.n} again as {to}", [_insert(row._replace(n=to))]
        yield f"{row.n} twice", [*_shift(row.n + 1, 1), _insert(row._replace(n=row.n + 1))]
    for _ in range(60):
        one, two = rng.sample(kept, 2)
        steps = ((-1, one.n), (one.n, two.n), (two.n, -1))
        yield f"{one.n} and {two.n} exchanged", [(move, step) for step in steps]
        old, new = one.body, two.body
        sql = "UPDATE journal SET body = ? WHERE n = ?"
        yield f"bodies of {one.n} and {two.n}", [(sql, (new, one.n)), (sql, (old, two.n))]
    for first in range(1, end + 1, 7):
        yield (
            f"empty row before {first}",
            [
                *_shift(first, 1),
                ("INSERT INTO journal(n) VALUES(?)", (first,)),
            ],
        )
    yield "no rows", [("DELETE FROM journal", ())]
    yield "all renumbered", [*_shift(1, 1)]


def tails(kept: list[Row]) -> Iterator[Alteration]:
    """The end, cut off."""
    for n in range(len(kept) - 1):
        yield f"after {n + 1} all gone", [("DELETE FROM journal WHERE n > ?", (n + 1,))]


# --- with every hash made anew --------------------------------------------------------------------
def rechained(
    kept: list[Row], rng: random.Random, strangers: list[Row]
) -> Iterator[tuple[str, int, list[Row]]]:
    """What was done, to which row, and the rows as they are then: the chain holds in all of them.

    `strangers`: rows of other journals, to be put in.
    """
    for place, row in enumerate(kept):
        before, after = kept[:place], kept[place + 1 :]
        yield f"without {row.n}", row.n, chained([*before, *after])
        yield f"{row.n} twice", row.n + 1, chained([*before, row, row, *after])
        changes: list[tuple[str, Any]] = [("utc", "2026-02-30T25:61:61Z"), ("kind", "employee")]
        changes.append(("body", _flip(row.body, rng)))
        for name, value in changes:
            altered = row._replace(**{name: value})
            yield f"{name} of {row.n}", row.n, chained([*before, altered, *after])
        other = rng.choice(after) if after else kept[2]
        if other.n > row.n:
            swapped = [{row.n: other, other.n: row}.get(each.n, each) for each in kept]
            yield f"{row.n} and {other.n} exchanged", row.n, chained(swapped)
        for stranger in rng.sample(strangers, 4):
            yield (
                f"a {stranger.kind} put before {row.n}",
                row.n,
                chained([*before, stranger, row, *after]),
            )
    for stranger in strangers:
        yield f"a {stranger.kind} at the end", kept[-1].n + 1, chained([*kept, stranger])


def chained(kept: list[Row]) -> list[Row]:
    """The same rows, numbered and hashed as if they had been written so."""
    at = rows.START
    made = []
    for row in kept:
        made.append(follow(at, row.utc, row.kind, row.body))
        at = made[-1].point
    return made


def replace(made: list[Row]) -> list[Statement]:
    """All rows exchanged for these."""
    return [("DELETE FROM journal", ()), *map(_insert, made)]


# --- the file -------------------------------------------------------------------------------------
SCHEMATA = (
    "CREATE TABLE more(n)",
    "CREATE INDEX more ON journal(utc)",
    "CREATE VIEW more AS SELECT * FROM journal",
    "CREATE TRIGGER more AFTER INSERT ON journal BEGIN DELETE FROM journal WHERE n = 1; END",
    "ALTER TABLE journal ADD COLUMN more",
    "ALTER TABLE journal RENAME COLUMN utc TO time",
    "DROP INDEX journal_kind",
    "ANALYZE",
    "PRAGMA application_id = 7",
    "PRAGMA application_id = 0",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 2",
    "PRAGMA user_version = 4294967295",
)


def apply(path: Path, statements: list[Statement]) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for sql, values in statements:
            connection.execute(sql, values)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _insert(row: Row) -> Statement:
    return "INSERT INTO journal VALUES(?, ?, ?, ?, ?)", tuple(row)


def _shift(first: int, by: int) -> list[Statement]:
    """Every row from `first` on gets another number."""
    far = 2**40
    return [
        ("UPDATE journal SET n = n + ? WHERE n >= ?", (far, first)),
        ("UPDATE journal SET n = n - ? WHERE n >= ?", (far - by, far)),
    ]
