"""Runs a recorded trace through the very code that runs in the wheel, in the trace's own time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from firmware.config import Config
from firmware.config.game import Game
from firmware.core.controller import Controller
from firmware.core.feed import feed
from firmware.core.house import VOID
from firmware.text.trace import open_trace


def replay(path: str | os.PathLike[str], game: Game, config: Config | None = None) -> Iterator[Any]:
    """Yields the facts of a trace as they are decided.

    `config`: what the house chose; but the rotor counts as turned by hand, the call takes no time,
    and what is not detected is void, for nobody can be asked (contracts/trace.md). Raises
    TraceError where the trace cannot be read on, after everything decided before: a coup that is
    open there stays open, for its end may have been recorded and lost.
    """
    house = (config or Config()).house._replace(driven=False, call_us=0, undetected=VOID)
    controller = Controller(game.board, game.rules, house=house)
    with open_trace(path, game.board) as trace:
        yield from feed(controller, trace.edges(), trace.levels)
