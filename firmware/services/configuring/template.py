"""A configuration to begin with: every key, what it decides and what holds without it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from firmware.config import KEYS
from firmware.config.keys import SECTIONS, Key
from firmware.lib.language import N_, translated
from firmware.services.configuring import effective

_WIDTH = 96  # columns; a "#" and a blank stand before them
_BOARD = ("wheel", "board")


def lines(board: str | None) -> Iterator[str]:
    """Gives the lines of a TOML file that chooses that board, and leaves all else as it is."""
    yield from _comment(N_("What the house chooses. Every key may be left out: take away its # to"
                           " choose."))  # fmt: skip
    held = {row[:2]: row for row in effective.rows({}, board)}
    for section in SECTIONS:
        yield ""
        yield f"[{section}]"
        for key in KEYS:
            if key.section != section:
                continue
            yield from _comment(key.means)
            yield from _comment(_wants(key))
            row = held.get((key.section, key.name))
            value = None if row is None else row.value
            if (section, key.name) == _BOARD and board is not None:
                yield f"{key.name} = {effective.shown(board)}"
            else:
                yield _line(key, value)


def _line(key: Key, value: object) -> str:
    said = N_("holds without it") if value is not None else N_("an example")
    shown = effective.shown(key.example if value is None else value)
    return f"#{key.name} = {shown}  # {translated(said)}"


def _wants(key: Key) -> str:
    """What it may be: words as they are typed, in every language."""
    return ", ".join(map(effective.shown, key.choices)) or key.wants


def _comment(text: str) -> Iterator[str]:
    for line in textwrap.wrap(translated(text), _WIDTH):
        yield f"# {line}"
