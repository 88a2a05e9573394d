"""A journal's coups for other programs: one object, one line of CSV, or one of docs/health.md."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.bus import card_record, record
from firmware.bus.messages import is_card_game
from firmware.health.coup_file import CORRECTED, MORE, columns
from firmware.health.items import Acted, Played
from firmware.lib.errors import FAILED, Failure
from firmware.store.reader import corrected, decoded, rows
from firmware.store.rows import JournalError
from firmware.text.journal_coup import Entry, corrections
from tools.journal.journal_health import recorded_in

# Of the record as it was made first: its sequence, and what no correction changes.
_FIRST = ("seq", "coup")
# Of what stands now.
_STANDS = ("number", "compartment", "colour", "reason")
_MORE = ("epoch", "quality", "rotor", "ball")
# How sensors proved the first number: of one that people put in its place they say nothing.
_PROOF = ("votes", "sensors", "residual_uturn", "held_us")
_BEFORE = ("number", "colour", "reason", "manual")
KEYS = (
    *_FIRST,
    *_STANDS,
    "utc",
    *_MORE,
    *_PROOF,
    "manual",
    "stakes",
    "corrected",
    "corrected_utc",
    *[f"first_{name}" for name in _BEFORE],
    "digest",
)

# Of a round of cards: nothing there has a number, and its cards are no secret.
_FIRST_OF_ROUND = ("winner", "dealer_points", "cards", "reason", "manual")
ROUND_KEYS = (
    *_FIRST,
    "game",
    *_STANDS,
    *card_record.OUTCOME,
    *card_record.READ,
    "utc",
    "epoch",
    "quality",
    "manual",
    "corrected",
    "corrected_utc",
    *[f"first_{name}" for name in _FIRST_OF_ROUND],
    "digest",
)

_COLUMNS = {
    "manual": ("croupier", "management"),
    "first_manual": ("first_croupier", "first_management"),
}


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """One object of KEYS a coup that has ended, of ROUND_KEYS a round of cards, in their order.
    Raises Failure.

    Number, compartment, colour, reason and people are those that stand; `corrected` is the seq of
    the correction that gave them, or None, and first_... what was recorded first.
    `digest` is that of the coup's first record, as heartbeats name it.
    """
    try:
        known = corrections(path)
        for row in rows(path):
            if row.kind in record.ENDS:
                entry = Entry(row, decoded(path, row).body)
                yield _object(entry, known.get(entry.body["coup"], []))
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error


def _object(end: Entry, made: list[Entry]) -> dict[str, Any]:
    first = end.body
    of_cards = is_card_game(first["game"])
    keys = ROUND_KEYS if of_cards else KEYS
    stands = first
    for correction in made:
        stands = corrected(stands, correction.body)
    found = {
        name: first.get(name) for name in (*_FIRST, *_MORE, "game", "stakes", *card_record.READ)
    }
    found |= {name: stands.get(name) for name in (*_STANDS, *card_record.OUTCOME, "manual")}
    if made:
        last = made[-1]
        found |= {"manual": last.body["manual"], "corrected": last.body["seq"]}
        found |= {"corrected_utc": last.row.utc}
        before = _FIRST_OF_ROUND if of_cards else _BEFORE
        found |= {f"first_{name}": first.get(name) for name in before}
    else:
        found |= {name: first.get(name) for name in _PROOF}
    found["utc"] = end.row.utc
    found["digest"] = record.digest(end.row.body).hex()
    return {name: found.get(name) for name in keys}


def json_lines(path: Path) -> Iterator[str]:
    """The objects as JSON. Raises Failure."""
    for found in objects(path):
        yield json.dumps(found, ensure_ascii=False)


def csv_lines(path: Path) -> Iterator[str]:
    """The objects as CSV with a line of names; two people are two columns. Raises Failure."""
    told = objects(path)
    first = next(told, None)  # all are of one game: a journal is one table's
    yield _line(name for key in first or KEYS for name in _COLUMNS.get(key, (key,)))
    for found in [] if first is None else itertools.chain([first], told):
        values: list[Any] = []
        for key, value in found.items():
            values += (value or (None, None)) if key in _COLUMNS else (value,)
        yield _line(values)


def health_lines(path: Path) -> Iterator[str]:
    """A file of coups (docs/health.md): those that count, service acts, corrections. Raises
    Failure."""
    recorded = recorded_in(path)
    wheel, numbers = recorded.wheel, recorded.numbers
    header = {
        "wheel": recorded.name,
        "pockets": wheel.compartments,
        "order": list(numbers),
        "beams_deg": wheel.beams_deg,
        "sensors": wheel.sensors,
        "coups_a_year": wheel.coups_a_year,
    }
    yield f"# {_compact(header)}"
    names = columns(len(wheel.beams_deg)) + (MORE if recorded.has_motor() else ())
    yield ",".join(names)
    for item, found in recorded.with_columns():
        if isinstance(item, Played):
            values = [found[name] for name in names[1:]]
            yield ",".join(map(str, (round(item.t_s), *values)))
        elif isinstance(item, Acted):
            yield f"! {_compact({'t_s': item.t_s, 'act': item.kind})}"
        else:
            number = None if item.place is None else numbers[item.place]
            said = {"t_s": item.t_s, "act": CORRECTED, "line": item.of, "number": number}
            yield f"! {_compact(said)}"


def _compact(said: dict[str, Any]) -> str:
    return json.dumps(said, separators=(",", ":"))


def _line(values: Any) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([_cell(value) for value in values])
    return text.getvalue()


def _cell(value: Any) -> Any:
    """A value for a spreadsheet, which would run a name that begins as a formula does."""
    if isinstance(value, list):  # cards
        return " ".join(value)
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return value
