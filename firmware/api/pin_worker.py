"""A thread that does what takes long, a hash of a PIN above all, one after the other.

The service's thread hands it work and goes on; it is rung when some is done. scrypt lets go of
Python's lock while it computes, so neither that thread nor the loop waits for it.
"""

import contextlib
import os
import queue
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from firmware.api.values import Refused
from firmware.lib.language import Message

# Each client has one request under way, and each has two hashes at most: who is last here waits
# for 16 of them, some 4 s.
WAITING_MAX = 8
NICE = 5  # the loop, on a device at -15, goes first wherever there are too few cores


class PinWorker:
    """Does work in a thread of its own; `ring` is called there whenever some is done."""

    def __init__(self, ring: Callable[[], None]) -> None:
        """Starts the thread."""
        self._ring = ring
        self._work: queue.Queue[tuple[Callable[[], Any], Callable[[Any], None]] | None]
        self._work = queue.Queue(WAITING_MAX)
        self._done: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def add(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Takes work; `finish` calls `then` with what it returned, or the exception it raised.

        Raises Refused if too much waits.
        """
        try:
            self._work.put_nowait((work, then))
        except queue.Full:
            raise Refused(
                "busy",
                Message("Too many PINs are being checked."),
                Message("Ask again in a second."),
            ) from None

    def finish(self) -> None:
        """Passes on what is done. Called by the thread that adds."""
        while self._done:
            then, found = self._done.popleft()
            then(found)

    def close(self) -> None:
        """Waits for what is being done, and forgets what waits."""
        self._closing = True
        with contextlib.suppress(queue.Full):  # else it finds out when it takes the next
            self._work.put_nowait(None)
        self._thread.join()

    def _run(self) -> None:
        # Of this thread alone (setpriority(2)); nobody needs a right to go down.
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while not self._closing:
            taken = self._work.get()
            if taken is None or self._closing:
                return
            work, then = taken
            try:
                found = work()
            except Exception as error:
                found = error
            self._done.append((then, found))
            self._ring()
