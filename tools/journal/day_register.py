"""The register of a gaming day: each coup that terminals' players had staked on, settled again."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.config.season import DAY_BEGINS_H, day_of
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import Message
from firmware.store import clock
from firmware.store.reader import sealed_between
from firmware.store.rows import JournalError
from rules.limits import WrongInput
from rules.settle import Payment, totals
from tools.journal import settling
from tools.journal.settling import Settled


class Register(NamedTuple):
    """A gaming day, and what each of its coups was settled to; `played`: those not ended yet."""

    day: datetime.date
    coups: dict[int, Settled]
    played: tuple[int, ...]

    @property
    def payments(self) -> list[Payment]:
        """Returns what its totals are of: every coup but the void ones, as in a closing."""
        decided = [coup for coup in self.coups.values() if coup.is_decided]
        return [payment for coup in decided for payment in coup.payments]


def read_day(journal: Path, word: str) -> Register:
    """Returns the register of the day that `word` names. Raises Failure.

    A coup belongs to the day of its call. The journal is only read, and may be in use.
    """
    day, begins, ends = span(word)
    try:
        found = sealed_between(journal, begins, ends)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    except (KeyError, TypeError) as error:  # an index that names a row of another kind
        raise settling.damaged(journal) from error
    if not found:
        text = Message("{journal}: no stakes were sealed on {day}.", journal=journal, day=day)
        raise Failure(FAILED, text)
    ended = {coup: one for coup, one in found.items() if one.ends}
    again = {coup: settling.settled_again(journal, one) for coup, one in ended.items()}
    return Register(day, again, tuple(found.keys() - ended.keys()))


def span(word: str) -> tuple[datetime.date, str, str]:
    """Returns a gaming day, and when it begins and ends here, as rows have it. Raises Failure."""
    try:
        day = datetime.date.fromordinal(day_of(word))
        return day, _begins(day), _begins(day + datetime.timedelta(days=1))
    except WrongInput as error:
        sentence = Message(error.sentence)
    except (ValueError, OverflowError):  # too near to an end of the calendar
        sentence = Message("no journal has a day {day}.", day=word)
    raise Failure(USAGE, Message("--day: {sentence}", sentence=sentence))


def _begins(day: datetime.date) -> str:
    local = datetime.datetime.combine(day, datetime.time(DAY_BEGINS_H))
    return clock.text(int(local.timestamp()))


def json_lines(register: Register, *, with_totals: bool = False) -> Iterator[str]:
    """Of each coup an object that names it, then those of settling.json_lines; last the day's.

    `with_totals`: its totals too, of each player and of the table.
    """
    for coup, settled in register.coups.items():
        yield json.dumps({"coup": coup, "announcement": settled.announcement[0]})
        yield from settling.json_lines(settled, with_totals=with_totals)
    for coup in register.played:
        yield json.dumps({"coup": coup, "announcement": None})
    yield json.dumps({"day": register.day.isoformat(), "coups": len(register.coups)})
    for total in totals(register.payments) if with_totals else ():
        yield json.dumps({"total": total._asdict()})


def text_lines(register: Register) -> Iterator[str]:
    """Each coup in words, as settling.text_lines; last the totals of the day."""
    for coup, settled in register.coups.items():
        first, *rest = settling.text_lines(settled)
        yield Message("coup {coup}: {said}", coup=coup, said=first)
        yield from rest
    for coup in register.played:
        yield Message("coup {coup} has not ended: nothing is paid yet", coup=coup)
    count = len(register.coups)
    yield Message("{day}, coups with stakes: {count}", day=register.day, count=count)
    for total in totals(register.payments):
        yield settling.total_words(total)
