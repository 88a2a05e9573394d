"""The head of the journal's chain, kept outside the journal: in a FRAM, or a file that stands in.

Two slots are written in turn, each whole with its checksum, so a torn write leaves the other. A
slot says from where to where the journal is going (`base`, `next`), and holds the outcome that is
on its way, so that what was decided survives a cut at any moment. For EVERY commit of the journal:

    head.before(base, next, epoch, pending)   1. the FRAM says what is coming
    the journal commits                       2. durable
    head.after()                              3. base = next = the journal's head, nothing pending

An outcome (its row is `pending`) counts as recorded after step 2: whatever happens then, it is in
both, or in the FRAM alone and replayed. Any other row counts after step 3 only: a slot without
`pending` promises nothing of what lies beyond `base`.

At the start clone.check says whether journal, board and FRAM belong together, then `judge` whether
journal and FRAM agree.

When the FRAM does not answer (docs/adr/0010):
- At the start: OSError. The wheel does not start, since nobody could tell a journal that was cut.
- While playing, `before` or `after` raise OSError: the journal tells the trouble, and tries again
  every TRY_S for PATIENCE_S. Outcomes wait. If that does not help it calls `head.give_up(...)` and
  goes on without, for a dead chip must not stop the table: its next commit begins with a row of
  kind "fram" {"state": "lost", "why": why} and, right after it, a signed checkpoint out of turn
  (which signs that row by its `head`); `judge` is told of such rows. While `head.lost` is not
  None, `before` and `after` do nothing, and `head.due(now_s)` is True every AGAIN_S: then
  `head.resume(...)` before a commit tries to take it up again at the journal's head. That it is
  lost is fault S12, a notice, once.

A commit that failed on the disk is tried again with the same rows: then `before` need not be
called again, and what the FRAM says of them stays true.
"""

import errno
import os
from collections.abc import Callable

from firmware.lib.language import Message
from firmware.store import fram_kept
from firmware.store.fram_slots import (
    ADOPT,
    ID_SIZE,
    PENDING_MAX,
    PLACES,
    SLOT_SIZE,
    START,
    HeadError,
    Memory,
    Newer,
    Point,
    Slot,
    decode,
    encode,
    erase,
    pendings,
    read_state,
    write_checked,
)

PATIENCE_S = 3.0  # the kernel gives up a stuck transfer after a second: three of those
TRY_S = 0.2  # between two attempts
AGAIN_S = 30.0  # a FRAM given up is tried again: an attempt may hold up a commit for a second

IN_STEP = "in step"
REPLAY = "replay"  # the pending row is decided and not in the journal: append it, once


__all__ = [
    "ADOPT",
    "ID_SIZE",
    "PENDING_MAX",
    "START",
    "HeadError",
    "Memory",
    "Newer",
    "Point",
    "Slot",
    "decode",
    "encode",
    "erase",
    "pendings",
    "read_state",
]


