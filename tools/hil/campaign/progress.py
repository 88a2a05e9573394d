"""Tells how a campaign goes: in one line that changes at a terminal, now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

PIPE_S = 10.0  # between two lines
TERMINAL_S = 0.25


class Progress:
    """Is told each row."""

    def __init__(
        self,
        jobs: int,
        done: int,
        out: TextIO = sys.stderr,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`done`: so many of the jobs were before."""
        self._jobs = jobs
        self._done = self._before = done
        self._coups = self._failed = 0
        self._out = out
        self._clock = clock
        self._start_s = self._told_s = clock()
        self._terminal = out.isatty()

    def take(self, row: dict[str, Any]) -> None:
        """One more job is done."""
        self._done += 1
        self._coups += row["coups"]
        self._failed += bool(row["broken"])
        now_s = self._clock()
        if now_s - self._told_s >= (TERMINAL_S if self._terminal else PIPE_S):
            self._told_s = now_s
            self._say(self.line())

    def line(self) -> str:
        """How it stands."""
        spent_s = max(self._clock() - self._start_s, 1e-9)
        rest_s = spent_s * (self._jobs - self._done) / max(self._done - self._before, 1)
        failed = f", {self._failed} FAILED" if self._failed else ""
        return (
            f"{self._done} of {self._jobs} jobs, {self._coups} coups,"
            f" {self._coups / spent_s:.1f} coups/s, {_duration(rest_s)} left{failed}"
        )

    def note(self, text: str) -> None:
        """What else is done."""
        self._say(f"{self.line()}. {text}")

    def end(self) -> None:
        """The last line stays."""
        self._say(self.line())
        if self._terminal:
            self._out.write("\n")

    def _say(self, line: str) -> None:
        self._out.write(f"\r{line}\x1b[K" if self._terminal else f"{line}\n")
        self._out.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
