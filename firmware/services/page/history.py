"""What the journal has of the past, as the page draws it. Read while its controller writes it.

Each function opens the file and closes it again; all are for a thread of their own, and raise
Failure with a sentence.
"""

from __future__ import annotations

import contextlib
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from firmware.api import guarded
from firmware.bus import record
from firmware.core.faults import FAULTS
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import LANGUAGES
from firmware.store.database import reading, select
from firmware.store.reader import decoded, end_of
from firmware.store.rows import ACT, JournalError
from firmware.text import explanation, journal_text
from firmware.text.journal_coup import (
    EVIDENCE,
    Coup,
    Entry,
    corrections,
    find,
    last_rows,
    lead,
    of_its_kind,
)

COUPS_MAX = 200  # in one answer
HISTORY_MAX = 1000  # coups: half a day of play
LOG_MAX = 300
_SECOND = 1_000_000
_TURN_DEG = 360 / 1_000_000  # of a micro-turn
# What a row of the log tells of its body.
_SAID = ("coup", "seq", "number", "colour", "reason", "corrects", "rotor", "by", "who", "present",
         "what", "role", "detail", "sha256", "epoch", "state", "count", "total_cents")  # fmt: skip
_CODES = {kind.code for kind in FAULTS}


def coups(path: Path, before: int | None, count: int) -> list[dict[str, Any]]:
    """Returns the last coups that ended before the coup `before` (None.

    Of all), the newest first.
    """
    with _of_ours(path):
        changed = corrections(path)
        found = []
        for body, utc in _ends(path, before, min(count, COUPS_MAX)):
            stood = {"corrected": False}
            for entry in changed.get(body["coup"], ()):
                body = body | {"number": None, "reason": None} | entry.body
                stood = {"corrected": True}
            keys = ("coup", "seq", "number", "colour", "compartment", "reason", "rotor", "ball")
            told = {key: body.get(key) for key in keys}
            found.append(told | stood | {"utc": utc, "by_hand": "manual" in body})
        return found


def coup(path: Path, number: int, *, explains: bool) -> dict[str, Any]:
    """Returns one coup; `explains`: with why its call came, and what each sensor said."""
    with _of_ours(path):
        found = find(path, number)
        told = {"coup": number, "stands": found.stands, "utc": found.end.row.utc}
        if not explains:
            return told | {"stands": guarded.public_record(found.stands)}
        lines = {language: _lines(path, found, language) for language in LANGUAGES}
        whole = [*journal_text.explained(found)]
        return told | {"evidence": found.evidence, "lines": lines, "whole": whole}


def history(path: Path, count: int) -> list[dict[str, Any]]:
    """Of each of the last coups, the oldest first: seconds between call and drop, between rest and
    number, and why it was void.

    `track_s`: from the call until a beam saw the ball in the track last. `lead_s`: from the call to
    the moment the ball was known to have left the track. `rest_s`: from
    the first sight of the ball in the compartment of its number (or cup) to the confirmed number.
    Negative leads, late calls, are told as they are; what is not known is None.
    """
    with _of_ours(path):
        notes = {body["seq"]: body for body in _evidence(path, count) if "seq" in body}
        found = []
        for body, utc in reversed([*_ends(path, None, min(count, HISTORY_MAX))]):
            said = notes.get(body["seq"], {})
            reached = lead(body | said)
            times = {
                "track_s": _seconds(reached.track_us),
                "lead_s": _seconds(reached.drop_us),
                "rest_s": _rest_s(body, said),
            }
            marks = {"sensors": _residuals(said), "slips": said.get("slips", 0)}
            told = {"coup": body["coup"], "utc": utc, "reason": body.get("reason")}
            found.append(told | times | marks)
        return found


def faults(path: Path, count: int) -> list[dict[str, Any]]:
    """Returns the faults told during the last coups, the newest first."""
    with _of_ours(path):
        found = []
        for body in _evidence(path, count):
            for at_us, code, detail in body.get("faults", ()):
                if code in _CODES:
                    told = {"coup": body["coup"], "code": code, "detail": detail}
                    found.append(told | {"at_s": None if at_us is None else at_us / _SECOND})
        return found


