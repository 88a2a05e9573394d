"""`cylindre journal adopt`: this board and this FRAM are the journal's from now on.

For a technician who has changed a board, a chip or a card, and knows why. Nothing of the journal is
changed: a row that names old and new is added, and a signed one that begins a new epoch.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boards
from firmware.bus.record import Record
from firmware.config.choice import load_board
from firmware.keys import folder as key_folder
from firmware.keys import rotation
from firmware.lib.errors import FAILED, USAGE, Failure
from firmware.lib.language import N_, Message
from firmware.run.open_head import as_failures, open_memory
from firmware.run.open_journal import identity_of
from firmware.store import reader, verify
from firmware.store.clone import VIRTUAL
from firmware.store.fram import Head, HeadError, Memory, Newer, Slot, erase, pendings, read_state
from firmware.store.journal import Journal, JournalError


def adopt(journal: Path, keys: Path, fram: Path | None = None, board: str | None = None) -> str:
    """Makes it so; what was done, as a sentence. Raises Failure; then nothing was changed.

    A journal that is not there is not adopted: its path may be wrong, its card not mounted.

    `keys`: the folder of the wheel's keys; `fram`: the file that stands in for the chip; `board`:
    by its name, where it is another kind than the journal was kept on.
    """
    with contextlib.ExitStack() as stack:
        if not journal.exists():
            raise Failure(
                FAILED,
                Message(
                    "There is no journal {journal}: check the path, and that its card is mounted."
                    " Only if it is lost for good, repeat this with --gone.",
                    journal=journal,
                ),
            )
        was = _sound(journal, keys)
        here = load_board(board) if board is not None else _alike(was)
        memory = open_memory(here, fram, stack)
        identity = identity_of(was, here)
        signer = rotation.open_signer(keys, journal)

        def opened(head: Head | None, *, adopts: bool) -> tuple[int, str | None]:
            known = 0 if head is None else head.epoch
            found = Journal(
                journal,
                signer=signer,
                identity=identity,
                head=head,
                next_epoch=lambda: key_folder.next_epoch(keys, max(known, was.epoch)),
                rotations=rotation.read_chain(keys),
                adopt=adopts,
            )
            found.close()
            return found.epoch, found.notice

        try:
            with as_failures(here, fram):
                head, why = _head(memory)
            if why is None:
                try:
                    _, notice = opened(head, adopts=False)
                    return notice or Message(
                        "{journal} belongs here already: nothing to adopt.", journal=journal
                    )
                except JournalError as error:
                    cause = error.__cause__
                    why = cause.what if isinstance(cause, HeadError) else str(error)
            epoch, notice = opened(head, adopts=True)
        except JournalError as error:
            raise Failure(FAILED, str(error)) from error
        now = _named(identity.board, None if head is None else head.fram_id)
        done = Message(
            "{journal}: epoch {epoch} begins, on {now}; before, epoch {last}, on"
            " {then}. Before that it was refused: {why}",
            journal=journal,
            epoch=epoch,
            now=now,
            last=was.epoch,
            then=_named(was.board, was.fram),
            why=Message(why),
        )
        return done if notice is None else Message("{}\n{}", Message(notice), done)


def _head(memory: Memory | None) -> tuple[Head | None, str | None]:
    """The head, and why what the FRAM says cannot count. Raises OSError, Newer."""
    if memory is None:
        return None, None
    try:
        return Head(memory), None
    except Newer:
        raise
    except HeadError as error:
        return Head(memory, anew=True), error.what


def _sound(journal: Path, keys: Path) -> Record:
    """The last epoch of a journal, all of which is as its controller wrote it. Raises Failure."""
    try:
        bad = verify.first_bad(
            journal, key_folder.read_root(keys), rotations=rotation.read_chain(keys)
        )
        if bad is None:
            return reader.keys(journal).epoch
    except JournalError as error:
        raise Failure(FAILED, str(error)) from error
    raise Failure(
        FAILED,
        Message(
            "{journal}: {sentence} Adopting does not mend that: put a copy that is whole"
            " in its place first.",
            journal=journal,
            sentence=Message(bad.sentence),
        ),
    )


def _alike(was: Record) -> dict[str, Any]:
    """A board of the kind the journal was kept on: all with a Pi have their FRAM in one place."""
    provider = VIRTUAL if was.board == VIRTUAL else "pi"
    for name in boards.NAMES:
        found = boards.load(name)
        if (found["apparatus"], found["provider"]) == (was.game, provider):
            return found
    raise Failure(USAGE, N_("Which board is this? Give --board; cylindre boards lists them."))


def _named(board: str | None, fram: bytes | None) -> str:
    """Where a journal is at home."""
    if fram is None:
        return Message("the board {board} without a FRAM", board=board)
    return Message("the board {board} with the FRAM {fram}", board=board, fram=fram.hex())


def forget(
    journal: Path,
    keys: Path,
    fram: Path | None,
    board: str | None,
    say: Callable[[str], None],
) -> str:
    """The journal is lost for good: its FRAM becomes blank, and the next start begins a new one.

    What the FRAM knew is said before it is erased: nothing else may know it. Raises Failure.
    """
    if os.path.lexists(journal):
        raise Failure(
            USAGE,
            Message(
                "{journal} is there: --gone is for a journal that is lost for good.",
                journal=journal,
            ),
        )
    if fram is None and board is None:
        raise Failure(USAGE, N_("Which FRAM goes with the lost journal? Give --fram or --board."))
    here = load_board(board) if board is not None else boards.load(boards.WHEELS[0])
    if fram is not None and not fram.exists():
        raise Failure(
            FAILED,
            Message(
                "There is neither a journal {journal} nor a FRAM {fram}.",
                journal=journal,
                fram=fram,
            ),
        )
    key_folder.read_private(keys)  # whoever may do this has the wheel's key
    with contextlib.ExitStack() as stack:
        memory = open_memory(here, fram, stack)
        if memory is None:
            raise Failure(
                FAILED,
                Message("{name} has no FRAM: the next start begins a journal.", name=here["name"]),
            )
        with as_failures(here, fram):
            try:
                state = read_state(memory)
                knew = None if state is None else _lost(state)
            except Newer:
                raise
            except HeadError as error:
                state, knew = None, error.what
                for body in pendings(memory, None):
                    knew = Message(knew) + Message(
                        " An outcome was on its way, its record: {body}", body=body.hex()
                    )
        if knew is None:
            return Message("The FRAM is blank already: the next start begins a new journal.")
        say(knew)
        if state is not None:
            key_folder.next_epoch(keys, state.epoch)  # none of what was shown counts as newer
        with as_failures(here, fram):
            erase(memory)
    return Message("The FRAM is blank now, and the next start begins a new journal.")


def _lost(state: Slot) -> str:
    """What goes with a FRAM's journal, for whoever keeps it on paper."""
    known = state.next.n if state.pending is None else state.base.n
    text = Message(
        "The FRAM {fram_id} knew a journal of {known} rows, in epoch {epoch}, hash {hash}.",
        fram_id=state.fram_id.hex(),
        known=known,
        epoch=state.epoch,
        hash=(state.base if state.pending else state.next).hash.hex(),
    )
    if state.pending is not None:
        text += Message(
            " An outcome was on its way, its record: {pending}", pending=state.pending.hex()
        )
    return text
