"""`cylindre journal verify`: is the journal as it was written, and as far as the FRAM knows?"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.config.choice import load_board
from firmware.keys import folder as key_folder
from firmware.keys import rotation
from firmware.lib.as_owner import own_rights
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.run.open_head import read_slot
from firmware.store.create import hash_at
from firmware.store.database import last_point, reading
from firmware.store.fram import Slot
from firmware.store.reader import recall
from firmware.store.rows import JournalError, Point
from firmware.store.startup_check import Keys
from firmware.store.verify import both_ends, first_bad

COMMIT_S = 0.3  # a commit that is on its way is through by then


def check(file: Path, keys: Path, fram: Path | None, board: str | None) -> dict[str, Any]:
    """What was found: {"intact": True, ...}, or False with `row` and `why`. Raises Failure."""
    found = {} if board is None else load_board(board)
    outside = fram is not None or "fram" in found

    def read() -> Slot | None:
        with own_rights():  # it need not be the journal's owner's
            return read_slot(found, fram)

    slot = read if outside else None
    root, rotations = key_folder.read_root(keys), rotation.read_chain(keys)
    try:
        bad = first_bad(file, root, slot, rotations)
        if bad is not None:
            return {"intact": False, "row": bad.n, "coup": bad.coup, "why": bad.sentence}
        return _intact(file, slot)
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error


def _intact(file: Path, slot: Callable[[], Slot | None] | None) -> dict[str, Any]:
    with reading(file) as connection:
        told: str = Message("what was done to its end only --fram would show")
        rows = last_point(connection).n
        if slot is not None:
            state, at = both_ends(connection, slot)
            end_s = time.monotonic() + COMMIT_S
            while _pending(state, at) and time.monotonic() < end_s:  # a wheel may be playing
                time.sleep(COMMIT_S / 10)
                state, at = both_ends(connection, slot)
            told, rows = _agreed(state, at, connection), at.n
        known = Keys(file, connection)
        epochs = (known.first.epoch, known.epoch.epoch)
    memory = recall(file).restart_state
    span = (
        Message("epoch {epochs}", epochs=epochs[0])
        if epochs[0] == epochs[1]
        else Message("epochs {epochs} to {last}", epochs=epochs[0], last=epochs[1])
    )
    end = (
        Message("coup {coup} (seq {seq}) ended last", coup=memory.coup, seq=memory.seq)
        if memory.coup
        else Message("no coup ended")
    )
    return {
        "intact": True,
        "rows": rows,
        "epochs": list(epochs),
        "coup": memory.coup,
        "seq": memory.seq,
        "fram": slot is not None,
        "what": Message(
            "{rows} rows, {span}, {end}; {told}", rows=rows, span=span, end=end, told=told
        ),
    }


def _pending(state: Slot | None, end: Point) -> bool:
    """Whether the FRAM holds an outcome that the journal, which ends there, does not have."""
    return state is not None and state.pending is not None and end == state.base


def _agreed(state: Slot | None, end: Point, connection: sqlite3.Connection) -> str:
    """How FRAM and journal agree, of which that they do is known."""
    if _pending(state, end):
        return Message(
            "the FRAM holds an outcome that is not yet recorded: the next start records it"
        )
    if state is None or end in (state.base, state.next):
        return Message("the FRAM names the same end")
    got_through = hash_at(connection, state.next.n) == state.next.hash
    lost = (state.next if got_through else state.base).n + 1
    return Message("it goes on without the FRAM since row {lost}", lost=lost)
