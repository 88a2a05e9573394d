"""A journal at the start of its controller: whether it may be gone on with, and what it recalls.

The chain is checked as far back as a start may take; `cylindre journal verify` checks all of it.
What is recalled is found by its kind, so a start takes no longer after years of play.
"""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from firmware.bus import record
from firmware.bus.record import Record
from firmware.store import rows, signing, source_hash
from firmware.store.clock import Stamp
from firmware.store.database import chunks, damaged, last_point, select
from firmware.store.replay_state import Recall
from firmware.store.rows import JournalError, Point, Row

CHECKED_MAX = 30_000  # rows whose chain is checked, a week's: .1 s here, 1 s on the smallest board
OUTCOMES_KEPT = 32  # records at hand; a display may ask for any of the last 20


class Loaded(NamedTuple):
    """What a journal says at the start."""

    end: Point
    recall: Recall
    first: Record  # the epoch record that the journal begins with
    epoch: Record  # and the last of that kind
    key: bytes  # the public key that signs now
    rotations: tuple[bytes, ...]  # all, oldest first
    outcomes: tuple[tuple[int, bytes], ...]  # the last ones: seq and record
    latest: Stamp | None  # the last time that could be trusted


def load(path: Path, connection: sqlite3.Connection) -> Loaded:
    """Returns what the journal says. Raises JournalError where it is not as it was written."""
    end, last_outcome = _check_chain(path, connection)
    if end.n == 0:
        raise damaged(path, 1)
    keys = Keys(path, connection)
    outcomes = _last(connection, record.OUTCOMES, OUTCOMES_KEPT)
    if last_outcome is not None and (not outcomes or outcomes[-1].n != last_outcome):
        raise damaged(path, last_outcome)  # the index does not know it
    signed = _check_signed(path, connection, keys, outcomes)
    return Loaded(
        end=end,
        recall=recalled(path, connection, outcomes),
        first=keys.first,
        epoch=keys.epoch,
        key=keys.last,
        rotations=keys.rotations,
        outcomes=tuple((found.seq, row.body) for row, found in signed),
        latest=_latest([found for _, found in signed]),
    )


def recalled(
    path: Path, connection: sqlite3.Connection, outcomes: list[Row] | None = None
) -> Recall:
    """Returns all that is remembered of a journal. Raises JournalError for a body that is none."""
    if outcomes is None:
        outcomes = _last(connection, record.OUTCOMES, OUTCOMES_KEPT)
    end = _last(connection, record.ENDS, 1)  # however many corrections came since
    ended = end[0].n if end else 0
    stakes = _last(connection, ("stakes",), 1)
    found = [
        *outcomes,
        *end,
        *_of_kind(connection, record.CORRECTION),
        *_of_kind(connection, "opening"),
        *_of_kind(connection, "begun", ended),
        *_of_kind(connection, "actuation", ended),
        *_last(connection, (source_hash.KIND,), 1),
        *_last(connection, ("learned",), 1),
        *_last(connection, (record.EPOCH,), 1),
        *_last(connection, (record.RESULT,), 1),
        *stakes,
    ]
    if stakes:  # and how their coup ended: the next end in the file
        for kind in (record.RESULT, record.VOID):
            where = "WHERE kind = ? AND n > ? ORDER BY n LIMIT 1"
            found += select(connection, where, kind, stakes[0].n)
    recall = Recall()
    for row in sorted({row.n: row for row in found}.values()):
        try:
            recall.add_row(rows.decoded(row))
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise damaged(path, row.n) from error
    return recall


