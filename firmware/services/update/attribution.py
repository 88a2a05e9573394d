"""Who updates a wheel is written down first."""

from __future__ import annotations

import os
from pathlib import Path

from firmware.api.requests import STATUS_ONLY
from firmware.client.ask import ask
from firmware.client.session import Session
from firmware.keys.pin_entry import ask_pin
from firmware.lib.errors import NO_DEVICE, USAGE, Failure
from firmware.lib.language import N_, echo

_UNRECORDED = ("S16", "S10")  # codes of firmware.core.faults: safe mode, and no journal


def record(
    folder: Path | None, who: str | None, pin_file: Path | None, detail: str, sha256: str | None
) -> None:
    """Writes it into the journal. Without a controller, root goes on, and is told so.

    Raises Failure: it is not written down, so nothing is to be done.
    """
    try:
        if who is None:
            _must_be_recorded(folder)
        else:
            with Session(folder, who, ask_pin(who, pin_file)) as session:
                session.act("update", detail, sha256)
            return
    except Failure as failure:
        there_is_none = failure.exit_code == NO_DEVICE or _nothing_records(folder)
        if not there_is_none or os.geteuid() != 0:
            raise
    echo(N_("No controller runs: this is not in its journal."), err=True)


def _nothing_records(folder: Path | None) -> bool:
    """Returns whether the wheel is in safe mode, and its journal is not written there either."""
    try:
        status = ask(folder, {"do": "status"}, name=STATUS_ONLY)["status"]
    except Failure:
        return False
    return set(_UNRECORDED) <= set(status["faults"])


def _must_be_recorded(folder: Path | None) -> None:
    """Raises Failure: NO_DEVICE, no controller; USAGE, there is one, and it wants a name."""
    ask(folder, {"do": "status"}, name=STATUS_ONLY)
    raise Failure(
        USAGE, N_("Who are you? Give --as NAME, a technician or supervisor of this wheel.")
    )
