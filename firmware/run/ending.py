"""How a play ends: by a signal, and with all that was decided recorded."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.loop import Loop
from firmware.run.printer import Printer
from firmware.store.journal import Journal


def check_recorded(loop: Loop, journal: Journal) -> None:
    """Raises Failure if the end of the play is not in the journal; whoever stopped it must know."""
    if not loop.unrecorded:
        return
    journal.close()  # its last attempt
    left = loop.unrecorded - len(journal.done())
    if left > 0:
        many = Message("The last {left} records were not recorded", left=left)
        if left == 1:
            many = Message("The last record was not recorded")
        why = journal.trouble() or Message("{path}: the storage is too slow.", path=journal.path)
        text = Message(
            "{many}: {why} Free or replace the storage, then start again.",
            many=many,
            why=Message(why),
        )
        raise Failure(FAILED, text)


class Since:
    """Passes facts on with their times counted from the start of the process."""

    def __init__(self, start_us: int, printer: Printer) -> None:
        """`start_us`: of the monotonic clock."""
        self._start_us = start_us
        self._printer = printer

    def take_fact(self, fact: Any) -> None:
        """Passes one fact on."""
        told = fact._replace(at_us=fact.at_us - self._start_us)
        if getattr(fact, "until_us", None) is not None:  # a card table's guide
            told = told._replace(until_us=fact.until_us - self._start_us)
        self._printer.take_fact(told)


@contextlib.contextmanager
def caught_signals(loop: Loop) -> Iterator[set[int]]:
    """Lets signals stop the loop between two steps; gives the set of those that came."""
    caught: set[int] = set()

    def stop(number: int, _: object) -> None:
        caught.add(number)
        loop.stop()

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(number, signal.signal(number, stop)) for number in numbers]
    try:
        yield caught
    finally:
        for number, handler in before:
            signal.signal(number, handler)
