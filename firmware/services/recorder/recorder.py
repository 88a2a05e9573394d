"""Writes recorded coups, in a thread of its own: the wheel never waits for it, nor stops for it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import queue
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from firmware.config import Config
from firmware.config.game import Game
from firmware.core.house import House
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.services.recorder import files
from firmware.store import signing, source_hash
from firmware.store.recorded_coup import Coup
from firmware.text.trace import TraceError

KEPT = 20  # coups: the last quarter of an hour, some 10 MB with a busy bus
KEPT_MAX = 1_000  # 100 000 edges and 1 MB of bus each: 5 GB if every one were of the worst kind
WAITING_MAX = 4  # coups; a disk that has not taken the fifth before is not going to
_CLOSE_S = 5.0
_FULL = (errno.ENOSPC, errno.EDQUOT)
_UNKEPT, _UNFORGOTTEN = "unkept", "unforgotten"  # two troubles, each told once


class Recorder:
    """Keeps the last coups in a folder. Says once what goes wrong, and once that it is over."""

    def __init__(
        self,
        folder: Path,
        board: dict[str, Any],
        about: dict[str, Any],
        *,
        kept: int = KEPT,
        say: Callable[[str], None],
    ) -> None:
        """`about`: what stands in each recording's head. Raises OSError if `folder` cannot be."""
        files.tidy(folder)
        files.forget(folder, kept)  # fewer may be wanted than last time
        self._folder, self._board, self._about = folder, board, about
        self._kept = kept
        self._say = say
        self._trouble = ""  # what was told last of what is wrong now
        self._waiting: queue.Queue[Coup | None] = queue.Queue(WAITING_MAX + 1)
        self._thread = threading.Thread(target=self._write, name="recorder", daemon=True)
        self._thread.start()

    def keep(self, coup: Coup) -> None:
        """Takes a coup for writing. Never waits: one too many is dropped, and said."""
        if self._waiting.qsize() >= WAITING_MAX:
            self._tell(
                _UNKEPT,
                Message(
                    "{folder}: too slow, coup {number} is not kept.",
                    folder=self._folder,
                    number=coup.number,
                ),
            )
            return
        self._waiting.put_nowait(coup)

    @property
    def waiting(self) -> bool:
        """Returns whether a coup has yet to be written."""
        return self._waiting.unfinished_tasks > 0

    def close(self) -> None:
        """Writes what waits, some seconds at most."""
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join(_CLOSE_S)

    def _write(self) -> None:
        while (coup := self._waiting.get()) is not None:
            if self._saved(coup) and self._forgot(coup) and self._trouble:
                self._trouble = ""
                self._say(
                    Message("The recorder works again: coup {number} is kept.", number=coup.number)
                )
            self._waiting.task_done()

    def _saved(self, coup: Coup) -> bool:
        try:
            self._save(coup)
        except TraceError as error:
            self._tell(_UNKEPT, str(error))
        except OSError as error:
            self._tell(
                _UNKEPT,
                Message(
                    "{folder}: {cause}; coup {number} is not kept.",
                    folder=self._folder,
                    cause=cause(error),
                    number=coup.number,
                ),
            )
        else:
            return True
        return False

    def _save(self, coup: Coup) -> None:
        """A full disk takes it in the place of the oldest; the last one is not given for it."""
        try:
            files.save(self._folder, coup, self._board, self._about)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            files.forget(self._folder, max(1, self._kept - 1))
            files.save(self._folder, coup, self._board, self._about)

    def _forgot(self, coup: Coup) -> bool:
        try:
            files.forget(self._folder, self._kept)
        except OSError as error:
            why = cause(error)
            sentence = Message(
                "coup {number} is kept, but older ones cannot be removed.", number=coup.number
            )
            self._tell(_UNFORGOTTEN, f"{self._folder}: {why}; {sentence}")
            return False
        return True

    def _tell(self, trouble: str, sentence: str) -> None:
        if self._trouble != trouble:
            self._trouble = trouble
            self._say(
                Message(
                    "The recorder: {sentence} The wheel plays on; see to that folder.",
                    sentence=sentence,
                )
            )


def about(game: Game, config: Config, house: House) -> dict[str, Any]:
    """Returns the head of a recording.

    What a coup is to be played again with, and on what it was.
    """
    chosen = asdict(config)
    text = json.dumps(chosen, sort_keys=True)
    return {
        "board": game.board["name"],
        "config": {key: chosen[key] for key in ("rules", "layout", "cups")},
        # Where a calibration found the ring sensors; null: the drawing holds (docs/calibration.md).
        "pocket_mdeg": game.board["geometry"].get("pocket_mdeg"),
        "config_hash": hashlib.sha256(text.encode()).hexdigest(),
        "rules_hash": signing.rules_hash(game.rules).hex(),
        "firmware_hash": source_hash.firmware_hash().hex(),
        "house": house._asdict(),
    }


def open_recorder(
    folder: Path,
    kept: int,
    *,
    game: Game,
    config: Config,
    house: House,
    stack: contextlib.ExitStack,
) -> Callable[[Coup], None]:
    """Makes the folder and starts the thread; returns what keeps a coup. Raises Failure."""
    try:
        recorder = Recorder(
            folder,
            game.board,
            about(game, config, house),
            kept=kept,
            say=lambda sentence: click.echo(sentence, err=True),
        )
    except OSError as error:
        text = Message(
            "--record {folder}: {cause}. Name a folder that can be written.",
            folder=folder,
            cause=cause(error),
        )
        raise Failure(FAILED, text) from error
    stack.callback(recorder.close)
    return recorder.keep
