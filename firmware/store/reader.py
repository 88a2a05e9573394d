"""What a journal says, read while its controller may be writing it. Nothing here changes it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus import card_record, record
from firmware.stakes import card_kinds
from firmware.stakes.accounts import ACCOUNT, CLOSING, FOLDED, Accounts, Refused
from firmware.stakes.seal import BrokenSeal
from firmware.store import rows as journal_rows
from firmware.store.checked_lines import Row as Decoded
from firmware.store.database import chunks, damaged, last_point, reading, select
from firmware.store.replay_state import Recall
from firmware.store.round_record import RecordedEnds
from firmware.store.rows import Row
from firmware.store.startup_check import Keys, recalled


class Played(NamedTuple):
    """A coup that was played to its number."""

    coup: int
    number: int
    colour: str


def rows(path: Path, after: int = 0) -> Iterator[Row]:
    """Returns every row above `after`, in their order, as it lies there: verify.py says what is
    wrong.

    Raises JournalError if the file is no journal or cannot be read.
    """
    with reading(path) as connection:
        for chunk in chunks(connection, after):
            yield from chunk


def decoded(path: Path, row: Row) -> Decoded:
    """Returns a row with its body as the core made it, see rows.decoded. Raises JournalError."""
    try:
        return journal_rows.decoded(row)
    except (ValueError, RecursionError) as error:
        raise damaged(path, row.n) from error


def recall(path: Path) -> Recall:
    """Returns all that is remembered of it. Raises JournalError if it is damaged or unreadable."""
    with reading(path) as connection:
        return recalled(path, connection)


def keys(path: Path) -> Keys:
    """Returns which key signs which row, and the rotations. Raises JournalError."""
    with reading(path) as connection:
        return Keys(path, connection)


def played(path: Path, after: int) -> list[Played]:
    """Returns the results of the coups above `after`, in their order, corrections applied.

    Raises JournalError as `recall`.
    """
    found: dict[int, Played] = {}
    with reading(path) as connection:
        first = _end_from(path, connection, after + 1)
        ends = [] if first is None else _ends(connection, first.n)
        corrections = select(connection, "WHERE kind = ?", record.CORRECTION)
        for row in sorted([*ends, *corrections]):
            body = decoded(path, row).body
            if body["coup"] <= after:
                continue
            if "number" in body:
                found[body["coup"]] = Played(body["coup"], body["number"], body["colour"])
            else:
                found.pop(body["coup"], None)
    return [found[coup] for coup in sorted(found)]


def accounts(path: Path) -> Accounts:
    """Returns the players' accounts, folded from the last closing on. Raises JournalError."""
    found = Accounts()
    with reading(path) as connection:
        last = "WHERE kind = ? ORDER BY n {} LIMIT 1"
        began = select(connection, last.format("DESC"), CLOSING) or select(
            connection, last.format("ASC"), ACCOUNT
        )
        if not began:
            return found
        where = "WHERE kind = ? AND n < ? ORDER BY n"
        opened = select(connection, where, ACCOUNT, began[0].n)
        where = f"WHERE n >= ? AND kind IN ({', '.join('?' * len(FOLDED))}) ORDER BY n"
        ends = RecordedEnds()
        for row in [*opened, *select(connection, where, began[0].n, *FOLDED)]:
            try:
                for kind, body in ends.add(decoded(path, row)):
                    found.add_row(kind, body)
            except (Refused, BrokenSeal, KeyError, TypeError, ValueError, AttributeError) as error:
                raise damaged(path, row.n) from error
    return found


def of_kind(path: Path, kind: str) -> list[Decoded]:
    """Returns the rows of that kind, newest first. Raises JournalError."""
    with reading(path) as connection:
        found = select(connection, "WHERE kind = ? ORDER BY n DESC", kind)
    return [decoded(path, row) for row in found]


def epochs(path: Path) -> list[tuple[str, int]]:
    """Returns the wheel and number of each epoch that the journal has. Raises JournalError."""
    with reading(path) as connection:
        found = select(connection, "WHERE kind = ? ORDER BY n", record.EPOCH)
    said = [record.parse(row.body) for row in found]
    return [(one.wheel, one.epoch) for one in said if one is not None]


class Sealed(NamedTuple):
    """The stakes that were sealed at a coup's call, None where none were; and its ends: as it was
    recorded, then as each correction left it."""

    stakes: Any
    ends: tuple[Any, ...]


def sealed(path: Path, coup: int) -> Sealed:
    """Returns a coup's stakes and end.

    Raises JournalError as `recall`, and if a row of the coup is missing.
    """
    stakes = None
    with reading(path) as connection:
        before, last = _end_from(path, connection, coup - 1), end_of(path, connection, coup)
        if before == last:  # no coup before it: from the first row on
            before = None
        for row in _whole(path, connection, before, last):
            if row.kind == "stakes" and decoded(path, row).body["coup"] == coup:
                stakes = decoded(path, row).body
        if last is None:
            return Sealed(stakes, ())
        found = {coup: Sealed(stakes, (decoded(path, last).body,))}
        return _corrected(path, connection, found)[coup]


