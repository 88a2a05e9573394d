"""Whether a journal is as its controller wrote it: row by row, from the first.

Needs the wheel's first public key (DIR/wheel.pub) and, for a tail that was cut off, or changed
behind the last signed row, the head that lies in the FRAM. Changes nothing, and may run while the
controller writes.
"""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from firmware.bus import record
from firmware.bus.record import Record
from firmware.lib.language import Message
from firmware.stakes.accounts import ENTRIES, FOLDED, Accounts, Refused
from firmware.stakes.seal import BrokenSeal
from firmware.store import fram, rows, signing
from firmware.store.clock import text
from firmware.store.create import hash_at, lost_at, pending_outcome
from firmware.store.database import check_schema, chunks, last_point, reading, select
from firmware.store.fram import HeadError, Slot
from firmware.store.round_record import RecordedEnds
from firmware.store.rows import CHECKPOINT_EVERY, SIGNED, START, VOUCHED, JournalError, Point, Row
from firmware.store.verify_file import Bad, index, placed, surplus

__all__ = ["Bad", "both_ends", "first_bad"]


def first_bad(
    path: Path,
    root: bytes,
    slot: Callable[[], Slot | None] | None = None,
    rotations: Sequence[bytes] = (),
    *,
    progress: Callable[[int], None] = lambda n: None,
) -> Bad | None:
    """Returns what is wrong with a journal, or None.

    `root`: the wheel's first public key; `slot`: reads what its FRAM says; `rotations`: the records
    that are known to lead from `root` on, for a file that may leave them out; `progress`: takes how
    many rows were read, now and then. Raises JournalError for a file that is no journal or cannot
    be read; what `slot` raises.
    """
    with reading(path, any_schema=True) as connection:
        try:
            check_schema(path, connection)
            key, bad = _chain(connection, Chain(root, rotations), progress)
        except JournalError as error:
            return Bad(0, str(error))
        if bad is None and slot is not None:
            bad = _outside(connection, slot, key)
        bad = bad or surplus(connection)
        return None if bad is None else placed(connection, bad)


