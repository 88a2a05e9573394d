"""The journal: what was once confirmed is never lost nor changed. A thread of its own writes it.

Records that wait are committed together; an outcome or sealed stakes come last in their commit.
"""

import sqlite3
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from firmware.bus import record
from firmware.core.coup.restart_state import RestartState
from firmware.core.facts import Trouble
from firmware.lib.language import Message
from firmware.stakes import card_kinds
from firmware.store import round_record
from firmware.store.clock import Reading, read
from firmware.store.create import Beginner
from firmware.store.database import why
from firmware.store.fram import TRY_S, Head
from firmware.store.identity import Identity
from firmware.store.journal_file import Altered
from firmware.store.rows import JournalError, Row
from firmware.store.signing import Signer
from firmware.store.startup_check import OUTCOMES_KEPT
from firmware.store.writer import Item, Unfit

RETRY_S = 0.5  # between two attempts on a full or failing disk
WRITE_S = 10.0  # a card that is worn out may take seconds
WAITING_MAX = 10_000  # records; a disk that fails for longer than that many is not coming back
TOGETHER_MAX = 64  # records in one commit
# What comes after waits for the next commit: the FRAM replays an outcome alone, and what that
# settles, or says of a round, is there by then.
LAST_IN_COMMIT = (*record.OUTCOMES, "stakes", card_kinds.STAKES, *round_record.SIGNED)
SLOW_S = 1.0  # a commit takes 40 ms on a good card; a worn one tidies up for seconds
HANGS_S = 3.0  # in one attempt: whoever else keeps the file locked holds it up for 2
SLOW = "S14"  # a code of firmware.core.faults

__all__ = ["Identity", "Journal", "JournalError"]


