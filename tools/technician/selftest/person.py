"""Who stands at the wheel while it is tested or calibrated: what tools say to people, and ask."""

from __future__ import annotations

import sys
from typing import Protocol

import click

from firmware.lib.language import N_, translated


class Person(Protocol):
    """Somebody, at a terminal or at the service page."""

    def inform(self, text: str) -> None:
        """Says what happens now."""
        ...

    def ask(self, text: str) -> bool:
        """Asks for a hand; True when it is there, False to leave that out."""
        ...


class Nobody:
    """Nobody lends a hand; what needs one is left out."""

    def __init__(self, tell: Person | None = None) -> None:
        """`tell`: who is told what happens."""
        self._told = tell

    def inform(self, text: str) -> None:
        """Passes the sentence on to whoever is told."""
        if self._told is not None:
            self._told.inform(text)

    def ask(self, text: str) -> bool:
        """No."""
        return False


_LINE_MAX = 200


class AtTerminal:
    """Told on standard error; what is asked is answered by Enter, or s to leave it out."""

    def inform(self, text: str) -> None:
        """One line."""
        click.echo(translated(text), err=True)

    def ask(self, text: str) -> bool:
        """Waits for Enter. An input that has ended lends no hand."""
        how = translated(N_("Enter when ready, s to leave it out:"))
        click.echo(f"\n> {translated(text)} {how} ", err=True, nl=False)
        line = sys.stdin.readline(_LINE_MAX)
        if not sys.stdin.isatty():
            click.echo(err=True)
        return bool(line) and not line.strip().lower().startswith("s")
