"""Has the wheel's health watched by a process of its own, which reads the journal (docs/health.md).

The loop waits for nothing here: it says that a coup has ended, and takes what was found since. The
process begins with the first coup that ends, at the lowest priority. What it finds is told while no
ball runs.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware.config import Config
from firmware.config.game import Game
from firmware.core.facts import BallInTrack, HealthFound, Result, Void
from firmware.lib.errors import cause

_READ_BYTES = 65_536
UNJUDGED = "H30"  # a code of firmware.core.faults
_ENDED = "the watch has ended; it begins anew after the next coup"


def watched(game: Game, journal: Path, config: Config) -> list[str]:
    """Returns the words that run the watch over a wheel and its journal."""
    given = {
        "journal": str(journal.absolute()),
        "geometry": game.board["geometry"],
        "layout": game.rules["layout"],
        "coups_a_year": config.health_coups_a_year,
        "croupiers": config.health_croupiers,
    }
    return [sys.executable, "-P", "-m", "firmware.health.watcher", json.dumps(given)]


class HealthWatcher:
    """That process. For the loop it is a FactListener and an EventSource."""

    def __init__(self, words: Sequence[str]) -> None:
        """Starts nothing yet. `words`: what to run."""
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None
        self._ended: list[subprocess.Popen[bytes]] = []  # and have not left the system yet
        self._why_not = ""
        self._ball_runs = False
        self._begun = b""  # of a line

    # --- the loop's side: nothing here waits ---------------------------------------------------
    def take_fact(self, fact: Any) -> None:
        """Has the journal read when a coup has ended, which is durable by now."""
        if isinstance(fact, BallInTrack):
            self._ball_runs = True
        elif isinstance(fact, Result | Void):
            self._ball_runs = False
            self._have_read()

    def take_events(self) -> Sequence[HealthFound]:
        """Returns what was found since the last call, at_us = 0; nothing while a ball runs."""
        self._ended = [each for each in self._ended if each.poll() is None]
        if self._ball_runs:
            return ()
        if self._why_not:
            why_not, self._why_not = self._why_not, ""
            return (HealthFound(0, UNJUDGED, why_not, None),)
        if self._process is None:
            return ()
        assert self._process.stdout is not None
        try:
            data = os.read(self._process.stdout.fileno(), _READ_BYTES)
        except BlockingIOError:
            return ()
        if not data:
            self._forget()
            return (HealthFound(0, UNJUDGED, _ENDED, None),)
        *lines, self._begun = (self._begun + data).split(b"\n")
        try:
            return [HealthFound(0, *json.loads(line)) for line in lines]
        except (ValueError, TypeError):
            self._forget()
            return (HealthFound(0, UNJUDGED, _ENDED, None),)

    def decided(self, refusal: str | None) -> None:
        """Does nothing: nobody waits for an answer."""

    def close(self) -> None:
        """Ends it. What it has found and not told is found anew at the next start."""
        if self._process is not None:
            self._forget()
        for process in self._ended:
            process.wait()

    # --- the process ---------------------------------------------------------------------------
    def _have_read(self) -> None:
        if self._process is None:
            try:
                self._start()
            except OSError as error:
                self._why_not = f"the watch cannot begin: {cause(error)}"
                return
        assert self._process is not None and self._process.stdin is not None
        # It may have enough to do, or have ended: then `take_events` sees that.
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            os.write(self._process.stdin.fileno(), b"\n")

    def _start(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._words, stdin=pipe, stdout=pipe)
        assert self._process.stdin is not None and self._process.stdout is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        os.set_blocking(self._process.stdout.fileno(), False)

    def _forget(self) -> None:
        process, self._process, self._begun = self._process, None, b""
        assert process is not None and process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.kill()  # what it keeps is whole at any moment
        self._ended.append(process)
