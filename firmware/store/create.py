"""How a journal comes to be written: a new one made, or one that is there checked and gone on with.

Whatever contradicts it (another wheel, key, board or FRAM, a cut tail) is refused in one sentence.
What the FRAM says was decided, and the journal does not have, is recorded first.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.bus.record import Record
from firmware.lib.language import Message
from firmware.store import clone, fram, rows, signing
from firmware.store.clock import Judge, Reading, Stamp, text
from firmware.store.clone import Belongs
from firmware.store.database import select, why
from firmware.store.fram import ADOPT, REPLAY, START, Head, HeadError, Slot
from firmware.store.identity import Identity, fields
from firmware.store.journal_file import Altered, File, make_file, open_file
from firmware.store.rows import JournalError, Row
from firmware.store.signing import Signer
from firmware.store.startup_check import Loaded, check_owner, load
from firmware.store.writer import Item, Unfit, Writer

# JSON {"board": [old, new], "fram": [old, new], "knew": [row, hash] or null, "pending": [record]}:
# why the next epoch begins. `knew`: where the journal ended as the FRAM had it, if it ends
# elsewhere; `pending`: outcomes that the FRAM held, hexadecimal, and that could not be recorded.
ADOPTED = "adopted"


class Begun(NamedTuple):
    """A journal that may be gone on with."""

    file: File
    writer: Writer
    loaded: Loaded
    notice: str | None  # what was done that somebody should know


class Beginner:
    """Opens one journal for one wheel."""

    def __init__(
        self,
        path: Path,
        *,
        signer: Signer,
        identity: Identity,
        head: Head | None,
        clock: Callable[[], Reading],
        next_epoch: Callable[[], int],
    ) -> None:
        """As firmware.store.journal.Journal."""
        self._path = path
        self._signer = signer
        self._identity = identity
        self._head = head
        self._clock = clock
        self._next_epoch = next_epoch

    def open(self, rotations: Sequence[bytes], adopt: bool) -> Begun:
        """Returns the journal, made if there is none.

        Raises JournalError; then nothing is left open.
        """
        path = self._path
        file = open_file(path)
        try:
            if file is None:
                file = self._make(rotations)
            return self._go_on(file, adopt)
        except (JournalError, HeadError, Altered, Unfit) as error:
            _close(file)
            if isinstance(error, JournalError):
                raise
            raise JournalError(Message("{}: {}", path, Message(str(error)))) from error
        except (sqlite3.Error, OSError) as error:
            _close(file)
            raise JournalError(f"{path}: {why(error)}. Check the storage.") from error
        except BaseException:
            _close(file)
            raise

    def _make(self, rotations: Sequence[bytes]) -> File:
        """Returns a new journal: its epoch, then how the wheel's first key became this one."""
        head = self._head
        if head is not None:
            fram.judge(head.state, START, lambda n: None)
        epoch = max(self._next_epoch(), 1 if head is None else head.epoch + 1)
        stamp = Judge().stamp(self._clock())
        made: list[Row] = []
        at = START
        carried = [(record.ROTATION, body) for body in rotations]
        for kind, body in [(record.EPOCH, self._epoch(epoch, stamp, at.hash)), *carried]:
            made.append(rows.follow(at, text(stamp.utc), kind, body))
            at = made[-1].point
        if head is not None:
            head.before(START, at, epoch)
        file = make_file(self._path, made)
        try:
            if head is not None:
                head.after()
        except BaseException:
            file.close()
            raise
        return file

    def _epoch(self, epoch: int, stamp: Stamp, prev: bytes) -> bytes:
        body = self._epoch_body()
        said = fields(self._identity, record.EPOCH, body, epoch=epoch, stamp=stamp, prev=prev)
        return self._signer.sign(said)

    def _epoch_body(self) -> dict[str, Any]:
        return {
            "next_key": self._signer.public,
            "board": self._identity.board,
            "fram": None if self._head is None else self._head.fram_id,
        }

    def _go_on(self, file: File, adopt: bool) -> Begun:
        """Raises JournalError, HeadError, Altered, sqlite3.Error, OSError."""
        path, identity, head = self._path, self._identity, self._head
        connection = file.connection()
        loaded = load(path, connection)
        key = self._signer.public
        check_owner(path, loaded, wheel=identity.wheel, game=identity.game, key=key)
        belongs = Belongs(loaded.epoch.board, loaded.epoch.fram)
        if not adopt:
            clone.check(belongs, identity.board, head)
        writer = Writer(
            file,
            signer=self._signer,
            identity=identity,
            head=head,
            end=loaded.end,
            epoch=loaded.epoch.epoch,
            seq=loaded.recall.restart_state.seq,
            after=record.digest(loaded.outcomes[-1][1]) if loaded.outcomes else None,
            judge=Judge(loaded.latest),
        )
        notice = None
        unrecorded = [] if head is None else head.pending
        if head is not None:
            try:
                notice = self._catch_up(head, writer, loaded, connection)
                unrecorded = []
            except HeadError:
                if not adopt:
                    raise
        if adopt:
            unrecorded = [body for body in unrecorded if not is_there(connection, body)]
            self._adopt(writer, belongs, loaded, unrecorded)
            if unrecorded:
                notice = Message(
                    "{path}: the FRAM held an outcome that cannot be recorded here, which the row"
                    " of kind {adopted} keeps; find out which coup it ended: {names}.",
                    path=path,
                    adopted=ADOPTED,
                    names=", ".join(body.hex() for body in unrecorded),
                )
        if writer.end != loaded.end:
            loaded = load(path, file.connection())
        writer.stamp(self._clock())  # a clock that is wrong now is told before the first coup
        return Begun(file, writer, loaded, notice)

    def _catch_up(
        self, head: Head, writer: Writer, loaded: Loaded, connection: sqlite3.Connection
    ) -> str | None:
        """Returns what a cut left between FRAM and journal is done; returns what somebody should
        know.

        Raises HeadError where they contradict each other, before anything is written.
        """
        step = fram.judge(
            head.state,
            loaded.end,
            lambda n: hash_at(connection, n),
            lambda n: lost_at(connection, n, loaded.key),
        )
        state = head.state
        if step == REPLAY:
            assert state is not None
            return self._replay(writer, state, loaded)
        if state is None or state.base == loaded.end:
            return None
        if state.next == loaded.end:
            head.after()  # the commit got through, and the cut came before this
        else:
            head.stand(loaded.end, state.epoch)  # it was lost while the journal went on
        return None

    def _replay(self, writer: Writer, state: Slot, loaded: Loaded) -> str:
        """Records the outcome that the FRAM has and the journal not. Raises HeadError."""
        found = pending_outcome(state, self._signer.public)
        wrong: str = Message("this wheel's key has not signed")
        if found is not None:
            wrong = self._misplaced(found, state, loaded)
        if found is None or wrong:
            raise self._not_here(wrong)
        said = {name: value for name, value in found._asdict().items() if value is not None}
        for name in ("kind", "wheel", "epoch", "utc", "quality", "prev", "after"):
            said.pop(name, None)  # of where it comes to stand; a record has no other place for them
        try:
            writer.commit([Item(found.kind, said, Stamp(found.utc, found.quality))])
        except Unfit as error:
            raise self._not_here(
                Message("cannot be recorded ({error})", error=Message(str(error)))
            ) from error
        return Message(
            "{path}: the {kind} of coup {coup} was decided when the controller stopped;"
            " it is recorded now.",
            path=self._path,
            kind=found.kind,
            coup=found.coup,
        )

    def _not_here(self, wrong: str) -> HeadError:
        return HeadError(
            Message("The FRAM holds an outcome that {wrong}.", wrong=wrong),
            Message(
                "Put the FRAM or the journal back that belongs here; if both do, this keeps"
                " the outcome without recording it: {adopt}.",
                adopt=ADOPT,
            ),
        )

    def _misplaced(self, found: Record, state: Slot, loaded: Loaded) -> str:
        """Returns why an outcome that is pending does not come next in this journal.

        "" if it does.
        """
        if found.wheel != self._identity.wheel:
            return Message(
                "is of the wheel {wheel}, and this is {own_wheel}",
                wheel=found.wheel,
                own_wheel=self._identity.wheel,
            )
        if found.epoch != loaded.epoch.epoch:
            return Message(
                "is of epoch {epoch}, and the journal is in epoch {own_epoch}",
                epoch=found.epoch,
                own_epoch=loaded.epoch.epoch,
            )
        seq = loaded.recall.restart_state.seq
        if found.seq != seq + 1:
            return Message(
                "has the sequence {seq}, and the journal ends at {last_seq}",
                seq=found.seq,
                last_seq=seq,
            )
        # Of more rows in one commit, those between were promised to nobody and are gone.
        alone = state.next.n == state.base.n + 1
        if alone and found.prev != state.base.hash[: len(found.prev or b"")]:
            return Message("comes after another row than the journal's last")
        return ""

    def _adopt(
        self, writer: Writer, was: Belongs, loaded: Loaded, unrecorded: Sequence[bytes]
    ) -> None:
        """This board and FRAM are the journal's from now on: a new epoch says so.

        `unrecorded`: outcomes in the FRAM, which is about to be overwritten.
        """
        fram_id = None if self._head is None else self._head.fram_id
        told: dict[str, Any] = {
            "knew": None,
            "pending": [body.hex() for body in unrecorded],
            "board": [was.board, self._identity.board],
            "fram": [None if name is None else name.hex() for name in (was.fram, fram_id)],
        }
        if self._head is not None and self._head.state is not None:
            knew = self._head.state.next
            told["knew"] = None if knew == writer.end else [knew.n, knew.hash.hex()]
        known = 0 if self._head is None else self._head.epoch
        writer.epoch = max(self._next_epoch(), loaded.epoch.epoch + 1, known + 1)
        now = self._clock()
        items = [Item(ADOPTED, told, now), Item(record.EPOCH, self._epoch_body(), now)]
        writer.commit(items)


