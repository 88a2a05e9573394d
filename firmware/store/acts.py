"""Technicians' acts as the journal has them: read by whoever is to carry one out (CPython).

An act is believed only as the wheel's key vouches for it: by the checkpoint that follows at once
(rows.VOUCHED), whatever else the file may say.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.lib.language import N_
from firmware.store import signing
from firmware.store.database import reading, select
from firmware.store.rows import ACT, Row, is_whole

# A supervisor knows of a notice of the wheel's health: "H12: why it plays on".
ACKNOWLEDGED = "acknowledged"
# Another croupier throws from now on: a number of the house's own list; 0: it is not said who.
SHIFT = "shift"
CROUPIER_MAX = 999
LOOKED_AT = 200  # acts, from the end: what was ordered longer ago is carried out no more


class ServiceAct(NamedTuple):
    """A kind of work on the wheel itself, as a technician records it.

    `done`: it in a word or two; `meaning`: a sentence, with what of the wheel's health begins anew.
    """

    what: str
    done: str
    meaning: str


# Those of firmware/core/health/facts.py; what each begins anew stands in watch.py there.
# fmt: off
SERVICE_ACTS = (
    ServiceAct("levelled", N_("levelled"),
               N_("The wheel was levelled: where the balls leave the track begins anew.")),
    ServiceAct("ball", N_("another ball"),
               N_("Another ball is played: how it slows, and its numbers, begin anew.")),
    ServiceAct("frets", N_("frets mended"),
               N_("Frets were fastened or exchanged: numbers and pockets begin anew.")),
    ServiceAct("cleaned", N_("pockets cleaned"),
               N_("The ring of pockets was cleaned: numbers and pockets begin anew.")),
    ServiceAct("rotor", N_("another rotor"),
               N_("The rotor was exchanged: numbers and pockets begin anew.")),
    ServiceAct("sensor", N_("ring sensor mended"),
               N_("A ring sensor, named in the note, was mended: what sensors see begins anew.")),
    ServiceAct("motor", N_("motor mended"),
               N_("Motor, drive or bearing was mended: how hard the motor works begins anew.")),
    ServiceAct("moved", N_("moved"),
               N_("The wheel stands elsewhere: where the balls leave the track begins anew.")),
)
# fmt: on


class Act(NamedTuple):
    """One act; `sha256`: of the file that it is about, in hexadecimal, or None."""

    n: int
    utc: str
    what: str
    who: str
    role: str
    detail: str
    sha256: str | None
    hash: str  # of the row, in hexadecimal


def last(path: Path, count: int = LOOKED_AT) -> list[Act]:
    """Returns the last acts, newest first; whether anybody vouches for them is not asked.

    Raises JournalError.
    """
    with reading(path) as connection:
        rows = select(connection, "WHERE kind = ? ORDER BY n DESC LIMIT ?", ACT, count)
    return [act for row in rows for act in _parsed(row)]


def acknowledged(path: Path, code: str, after: int, keys: Sequence[bytes]) -> bool:
    """Returns whether a fault of that code was acknowledged in a row above `after`, and one of the
    wheel's public keys vouches for it.

    Raises JournalError.
    """
    with reading(path) as connection:
        rows = select(connection, "WHERE kind = ? AND n > ? ORDER BY n DESC", ACT, after)
    return any(
        act.what == ACKNOWLEDGED and act.detail.startswith(f"{code}: ") and vouched(path, act, keys)
        for row in rows
        for act in _parsed(row)
    )


def vouched(path: Path, act: Act, keys: Sequence[bytes]) -> bool:
    """Returns whether one of the wheel's public keys has signed that the act stands where it does.

    Raises JournalError.
    """
    with reading(path) as connection:
        rows = select(connection, "WHERE n BETWEEN ? AND ? ORDER BY n", act.n - 1, act.n + 1)
    if [row.n for row in rows] != [act.n - 1, act.n, act.n + 1] or rows[1].kind != ACT:
        return False
    before, row, checkpoint = rows
    if _parsed_one(row) != act or checkpoint.kind != record.CHECKPOINT:
        return False
    said = record.parse(checkpoint.body)
    signed = any(record.decode_signed(checkpoint.body, key, signing.verify) for key in keys)
    chained = is_whole(row, before.point)
    return bool(signed and chained and said is not None and said.head == row.hash)


def _parsed(row: Row) -> Iterator[Act]:
    found = _parsed_one(row)
    if found is not None:
        yield found


def _parsed_one(row: Row) -> Act | None:
    """None for a body of another form."""
    try:
        said = json.loads(row.body)
        what, who, role, detail = (said[key] for key in ("what", "who", "role", "detail"))
        sha256 = said.get("sha256")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    words = (what, who, role, detail)
    if not all(isinstance(word, str) for word in words) or not isinstance(sha256, str | None):
        return None
    row_hash: Any = row.hash  # SQLite keeps anything in any column
    if not isinstance(row_hash, bytes):
        return None
    return Act(row.n, row.utc, what, who, role, detail, sha256, row_hash.hex())
