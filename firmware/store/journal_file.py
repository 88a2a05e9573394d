"""The journal's file while it is ours alone to write: made, locked, appended to (CPython)."""

import contextlib
import fcntl
import os
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path

from firmware.lib.as_owner import foreign_owner
from firmware.lib.durable import sync_folder
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.named_file import NamedFileError, open_named
from firmware.store.database import (
    HEADER,
    check_schema,
    connect,
    last_point,
    want_alone,
    want_ours,
    why,
)
from firmware.store.rest_file import rest_of, want_fit
from firmware.store.rows import (
    APPLICATION_ID,
    COLUMNS,
    INDEX,
    TABLE,
    VERSION,
    JournalError,
    Point,
    Row,
)

BUSY_S = 2.0  # whoever reads as we do holds the file for some ms; another is told of as S10
MODE = 0o640  # an auditor of the group may read
_INSERT = f"INSERT INTO journal({COLUMNS}) VALUES(?, ?, ?, ?, ?)"


class Altered(Exception):
    """Somebody else has changed the file while it was ours; the text says so."""


class File:
    """The journal's file while it is ours alone to write. One thread at a time."""

    def __init__(self, path: Path, lock: int) -> None:
        """`lock`: the file, open and locked, which is closed last.

        (Closing any handle of a file gives up every lock of this process on it, SQLite's too.)
        """
        self.path = path
        self._lock = lock
        self._connection: sqlite3.Connection | None = None

    def connection(self) -> sqlite3.Connection:
        """Returns the connection, opened if need be.

        Raises sqlite3.Error, OSError, JournalError.
        """
        if self._connection is None:
            self._want_there()
            found = connect(self.path, self._lock, "rw", BUSY_S)
            try:
                check_schema(self.path, found)  # first: the rest needs it too
                _set_up(found)
            except BaseException:
                found.close()
                raise
            self._connection = found
        return self._connection

    def append(self, base: Point, rows: Sequence[Row]) -> None:
        """Makes rows durable that follow `base`; those already there are made durable again.

        Raises sqlite3.Error or OSError: then they may be there or not, and the same call may come
        again. Raises Altered if the file ends neither at `base` nor with these rows.
        """
        try:
            connection = self.connection()
            self._want_there()
            connection.execute("BEGIN IMMEDIATE")
            here = last_point(connection)
            if here == base:
                connection.executemany(_INSERT, rows)
            elif here == rows[-1].point:  # an attempt that failed had got through all the same
                connection.execute(f"PRAGMA user_version = {VERSION}")  # a write, synced as any
            else:
                raise Altered(
                    Message("row {n} is no longer the last: somebody has altered it.", n=base.n)
                )
            connection.execute("COMMIT")
        except (sqlite3.Error, Altered):
            # After a failed sync nobody knows what is there: it is read anew.
            self.disconnect()
            raise

    def disconnect(self) -> None:
        """Gives the connection up; the lock stays."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Gives everything up. May be called twice."""
        self.disconnect()
        if self._lock >= 0:
            with contextlib.suppress(OSError):
                if not rest_of(self.path).stat().st_size:
                    rest_of(self.path).unlink()
            os.close(self._lock)
            self._lock = -1

    def _want_there(self) -> None:
        """Raises OSError unless the path still names the file that is locked."""
        held, there = os.fstat(self._lock), os.lstat(self.path)
        if (held.st_dev, held.st_ino) != (there.st_dev, there.st_ino):
            raise OSError(0, Message("the file was taken away, and another put there"))


def open_file(path: Path) -> File | None:
    """Returns the journal, locked; None if there is none. Raises JournalError."""
    try:
        if not os.path.lexists(path):
            return None
        _want_own(path)
        handle = open_named(path, os.O_RDWR)  # what is no file is not even opened
    except NamedFileError as error:
        raise JournalError(
            Message("The journal {path} is no regular file. Give another --journal.", path=path)
        ) from error
    except OSError as error:
        raise JournalError(
            Message(
                "Cannot open the journal {path}: {why}.",
                path=path,
                why=cause(error),
            )
        ) from error
    try:
        _lock(path, handle)
        want_ours(path, os.pread(handle, HEADER, 0))
        want_alone(path)
        want_fit(path, handle)
    except OSError as error:
        os.close(handle)
        raise JournalError(
            Message(
                "Cannot read the journal {path}: {why}.",
                path=path,
                why=cause(error),
            )
        ) from error
    except JournalError:
        os.close(handle)
        raise
    return File(path, handle)


def _want_own(path: Path) -> None:
    """Raises JournalError for root where another user may have put what SQLite is led by.

    A journal is written for hours, and every commit may roll back: root has no user's rights then.
    """
    owner = foreign_owner(path, rest_of(path))
    if owner is not None:
        raise JournalError(
            Message(
                "The journal {path} is the user {name}'s, and root writes no other user's: do this"
                " as {name}, with runuser -u {name} before the command.",
                path=path,
                name=owner.name,
            )
        )


def make_file(path: Path, rows: Sequence[Row]) -> File:
    """Returns a new journal of these rows: it is there whole, and durable, or not at all.

    Raises JournalError.
    """
    new = path.with_name(path.name + ".new")
    handle = -1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _want_own(path)
        handle = os.open(new, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, MODE)
        _lock(path, handle)
        os.fchmod(handle, os.fstat(handle).st_mode & MODE)  # whoever left it there
        if os.path.lexists(path):
            raise JournalError(Message("Somebody has just made {path}. Start again.", path=path))
        _want_no_rest(path)
        want_alone(path)
        os.ftruncate(handle, 0)  # of an attempt that was cut short
        rest_of(new).unlink(missing_ok=True)
        _fill(new, handle, rows)
        rest_of(new).unlink(missing_ok=True)
        os.rename(new, path)
        sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        if handle >= 0:
            os.close(handle)
        raise JournalError(
            Message("Cannot make the journal {path}: {why}.", path=path, why=why(error))
        ) from error
    except JournalError:
        if handle >= 0:
            os.close(handle)
        raise
    return File(path, handle)


def _fill(new: Path, handle: int, rows: Sequence[Row]) -> None:
    connection = connect(new, handle, "rw", BUSY_S)
    try:
        _set_up(connection)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute(TABLE)
        connection.execute(INDEX)
        connection.executemany(_INSERT, rows)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _set_up(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = TRUNCATE")
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("PRAGMA cache_size = -512")  # KiB: a commit touches four pages


def _lock(path: Path, handle: int) -> None:
    """Raises JournalError if another controller has it; the kernel frees it when we are killed.

    SQLite's own locks are of another sort (POSIX, held while it commits) and do not meet this one.
    """
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise JournalError(
            Message(
                "Another controller writes the journal {path}. Stop it, or give another --journal.",
                path=path,
            )
        ) from error


def _want_no_rest(path: Path) -> None:
    """Raises JournalError if a commit of a journal that is gone was never finished."""
    rest = rest_of(path)
    try:
        about = os.lstat(rest)
    except FileNotFoundError:
        return
    if about.st_size or not stat.S_ISREG(about.st_mode):
        raise JournalError(
            Message(
                "{path} is gone, but {name} is left of it. Put the journal back where it was,"
                " or move that file away too.",
                path=path,
                name=rest.name,
            )
        )
    rest.unlink()
