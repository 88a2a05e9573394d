"""The register of a gaming day at a card table: its rounds with stakes, settled by their rows."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.store.reader import rounds_between
from firmware.store.rows import JournalError
from rules.cards.due import CardPayment
from rules.settle import totals
from tools.journal import card_settling, settling
from tools.journal.card_settling import SettledRound
from tools.journal.day_register import span


class RoundRegister(NamedTuple):
    """A gaming day, and what each of its rounds was settled to; `played`: those not ended yet."""

    day: datetime.date
    rounds: dict[int, SettledRound]
    played: tuple[int, ...]

    @property
    def payments(self) -> list[CardPayment]:
        """Returns what its totals are of: every round but the void ones."""
        decided = [one for one in self.rounds.values() if one.is_decided]
        return [payment for one in decided for payment in one.payments]


def read_day(journal: Path, word: str) -> RoundRegister | None:
    """Returns the register of the day that `word` names; None: no round was staked on then.

    A round belongs to the day of its call. The journal is only read, and may be in use. Raises
    Failure.
    """
    day, begins, ends = span(word)
    try:
        numbers = rounds_between(journal, begins, ends)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    except (KeyError, TypeError) as error:  # an index that names a row of another kind
        raise settling.damaged(journal) from error
    if not numbers:
        return None
    settled, played = {}, []
    for number in numbers:
        found = card_settling.of_journal(journal, number)
        if found is None:
            played.append(number)
        else:
            settled[number] = found
    return RoundRegister(day, settled, tuple(played))


def json_lines(register: RoundRegister, *, with_totals: bool = False) -> Iterator[str]:
    """Of each round its answer (contracts/commands.md) and its number, null for the payments of
    one that has not ended; last the day.

    `with_totals`: its totals too, of each player and of the table.
    """
    for number, settled in register.rounds.items():
        yield json.dumps({"round": number} | (settled.answer or {}))
    for number in register.played:
        yield json.dumps({"round": number, "payments": None})
    yield json.dumps({"day": register.day.isoformat(), "rounds": len(register.rounds)})
    for total in totals(register.payments) if with_totals else ():
        yield json.dumps({"total": total._asdict()})


def text_lines(register: RoundRegister) -> Iterator[str]:
    """Each round in words, as card_settling.text_lines; last the totals of the day."""
    for number, settled in register.rounds.items():
        first, *rest = card_settling.text_lines(settled)
        yield Message("round {round}: {said}", round=number, said=first)
        yield from rest
    for number in register.played:
        yield Message("round {round} has not ended: nothing is paid yet", round=number)
    count = len(register.rounds)
    yield Message("{day}, rounds with stakes: {count}", day=register.day, count=count)
    for total in totals(register.payments):
        yield settling.total_words(total)
