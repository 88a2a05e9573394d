"""Signals that end a process or wake it, as a descriptor that `select` can wait for."""

from __future__ import annotations

import os
import signal
from typing import Any

SIGINT = signal.SIGINT
_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Wake:
    """Takes the signals while it is entered; to be used in the main thread."""

    def __init__(self) -> None:
        """Takes nothing yet."""
        self.stopped_by: int | None = None
        self._reads = self._writes = self._woke_before = -1
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Wake:
        """Takes SIGINT, SIGTERM, SIGHUP; a terminal that changes its size wakes too."""
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._reads, False)
        os.set_blocking(self._writes, False)
        self._woke_before = signal.set_wakeup_fd(self._writes, warn_on_full_buffer=False)
        for number in (*_STOPS, signal.SIGWINCH):
            self._before[number] = signal.signal(number, lambda *_: None)
        return self

    def __exit__(self, *_: object) -> None:
        """Gives them back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._woke_before)
        os.close(self._reads)
        os.close(self._writes)

    def fileno(self) -> int:
        """Returns the descriptor that is readable once a signal came."""
        return self._reads

    def read_signals(self) -> None:
        """Sets `stopped_by` if one of those came that end a process."""
        try:
            came = os.read(self._reads, 64)
        except BlockingIOError:
            return
        for number in came:
            if number in _STOPS and self.stopped_by is None:
                self.stopped_by = number
