"""The journal's file: one SQLite table, written by one process, read by any (CPython).

Rollback journal, not WAL: what is committed lies in the one file, so a copy or a torn file is the
whole truth, and there is one more file only while a commit is on its way. Every commit is synced
before the next begins (synchronous=EXTRA). Measured here: .7 ms a commit, WAL .3 ms.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from firmware.lib.as_owner import Owner, acting_as, foreign_owner
from firmware.lib.errors import sentence
from firmware.lib.named_file import open_named
from firmware.lib.private_copy import copy_file
from firmware.store.rest_file import rest_of, want_fit
from firmware.store.rows import (
    APPLICATION_ID,
    COLUMNS,
    SCHEMA,
    START,
    VERSION,
    JournalError,
    Point,
    Row,
)

HEADER = 100  # bytes, of which: magic at 0, version at 60, application id at 68
MAGIC = b"SQLite format 3\x00"
_MODES = slice(18, 20)  # how it is written and read
_ROLLED_BACK = b"\x01\x01"  # not by a write-ahead log
READERS_BUSY_S = 5.0  # a commit on a slow card
CHUNK = 256  # rows read at once, some ms: meanwhile the writer waits
RESTS_MAX = 32  # times a journal's size: what is beside it, of the largest sectors that there are
# Of a read-only connection that finds a commit which a crash left half done.
_UNFINISHED = ("SQLITE_READONLY_ROLLBACK", "SQLITE_READONLY_RECOVERY", "SQLITE_CANTOPEN")
# fmt: off
_WHY = (
    ("SQLITE_FULL", "no space is left on the storage"),
    ("SQLITE_READONLY", "it can only be read"),
    ("SQLITE_BUSY", "another program keeps it locked"),
    ("SQLITE_IOERR", "the storage fails (input/output error)"),
    ("SQLITE_CANTOPEN", "it cannot be opened"),
    ("SQLITE_CORRUPT", "it is damaged"),
    ("SQLITE_NOTADB", "it is damaged"),
)
# fmt: on


def why(error: sqlite3.Error | OSError) -> str:
    """Returns what is wrong, for a sentence."""
    if isinstance(error, OSError):
        return sentence(error)
    name = getattr(error, "sqlite_errorname", "")
    for known, words in _WHY:
        if name.startswith(known):
            return words
    return str(error)


def foreign(path: Path) -> JournalError:
    """Returns what to say of a file that is none of ours."""
    return JournalError(f"{path} is no journal of a wheel. Give another, or move it away.")


def damaged(path: Path, n: int) -> JournalError:
    """Returns what to say of a journal whose n-th row is not as it was written."""
    return JournalError(
        f"{path}: row {n} is missing or was changed. Keep the file for inspection, and restore a"
        " copy or start a new journal."
    )


def check_header(path: Path, application_id: int, version: int) -> None:
    """Checks that these are of a journal that this software knows. Raises JournalError."""
    if application_id != APPLICATION_ID:
        raise foreign(path)
    if version != VERSION:
        raise JournalError(
            f"{path} is a journal of version {version}, this is version {VERSION}: install the"
            " newer software."
        )


def want_alone(path: Path) -> None:
    """Checks that SQLite reads no other file in the journal's place. Raises JournalError."""
    for end in ("-wal", "-shm"):
        try:
            about = os.lstat(f"{path}{end}")
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(about.st_mode) or (end == "-wal" and about.st_size):
            raise JournalError(
                f"Beside {path} lies {path.name}{end}, of a write-ahead log as of another mode than"
                " a wheel's, which SQLite would read in its place. Move it away, and keep it for"
                " inspection."
            )


def want_ours(path: Path, header: bytes) -> None:
    """Checks that the file begins as our journals do. Raises JournalError.

    Before SQLite opens it, which in another mode would make files beside it.
    """
    if len(header) < HEADER or not header.startswith(MAGIC):
        raise foreign(path)
    check_header(path, _number(header, 68), _number(header, 60))
    if header[_MODES] != _ROLLED_BACK:
        raise other_mode(path)


def _number(header: bytes, at: int) -> int:
    return int.from_bytes(header[at : at + 4], "big")


def other_mode(path: Path) -> JournalError:
    """Returns what to say of a journal that is to be read from a write-ahead log."""
    return JournalError(
        f"{path} was put into another mode (WAL) than a wheel's: somebody has altered it. Keep it"
        " and what lies beside it for inspection, and restore a copy or start a new journal."
    )


def text(data: bytes) -> str:
    """Returns text as it lies there; of an altered row it may be anything."""
    return data.decode(errors="replace")


def connect(
    path: Path, handle: int, mode: str, timeout_s: float, name: Path | None = None
) -> sqlite3.Connection:
    """Opens a journal: the one place where SQLite is given one, once it and what is beside it fit.

    `handle`: of the journal, which stays the caller's. `mode`: SQLite's, ro or rw. `timeout_s`: how
    long it waits for who else has it locked. `name`: what it is called, if `path` is a copy. Raises
    JournalError, sqlite3.Error, OSError.
    """
    if os.fstat(handle).st_size or mode == "ro":  # else it is only being made
        want_ours(name or path, os.pread(handle, HEADER, 0))
    want_alone(path)
    want_fit(path, handle, name)
    found = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout_s,
        isolation_level=None,
        check_same_thread=False,
    )
    found.text_factory = text
    return found


