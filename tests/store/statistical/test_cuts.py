"""A power cut at every write and every flush of journal, rollback journal and FRAM, and another in
the midst of what the next start does about it: no confirmed coup is lost, none is there twice.

What SQLite really writes and syncs is recorded once; then every state that a cut may leave is laid
out as files, and the journal opened on them as at a start.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import own_journal
import pytest
from own_journal import actuation, correction, result, void
from storage_tape import Disk, Event, FramOnTape, Tape, crashes, digest, lay, recording

from firmware.core.facts import CCW, CW
from firmware.store import reader, verify, writer
from firmware.store.fram import Head, read_state
from firmware.store.verify import first_bad

NAME = "journal.db"
BLANK: Disk = {"fram": bytes(32_768)}
ENDS = ("result", "void", "correction")
SHARES = 4  # of the single cuts, so that the cores share them; each with its second cuts
CUTS_MIN = 10_000  # of all shares together
# In the order in which they are recorded; each tuple is given to the journal at once.
PLAYED: tuple[tuple[tuple[str, Any], ...], ...] = (
    (("begun", {"coup": 1}),),
    (actuation(1, CW),),
    (("evidence", {"coup": 1, "seq": 1}), result(1, 5)),
    (("learned", {"learned": [1, 0.5]}), ("begun", {"coup": 2}), actuation(2, CCW)),
    (("stakes", {"coup": 2, "stakes": ["a page and more"] * 400}),),
    (("evidence", {"coup": 2, "seq": 2}), void(2)),
    (correction(1, 3, 1, number=7, compartment=7, colour="red"),),
    (
        ("stakes", {"coup": 3, "stakes": ["a line"]}),
        ("evidence", {"coup": 3, "seq": 4}),
        result(3, 0, seq=4),
    ),
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory: its syncs cost nothing. A checkpoint is due at every fifth row."""
    monkeypatch.setattr(writer, "CHECKPOINT_EVERY", 5)
    monkeypatch.setattr(verify, "CHECKPOINT_EVERY", 5)
    memory = Path("/dev/shm")
    made = tempfile.mkdtemp(prefix="cuts-", dir=memory if memory.is_dir() else None)
    yield Path(made)
    shutil.rmtree(made)


def play(folder: Path, tape: Tape) -> None:
    """A wheel is set up and plays; the tape has every write, and when each batch was durable."""
    with recording(tape):
        journal = own_journal.opened(folder / NAME, head=Head(FramOnTape(tape)))
        for batch in PLAYED:
            with journal._changed:  # the writer finds them all at once
                for ticket, (kind, body) in enumerate(batch):
                    journal.put(ticket, kind, body)
            done = 0
            while done < len(batch):
                done += len(journal.done())
            tape.add("ack", "", 0, batch)
        journal.close(10)
        assert journal.trouble() is None


def restart(folder: Path, disk: Disk, tape: Tape | None = None) -> Disk:
    """Starts on what a cut left. What is there after it; what it wrote is on the tape."""
    lay(disk, folder)
    fram = FramOnTape(tape or Tape(), disk["fram"])
    with contextlib.nullcontext() if tape is None else recording(tape):
        own_journal.opened(folder / NAME, head=Head(fram)).close(10)
    left = {path.name: path.read_bytes() for path in folder.iterdir()}
    return left | {"fram": bytes(fram.content)}


class Judge:
    """Checks what there is after a start."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._known: dict[tuple[bytes, bytes], list[tuple[str, Any]]] = {}

    def check(self, left: Disk, batches: int) -> None:
        """`left` lies in the folder; so many batches had been acknowledged before the cut."""
        records = self._records(left)
        told = [record for batch in PLAYED[:batches] for record in batch]
        assert [same(*record) for record in records[: len(told)]] == [same(*had) for had in told]
        # Of the batch on its way nothing, its stakes, or all; an outcome at least, if the FRAM had
        # it, and that never without its stakes.
        more = [same(*record) for record in records[len(told) :]]
        coming = PLAYED[batches] if batches < len(PLAYED) else ()
        every = [same(*record) for record in coming]
        stakes = every[:1] if coming and coming[0][0] == "stakes" else []
        outcome = every[-1:] if coming and coming[-1][0] in ENDS else []
        assert more in ([], every, stakes, stakes + outcome)

    def _records(self, left: Disk) -> list[tuple[str, Any]]:
        """All that was recorded but epoch and checkpoints; the journal is found intact."""
        key = (left[NAME], left["fram"])
        if key not in self._known:
            slot = read_state(FramOnTape(Tape(), left["fram"]))
            assert slot is not None and slot.pending is None
            assert first_bad(self._path, own_journal.SIGNER.public, lambda: slot) is None
            rows = [reader.decoded(self._path, row) for row in reader.rows(self._path)]
            self._known[key] = [
                (row.kind, row.body) for row in rows if row.kind not in ("epoch", "checkpoint")
            ]
        return self._known[key]


def same(kind: str, body: Any) -> Any:
    """A record as it went in and as it comes out, less what the journal adds."""
    if kind in ENDS:
        return kind, body["coup"], body["seq"], body.get("number"), body.get("reason")
    return kind, body


def batches(events: list[Event]) -> int:
    return len([event for event in events if event.what == "ack"])


@pytest.mark.req("IL-660b.no_loss", "ON-3.2.4.survive")
@pytest.mark.parametrize(
    "share", [*range(SHARES - 1), pytest.param(SHARES - 1, marks=pytest.mark.smoke)]
)
def test_no_cut_and_no_pair_of_cuts_loses_or_doubles_a_confirmed_coup(
    folder: Path, share: int
) -> None:
    tape = Tape()
    play(folder, tape)
    assert batches(tape.events) == len(PLAYED)
    judge = Judge(folder)
    again: set[tuple[int, bytes]] = set()
    cuts = 0
    for cut, disk in list(crashes(BLANK, tape.events))[share::SHARES]:
        told = batches(tape.events[:cut])
        start = Tape()
        judge.check(restart(folder, disk, start), told)
        cuts += 1
        for _, twice in crashes(disk, start.events):
            if not seen(again, told, twice):
                judge.check(restart(folder, twice), told)
                cuts += 1
    assert cuts >= CUTS_MIN // SHARES


def seen(known: set[tuple[int, bytes]], told: int, disk: Disk) -> bool:
    """Whether this state has been checked for as many acknowledged batches."""
    key = (told, digest(disk))
    if key in known:
        return True
    known.add(key)
    return False