class Keys:
    """Which key signs which row: the first epoch's, then that of the last rotation before it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        """Raises JournalError. Trusts the first: whose it is, verify.py asks."""
        self._path = path
        changes = [*_of_kind(connection, record.EPOCH), *_of_kind(connection, record.ROTATION)]
        changes.sort()
        if not changes or changes[0].n != 1 or changes[0].kind != record.EPOCH:
            raise damaged(path, 1)
        self.first = self.epoch = self._parsed(changes[0])
        self._from = [(1, self.first.next_key)]
        rotations = []
        for row in changes[1:]:
            found = self._parsed(row)
            if row.kind == record.ROTATION:
                rotations.append(row.body)
            if found.epoch < self.first.epoch:  # carried over from the journal before
                continue
            if record.decode_signed(row.body, self.at(row.n), signing.verify) is None:
                raise damaged(path, row.n)
            if row.kind == record.EPOCH:
                self.epoch = found
            self._from.append((row.n + 1, found.next_key))
        self.rotations = tuple(rotations)

    @property
    def last(self) -> bytes:
        """Returns the public key that signs now."""
        found: bytes = self._from[-1][1]
        return found

    def at(self, n: int) -> bytes:
        """Returns the public key that signs row `n`."""
        found: bytes = [key for since, key in self._from if since <= n][-1]
        return found

    def _parsed(self, row: Row) -> Record:
        found = record.parse(row.body)
        if found is None or found.kind != row.kind:
            raise damaged(self._path, row.n)
        return found


def check_owner(path: Path, loaded: Loaded, *, wheel: str, game: str, key: bytes) -> None:
    """Checks that the journal is this wheel's, table's and key's. Raises JournalError."""
    first = loaded.first
    if first.wheel != wheel:
        raise JournalError(
            f"{path} is the journal of the wheel {first.wheel}, and this is {wheel}. Give its own"
            " --journal, or correct [wheel] id."
        )
    if first.game != game:
        raise JournalError(
            f"{path} is the journal of a {first.game} table, and this plays {game}. Give its own"
            " --journal."
        )
    if loaded.key != key:
        raise JournalError(
            f"{path} is signed by the key {record.key_id(loaded.key).hex()}, and these keys hold"
            f" {record.key_id(key).hex()}. Give the --keys it was written with, or a new journal."
        )


def _check_chain(path: Path, connection: sqlite3.Connection) -> tuple[Point, int | None]:
    """Returns where the chain ends, and the row of its last outcome seen. Raises JournalError."""
    for row in select(connection, "WHERE n < 1 ORDER BY n LIMIT 1"):
        raise damaged(path, row.n)
    end = last_point(connection)
    start = max(0, end.n - CHECKED_MAX)
    at = rows.START
    if start:
        found = select(connection, "WHERE n = ?", start)
        if not found:
            raise damaged(path, start)
        at = found[0].point
    last_outcome = None
    for chunk in chunks(connection, start):
        for row in chunk:
            if not rows.is_whole(row, at):
                raise damaged(path, at.n + 1)
            at = row.point
            if row.kind in record.OUTCOMES:
                last_outcome = row.n
    return at, last_outcome


def _check_signed(
    path: Path, connection: sqlite3.Connection, keys: Keys, outcomes: list[Row]
) -> list[tuple[Row, Record]]:
    """Returns the outcomes with their records, oldest first; each signed, and signing what lies
    before.
    """
    found: list[tuple[Row, Record]] = []
    for row in outcomes:
        said = record.decode_signed(row.body, keys.at(row.n), signing.verify)
        before = select(connection, "WHERE n = ?", row.n - 1)
        if said is None or said.kind != row.kind or not before:
            raise damaged(path, row.n)
        if said.prev != before[0].hash[:16]:
            raise damaged(path, row.n)
        if found:
            last, told = found[-1]
            if said.seq != told.seq + 1 or said.after != record.digest(last.body):
                raise damaged(path, row.n)
        found.append((row, said))
    return found


def _latest(outcomes: list[Record]) -> Stamp | None:
    """Returns the last time among them that could be trusted."""
    for said in reversed(outcomes):
        if said.quality >= record.UNSYNCHRONISED:
            return Stamp(said.utc, said.quality)
    return None


def _of_kind(connection: sqlite3.Connection, kind: str, after: int = 0) -> list[Row]:
    return select(connection, "WHERE kind = ? AND n > ? ORDER BY n", kind, after)


def _last(connection: sqlite3.Connection, kinds: tuple[str, ...], count: int) -> list[Row]:
    """Returns the last rows of some kinds together, oldest first."""
    found: list[Row] = []
    for kind in kinds:
        where = f"WHERE kind = ? ORDER BY n DESC LIMIT {count}"
        found += select(connection, where, kind)
    return sorted(found)[-count:]