class Chain:
    """Takes rows one by one, in their order."""

    def __init__(self, root: bytes, rotations: Sequence[bytes] = ()) -> None:
        """As first_bad."""
        self.at: Point = START
        self.key = root  # that signs the next row
        self._trusted = root  # as far as the rotations seen so far reach
        self._retired: dict[bytes, Record] = {}  # each known rotation, by the key that signed it
        for data in rotations:
            said = record.parse(data)
            if said is not None:
                self._retired[record.kid(data) or b""] = said
        self._first: Record | None = None
        self._epoch = 0
        self._seq = 0
        self._outcome: bytes | None = None  # digest of the last one's record
        self._ends: set[int] = set()  # seqs that a correction may name
        self._sure = 0  # the last row that a signature vouches for
        self._accounts = Accounts()
        self._recorded_ends = RecordedEnds()
        self._vouched = False  # the last row is one that a checkpoint follows and signs

    def check_row(self, row: Row) -> str | None:
        """Returns what is wrong with the next row, or None."""
        if row.n != self.at.n + 1:
            return Message("is missing")
        if not rows.is_whole(row, self.at):
            return Message("was changed, or one before it was exchanged or taken out")
        wrong = self._signed(row) if row.kind in SIGNED else None
        wrong = wrong or self._checkpoints(row) or self._money_adds_up(row)
        self.at = row.point
        if row.kind in SIGNED:
            self._sure = row.n
        return wrong

    def _money_adds_up(self, row: Row) -> str | None:
        """Returns why a row does not follow from the players' accounts as they stand, or None."""
        if row.kind not in FOLDED or (row.kind not in ENTRIES and not self._accounts.all()):
            return None
        try:
            for kind, body in self._recorded_ends.add(rows.decoded(row)):
                self._accounts.add_row(kind, body)
        except (Refused, BrokenSeal) as error:
            return Message("cannot follow: {why}", why=Message(error.sentence))
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
            return Message("holds no {kind}", kind=row.kind)
        return None

    def end(self) -> str | None:
        """Returns what is wrong with a journal that ends here, or None."""
        if self._first is None:
            return Message("is missing: a journal begins with its epoch")
        return self._want_root()

    def _signed(self, row: Row) -> str | None:
        said = record.parse(row.body)
        if said is None or said.kind != row.kind:
            return Message("holds no {kind}", kind=row.kind)
        first = self._first
        if first is None:
            return self._begin(row, said)
        if row.kind == record.ROTATION and said.epoch < first.epoch:
            return self._carried(row)
        wrong = self._want_root()
        if wrong is not None:
            return wrong
        if record.decode_signed(row.body, self.key, signing.verify) is None:
            return Message("is not signed by the wheel's key")
        wrong = self._by_a_retired_key(said)
        if wrong is not None:
            return wrong
        if said.wheel != first.wheel:
            return Message(
                "is of the wheel {wheel}, and this is {own_wheel}",
                wheel=said.wheel,
                own_wheel=first.wheel,
            )
        if text(said.utc) != row.utc:
            return Message("has another time than its record")
        if said.prev is not None and said.prev != self.at.hash[:16]:
            return self._elsewhere()
        wrong = self._follows(said)
        if said.kind in record.OUTCOMES:
            self._outcome = record.digest(row.body)
        return wrong

    def _elsewhere(self) -> str:
        """Returns what to say of a row that signs another chain than the one before it."""
        first, last = self._sure + 1, self.at.n
        if first > last:
            return Message("was signed in another place")
        if first == last:
            return Message(
                "was signed in another place, or row {first} is not what it signs", first=first
            )
        return Message(
            "was signed in another place, or rows {first} to {last} are not what it signs",
            first=first,
            last=last,
        )

    def _follows(self, said: Record) -> str | None:
        """Returns whether a record is the next of its kind."""
        if said.kind == record.EPOCH:
            if said.epoch <= self._epoch:
                return Message(
                    "begins epoch {epoch} after epoch {own_epoch}",
                    epoch=said.epoch,
                    own_epoch=self._epoch,
                )
            self._epoch = said.epoch
        if said.epoch != self._epoch:
            return Message(
                "is of epoch {epoch}, in epoch {own_epoch}", epoch=said.epoch, own_epoch=self._epoch
            )
        if said.kind == record.ROTATION and (said.seq or 0) != self._seq:
            return Message(
                "retires a key after the sequence {seq}, and stands after {last_seq}",
                seq=said.seq or 0,
                last_seq=self._seq,
            )
        if said.kind in (record.EPOCH, record.ROTATION):
            self.key = said.next_key
        elif said.kind in record.OUTCOMES:
            if said.prev is None or said.seq != self._seq + 1:
                return Message(
                    "has the sequence {seq} after {last_seq}", seq=said.seq, last_seq=self._seq
                )
            if said.after != self._outcome:
                return Message("follows another record than the one before it")
            self._seq = said.seq
        return None

    def _begin(self, row: Row, said: Record) -> str | None:
        """Returns the first row: the epoch names the key that signs it."""
        if row.n != 1 or said.kind != record.EPOCH:
            return Message("is no epoch: a journal begins with one")
        if record.decode_signed(row.body, said.next_key, signing.verify) is None:
            return Message("is not signed by the key it names")
        self._first = said
        self._epoch = said.epoch
        self.key = said.next_key
        return self._by_a_retired_key(said)

    def _carried(self, row: Row) -> str | None:
        """Returns a rotation from a journal before this one: it says whose key this is."""
        said = record.decode_signed(row.body, self._trusted, signing.verify)
        if said is None:
            return Message("is a rotation that the wheel's key did not sign")
        self._trusted = said.next_key
        return None

    def _by_a_retired_key(self, said: Record) -> str | None:
        """Returns whether its key had given way to another by then, though this journal leaves that
        out.
        """
        name = record.key_id(self.key)
        rotation = self._retired.get(name)
        if rotation is None:
            return None
        until = (rotation.epoch, rotation.seq or 0)
        if said.kind == record.ROTATION and said.next_key != rotation.next_key:
            return Message(
                "gives the key {name} another successor than these keys know", name=name.hex()
            )
        if said.epoch > until[0] or (said.epoch, said.seq or 0) > until:
            return Message(
                "is signed by the key {name}, which was retired after the sequence {until} of"
                " epoch {epoch}",
                name=name.hex(),
                until=until[1],
                epoch=until[0],
            )
        return None

    def _want_root(self) -> str | None:
        """The first epoch's key must be the wheel's first, or come from it by rotations."""
        assert self._first is not None
        if self._first.next_key == self._trusted:
            return None
        name = record.key_id(self._first.next_key).hex()
        return Message(
            "comes after an epoch signed by the key {name}, which is not this wheel's", name=name
        )

    def _checkpoints(self, row: Row) -> str | None:
        """Returns whether a checkpoint stands where one must, and nowhere else."""
        after, self._vouched = self._vouched, row.kind in VOUCHED
        if row.kind == record.CHECKPOINT:
            said = record.parse(row.body)
            if said is None or (said.n, said.head) != (row.n, self.at.hash):
                return self._elsewhere()
            if row.n % CHECKPOINT_EVERY and not after:
                return Message("is a checkpoint where none is due")
        elif after or (row.n % CHECKPOINT_EVERY == 0 and row.kind not in VOUCHED):
            return Message("should be a checkpoint")
        return None