def round_rows(path: Path, number: int) -> list[Row]:
    """Returns the rows of a round of cards, from its beginning to the next one's, and before them
    what the shoe said last; none where the round has not ended.

    Raises JournalError as `recall`, and if a row between them is missing.
    """
    with reading(path) as connection:
        last = end_of(path, connection, number)
        if last is None:
            return []
        before, after = [_end_from(path, connection, number + step) for step in (-1, 1)]
        found: list[Row] = []
        for row in _whole(path, connection, None if before == last else before, after):
            if row.kind == card_kinds.ROUND:
                begun = decoded(path, row).body["round"]
                if begun > number:
                    break
                if begun == number:
                    found = [row]
            elif found:
                found.append(row)
        if not found:
            return []
        where = "WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT 1"
        return select(connection, where, card_kinds.SHOE, found[0].n) + found


def last_round(path: Path) -> int:
    """Returns the round of cards begun last, ended or not; 0: none. Raises JournalError."""
    with reading(path) as connection:
        rows = select(connection, "WHERE kind = ? ORDER BY n DESC LIMIT 1", card_kinds.ROUND)
        return int(decoded(path, rows[0]).body["round"]) if rows else 0


def sealed_between(path: Path, begin_utc: str, end_utc: str) -> dict[int, Sealed]:
    """Returns the coups for which stakes were sealed from `begin_utc` on and before `end_utc`, in
    their order, with no end where one has not ended. Times are as clock.text writes them.

    Raises JournalError as `recall`, and if a row between them is missing.
    """
    found: dict[int, Sealed] = {}
    with reading(path) as connection:
        where = "WHERE kind = 'stakes' AND utc >= ? AND utc < ? ORDER BY n"
        rows = select(connection, where, begin_utc, end_utc)
        for row in rows:
            body = decoded(path, row).body
            if body["stakes"]:
                found[body["coup"]] = Sealed(body, ())
        if not found:
            return found
        last = end_of(path, connection, max(found))
        for row in _whole(path, connection, rows[0], last):
            if row.kind in record.ENDS:
                end = decoded(path, row).body
                if end["coup"] in found:
                    found[end["coup"]] = Sealed(found[end["coup"]].stakes, (end,))
        return _corrected(path, connection, found)


def rounds_between(path: Path, begin_utc: str, end_utc: str) -> list[int]:
    """Returns the rounds of cards for which stakes were sealed between these times, in their order,
    as `sealed_between`. Raises JournalError as `recall`.
    """
    with reading(path) as connection:
        where = "WHERE kind = ? AND utc >= ? AND utc < ? ORDER BY n"
        rows = select(connection, where, card_kinds.STAKES, begin_utc, end_utc)
        bodies = [decoded(path, row).body for row in rows]
    return [body["round"] for body in bodies if body["stakes"]]


def _corrected(
    path: Path, connection: sqlite3.Connection, found: dict[int, Sealed]
) -> dict[int, Sealed]:
    """Returns these coups with the corrections of each, whenever they came."""
    for row in select(connection, "WHERE kind = ? ORDER BY n", record.CORRECTION):
        body = decoded(path, row).body
        was = found.get(body["coup"])
        if was is not None and was.ends:
            found[body["coup"]] = Sealed(was.stakes, (*was.ends, corrected(was.ends[-1], body)))
    return found


def end_of(path: Path, connection: sqlite3.Connection, coup: int) -> Row | None:
    """Returns the result or void of a coup as it was first recorded. Raises JournalError."""
    row = _end_from(path, connection, coup)
    return None if row is None or decoded(path, row).body["coup"] != coup else row


def _end_from(path: Path, connection: sqlite3.Connection, coup: int) -> Row | None:
    """Returns the end of the first coup not below `coup`.

    They end in their order, so by halving.
    """
    low, high = 1, last_point(connection).n
    found = None
    while low <= high:
        middle = (low + high) // 2
        row = min(_ends(connection, middle, "LIMIT 1"), default=None)
        if row is None or row.n > high or row.n < middle:  # which only a damaged file has
            high = middle - 1
        elif decoded(path, row).body["coup"] < coup:
            low = row.n + 1
        else:
            found = row
            high = middle - 1
    return found


def _ends(connection: sqlite3.Connection, n: int, limit: str = "") -> list[Row]:
    """Results and voids from row `n` on; with a limit, of each."""
    where = f"WHERE kind = ? AND n >= ? ORDER BY n {limit}"
    return [row for kind in record.ENDS for row in select(connection, where, kind, n)]


def _whole(
    path: Path, connection: sqlite3.Connection, first: Row | None, last: Row | None
) -> list[Row]:
    """Returns the rows between two (None: from the first, to the last).

    Raises JournalError for a gap.
    """
    found: list[Row] = []
    for chunk in chunks(connection, 0 if first is None else first.n - 1):
        for row in chunk:
            if found and not journal_rows.is_whole(row, found[-1].point):
                raise damaged(path, found[-1].n + 1)
            found.append(row)
            if row == last:
                return found
    return found


def corrected(end: dict[str, Any], correction: dict[str, Any]) -> dict[str, Any]:
    """Returns what stands for a coup or a round after a correction: as before, but for the outcome
    itself."""
    outcome = ("number", "compartment", "colour", "reason", *card_record.OUTCOME)
    found = {name: value for name, value in end.items() if name not in outcome}
    found |= {name: correction[name] for name in outcome if name in correction}
    return found | {"seq": correction["seq"], "corrects": correction["corrects"]}
