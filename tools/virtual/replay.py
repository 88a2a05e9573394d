"""Runs a recorded trace through the very code that runs in the wheel, in the trace's own time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from firmware.config import Config
from firmware.config.game import Game
from firmware.core.controller import Controller
from firmware.core.feed import feed
from firmware.core.house import VOID
from firmware.text.trace import open_trace
from tools.sim.truth import CoupTruth
from tools.virtual.score import Score


def replay(path: str | os.PathLike[str], game: Game, config: Config | None = None) -> Iterator[Any]:
    """Yields the facts of a trace as they are decided.

    `config`: what the house chose; but the rotor counts as turned by hand, the call takes no time,
    and what is not detected is void, for nobody can be asked (contracts/trace.md). Raises
    TraceError where the trace cannot be read on, after everything decided before: a coup that is
    open there stays open, for its end may have been recorded and lost.
    """
    yield from _facts(path, game, _controller(game, config))


def judged_replay(
    path: str | os.PathLike[str],
    game: Game,
    config: Config | None,
    score: Score,
    truths: Sequence[CoupTruth],
) -> Iterator[Any]:
    """Yields the facts as `replay` does, and each coup judged once it has ended.

    `score`: takes all of it. `truths`: of the whole trace, in order of time; the controller never
    sees them. Raises TraceError as `replay` does: coups that come later are not judged then.
    """
    controller = _controller(game, config)
    for fact in _facts(path, game, controller):
        score.add(fact, controller.speed_uturn_s(fact.at_us))
        yield fact
        yield from score.judge(truths)
    yield from score.judge(truths, final=True)


def _controller(game: Game, config: Config | None) -> Controller:
    house = (config or Config()).house._replace(driven=False, call_us=0, undetected=VOID)
    return Controller(game.board, game.rules, house=house)


def _facts(path: str | os.PathLike[str], game: Game, controller: Controller) -> Iterator[Any]:
    with open_trace(path, game.board) as trace:
        yield from feed(controller, trace.edges(), trace.levels)
