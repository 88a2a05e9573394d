"""Counts abandoned stakes as the coups are played, and enters what follows (Luxembourg art. 8).

The register may wait for its disk or for somebody else, so a thread of its own does it: results go
in as they are told, notices and payments come out as the loop takes what people ask.
"""

import datetime
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from firmware.core.facts import OrphelinPaidIn, Result, Trouble
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.stakes.abandoned import PAID_IN, announcement
from firmware.stakes.orphelins import COUP, RENUMBERED
from firmware.store.reader import Played
from firmware.store.register import Page, Register, RegisterError

RETRY_S = 0.5  # between two attempts on a full or failing disk
# Results that wait for a failing disk: a week's. A restart finds what is lost in the journal.
WAITING_MAX = 10_000
_CLOSE_S = 1.0  # a disk that hangs holds nobody up: a restart catches up
NOT_ENTERED = "S11"  # a code of firmware.core.faults


def today() -> int:
    """Returns the calendar day here: art. 8 counts "sept jours de calendrier"."""
    return datetime.date.today().toordinal()


def count_played(page: Page, coup: int, played: Callable[[int], Sequence[Played]]) -> None:
    """Counts what a journal has and the register has not; `coup`: the journal's last."""
    body = page.said.renumber(coup)
    if body is not None:
        page.append(RENUMBERED, body)
    counting = page.said.counting()
    if counting:
        for result in played(min(orphelin.coup for orphelin in counting)):
            _count(page, result)


def _count(page: Page, result: Played) -> None:
    body = page.said.play(result.coup, result.number, result.colour)
    if body is not None:
        page.append(COUP, body)


class OrphelinsService:
    """Keeps the register of one table. For the loop it is a FactListener and an EventSource."""

    def __init__(
        self,
        register: Register,
        *,
        coup: int,
        played: Callable[[int], Sequence[Played]],
        day: Callable[[], int] = today,
    ) -> None:
        """Catches up with the journal, then goes on in a thread.

        `coup`: the last that the journal has; `played`: its results of the coups above one. Raises
        RegisterError or OSError, and what `played` raises.
        """
        self._register = register
        self._day = day
        self._results: deque[Played] = deque(maxlen=WAITING_MAX)
        self._told: deque[Any] = deque()
        self._trouble: str | None = None
        self._closing = False
        self._changed = threading.Condition()
        self._catch_up(coup, played)
        self._thread = threading.Thread(target=self._work, name="orphelins", daemon=True)
        self._thread.start()

    # --- the loop's side: nothing here waits ---------------------------------------------------
    def take_fact(self, fact: Any) -> None:
        """Takes a result, which is durable by now; a void is no coup played."""
        if isinstance(fact, Result):
            with self._changed:
                self._results.append(Played(fact.coup, fact.number, fact.colour))
                self._changed.notify_all()

    def take_events(self) -> Sequence[Any]:
        """Returns what is to be told since the last call, at_us = 0."""
        found = []
        while self._told:
            found.append(self._told.popleft())
        return found

    def decided(self, refusal: str | None) -> None:
        """Does nothing: nobody waits for an answer."""

    def close(self) -> None:
        """Enters what waits, for a second at most."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_CLOSE_S)

    # --- the thread's side ---------------------------------------------------------------------
    def _catch_up(self, coup: int, played: Callable[[int], Sequence[Played]]) -> None:
        """Counts what was played while nobody counted, so that no coup is missed."""
        if not self._register.path.exists():
            return
        with self._register.writing() as page:
            count_played(page, coup, played)
            self._pay(page)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._results and not self._closing:
                    self._changed.wait()
                if not self._results:
                    return
            try:
                self._enter_all()
            except (OSError, RegisterError) as error:
                if not self._wait(error):
                    return
            else:
                self._trouble = None

    def _enter_all(self) -> None:
        """Enters every result that waits; one that is entered waits no more."""
        waiting = len(self._results)
        if not self._register.path.exists():  # no stake was ever marked
            for _ in range(waiting):
                self._results.popleft()
            return
        with self._register.writing() as page:
            while self._results:
                _count(page, self._results[0])
                self._pay(page)
                self._results.popleft()

    def _wait(self, error: OSError | RegisterError) -> bool:
        """Says why nothing is entered, once, and waits; False if it is not to be tried again."""
        why = (
            Message("{}: {}.", self._register.path, cause(error))
            if isinstance(error, OSError)
            else error
        )
        if str(why) != self._trouble:
            self._trouble = str(why)
            self._told.append(Trouble(0, NOT_ENTERED, self._trouble))
        with self._changed:
            if not self._closing:
                self._changed.wait(RETRY_S)
            return not self._closing

    def _pay(self, page: Page) -> None:
        """Pays in what has been counted for three coups, and announces it once that is durable."""
        for kind, body in page.said.due(self._day()):
            page.append(kind, body)
            if kind == PAID_IN:
                n, cents, total_cents = body["of"], body["cents"], body["total_cents"]
                text = announcement(n, cents, total_cents)
                self._told.append(OrphelinPaidIn(0, n, cents, total_cents, text))
