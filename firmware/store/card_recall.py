"""What a card table remembers of its past: its rows since its shoe was loaded, folded.

Cards are kept by their ordinal: one that was taken back is overwritten by the next, and a number
without a row is a card that went by unread.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware.bus import record
from firmware.core.cards.restart_state import Ended, OpenRound, RestartState
from firmware.core.cards.shoe_count import CARDS, ShoeState
from firmware.stakes import card_round
from firmware.store import rows
from firmware.store.database import damaged, select
from rules.cards import deck

KINDS = (
    card_round.SHOE,
    card_round.ROUND,
    card_round.STAKES,
    card_round.CARD_ROW,
    card_round.CARD_BACK,
    card_round.ENGAGEMENT,
    card_round.RESULT,
    card_round.VOID,
    card_round.CORRECTION,
    card_round.PAID,
)
_BEGUN = "begun"


def recall(path: Path, connection: sqlite3.Connection) -> RestartState:
    """Returns what a table that goes on with this journal is given. Raises JournalError."""
    since = _since(path, connection)
    marks = ", ".join("?" * len(KINDS))
    where = f"WHERE n >= ? AND kind IN ({marks}) ORDER BY n"
    found = []
    for row in select(connection, where, since, *KINDS):
        try:
            found.append((row.kind, rows.decoded(row).body))
        except (ValueError, RecursionError) as error:
            raise damaged(path, row.n) from error
    try:
        return fold(found, seq=_seq(connection))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(path, since or 1) from error


def _since(path: Path, connection: sqlite3.Connection) -> int:
    """Returns the row that the last shoe begins with, or the last round before it; 0: none does."""
    since = 0
    for row in select(connection, "WHERE kind = ? ORDER BY n DESC LIMIT 64", card_round.SHOE):
        try:
            body = rows.decoded(row).body
        except (ValueError, RecursionError) as error:
            raise damaged(path, row.n) from error
        since = row.n
        if body.get("what") == _BEGUN:
            break
    return since


def _seq(connection: sqlite3.Connection) -> int:
    """Returns the seq of the last outcome."""
    marks = ", ".join("?" * len(record.OUTCOMES))
    where = f"WHERE kind IN ({marks}) ORDER BY n DESC LIMIT 1"
    for row in select(connection, where, *record.OUTCOMES):
        found = record.parse(row.body)
        return 0 if found is None else int(found.seq)
    return 0


def fold(found: Sequence[tuple[str, Any]], *, seq: int = 0) -> RestartState:
    """Returns what rows, (kind, body) in their order, come to. `seq`: of the last outcome."""
    begun = ended = 0
    paid: set[int] = set()
    for kind, body in found:
        if kind == card_round.ROUND:
            begun = body["round"]
        elif kind in (card_round.RESULT, card_round.VOID):
            ended = begun = body["round"]
            seq = max(seq, body["seq"])
        elif kind == card_round.CORRECTION:
            seq = max(seq, body["seq"])
        elif kind == card_round.PAID:
            paid.add(body["round"])
    rounds = card_round.collect(found)
    last = None
    if rounds:
        stakes, cards, engagements, end = rounds[-1]
        last = Ended(
            stakes, cards, engagements, end, bool(end.get("held")) and end["round"] not in paid
        )
    interrupted = _open(found, begun) if begun > ended else None
    return RestartState(max(ended, begun - 1, 0), seq, interrupted, _shoe(found), last)


def _open(found: Sequence[tuple[str, Any]], number: int) -> OpenRound:
    """Returns the rows of the round that has no end."""
    stakes: Any = None
    cards: list[Any] = []
    engagements: list[Any] = []
    for kind, body in found:
        if body.get("round") != number:
            continue
        if kind == card_round.STAKES:
            stakes = body
        elif kind == card_round.CARD_ROW:
            cards.append(body)
        elif kind == card_round.CARD_BACK:
            cards = [row for row in cards if row["k"] < body["k"]]
        elif kind == card_round.ENGAGEMENT:
            engagements.append(body)
    return OpenRound(number, stakes, cards, engagements)


def _shoe(found: Sequence[tuple[str, Any]]) -> ShoeState:
    """Returns how the shoe stands."""
    model, serial, decks, boot = "", "", 0, 0
    is_authenticated = is_trusted = must_count = False
    drawn = 0
    by_ordinal: dict[int, Any] = {}
    for kind, body in found:
        if kind == card_round.SHOE:
            serial, is_authenticated = body["serial"], body["authenticated"]
            is_trusted, must_count = body["trusted"], body["must_count"]
            drawn = body["drawn"]
            if body["what"] == "loaded":
                model, decks, boot = body["model"], body["decks"], body["boot"]
            elif body["what"] == _BEGUN:
                by_ordinal = {}
        elif kind == card_round.CARD_ROW:
            by_ordinal[body["ordinal"]] = body
            drawn = max(drawn, body["ordinal"])
        elif kind == card_round.ROUND:  # none begins with a shoe in doubt
            is_trusted = True
    counts = [0] * CARDS
    idents = []
    for ordinal in sorted(by_ordinal):
        row = by_ordinal[ordinal]
        if row["card"] is not None:
            counts[deck.card_of(row["card"])] += 1
            if row["id"]:
                idents.append(row["id"])
    read = sum(counts)
    return ShoeState(
        model, serial, decks, boot, is_authenticated, -1, drawn, tuple(counts), drawn - read,
        tuple(idents), is_trusted, must_count,
    )  # fmt: skip