class Journal:
    """Makes records durable in one file, which it alone may write.

    For the loop also an EventSource.
    """

    def __init__(
        self,
        path: Path,
        *,
        signer: Signer,
        identity: Identity,
        head: Head | None = None,
        clock: Callable[[], Reading] = read,
        next_epoch: Callable[[], int] = lambda: 1,
        rotations: Sequence[bytes] = (),
        adopt: bool = False,
    ) -> None:
        """Opens or makes the file, checks and recalls it, and starts the writer.

        `head`: the FRAM; `next_epoch`: the number of a new journal's epoch, called for one alone;
        `rotations`: the records by which the wheel's first key became the signer's, for a new
        journal; `adopt`: this board and FRAM are the journal's from now on, whatever it says.
        Raises JournalError if it cannot be used; then nothing was overwritten.
        """
        self.path = path
        self.head = head  # the writer's own, once the loop runs
        self._clock = clock
        beginner = Beginner(
            path,
            signer=signer,
            identity=identity,
            head=head,
            clock=clock,
            next_epoch=next_epoch,
        )
        found = beginner.open(rotations, adopt)
        self._file, self._writer = found.file, found.writer
        self.notice: str | None = found.notice
        recall = found.loaded.recall
        self.restart_state: RestartState = recall.restart_state
        self.stakes = recall.stakes
        self.openings = recall.openings
        self.software = recall.software
        self.played_at = recall.played_at
        self.rotations: tuple[bytes, ...] = found.loaded.rotations
        self.kid = record.key_id(found.loaded.key)
        self._records: OrderedDict[int, bytes] = OrderedDict(found.loaded.outcomes)
        self._trouble: str | None = None
        self._lost: str | None = None  # a record was turned away: its ticket never comes
        self._begun_s: float | None = None  # since when the attempt on its way is
        self._news: deque[Trouble] = deque()
        self._slow = False
        # Without a ticket: nobody is told of it alone.
        self._waiting: deque[tuple[int | None, Item]] = deque()
        self._trying: list[tuple[int | None, Item]] = []  # the first of them, in an attempt
        self._done: deque[int] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._attempts = 0
        self._attempts_seen = 0
        self._tell()
        self._thread = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._thread.start()

    @property
    def epoch(self) -> int:
        """Returns the epoch of what is recorded now."""
        return self._writer.epoch

    def record(self, seq: int) -> bytes | None:
        """Returns the record of a result, void or correction, once durable; only the last are
        known.
        """
        return self._records.get(seq)

    # --- the loop's side: nothing here waits, but `wait` --------------------------------------
    def put(self, ticket: int, kind: str, body: Any) -> None:
        """Takes a record for writing; `done` names its ticket once it is durable.

        The end of a round of cards is its row, and then its signed record, which makes it durable.
        """
        signed = round_record.SIGNED.get(kind)
        if signed is not None:
            self._put(None, kind, body)
        self._put(ticket, signed or kind, body)

    def _put(self, ticket: int | None, kind: str, body: Any) -> None:
        if len(self._waiting) >= WAITING_MAX:
            self._lost = f"{self.path}: {WAITING_MAX} records wait already."
            return
        with self._changed:
            self._waiting.append((ticket, Item(kind, body, self._clock())))
            self._changed.notify_all()

    def done(self) -> tuple[int, ...]:
        """Returns the tickets that became durable since the last call."""
        if not self._done:
            return ()
        tickets = []
        while self._done:
            tickets.append(self._done.popleft())
        return tuple(tickets)

    def trouble(self) -> str | None:
        """Returns a sentence if writing fails now, else None."""
        return self._lost or self._trouble or self._hanging()

    def _hanging(self) -> str | None:
        """A sentence if an attempt takes unduly long; its time is in steps, each told once."""
        begun_s = self._begun_s
        took_s = 0.0 if begun_s is None else time.monotonic() - begun_s
        if took_s < HANGS_S:
            return None
        step_s = HANGS_S
        while 0 < step_s * 2 <= took_s:
            step_s *= 2
        return f"{self.path}: the storage has been writing for {step_s:g} s."

    def parts(self) -> dict[str, Any]:
        """Returns journal and FRAM, for a technician. May be called by another thread."""
        return {
            "journal": {"rows": self._writer.end.n, "epoch": self.epoch, "trouble": self.trouble()},
            "fram": self._writer.fram,
        }

    def take_events(self) -> Sequence[Trouble]:
        """Returns what is newly wrong, though records can be written: clock, FRAM or card; at_us =
        0.
        """
        if not self._news:
            return ()
        found = []
        while self._news:
            found.append(self._news.popleft())
        return found

    def decided(self, refusal: str | None) -> None:
        """Does nothing: nobody waits for an answer."""

    def awake(self) -> bool:
        """Returns whether the writer got through something since the last call, or has nothing to
        do.

        A full disk is not sleep: it is tried again and again, and a restart would not help it.
        A record that was turned away is: what waits for it, a restart alone sets free.
        """
        seen, self._attempts_seen = self._attempts_seen, self._attempts
        return self._lost is None and (not self._waiting or seen != self._attempts)

    def wait(self, patience_s: float) -> bool:
        """Waits until all that was put is done, for a loop that may. Returns whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting, patience_s)

    # --- before and after the loop ---------------------------------------------------------------
    def write(self, kind: str, body: Any, patience_s: float = WRITE_S) -> None:
        """Makes one record durable before the loop runs. Raises JournalError if that fails."""
        self.put(0, kind, body)
        with self._changed:
            written = self._changed.wait_for(lambda: bool(self._done), patience_s)
        if not written:
            why = self.trouble() or f"{self.path}: not written in {patience_s:g} s."
            raise JournalError(f"{why} Free or replace the storage.")
        self._done.clear()

    def close(self, patience_s: float = 1.0) -> None:
        """Writes what waits, for `patience_s` at most, and closes. May be called twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(patience_s)
        if not self._thread.is_alive():
            self._file.close()

    # --- the thread's side ---------------------------------------------------------------------
    def _write_all(self) -> None:
        """The thread: whatever stops it before it is asked to, is said."""
        try:
            self._go_on()
        except Exception as error:
            self._lost = f"{self.path}: its writer has stopped ({type(error).__name__}: {error})."

    def _go_on(self) -> None:
        """One commit after the other, each until it is durable."""
        while True:
            with self._changed:
                while not self._waiting and not self._closing:
                    self._changed.wait()
                if not self._waiting:
                    return
                together = self._together()
            try:
                self._commit(together)
            except (OSError, sqlite3.Error, JournalError) as error:
                self._attempts += 1
                told = str(error) if isinstance(error, JournalError) else f"{why(error)}."
                self._trouble = Message(
                    "{}: {}", self.path, Message(told)
                )  # fault S10 says what to do
                with self._changed:
                    if self._closing:
                        return
                    self._changed.wait(TRY_S if self._writer.fram_fails else RETRY_S)
            except (Altered, Unfit) as error:
                self._lost = Message("{}: {}", self.path, Message(str(error)))
                return

    def _together(self) -> list[tuple[int | None, Item]]:
        """Returns what is committed next: what waits, up to an outcome or to sealed stakes.

        The FRAM replays an outcome alone: the stakes it settles are to be there by then.
        After an attempt that failed the same again: its rows are made, and may be there.
        """
        if not self._trying:
            for waiting in self._waiting:
                self._trying.append(waiting)
                if waiting[1].kind in LAST_IN_COMMIT or len(self._trying) == TOGETHER_MAX:
                    break
        return self._trying

    def _commit(self, together: list[tuple[int | None, Item]]) -> None:
        self._begun_s = begun_s = time.monotonic()
        try:
            made = self._writer.commit([item for _, item in together])
        finally:
            self._begun_s = None
            self._tell()
        took_s = time.monotonic() - begun_s
        if took_s > SLOW_S and not self._slow:
            self._slow = True
            self._news.append(Trouble(0, SLOW, f"a commit took {took_s:.1f} s."))
        self._keep(made)
        self._attempts += 1
        self._trouble = None
        for ticket, _ in together:
            if ticket is not None:
                self._done.append(ticket)
            self._waiting.popleft()  # after that: whoever waits for none to wait finds it done
        self._trying = []
        with self._changed:
            self._changed.notify_all()  # `write` waits for it

    def _keep(self, made: Sequence[Row]) -> None:
        """Keeps records at hand, before anybody is told that they are there."""
        for row in made:
            if row.kind == record.ROTATION:
                self.rotations += (row.body,)
            elif row.kind in record.OUTCOMES:
                found = record.parse(row.body)
                assert found is not None  # it was signed here
                self._records[found.seq] = row.body
                if len(self._records) > OUTCOMES_KEPT:
                    self._records.popitem(last=False)

    def _tell(self) -> None:
        """Passes on what the writer has found wrong."""
        for code, detail in self._writer.take_news():
            self._news.append(Trouble(0, code, detail))