def _chain(
    connection: sqlite3.Connection, chain: Chain, progress: Callable[[int], None]
) -> tuple[bytes, Bad | None]:
    """Returns the key that signs at the end, and what is wrong."""
    try:
        for chunk in chunks(connection):
            bad = _take(chain, chunk) or index(connection, chunk)
            if bad is not None:
                return chain.key, bad
            progress(chain.at.n)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorname not in _DAMAGED:
            raise
        return chain.key, _unreadable(connection, chain)
    wrong = chain.end()
    return chain.key, None if wrong is None else Bad(1, Message("Row 1 {wrong}.", wrong=wrong))


def _take(chain: Chain, chunk: list[Row]) -> Bad | None:
    for row in chunk:
        n = chain.at.n + 1
        wrong = chain.check_row(row)
        if wrong is not None:
            return Bad(n, Message("Row {n} {wrong}.", n=n, wrong=wrong))
    return None


def _unreadable(connection: sqlite3.Connection, chain: Chain) -> Bad:
    """Returns which row of the next ones cannot be read, unless one before it is wrong anyway."""
    while True:
        n = chain.at.n + 1
        try:
            found = select(connection, "WHERE n >= ? ORDER BY n LIMIT 1", n)
        except sqlite3.DatabaseError:
            return Bad(n, Message("Row {n} cannot be read.", n=n))
        if not found:  # all of them can
            return Bad(
                0, Message("The index by kind is damaged; the rows are as they were written.")
            )
        bad = _take(chain, found)
        if bad is not None:
            return bad


def _outside(
    connection: sqlite3.Connection, slot: Callable[[], Slot | None], key: bytes
) -> Bad | None:
    """Returns whether the journal ends where the FRAM says."""
    state, end = both_ends(connection, slot)
    try:
        step = fram.judge(
            state,
            end,
            lambda n: hash_at(connection, n),
            lambda n: lost_at(connection, n, key),
        )
    except HeadError as error:
        if state is None:
            return Bad(0, str(error))
        same = state.base.n == 0 or hash_at(connection, state.base.n) == state.base.hash
        n = min(end.n, state.next.n) + 1 if same or end.n < state.base.n else state.base.n
        return Bad(n, str(error))
    if state is not None and step == fram.REPLAY and pending_outcome(state, key) is None:
        return Bad(
            end.n + 1, Message("The FRAM holds an outcome that the wheel's key has not signed.")
        )
    return None


def both_ends(
    connection: sqlite3.Connection, slot: Callable[[], Slot | None]
) -> tuple[Slot | None, Point]:
    """Returns what the FRAM says, and where the journal ends at that moment."""
    state = slot()
    while True:
        end = last_point(connection)
        before, state = state, slot()
        if before == state:  # no commit came in between
            return state, end


_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CORRUPT_INDEX", "SQLITE_ERROR")
