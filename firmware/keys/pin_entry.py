"""Asks for PINs: on the terminal without echo, else from a file or from standard input.

Never from the command line: there every process of the machine could read it. What was typed
before a PIN is asked for counts as typed (firmware/lib/unseen.py).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware.lib.errors import USAGE, Failure
from firmware.lib.language import N_, Message, echo, translated
from firmware.lib.named_file import open_file
from firmware.lib.unseen import unseen

_Command = TypeVar("_Command", bound=Callable[..., Any])
LINE_MAX = 1000  # characters; a PIN has 64 at most
FILE_MAX = 65_536  # bytes: of a file of passwords, whose first line is the PIN


def pin_file_option(name: str, of: str = "the PIN") -> Callable[[_Command], _Command]:
    """Returns the option that names a file whose first line is a PIN."""
    return click.option(
        name,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help=f"A file whose first line is {of}  [default: ask, or read standard input]",
    )


def ask_pin(who: str, path: Path | None, *, twice: bool = False) -> str:
    """Returns the PIN of `who`: from the file, from the terminal, or the next line of standard
    input.

    `twice`: where it is typed, it is typed again. Raises Failure if there is none.
    """
    if path is not None:
        file = io.TextIOWrapper(
            open_file(path, size_max=FILE_MAX, own_handles=True), encoding="utf-8"
        )
        return _line(file, str(path))
    if sys.stdin.isatty():
        return _typed(Message("PIN of {who}", who=who), twice=twice)
    return _line(sys.stdin, f"standard input, for {who}")


def _typed(question: str, *, twice: bool) -> str:
    """Asks until something is typed, and typed the same again. Raises click.Abort at Ctrl-D.

    getpass would throw away what is typed already.
    """
    with unseen():
        while True:
            typed = _answer(question)
            if not twice or (typed and typed == _answer(N_("Repeat for confirmation"))):
                if typed:
                    return typed
            elif typed:
                echo(N_("The two are not the same. Type it again."), err=True)


def _answer(question: str) -> str:
    click.echo(f"{translated(question)}: ", err=True, nl=False)
    line = sys.stdin.readline(LINE_MAX)
    click.echo(err=True)  # the line's own end is not shown either
    if not line:
        raise click.Abort
    return line.rstrip("\r\n")


def _line(file: Any, where: str) -> str:
    try:
        text = file.readline(LINE_MAX).rstrip("\r\n")
    except UnicodeDecodeError:
        text = ""
    finally:
        if file is not sys.stdin:
            file.close()
    if not text:
        raise Failure(USAGE, f"There is no PIN in {where}. Give it as one line of text.")
    found: str = text
    return found
