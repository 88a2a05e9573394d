"""The controller's sockets in safe mode: whoever looks after the wheel logs in, reads, and repairs.

What does not need play is done as ever: status, parts, and what is written down before root carries
it out (a configuration, an update). All else is refused in a sentence. Where the wheel's journal
cannot be gone on with either, or fails later, who logs in stands in the machine's log, and only
reads.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.api.server import Service, ServiceError
from firmware.api.sessions import Person
from firmware.api.values import Refused
from firmware.core import acts, faults
from firmware.core.coup.states import SERVICE
from firmware.core.facts import UNKNOWN, Act, ActDone, Fault, Trouble, View
from firmware.keys import rotation
from firmware.keys.people import People
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.run.open_head import open_head
from firmware.run.open_journal import identity_of
from firmware.shims.boottime import boot_us
from firmware.store import reader
from firmware.store.acts import SHIFT
from firmware.store.journal import Journal, JournalError

Say = Callable[[str, str, dict[str, Any]], None]
OUT_OF_SERVICE = View(SERVICE, 0, 0, UNKNOWN, None, None, None)
SAFE_MODE = "S16"  # codes of firmware.core.faults
NOT_RECORDED = "S10"
REFUSED = "P10"
_NUMBER_MAX = 99  # no wheel has more: a number is refused here as all of play is
_NO_PLAY = Message("the wheel is in safe mode, where nothing is played and nothing turns.")
_NO_RECORD = Message("the wheel's journal is not written, and what is asked has to stand in it.")
# What the sockets write down themselves, whoever asks; all else somebody waits to have recorded.
_OF_SOCKETS = ("login", "logout", "login refused")


class SafeDesk:
    """Answers what is asked at the sockets of a wheel whose controller does not run."""

    def __init__(
        self,
        sockets: Path,
        *,
        people: Path,
        game: str,
        journal: Journal | Failure,
        say: Say,
    ) -> None:
        """Makes the sockets. Raises Failure.

        `journal`: of the wheel, or why it is not gone on with. `say`: as keep_safe has it.
        """
        self._say = say
        self._journal = journal if isinstance(journal, Journal) else None
        self._closed = False
        self._tickets = 0
        self._not_durable: dict[int, Act] = {}  # by ticket
        self._trouble: str | None = None  # of the journal, since it was last told
        try:
            self._service = Service(
                sockets,
                number_max=_NUMBER_MAX,
                start_us=boot_us(),
                people=People(people),
                game=game,
                croupiers=True,  # whatever the house asks for: nobody throws here
                wheel_us=boot_us,
            )
        except ServiceError as error:
            raise Failure(FAILED, str(error)) from error
        self._service.technicians.parts = self._parts
        self._service.technicians.calibrate = _refuse_calibration
        self.line_parts: Callable[[], dict[str, Any]] = dict
        self._service.show_view(OUT_OF_SERVICE)
        self._fault(SAFE_MODE, "")
        if isinstance(journal, Failure):
            self._fault(NOT_RECORDED, journal.sentence)

    def poll(self) -> None:
        """Answers what was asked since the last call, and never waits."""
        if self._journal is not None:
            self._watch(self._journal)
        for event in self._service.take_events():
            self._service.decided(self._decide(event))

    def close(self) -> None:
        """Does what was asked by now, and closes the sockets. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self.poll()
        self._service.close()
        for event in self._service.take_events():
            if isinstance(event, ActDone) and event.what in _OF_SOCKETS:  # as they closed
                self._write_down(event)

    def _watch(self, journal: Journal) -> None:
        """Tells what became durable, and once what is wrong, for as long as it stands."""
        for ticket in journal.done():
            self._service.take_fact(self._not_durable.pop(ticket))
        for told in journal.take_events():
            self._fault(told.code, told.detail)
        trouble = journal.trouble()
        if trouble is not None and self._trouble is None:
            self._fault(NOT_RECORDED, trouble)
        elif trouble is None and self._trouble is not None:
            self._service.fault_over(NOT_RECORDED)
        self._trouble = trouble

    def _decide(self, event: Any) -> str | None:
        """Does it; returns what is refused, as the core says it, or None."""
        if isinstance(event, Trouble):
            self._fault(event.code, event.detail)
            return None
        if not isinstance(event, ActDone) or event.what == SHIFT:
            return faults.sentence(REFUSED, _NO_PLAY)
        fails = self._journal is None or self._trouble is not None
        if fails and event.what not in _OF_SOCKETS:
            return faults.sentence(REFUSED, _NO_RECORD)
        act = self._write_down(event)
        if self._journal is None:
            self._service.take_fact(act)
        return None

    def _write_down(self, event: ActDone) -> Act:
        """Says it in the machine's log, and has it written into the journal if there is one."""
        act = Act(boot_us(), event.what, event.who, event.role, event.detail, event.sha256)
        body = acts.row_of(act)
        self._say("act", " ".join((f"{act.who}:", act.what, act.detail)).rstrip(), body)
        if self._journal is not None:
            self._tickets += 1
            self._not_durable[self._tickets] = act
            self._journal.put(self._tickets, acts.KIND, body)
        return act

    def _fault(self, code: str, detail: str) -> None:
        told = {"code": code, "detail": detail}
        text = faults.sentence(code, detail)
        self._say("fault", text, told)
        self._service.take_fact(Fault(boot_us(), code, text))

    def _parts(self) -> dict[str, Any]:
        """What there is without the wheel: the journal, and the displays' line."""
        journal = {} if self._journal is None else self._journal.parts()
        return {**journal, **self.line_parts()}


def _refuse_calibration(values: dict[str, Any], person: Person) -> str:
    text = Message("The wheel is in safe mode, where nothing is played and nothing turns.")
    raise Refused("not_now", text, Message("Start the machine anew once it is mended."))


def go_on_with(
    journal: Path,
    keys: Path,
    fram: Path | None,
    board: dict[str, Any],
    stack: contextlib.ExitStack,
) -> Journal | Failure:
    """Returns the wheel's journal as its last epoch names the wheel, or why it is not gone on with.

    None is made, and whatever the configuration says that epoch goes on.
    """
    try:
        head = open_head(board, fram, stack)
        found = Journal(
            journal,
            signer=rotation.open_signer(keys, journal),
            identity=identity_of(reader.keys(journal).epoch, board),
            head=head,
        )
    except JournalError as error:
        return Failure(FAILED, str(error))
    except Failure as failure:
        return failure
    stack.callback(found.close)
    return found