def check_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Checks that the file holds our table and nothing else. Raises JournalError."""
    try:
        found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    except UnicodeDecodeError:  # SQLite's own complaint, quoting what it found
        found = []
    if sorted(found, key=str) != SCHEMA:
        raise JournalError(
            f"{path} holds other tables than a journal's: somebody has altered it. Keep it for"
            " inspection, and restore a copy or start a new journal."
        )


def last_point(connection: sqlite3.Connection) -> Point:
    """Returns where the chain ends."""
    found = connection.execute("SELECT n, hash FROM journal ORDER BY n DESC LIMIT 1").fetchone()
    return START if found is None else Point(*found)


def select(connection: sqlite3.Connection, rest: str, *values: object) -> list[Row]:
    """Returns the rows that `rest` of a SELECT names."""
    found = connection.execute(f"SELECT {COLUMNS} FROM journal {rest}", values)
    return [Row(*row) for row in found]


def chunks(connection: sqlite3.Connection, after: int = 0) -> Iterator[list[Row]]:
    """Returns all rows above `after` in their order, some at once; no lock is held in between."""
    while found := select(connection, f"WHERE n > ? ORDER BY n LIMIT {CHUNK}", after):
        before = after
        for row in found:
            if not isinstance(row.n, int) or row.n <= before:  # or it would never end
                raise JournalError(f"The journal is damaged: row {row.n} comes after {before}.")
            before = row.n
        yield found
        after = before


@contextlib.contextmanager
def reading(path: Path, *, any_schema: bool = False) -> Iterator[sqlite3.Connection]:
    """Opens the journal to read, which its controller may be writing. Changes nothing.

    `any_schema`: whoever reads checks that. Root has the rights of the journal's owner alone until
    it is closed. Raises JournalError for what is no journal, or cannot be read.
    """
    with contextlib.ExitStack() as stack:
        try:
            _want_there(path)
            connection = _reader(path, stack)
            if not any_schema:
                check_schema(path, connection)
            yield connection
        except UnicodeDecodeError as error:  # SQLite's own complaint, quoting what it found
            raise JournalError(f"Cannot read the journal {path}: it is damaged.") from error
        except (sqlite3.Error, OSError) as error:
            if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
                raise foreign(path) from error
            raise JournalError(f"Cannot read the journal {path}: {why(error)}.") from error


def _want_there(path: Path) -> None:
    """Raises JournalError, and OSError; a link is told later, as one."""
    try:
        kind = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        text = f"There is no journal {path}: no coup was played there. Give the table's."
        raise JournalError(text) from None
    if not stat.S_ISREG(kind) and not stat.S_ISLNK(kind):
        raise foreign(path)


def _reader(path: Path, stack: contextlib.ExitStack) -> sqlite3.Connection:
    there, owner = path, foreign_owner(path, rest_of(path))
    if owner is not None:
        with acting_as(owner):
            reaches = os.access(path, os.R_OK, effective_ids=True)
        if not reaches:  # the way to it is root's alone: its owner gets a copy
            there = _copied(path, path, stack, owner)
        stack.enter_context(acting_as(owner))
    try:
        return _open_reader(there, path, stack, "ro")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname not in _UNFINISHED:
            raise
    # What a crash left half done is taken back in a copy; in the journal its controller does.
    return _open_reader(_copied(there, path, stack), path, stack, "rw")


def _copied(
    path: Path, name: Path, stack: contextlib.ExitStack, owner: Owner | None = None
) -> Path:
    """Returns a copy of the journal and of what is beside it, where nobody else may write.

    `name`: what it is called. `owner`: whose both are, and the copy will be.
    """
    usual = tempfile.gettempdir()
    if not os.access(usual, os.W_OK | os.X_OK, effective_ids=True):
        usual = "/tmp"  # root's may be closed to whom it acts as
    made = tempfile.TemporaryDirectory(prefix="cylindre-", dir=usual)
    folder = Path(stack.enter_context(made))
    copy = folder / "journal"
    with os.fdopen(open_named(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        want_fit(path, file.fileno(), name)
    uid = None if owner is None else owner.uid
    copy_file(path, copy, size, uid)
    with contextlib.suppress(FileNotFoundError):
        copy_file(rest_of(path), rest_of(copy), RESTS_MAX * size, uid)
    if owner is not None:
        for each in (*folder.iterdir(), folder):
            os.chown(each, owner.uid, owner.gid)
    return copy


def _open_reader(
    path: Path, name: Path, stack: contextlib.ExitStack, mode: str
) -> sqlite3.Connection:
    handle = open_named(path)
    try:
        connection = connect(path, handle, mode, READERS_BUSY_S, name)
    finally:
        os.close(handle)
    stack.callback(connection.close)
    found = [connection.execute(f"PRAGMA {what}").fetchone()[0] for what in _IDS]
    check_header(name, *found[:2])
    if found[-1] == "wal":  # in a copy, of what a crash left
        raise other_mode(name)
    return connection


_IDS = ("application_id", "user_version", "journal_mode")