class Head:
    """The head of the chain in one FRAM. One thread at a time; each call takes some ms."""

    def __init__(self, memory: Memory, *, anew: bool = False) -> None:
        """Reads it, writes nothing. Raises OSError, HeadError; Newer even if `anew`.

        `anew`: whatever is there does not count, and the FRAM gets a new id (`journal adopt`).
        """
        self._memory = memory
        self.state: Slot | None = None if anew else read_state(memory)
        # Durable with the first slot, so before any row that names it.
        self.fram_id = os.urandom(ID_SIZE) if self.state is None else self.state.fram_id
        self.pending = pendings(memory, self.state)
        self._anew = anew
        self._again_s = 0.0
        self.lost: str | None = None

    @property
    def epoch(self) -> int:
        """Returns the last epoch told; 0: none."""
        return 0 if self.state is None else self.state.epoch

    def before(
        self, base: Point, following: Point, epoch: int, pending: bytes | None = None
    ) -> None:
        """Says that the journal, now at `base`, will end at `following`. Raises OSError."""
        assert following.n > base.n, (base.n, following.n)
        if self.lost is None:
            self._write(epoch, base, following, pending)

    def after(self) -> None:
        """Says that the journal has got there. Raises OSError."""
        if self.lost is None:
            assert self.state is not None
            self._write(self.state.epoch, self.state.next, self.state.next, None)

    def stand(self, point: Point, epoch: int) -> None:
        """Says that the journal ends at `point`, whatever was said before. Raises OSError."""
        self._write(epoch, point, point, None)

    def give_up(self, why: str, now_s: float) -> None:
        """Goes on without it, until `resume` works; `now_s`: of any monotonic clock."""
        self.lost = why
        self._again_s = now_s + AGAIN_S

    def due(self, now_s: float) -> bool:
        """Returns whether it is given up and long enough so to try `resume`."""
        return self.lost is not None and now_s >= self._again_s

    def resume(self, point: Point, epoch: int, now_s: float) -> None:
        """Takes a FRAM up again, with the journal at `point`. Raises OSError; then it stays lost.

        It answers again, but may be another one: whose slots are not as they were left is refused.
        """
        self._again_s = now_s + AGAIN_S
        try:
            found = read_state(self._memory)
        except HeadError as error:
            raise OSError(errno.EIO, str(error)) from error
        if found is None or found.fram_id != self.fram_id:
            raise OSError(errno.EIO, Message("another FRAM answers than the one that was lost"))
        self.state = found
        self._write(epoch, point, point, None)
        self.lost = None

    def kept(self) -> bytes | None:
        """Returns the bytes kept beside the head; None where there are none. Raises OSError."""
        return fram_kept.read_kept(self._memory)

    def keep(self, data: bytes) -> None:
        """Keeps these bytes beside the head, over any change of the journal. Raises OSError."""
        fram_kept.keep(self._memory, data)

    def _write(self, epoch: int, base: Point, following: Point, pending: bytes | None) -> None:
        counter = 0 if self.state is None else self.state.counter + 1
        slot = Slot(counter, self.fram_id, epoch, base, following, pending)
        data = encode(slot)
        place = PLACES[counter % 2]
        if self._anew:  # what the other slot says must not count beside this one
            self._memory.write(PLACES[1], bytes(SLOT_SIZE))
        write_checked(self._memory, place, data)
        self._anew = False
        self.state = slot


def judge(
    state: Slot | None,
    head: Point,
    hash_at: Callable[[int], bytes | None],
    lost_at: Callable[[int], bool] = lambda n: False,
) -> str:
    """Returns how FRAM and journal agree: IN_STEP, or REPLAY the pending row. Raises HeadError.

    `head`: the journal's; `hash_at`: the hash of its row n (of 0: START's), None where it has none;
    `lost_at`: whether its row n says, signed, that it went on without the FRAM.
    """
    if state is None:
        if head.n == 0:
            return IN_STEP
        raise HeadError(
            Message(
                "The FRAM is blank, and the journal has {n} rows: the FRAM was replaced, or"
                " the journal comes from elsewhere.",
                n=head.n,
            ),
            Message("If that is meant: {adopt}.", adopt=ADOPT),
        )
    if head == state.next:
        return IN_STEP
    if head == state.base:
        return IN_STEP if state.pending is None else REPLAY
    for known in (state.next, state.base):
        if _hash(hash_at, known.n) == known.hash and lost_at(known.n + 1):
            return IN_STEP
    raise HeadError(*_difference(state, head, hash_at))


def _hash(hash_at: Callable[[int], bytes | None], n: int) -> bytes | None:
    return START.hash if n == 0 else hash_at(n)


def _difference(
    state: Slot, head: Point, hash_at: Callable[[int], bytes | None]
) -> tuple[str, str]:
    """Returns what is wrong, naming both places; and what to do."""
    known = state.next if _hash(hash_at, state.next.n) == state.next.hash else state.base
    if head.n == 0:
        rows = Message("one row") if known.n == 1 else Message("{n} rows", n=known.n)
        return (
            Message("The journal is new or empty, and the FRAM knows one of {rows}.", rows=rows),
            Message("Put that journal back; if it is gone for good: {adopt} --gone.", adopt=ADOPT),
        )
    end = Message(
        "the FRAM knows the journal up to row {n}, which ends at row {end}", n=known.n, end=head.n
    )
    if head.n < known.n:
        first = head.n + 1
        what = Message("Rows {first} to {n} are missing: {end}.", first=first, n=known.n, end=end)
        if first == known.n:
            what = Message("Row {first} is missing: {end}.", first=first, end=end)
        remedy = Message("Put the whole journal back")
    elif _hash(hash_at, known.n) != known.hash:
        what = Message(
            "Row {n} is not the one the FRAM knows (epoch {epoch}): the journal was"
            " altered, or is another's.",
            n=known.n,
            epoch=state.epoch,
        )
        remedy = Message("Put the right one back")
    else:
        what = Message("Rows from {n} on came without the FRAM: {end}.", n=known.n + 1, end=end)
        remedy = Message("Find out who wrote them")
    return what, Message("{remedy}; if it is as it should be: {adopt}.", remedy=remedy, adopt=ADOPT)
