"""A coup of a journal, settled again from what was sealed at its call and from its end alone."""

from __future__ import annotations

from pathlib import Path

import rules
from firmware.lib.errors import FAILED, Failure
from firmware.stakes.seal import BrokenSeal, payments
from firmware.store.reader import sealed
from firmware.store.rows import JournalError
from rules import announce
from tools.journal.settling import Settled


def settled_coup(journal: Path, coup: int) -> Settled:
    """What the terminals' stakes of a coup were paid. Raises Failure.

    The journal is only read, and may be in use.
    """
    try:
        record, end = sealed(journal, coup)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    except (KeyError, TypeError) as error:  # an index that names a row of another kind
        text = f"{journal} is damaged. See where with cylindre journal verify."
        raise Failure(FAILED, text) from error
    if record is None:
        raise Failure(FAILED, f"{journal}: no stakes were sealed for coup {coup}.")
    if end is None:
        raise Failure(FAILED, f"{journal}: coup {coup} has not ended: nothing is paid yet.")
    try:
        found = payments(record, end)
    except BrokenSeal as error:
        raise Failure(FAILED, f"{journal}: {error.sentence} Keep it for inspection.") from error
    if end.get("number") is None:
        said = ("coup nul : les mises sont rendues", "void: the stakes come back")
    else:
        said = announce.announcement(rules.load(record["rules"]), end["number"], end["colour"])
    return Settled(said, found, [])
