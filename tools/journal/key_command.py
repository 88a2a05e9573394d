"""What `cylindre key` does: looks into a folder of keys, and rotates the wheel's."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from firmware.bus import record
from firmware.bus.record import Record
from firmware.config.choice import load_board
from firmware.keys import folder as keys
from firmware.keys import rotation
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import Message
from firmware.run.open_head import open_head
from firmware.run.open_journal import identity_of
from firmware.store import reader, signing
from firmware.store.journal import Journal, JournalError
from firmware.store.signing import Signer


def summary(folder: Path) -> dict[str, Any]:
    """The folder's keys by name, nothing secret among them. Raises Failure."""
    public = rotation.public_keys(folder)
    private = None
    if os.path.lexists(keys.wheel_file(folder)):
        private = signing.public_of(keys.read_private(folder)).hex()
    return {
        "root": public[0].hex(),
        "current": public[-1].hex(),
        "kid": record.key_id(public[-1]).hex(),
        "signs": private,  # None in the folder of a display
        "rotations": len(public) - 1,
        "unfinished": os.path.lexists(keys.new_wheel_file(folder)),
        "epoch": keys.read_epoch(folder),
        "displays": sorted(keys.read_displays(folder)),
        "terminals": sorted(keys.read_terminals(folder, None)),
    }


def rotate(
    folder: Path, journal: Path, fram: Path | None, board: str | None
) -> tuple[bytes, bytes]:
    """Gives the wheel a new key; the public halves of the old and the new one. Raises Failure."""
    place = {} if board is None else load_board(board)

    def write(signer: Signer, following: bytes) -> None:
        with contextlib.ExitStack() as stack:
            last = _last_epoch(journal)
            if last.fram is not None and fram is None and board is None:
                text = Message(
                    "{journal} goes with a FRAM: give its --fram, or the --board it is on.",
                    journal=journal,
                )
                raise Failure(USAGE, text)
            head = open_head(place, fram, stack)
            try:
                store = Journal(journal, signer=signer, identity=identity_of(last), head=head)
                stack.callback(store.close)
                store.write(record.ROTATION, {"next_key": following})
            except JournalError as error:
                raise Failure(FAILED, str(error)) from error

    return rotation.rotate(folder, journal, write)


def _last_epoch(journal: Path) -> Record:
    """What a journal says of its wheel. Raises Failure."""
    try:
        return reader.keys(journal).epoch
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