def log(path: Path, before: int | None, count: int) -> list[dict[str, Any]]:
    """Rows of the journal, the newest first; `before`: of which n they are below."""
    with _of_ours(path):
        count = min(count, LOG_MAX)
        if before is None:
            entries = last_rows(path, count)
        else:
            with reading(path) as connection:
                rows = select(connection, f"WHERE n < ? ORDER BY n DESC LIMIT {count}", before)
                entries = [_entry(path, row) for row in reversed(rows)]
        return [
            {
                "n": entry.row.n,
                "utc": entry.row.utc,
                "kind": entry.row.kind,
                "said": guarded.house_act(
                    {key: entry.body[key] for key in _SAID if key in entry.body}
                ),
            }
            for entry in reversed(entries)
        ]


def last_service(path: Path) -> dict[str, Any] | None:
    """Returns the last act that took the wheel out of play or put it back.

    None if there was none.
    """
    with _of_ours(path), reading(path) as connection:
        for row in select(connection, "WHERE kind = ? ORDER BY n DESC LIMIT 200", ACT):
            body: dict[str, Any] = decoded(path, row).body
            if body.get("what") in ("service on", "service off"):
                return body | {"utc": row.utc}
    return None


def medians(found: Sequence[dict[str, Any]], key: str) -> float | None:
    """Returns the median of what is known of it."""
    known = [each[key] for each in found if each[key] is not None]
    return statistics.median(known) if known else None


def _lines(path: Path, found: Coup, language: str) -> list[str]:
    try:
        return explanation.explained(path, found, language)
    except Failure as failure:  # the journal does not tell
        return [failure.sentence]


def _ends(path: Path, before: int | None, count: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Bodies of results and voids with their times, the newest first."""
    with reading(path) as connection:
        rows = []
        for kind in record.ENDS:
            where = f"WHERE kind = ? ORDER BY n DESC LIMIT {count}"
            if before is not None:  # coups end in their order, each with some rows
                where = f"WHERE kind = ? AND n < ? ORDER BY n DESC LIMIT {count}"
                rows += select(connection, where, kind, _row_of(path, connection, before))
            else:
                rows += select(connection, where, kind)
        for row in sorted(rows, reverse=True)[:count]:
            yield decoded(path, row).body, row.utc


def _row_of(path: Path, connection: Any, coup: int) -> int:
    """Returns the row of a coup's end, above all others if there is none."""
    row = end_of(path, connection, coup)
    return 2**62 if row is None else row.n


def _evidence(path: Path, count: int) -> Iterator[dict[str, Any]]:
    """Returns what explains the last ends, the newest first."""
    with reading(path) as connection:
        count = min(count, HISTORY_MAX)
        where = f"WHERE kind = ? ORDER BY n DESC LIMIT {count}"
        for row in select(connection, where, EVIDENCE):
            body: dict[str, Any] = decoded(path, row).body
            yield body


def _seconds(time_us: int | None) -> float | None:
    return None if time_us is None else time_us / _SECOND


def _rest_s(body: dict[str, Any], said: dict[str, Any]) -> float | None:
    if body.get("number") is None or "manual" in body or "at_us" not in said:
        return None
    if "held_us" in body:
        return float(body["held_us"]) / _SECOND
    seen = [at_us for _, _, _, at_us in said.get("votes", ())]
    return (said["at_us"] - min(seen)) / _SECOND if seen else None


def _residuals(said: dict[str, Any]) -> dict[str, float]:
    """Returns by ring sensor, how far it saw the ball from where all of them saw it, degrees."""
    found: dict[str, list[float]] = {}
    for sensor, _, residual, _ in said.get("votes", ()):
        found.setdefault(str(sensor), []).append(residual * _TURN_DEG)
    if len(found) < 2:
        return {}
    middle = statistics.fmean(map(statistics.fmean, found.values()))
    return {sensor: round(statistics.fmean(each) - middle, 3) for sensor, each in found.items()}


def _entry(path: Path, row: Any) -> Any:
    return Entry(row, decoded(path, row).body)


@contextlib.contextmanager
def _of_ours(path: Path) -> Iterator[None]:
    with of_its_kind(path):
        try:
            yield
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
