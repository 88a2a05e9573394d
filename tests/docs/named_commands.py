"""The commands that README.md and docs/ name, in blocks of code and within sentences."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from tools.commands.group import cylindre

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "adr"),
)
CODE = re.compile(r"^```(\w*)\n(.*?)^```|(?<=\n\n)((?: {4}[^\n]*\n+)+)", re.MULTILINE | re.DOTALL)
SHELLS = ("sh", "bash", "shell")
_WITHIN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
# `sudo .venv/bin/cylindre`, `$ cylindre` and `cylindre` are the same.
_OURS = re.compile(r"(?:\$ )?(?:sudo )?(?:\S*/bin/)?((?:cylindre (?:--)?|make |python -m )\w)")
_LEFT_OUT = re.compile(r"[\[\]]|\.\.\.|…")  # brackets stand around what may be left out


class Named(NamedTuple):
    """A command as a page names it."""

    page: str
    words: tuple[str, ...]
    is_whole: bool  # on a line of its own, and no synopsis: nothing is left out

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"

    @property
    def command(self) -> str:
        """What is run, without its arguments: `cylindre hil run`, `make fast`."""
        return " ".join(split(self.words)[0])


def code_lines(block: re.Match[str]) -> list[str]:
    """The lines of a block that are typed; two that `\\` joins are one."""
    language, fenced, indented = block.groups()
    if not indented and language not in SHELLS:
        return []
    lines = re.sub(r" \\\n\s+", " ", indented or fenced).splitlines()
    return [line.strip() for line in lines if line.strip()]


def named(page: Path) -> Iterator[Named]:
    """Every command that a page names: first those of its blocks, then those within sentences."""
    text = page.read_text(encoding="utf-8")
    for line in itertools.chain.from_iterable(map(code_lines, CODE.finditer(text))):
        for part in re.split(r"\s{2,}", line):  # what follows is a comment, or one more
            there = list(forms(part))
            is_whole = len(there) == 1 and not _is_synopsis(there[0])
            yield from (Named(page.name, form, is_whole) for form in there)
    for within in _WITHIN.findall(CODE.sub("", text)):
        yield from (Named(page.name, form, False) for form in forms(within))


def split(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words that name a command, and those that it is given."""
    if words[0] != "cylindre":
        name = 3 if words[0] == "python" else 2  # python -m MODULE, make TARGET
        return words[:name], words[name:]
    at = 1
    while at < len(words) and found(words[: at + 1]) is not None:
        at += 1
    return words[:at], words[at:]


def found(words: tuple[str, ...]) -> click.Command | None:
    """The command of ours that exactly these words name."""
    command: click.Command | None = cylindre
    for word in words[1:]:
        if not isinstance(command, click.Group):
            return None
        command = command.get_command(click.Context(command), word)
    return command


def _is_synopsis(words: tuple[str, ...]) -> bool:
    """Whether a word stands for one of the reader's own."""
    return any(word.isupper() and word.isalpha() for word in words)


def forms(text: str) -> Iterator[tuple[str, ...]]:
    """The words of a command, and of each other that a synopsis names behind a `|`."""
    ours = _OURS.match(text)
    if ours is None:
        return
    text = re.sub(r"<\(.*?\)", "FILE", text[ours.start(1) :])  # what a shell makes a file of
    first, *others = _LEFT_OUT.sub("", text).split(" | ")
    first = re.sub(r"\|\S+", "", first.partition(" > ")[0])  # of `--mode a|b` one is enough
    words = tuple(shlex.split(first, comments=True))
    yield words
    for other in others:
        more = tuple(shlex.split(other))
        command = split(words)[0]
        # A command of the same group, or one of ours, or an argument.
        groups = (command[:-1], command[:1], command)
        words = next(g for g in groups if g is command or (g and found((*g, more[0])))) + more
        yield words
