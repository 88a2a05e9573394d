"""Who stands at the wheel while it is tested or calibrated: what tools say to people, and ask."""

from __future__ import annotations

import sys
import termios
from math import ceil
from typing import NamedTuple, Protocol

import click

from firmware.lib.language import N_, Message, translated
from firmware.lib.unseen import reveal


class Progress(NamedTuple):
    """Where a self-test or calibration is: a step begins, or goes on with the hand it needs."""

    number: int  # of the step, from 1
    of: int
    left_s: float  # until all is done, as far as that is known
    now_s: float  # of that, what may pass until more is known: then it stands still

    @property
    def words(self) -> Message:
        """For a terminal."""
        minutes = self.left_s >= _MINUTES_FROM_S
        left = (
            Message("{n} min", n=ceil(self.left_s / 60))
            if minutes
            else Message("{n} s", n=max(1, ceil(self.left_s / _ROUNDED_S)) * _ROUNDED_S)
        )
        return Message("Step {n} of {of}, about {left} left.", n=self.number, of=self.of, left=left)


_MINUTES_FROM_S = 90  # a shorter time is said in seconds
_ROUNDED_S = 10


class Person(Protocol):
    """Somebody, at a terminal or at the service page."""

    def inform(self, text: str) -> None:
        """Says what happens now."""
        ...

    def step(self, progress: Progress) -> None:
        """Says where it is."""
        ...

    def ask(self, text: str) -> bool:
        """Asks for a hand; True when it is there, False to leave that out."""
        ...

    def again(self, text: str) -> bool:
        """Asks whether what failed is to be tried again; True when the hand is there."""
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

    def step(self, progress: Progress) -> None:
        """Passes it on as well."""
        if self._told is not None:
            self._told.step(progress)

    def ask(self, text: str) -> bool:
        """No."""
        return False

    def again(self, text: str) -> bool:
        """No."""
        return False


_LINE_MAX = 4096  # a terminal keeps no longer line: nothing is left for the next question


class AtTerminal:
    """Told on standard error; what is asked is answered by Enter, or by a letter for no."""

    def __init__(self, *, asks_again: bool = True) -> None:
        """`asks_again`: whether what failed is offered again; a program that reads has no need."""
        self._asks_again = asks_again
        self._number = 0  # of the step that was told

    def inform(self, text: str) -> None:
        """One line."""
        click.echo(translated(text), err=True)

    def step(self, progress: Progress) -> None:
        """One line when a step begins, after an empty one."""
        if progress.number != self._number:
            self._number = progress.number
            click.secho(f"\n{translated(progress.words)}", err=True, bold=True)

    def ask(self, text: str) -> bool:
        """Waits for Enter. An input that has ended lends no hand."""
        return _is_yes(text, N_("Enter when ready, s to leave it out:"), no="s")

    def again(self, text: str) -> bool:
        """Waits for Enter. Nobody is asked where no terminal is."""
        if not self._asks_again or not sys.stdin.isatty():
            return False
        return _is_yes(text, N_("Enter for yes, n to go on:"), no="n")


def _is_yes(text: str, how: str, *, no: str) -> bool:
    is_terminal = sys.stdin.isatty()
    reveal()
    if is_terminal:  # what was typed before it is asked is no answer
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    click.echo(f"\n> {translated(text)} {translated(how)} ", err=True, nl=False)
    line = sys.stdin.readline(_LINE_MAX)
    if not is_terminal:
        click.echo(err=True)
    return bool(line) and not line.strip().lower().startswith(no)
