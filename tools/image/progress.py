"""How far a long write has come: a bar on a terminal, a line every tenth in a pipe."""

from __future__ import annotations

import json
import sys
import time
from types import TracebackType

import click

from firmware.lib.language import Message, echo, translated

_WIDTH = 30
_REDRAW_S = 0.1


class Bar:
    """Progress of one act, on standard error; as JSON objects on standard output if asked."""

    def __init__(self, act: str, whole: int, *, as_json: bool) -> None:
        self._act, self._whole, self._as_json = act, max(whole, 1), as_json
        self._done, self._tenth, self._drawn_s = 0, -1, 0.0
        self._bar = sys.stderr.isatty() and not as_json

    def more(self, count: int) -> None:
        """So much more is done."""
        self.at(self._done + count, self._whole)

    def at(self, done: int, whole: int) -> None:
        """So much is done, of so much."""
        self._done, self._whole = done, max(whole, 1)
        if self._bar:
            now_s = time.monotonic()
            if now_s - self._drawn_s >= _REDRAW_S or done >= whole:
                self._drawn_s = now_s
                self._draw()
        elif self._done * 10 // self._whole > self._tenth:
            self._tenth = self._done * 10 // self._whole
            self._line()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._bar and self._drawn_s:
            click.echo("", err=True)

    def _draw(self) -> None:
        full = self._done * _WIDTH // self._whole
        bar = "#" * full + "-" * (_WIDTH - full)
        percent = self._done * 100 // self._whole
        act = translated(self._act)
        click.echo(f"\r{act:<12} [{bar}] {percent:3} %", err=True, nl=False)

    def _line(self) -> None:
        percent = self._tenth * 10
        if self._as_json:
            click.echo(json.dumps({"act": self._act, "percent": percent}))
        else:
            echo(Message("{}: {} %", Message(self._act), percent), err=True)
