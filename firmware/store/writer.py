"""Makes records into rows and the rows durable: FRAM, then journal. One thread at a time.

The order is firmware.store.fram's: the FRAM says what is coming, the journal commits, the FRAM says
it is there. An attempt that failed comes again with the very same rows.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from firmware.bus import record
from firmware.lib.errors import sentence
from firmware.lib.language import Message
from firmware.store import rows
from firmware.store.clock import DOUBTFUL, Judge, Reading, Stamp, text
from firmware.store.fram import PATIENCE_S, Head
from firmware.store.identity import Identity, fields
from firmware.store.journal_file import File
from firmware.store.rows import (
    CHECKPOINT_EVERY,
    FRAM,
    SIGNED,
    VOUCHED,
    VOUCHED_ASKED,
    Point,
    Row,
)
from firmware.store.signing import Signer

FRAM_LOST = "S12"  # a code of firmware.core.faults


class Item(NamedTuple):
    """Something to record, and when it was decided."""

    kind: str
    body: Any
    at: Reading | Stamp  # a Stamp: it was judged then


class Unfit(Exception):
    """A record that can never be written; the text says why."""


class Writer:
    """Goes on with a chain. Knows no thread; whoever calls waits for the storage."""

    def __init__(
        self,
        file: File,
        *,
        signer: Signer,
        identity: Identity,
        head: Head | None,
        end: Point,
        epoch: int,
        seq: int,
        after: bytes | None,
        judge: Judge,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`end`: of the chain in `file`; `seq`: the last there; `after`: the
        digest of its record; `judge`: of the clock; `now_s`: any
        steady clock.
        """
        self.end = end
        self.epoch = epoch
        self._seq = seq
        self._outcome = after  # digest of the last one's record
        self._file = file
        self._signer = signer
        self._identity = identity
        self._head = head
        self._judge = judge
        self._now_s = now_s
        self._items: list[Item] = []  # of the attempt that is not through, their times judged
        self._rows: list[Row] = []  # and theirs
        self._said = False  # the FRAM has been told of them
        self._failing_s: float | None = None  # since when the FRAM does not answer
        self._to_say: dict[str, str] | None = None  # of the FRAM, with the next rows
        self._news: list[tuple[str, str]] = []

    @property
    def fram(self) -> str | None:
        """Returns how the FRAM stands: "answers", or why it does not; None: there is none."""
        if self._head is None:
            return None
        return self._head.lost or ("fails" if self._failing_s is not None else "answers")

    @property
    def fram_fails(self) -> bool:
        """Returns whether the last attempt failed at the FRAM, which is asked again soon."""
        return self._failing_s is not None

    def stamp(self, reading: Reading) -> Stamp:
        """Returns a time for the record."""
        return self._judge.stamp(reading)

    def take_news(self) -> list[tuple[str, str]]:
        """Returns what is newly wrong, though it can be written: (code of a fault, detail)."""
        found, self._news = self._news, []
        doubt = self._judge.news()
        if doubt is not None:
            found.append((DOUBTFUL, doubt))
        return found

    def commit(self, items: Sequence[Item]) -> list[Row]:
        """Makes rows of the items durable, and returns them. An outcome comes last, if any.

        Raises OSError, sqlite3.Error or Altered: then nothing is acknowledged, and the same items
        are to come again. Raises Unfit for what can never be written.
        """
        self._resume()
        if not self._rows:
            self._items = [self._judged(item) for item in items]
            self._rows = self._prepare()
            self._said = False
        if not self._said:
            if not self._tell(self._before):  # it was given up, and the rows are to say so
                self._rows = self._prepare()
            self._said = True
        self._file.append(self.end, self._rows)
        if self._rows[0].kind == FRAM:
            self._to_say = None
        self._tell(self._after)
        done, self._rows = self._rows, []
        self.end = done[-1].point
        if items[-1].kind in record.OUTCOMES:
            self._seq += 1
            self._outcome = record.digest(done[-1].body)
        return done

    def _judged(self, item: Item) -> Item:
        """With a Stamp for its time: the clock is judged once, however often rows are prepared."""
        return item if isinstance(item.at, Stamp) else item._replace(at=self.stamp(item.at))

    def _prepare(self) -> list[Row]:
        """Returns the rows of the items, with the checkpoints due between them."""
        made: list[Row] = []
        at = self.end
        if self._to_say is not None:
            now = self._items[0].at
            at = self._add(made, at, Item(FRAM, self._to_say, now))
            at = self._add(made, at, self._checkpoint(at, now))
        for item in self._items:
            at = self._add(made, at, item)
            if item.kind in VOUCHED_ASKED:
                at = self._add(made, at, self._checkpoint(at, item.at))
        return made

    def _checkpoint(self, at: Point, when: Reading | Stamp) -> Item:
        return Item(record.CHECKPOINT, {"n": at.n + 1, "head": at.hash}, when)

    def _add(self, made: list[Row], at: Point, item: Item) -> Point:
        """Adds the row of an item, after a checkpoint where one is due."""
        due = (at.n + 1) % CHECKPOINT_EVERY == 0
        if due and item.kind not in (record.CHECKPOINT, *VOUCHED):  # which have one of their own
            at = self._add(made, at, self._checkpoint(at, item.at))
        if item.kind in record.OUTCOMES and item.body["seq"] != self._seq + 1:
            raise Unfit(
                Message(
                    "{kind}: seq {seq} cannot come after {last_seq}.",
                    kind=item.kind,
                    seq=item.body["seq"],
                    last_seq=self._seq,
                )
            )
        stamp = item.at
        assert isinstance(stamp, Stamp)
        try:
            if item.kind in SIGNED:
                body = item.body
                if item.kind == record.ROTATION:  # nothing later is believed of the old key
                    body = body | {"seq": self._seq or None}
                said = fields(
                    self._identity,
                    item.kind,
                    body,
                    epoch=self.epoch,
                    stamp=stamp,
                    prev=at.hash,
                    after=self._outcome,
                )
                body = self._signer.sign(said)
            else:
                body = rows.plain(item.body)
        except (ValueError, TypeError, RecursionError) as error:
            raise Unfit(f"{item.kind}: {error}") from error
        made.append(rows.follow(at, text(stamp.utc), item.kind, body))
        return made[-1].point

    # --- the FRAM -------------------------------------------------------------------------------
    def _before(self, head: Head) -> None:
        last = self._rows[-1]
        pending = last.body if last.kind in record.OUTCOMES else None
        head.before(self.end, last.point, self.epoch, pending)

    def _after(self, head: Head) -> None:
        head.after()

    def _tell(self, say: Callable[[Head], None]) -> bool:
        """Says something to the FRAM, if there is one; False if it has just been given up.

        Raises OSError while it may still answer.
        """
        if self._head is None:
            return True
        try:
            say(self._head)
        except OSError as error:
            now_s = self._now_s()
            why = sentence(error)
            if self._failing_s is None:
                self._failing_s = now_s
            if now_s - self._failing_s < PATIENCE_S:
                raise OSError(error.errno, f"FRAM: {why}") from error
            self._head.give_up(why, now_s)
            self._failing_s = None
            self._to_say = {"state": "lost", "why": why}
            self._news.append((FRAM_LOST, why.rstrip(".") + "."))
            return False
        self._failing_s = None
        return True

    def _resume(self) -> None:
        """Takes the FRAM up again, if it is time to try."""
        head = self._head
        if head is None or self._rows or not head.due(self._now_s()):
            return
        try:
            head.resume(self.end, self.epoch, self._now_s())
        except OSError:
            return
        self._to_say = {"state": "back"} if self._to_say is None else None
