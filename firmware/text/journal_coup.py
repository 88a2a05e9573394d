"""Finds things in a journal that its controller may be writing: a coup's rows, the last rows."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.lib.errors import FAILED, Failure
from firmware.store import source_hash
from firmware.store.database import last_point, reading, select
from firmware.store.reader import corrected, decoded, end_of
from firmware.store.rows import JournalError, Row

EVIDENCE = "evidence"
_NOT_OWN = (record.CORRECTION, record.CHECKPOINT, EVIDENCE)
_BETWEEN = 3  # rows from a record back to its evidence: a checkpoint may come in between


class Entry(NamedTuple):
    """A row, and its body as the core made it."""

    row: Row
    body: Any


class Correction(NamedTuple):
    """A correction with its evidence, None if that is not there."""

    said: Entry
    evidence: Any


class Lead(NamedTuple):
    """How long before the ball left a call began, as the coup measured it; None: not known."""

    coup: int
    track_us: int | None  # until a beam saw it in the track last
    drop_us: int | None  # until it was known to have left


class Coup(NamedTuple):
    """All that a journal has of a coup that has ended, in the order of its rows."""

    entries: tuple[Entry, ...]  # of its own time; the end is the last
    evidence: Any  # of its end; {} if that is not there
    corrections: tuple[Correction, ...]
    lists: dict[str, int]  # of firmware hashes: the number of the list that each stands for

    @property
    def end(self) -> Entry:
        """Returns the result or void as it was recorded first."""
        return self.entries[-1]

    @property
    def stands(self) -> dict[str, Any]:
        """Returns the body of what stands for it now."""
        body: dict[str, Any] = self.end.body
        for correction in self.corrections:
            body = corrected(body, correction.said.body)
        return body


def find(path: Path, coup: int) -> Coup:
    """Returns all that the journal has of a coup. Raises Failure: none such, or not ended."""
    try:
        with reading(path) as connection:
            end = end_of(path, connection, coup)
            if end is None:
                raise Failure(FAILED, _missing(path, connection, coup))
            entries = _entries(path, connection, end)
            return Coup(
                entries=(*entries, Entry(end, decoded(path, end).body)),
                evidence=_evidence(path, connection, end) or {},
                corrections=_corrections(path, connection, coup),
                lists=_lists(path, connection),
            )
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error


def lead(said: dict[str, Any]) -> Lead:
    """Returns what the evidence of a coup says of it; a late call's is negative."""
    call, drop = said.get("call"), said.get("drop")
    if not call or not drop or None in (call["at_us"], drop["at_us"]):
        return Lead(said["coup"], None, None)
    seen_us = drop.get("seen_us")  # records of before 2026-11-27 have none
    track_us = None if seen_us is None else seen_us - call["at_us"]
    return Lead(said["coup"], track_us, drop["at_us"] - call["at_us"])


def last_leads(path: Path, count: int) -> list[Lead]:
    """Returns those of the last calls whose ball was known to leave, newest first. Raises
    Failure."""
    # Of a correction, and of a coup without a call, there is evidence too.
    where = f"WHERE kind = ? ORDER BY n DESC LIMIT {4 * count}"
    try:
        with of_its_kind(path), reading(path) as connection:
            found = [lead(decoded(path, row).body) for row in select(connection, where, EVIDENCE)]
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    return [each for each in found if each.drop_us is not None][:count]


def last_rows(path: Path, count: int, after: int = 0) -> list[Entry]:
    """Returns the last rows above `after`, oldest first. Raises Failure."""
    try:
        with reading(path) as connection:
            start = max(after, last_point(connection).n - count)
            found = select(connection, f"WHERE n > ? ORDER BY n LIMIT {count}", start)
            return [Entry(row, decoded(path, row).body) for row in found]
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error


@contextlib.contextmanager
def of_its_kind(path: Path) -> Iterator[None]:
    """Refuses a body that lacks what its kind has: no wheel has written it. Raises Failure."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Failure(
            FAILED,
            f"{path}: a row there is not as a wheel writes it. See which with cylindre journal"
            " verify.",
        ) from error


def corrections(path: Path) -> dict[int, list[Entry]]:
    """Returns every correction, by the coup it corrects. Raises JournalError."""
    found: dict[int, list[Entry]] = {}
    with reading(path) as connection:
        for row in select(connection, "WHERE kind = ? ORDER BY n", record.CORRECTION):
            body = decoded(path, row).body
            found.setdefault(body["coup"], []).append(Entry(row, body))
    return found


def _entries(path: Path, connection: sqlite3.Connection, end: Row) -> list[Entry]:
    """The rows from the end before to this one that are of the coup."""
    coup = decoded(path, end).body["coup"]
    before = 0
    for kind in record.ENDS:
        where = "WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT 1"
        for row in select(connection, where, kind, end.n):
            before = max(before, row.n)
    found = select(connection, "WHERE n > ? AND n < ? ORDER BY n", before, end.n)
    own = [row for row in found if row.kind not in _NOT_OWN]
    entries = [Entry(row, decoded(path, row).body) for row in own]
    # A card table calls the coup a round.
    # A card table calls it a round.
    return [
        entry
        for entry in entries
        if coup in (_value(entry.body, "coup"), _value(entry.body, "round"))
    ]


def _value(body: Any, key: str) -> Any:
    """What stands there; of an altered row the body may be anything."""
    return body.get(key) if isinstance(body, dict) else None


def _evidence(path: Path, connection: sqlite3.Connection, end: Row) -> Any:
    """What stands just before a record to explain it, or None."""
    seq = decoded(path, end).body["seq"]
    first = end.n - _BETWEEN
    found = select(connection, "WHERE n >= ? AND n < ? ORDER BY n DESC", first, end.n)
    for row in found:
        if row.kind == EVIDENCE:
            body = decoded(path, row).body
            if _value(body, "seq") == seq:
                return body
    return None


def _corrections(path: Path, connection: sqlite3.Connection, coup: int) -> tuple[Correction, ...]:
    found = []
    for row in select(connection, "WHERE kind = ? ORDER BY n", record.CORRECTION):
        body = decoded(path, row).body
        if body["coup"] == coup:
            found.append(Correction(Entry(row, body), _evidence(path, connection, row)))
    return tuple(found)


def _lists(path: Path, connection: sqlite3.Connection) -> dict[str, int]:
    """The list that each firmware hash stands for, as far as rows of the software name it."""
    found: dict[str, int] = {}
    for row in select(connection, "WHERE kind = ?", source_hash.KIND):
        body = decoded(path, row).body
        found[str(_value(body, "firmware"))] = int(_value(body, "list") or 0)
    return found


def _missing(path: Path, connection: sqlite3.Connection, coup: int) -> str:
    """Why there is no such coup to explain."""
    last = 0
    for kind in record.ENDS:
        for row in select(connection, "WHERE kind = ? ORDER BY n DESC LIMIT 1", kind):
            last = max(last, decoded(path, row).body["coup"])
    if coup > last:
        known = f"the last that has ended is {last}" if last else "none has ended yet"
        return f"{path}: coup {coup} has not ended; {known}."
    return f"{path}: there is no coup {coup}. See which there are with cylindre journal export."
