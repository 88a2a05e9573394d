"""Opens the recorder of `cylindre run --record`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import click

from firmware.config import Config
from firmware.config.game import Game
from firmware.core.house import House
from firmware.lib.errors import FAILED, Failure, cause
from firmware.services.recorder.recorder import Recorder, about
from firmware.store.recorded_coup import Coup


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
        text = f"--record {folder}: {cause(error)}. Name a folder that can be written."
        raise Failure(FAILED, text) from error
    stack.callback(recorder.close)
    return recorder.keep
