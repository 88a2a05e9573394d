"""A technician at a terminal."""

from __future__ import annotations

import sys

import click

_LINE_MAX = 200


class AtTerminal:
    """Told on standard error; what is asked is answered by Enter, or s to leave it out."""

    def tell(self, text: str) -> None:
        """One line."""
        click.echo(text, err=True)

    def ask(self, text: str) -> bool:
        """Waits for Enter. An input that has ended lends no hand."""
        click.echo(f"\n> {text} Enter when ready, s to leave it out: ", err=True, nl=False)
        line = sys.stdin.readline(_LINE_MAX)
        if not sys.stdin.isatty():
            click.echo(err=True)
        return bool(line) and not line.strip().lower().startswith("s")
