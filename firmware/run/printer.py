"""Prints facts on standard output from a thread of its own, so that the loop never waits for it."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

WAITING_MAX = 10_000  # facts; who reads a thousand coups too slowly does not read


class Printer:
    """A FactListener that writes a line a fact to a file descriptor."""

    def __init__(
        self, line: Callable[[Any], str | None], lost: Callable[[], None], handle: int = 1
    ) -> None:
        """`line` words a fact; `lost` is called (from the thread) when nobody reads any more."""
        self._line = line
        self._lost = lost
        self._handle = handle
        self._waiting: deque[Any] = deque(maxlen=WAITING_MAX)
        self._bell = threading.Semaphore(0)
        self._closing = False
        self.broken: OSError | None = None  # why nothing can be printed any more
        self._thread = threading.Thread(target=self._print, name="printer", daemon=True)
        self._thread.start()

    def take_fact(self, fact: Any) -> None:
        """Takes one fact; the oldest waiting one goes if too many wait."""
        self._waiting.append(fact)
        self._bell.release()

    def close(self, patience_s: float = 0.5) -> None:
        """Prints what waits, for `patience_s` at most: a reader may have stopped reading."""
        self._closing = True
        self._bell.release()
        self._thread.join(patience_s)

    def _print(self) -> None:
        while True:
            self._bell.acquire()
            while self._waiting:
                text = self._line(self._waiting.popleft())
                try:
                    if text is not None:
                        self._write(text.encode() + b"\n")
                except OSError as error:
                    self.broken = error
                    self._lost()
                    return
            if self._closing:
                return

    def _write(self, data: bytes) -> None:
        # Past sys.stdout: a thread that waits inside its lock would hold up the interpreter's exit.
        while data:
            data = data[os.write(self._handle, data) :]
