"""Finds a round of cards in a journal, and proves that its rows are those that were sealed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import N_, Message
from firmware.stakes import card_kinds, card_round
from firmware.stakes.seal import BrokenSeal
from firmware.store import round_record
from firmware.store.checked_lines import Row as Decoded
from firmware.store.reader import decoded, round_rows
from firmware.store.rows import JournalError
from firmware.text.journal_coup import Entry
from rules.cards import deck
from rules.cards.due import CardPayment


class End(NamedTuple):
    """How a round stood from a row on: its result or void, then each correction.

    `entry`: that row; `signed`: the record behind it. `stakes` is None where none were sealed.
    """

    entry: Entry
    signed: Entry
    stakes: Any
    cards: list[Any]
    engagements: list[Any]
    payments: list[CardPayment]


class Round(NamedTuple):
    """All that a journal has of a round that has ended."""

    entries: list[Entry]  # its rows in their order, what the shoe said last before them
    ends: list[End]

    @property
    def number(self) -> int:
        """Returns the number of the round."""
        number: int = self.ends[0].entry.body["round"]
        return number

    @property
    def stands(self) -> End:
        """Returns how it stands now."""
        return self.ends[-1]


def find(path: Path, number: int) -> Round | None:
    """Returns a round that has ended, its payments settled again; None: no card table has it.

    Raises Failure where a row is not as it was written, or not what was sealed.
    """
    try:
        entries = [Entry(row, decoded(path, row).body) for row in round_rows(path, number)]
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    if not entries:
        return None
    try:
        ends = _ends(entries)
        said = [end.entry for end in ends]
        # The end of a round that was not signed any more says nothing.
        kept = [one for one in entries if one.row.kind not in round_record.SIGNED or one in said]
        return Round(kept, ends)
    except BrokenSeal as error:
        text = Message(
            "{path}, round {round}: {sentence} Keep it for inspection.",
            path=path,
            round=number,
            sentence=Message(error.sentence),
        )
        raise Failure(FAILED, text) from error


def _ends(entries: list[Entry]) -> list[End]:
    """Each end, checked. Raises BrokenSeal."""
    rows = [Decoded(entry.row.n, entry.row.utc, entry.row.kind, entry.body) for entry in entries]
    told = [row for row in round_record.recorded(rows) if row[0] != card_kinds.CORRECTION]
    first = card_round.collect(told)
    signed = [entry for entry in entries if entry.row.kind in record.OUTCOMES]
    pairs = [(_row_before(entries, entry), entry) for entry in signed]
    if len(first) != 1 or not pairs:
        raise BrokenSeal(N_("The round has not the one end that a round has."))
    stakes, cards, engagements, _ = first[0]
    ends = []
    for entry, said in pairs:
        body = entry.body
        if entry.row.kind == card_kinds.CORRECTION:
            cards, engagements = body["cards"], body["engagements"]
        _check_signed(body, said.body)
        paid = [] if stakes is None else card_round.payments(stakes, cards, engagements, body)
        ends.append(End(entry, said, stakes, cards, engagements, paid))
    return ends


def _row_before(entries: list[Entry], signed: Entry) -> Entry:
    """Returns the row that a record signs: the last of its kind before it. Raises BrokenSeal."""
    before: Entry | None = None
    for entry in entries:
        if entry is signed:
            break
        if round_record.SIGNED.get(entry.row.kind) == signed.row.kind:
            before = entry
    if before is not None:
        return before
    raise BrokenSeal(N_("A signed record of the round has no row before it."))


def _check_signed(body: Any, signed: Any) -> None:
    """Raises BrokenSeal where a signed record says otherwise than the row before it."""
    try:
        said = round_record.fields(body)
    except (KeyError, TypeError, ValueError):
        raise BrokenSeal(
            N_("These are no rows of a round: something is missing in them.")
        ) from None
    said.pop("manual", None)  # names are cut there
    if "cards" in said:
        said["cards"] = [deck.text_of(card) for card in said["cards"]]
        said["seal"] = said["seal"].hex()
    for name, value in said.items():
        if signed.get(name) != value:
            raise BrokenSeal(N_("The signed record says otherwise than the row before it."))
