"""The recorder as `cylindre run --record` has it: between loop and core, and on the bus's port."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from firmware import app
from firmware.config import Config
from firmware.loop import Core
from tools.exits import FAILED, Failure, cause

if TYPE_CHECKING:
    from tools.parts import Choices
    from tools.recorder.coup import Coup
    from tools.recorder.tap import Tap

WayOut = tuple[Callable[[], Any], str]


class Recording:
    """Nobody records: everything passes as it is."""

    def heard(self, way_out: WayOut | None) -> WayOut | None:
        """The way to the displays, with somebody who listens."""
        return way_out

    def begin(self, config: Config) -> None:
        """The configuration is settled: coups may come."""

    def tap(self, core: Core) -> Core:
        """The core, with somebody who listens."""
        return core


class _Kept(Recording):
    """The last coups go to a folder."""

    def __init__(
        self, choices: Choices, hardware: app.Hardware, stack: contextlib.ExitStack
    ) -> None:
        self._choices = choices
        self._levels = hardware.levels
        self._stack = stack
        self._tap: Tap | None = None
        self._keep: Callable[[Coup], None]

    def heard(self, way_out: WayOut | None) -> WayOut | None:
        """The way to the displays; bytes before the first coup are nobody's."""
        if way_out is None:
            return None
        opener, name = way_out
        from tools.recorder.tap import HeardUart

        return lambda: HeardUart(opener(), lambda kind, data: self._hear(kind, data)), name

    def _hear(self, kind: str, data: bytes) -> None:
        if self._tap is not None:
            self._tap.bus(kind, data)

    def begin(self, config: Config) -> None:
        """Makes the folder and starts the thread. Raises Failure."""
        from tools.recorder.recorder import Recorder, about

        choices = self._choices
        assert choices.record is not None
        board = choices.game.board
        driven = app.is_driven(board, config)
        head = about(choices.game, config, config.house._replace(driven=driven))
        try:
            recorder = Recorder(
                choices.record,
                board,
                head,
                kept=choices.record_coups,
                say=lambda sentence: click.echo(sentence, err=True),
            )
        except OSError as error:
            text = f"--record {choices.record}: {cause(error)}. Name a folder that can be written."
            raise Failure(FAILED, text) from error
        self._stack.callback(recorder.close)
        self._keep = recorder.keep

    def tap(self, core: Core) -> Core:
        """The core, heard from its first event on."""
        from tools.recorder.tap import Tap

        self._tap = Tap(core, self._choices.game.board, self._levels, self._keep)
        return self._tap


def open_recorder(
    choices: Choices, hardware: app.Hardware, stack: contextlib.ExitStack
) -> Recording:
    """Whoever records, if anybody was asked to."""
    return Recording() if choices.record is None else _Kept(choices, hardware, stack)
