"""Who updates a wheel is written down first."""

from __future__ import annotations

import os
from pathlib import Path

from firmware.client.ask import Refusal, ask, records_nothing
from firmware.client.signing import log_in
from firmware.lib.errors import NO_DEVICE, USAGE, Failure
from firmware.lib.language import N_, echo
from firmware.lib.places import STATUS_ONLY


def record(
    folder: Path | None, who: str | None, pin_file: Path | None, detail: str, sha256: str | None
) -> None:
    """Writes it into the journal. Where nothing can be written, root goes on, and is told so.

    Raises Failure: it is not written down, so nothing is to be done.
    """
    try:
        if who is None:
            _must_be_recorded(folder)
        else:
            with log_in(folder, who, pin_file) as session:
                session.act("update", detail, sha256)
            return
    except Failure as failure:
        if os.geteuid() != 0:
            raise
        if failure.exit_code == NO_DEVICE:
            echo(N_("No controller runs: this is not in its journal."), err=True)
        elif (who is None or _is_not_taken(failure)) and _nothing_records(folder):
            text = N_(
                "The wheel is in safe mode and its journal is not written: this is recorded"
                " nowhere."
            )
            echo(text, err=True)
        else:
            raise


def _is_not_taken(failure: Failure) -> bool:
    """Returns whether safe mode takes no act from anybody: not for a wrong PIN, or role."""
    return isinstance(failure, Refusal) and failure.code == "not_now"


def _nothing_records(folder: Path | None) -> bool:
    try:
        status = ask(folder, {"do": "status"}, name=STATUS_ONLY)["status"]
    except Failure:
        return False
    return records_nothing(status)


def _must_be_recorded(folder: Path | None) -> None:
    """Raises Failure: NO_DEVICE, no controller; USAGE, there is one, and it wants a name."""
    ask(folder, {"do": "status"}, name=STATUS_ONLY)
    raise Failure(
        USAGE, N_("Who are you? Give --as NAME, a technician or supervisor of this wheel.")
    )
