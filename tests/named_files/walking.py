"""Walks the commands for every option and argument that takes a path, and calls each with one."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from tools import cli
from tools.commands import group

HUGE = 1 << 41  # bytes, sparse: more than any limit here, less than a file system's own
ENDLESS = Path("/dev/zero")
STUCK_S = 60.0  # a net: what waits is seen when it opens
TRAPS = ("fifo", "endless", "huge", "folder")
BOARD, PIN = "roulette_ref", "493817"
_PATH_WORDS = ("FILE", "DIR", "PATH", "FOLDER", "OUT", "IMAGE")


class Parameter(NamedTuple):
    """An option or argument, and the words of its command."""

    command: str
    option: str  # `--config`; of an argument its name
    param: click.Parameter

    def __str__(self) -> str:
        return f"{self.command} {self.option}"


def path_parameters() -> list[Parameter]:
    """Every option and argument of the command line that takes a path, in the order of commands."""
    return [each for each in parameters() if isinstance(each.param.type, click.Path | click.File)]


def parameters() -> Iterator[Parameter]:
    """Every option and argument of the command line."""
    for command, words in walked(group.cylindre):
        for param in command.params:
            is_option = isinstance(param, click.Option)
            option = max(param.opts, key=len) if is_option else str(param.name)
            yield Parameter(" ".join(words), option, param)


def commands() -> list[str]:
    """Every command that does something by itself."""
    return [
        " ".join(words)
        for each, words in walked(group.cylindre)
        if not isinstance(each, click.Group) or each.invoke_without_command
    ]


def looks_like_a_path(each: Parameter) -> bool:
    """Whether it says that it takes a path, and click is not told so."""
    said = (each.param.metavar or "").upper()
    kind = each.param.type
    return isinstance(kind, click.types.StringParamType) and any(
        said.startswith(word) or said.endswith(word) for word in _PATH_WORDS
    )


def walked(
    command: click.Command, words: tuple[str, ...] = ()
) -> Iterator[tuple[click.Command, tuple[str, ...]]]:
    """A command and all below it, each with its words."""
    yield command, words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from walked(below, (*words, name))


def trap(kind: str, path: Path) -> Path:
    """Lays what is no file, or none that anybody would read, at that path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "fifo":
        os.mkfifo(path, 0o600)
    elif kind == "endless":
        path.symlink_to(ENDLESS)
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(HUGE)
        path.chmod(0o600)
    return path


class Stuck(BaseException):
    """Something waited, or began to read without end. No command catches it."""


_watched: dict[str, str] = {}


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Sees every file that this process opens; a hook of the interpreter, that stays."""
    if event != "open" or not _watched or not isinstance(arguments[0], str | bytes):
        return
    path, _, flags = arguments
    kind = _watched.get(os.path.abspath(os.fsdecode(path)))
    if kind == "fifo" and not flags & os.O_NONBLOCK:
        raise Stuck(f"{os.fsdecode(path)} is opened so that it waits for somebody at its other end")
    if kind == "endless" and not flags & os.O_NOFOLLOW:
        raise Stuck(f"{os.fsdecode(path)} is followed to {ENDLESS}")


sys.addaudithook(_watch)


@contextlib.contextmanager
def watched(path: Path, kind: str) -> Iterator[None]:
    """Raises Stuck where that path is opened as no path of somebody else's may be."""
    _watched[os.path.abspath(path)] = kind
    try:
        yield
    finally:
        _watched.clear()


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raises Stuck in the middle of what takes longer."""

    def late(*_: object) -> None:
        raise Stuck("it does not end")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def words(command: str, given: Mapping[str, str | bool]) -> list[str]:
    """A command line; what does not begin with - is an argument, and True a flag."""
    line = command.split()
    for option, value in given.items():
        if not option.startswith("-"):
            line.append(str(value))
        else:
            line += [option] if value is True else [option, str(value)]
    return line


def called(line: list[str]) -> int:
    """Calls a command in this process; its exit code. Raises Stuck where it does not end."""
    with within(STUCK_S):
        return cli.main(line)