def pending_outcome(state: Slot, key: bytes) -> Record | None:
    """Returns the outcome that is pending in the FRAM, if the wheel's key signed it."""
    found = record.decode_signed(state.pending or b"", key, signing.verify)
    return found if found is not None and found.kind in record.OUTCOMES else None


def is_there(connection: sqlite3.Connection, body: bytes) -> bool:
    """Returns whether a row has this body."""
    return bool(select(connection, "WHERE body = ? LIMIT 1", body))


def hash_at(connection: sqlite3.Connection, n: int) -> bytes | None:
    """Returns the hash of a row; None if there is none."""
    found = select(connection, "WHERE n = ?", n)
    return found[0].hash if found else None


def lost_at(connection: sqlite3.Connection, n: int, key: bytes) -> bool:
    """Returns whether row `n`, signed by a checkpoint, says that the FRAM was lost from there."""
    found = select(connection, "WHERE n IN (?, ?) ORDER BY n", n, n + 1)
    if [row.kind for row in found] != [rows.FRAM, record.CHECKPOINT]:
        return False
    said = record.decode_signed(found[1].body, key, signing.verify)
    try:
        lost = json.loads(found[0].body)["state"] == "lost"
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    return said is not None and lost and (said.n, said.head) == (n + 1, found[0].hash)


def _close(file: File | None) -> None:
    if file is not None:
        file.close()
