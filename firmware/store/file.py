"""The journal as a file of JSON lines; a thread of its own writes it.

One line is written and synced before the next begins, so a power cut or a full disk can tear the
last line only.
A torn last line was never acknowledged, and is cut off; any other damage is for a person to judge.
Cost: one fsync a record, three records a coup.
"""

import fcntl
import os
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

from firmware.core.controller import Memory
from firmware.store.lines import Damaged, Row, encode, fold
from firmware.store.recall import Outcome, Recall

RETRY_S = 0.5  # between two attempts on a full or failing disk
WRITE_S = 10.0  # a card that is worn out may take seconds
WAITING_MAX = 10_000  # records; a disk that fails for longer than that many is not coming back


class JournalError(Exception):
    """The journal cannot be used; the text says why and what to do."""


class FileStore:
    """Makes records durable in one file, which it alone may write."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file, replays it, and starts the writer.

        Raises JournalError if it cannot be opened, is in use, or is damaged.
        """
        self.path = path
        self.notice: str | None = None
        self._file = _open(path)
        try:
            recall, self._end, self._n, self.notice = _replay(self._file, path)
            os.ftruncate(self._file, self._end)
        except OSError as error:
            os.close(self._file)
            why = error.strerror or str(error)
            raise JournalError(f"{path}: {why}. Check the disk.") from error
        except JournalError:
            os.close(self._file)
            raise
        self.memory: Memory = recall.memory
        self.outcomes: tuple[Outcome, ...] = recall.outcomes
        self.stakes = recall.stakes
        self.openings = recall.openings
        self.played_at = recall.played_at
        self._trouble: str | None = None
        self._lost: str | None = None  # a record was turned away: its ticket never comes
        self._waiting: deque[tuple[int, str, Any]] = deque()
        self._done: deque[int] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._attempts = 0
        self._attempts_seen = 0
        self._writer = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._writer.start()

    def put(self, ticket: int, kind: str, body: Any) -> None:
        """Takes a record for writing; `done` names its ticket once it is durable."""
        if len(self._waiting) >= WAITING_MAX:
            self._lost = f"{self.path}: {WAITING_MAX} records wait already."
            return
        with self._changed:
            self._waiting.append((ticket, kind, body))
            self._changed.notify_all()

    def write(self, kind: str, body: Any, patience_s: float = WRITE_S) -> None:
        """Before the loop runs: makes one record durable. Raises JournalError if it does not go."""
        self.put(0, kind, body)
        with self._changed:
            written = self._changed.wait_for(lambda: bool(self._done), patience_s)
        if not written:
            why = self.trouble() or f"{self.path}: not written in {patience_s:g} s."
            raise JournalError(f"{why} Free or replace the storage.")
        self._done.clear()

    def done(self) -> tuple[int, ...]:
        """Tickets that became durable since the last call."""
        if not self._done:
            return ()
        tickets = []
        while self._done:
            tickets.append(self._done.popleft())
        return tuple(tickets)

    def trouble(self) -> str | None:
        """A sentence if writing fails now, else None."""
        return self._lost or self._trouble

    def awake(self) -> bool:
        """Whether the writer got through something since the last call, or has nothing to do.

        A full disk is not sleep: it is tried again and again, and a restart would not help it.
        A record that was turned away is: what waits for it, a restart alone sets free.
        """
        seen, self._attempts_seen = self._attempts_seen, self._attempts
        return self._lost is None and (not self._waiting or seen != self._attempts)

    def close(self, patience_s: float = 1.0) -> None:
        """Writes what waits, for `patience_s` at most, and closes. May be called twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._writer.join(patience_s)
        if not self._writer.is_alive() and self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _write_all(self) -> None:
        """The thread: one record after the other, each until it is durable."""
        while True:
            with self._changed:
                while not self._waiting and not self._closing:
                    self._changed.wait()
                if not self._waiting:
                    return
                ticket, kind, body = self._waiting[0]
            line = encode(Row(self._n + 1, utc(), kind, body))
            try:
                self._append(line)
            except OSError as error:
                self._attempts += 1
                self._trouble = f"{self.path}: {error.strerror}."  # fault S10 says what to do
                with self._changed:
                    if self._closing:
                        return
                    self._changed.wait(RETRY_S)
                continue
            self._attempts += 1
            self._trouble = None
            self._n += 1
            self._waiting.popleft()
            self._done.append(ticket)
            with self._changed:
                self._changed.notify_all()  # `write` waits for it

    def _append(self, line: bytes) -> None:
        """Writes one line durably, or raises OSError; then what it left is overwritten next time.

        Always the whole line at its place: after a failed fsync nobody knows what is there.
        """
        written = 0
        while written < len(line):
            written += os.pwrite(self._file, line[written:], self._end + written)
        os.fsync(self._file)
        self._end += len(line)


def damaged(path: Path, n: int) -> str:
    """What to do about a journal whose n-th line is damaged."""
    return (
        f"{path}:{n}: this line is damaged. Keep the file for inspection, and restore a copy or"
        " start a new journal."
    )


def utc() -> str:
    """The time that goes into a line."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        made = not path.exists()
        if not made and not path.is_file():  # not even opened: /dev/watchdog would start to bark
            raise JournalError(f"The journal {path} is no regular file. Give another --journal.")
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
    except OSError as error:
        raise JournalError(f"Cannot open the journal {path}: {error.strerror}.") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if made:
            sync_folder(path.parent)
    except BlockingIOError as error:
        os.close(file)
        raise JournalError(
            f"Another controller writes the journal {path}. Stop it, or give another --journal."
        ) from error
    except OSError as error:
        os.close(file)
        raise JournalError(f"Cannot use the journal {path}: {error.strerror}.") from error
    return file


def sync_folder(folder: Path) -> None:
    """Makes the name of a new file durable; without it a power cut could lose the whole file."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _replay(file: int, path: Path) -> tuple[Recall, int, int, str | None]:
    """Folds all lines. Returns what is recalled, where to go on writing, the last n, a notice."""
    recall = Recall()
    with os.fdopen(os.dup(file), "rb") as lines:
        try:
            read = fold(lines, recall.take)
        except Damaged as error:
            raise JournalError(damaged(path, error.n)) from error
    notice = f"{path}:{read.n + 1}: cut off a last line that was never finished."
    return recall, read.end, read.n, notice if read.torn else None
