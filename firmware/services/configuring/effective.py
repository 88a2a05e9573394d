"""What holds, key by key, and who says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import boards
from firmware.config import KEYS, SourcedValue, made
from firmware.config.keys import MANY, Key

DEFAULT = "default"


class Row(NamedTuple):
    """A key, its value as a file would say it (None: nothing is chosen), and whence it comes.

    `source`: DEFAULT, the board's name, or the file; of a file with the line, else 0.
    """

    section: str
    key: str
    value: Any
    source: str
    line: int
    means: str


def rows(said: Mapping[tuple[str, str], SourcedValue], board: str | None = None) -> list[Row]:
    """Returns every key in the order of KEYS; of the maxima those that a file gives.

    `board`: stands before the configuration's own.
    """
    left_out = _left_out(said, board)
    found = []
    for key in KEYS:
        place = (key.section, key.name)
        if place in said:
            value, source, line = said[place]
            found.append(Row(*place, value, source, line, key.means))
        elif key.section not in MANY:
            value, source = left_out.get(place) or (default(key), DEFAULT)
            found.append(Row(*place, value, source, 0, key.means))
    return found


def differences(
    old: Mapping[tuple[str, str], SourcedValue], new: Mapping[tuple[str, str], SourcedValue]
) -> list[tuple[Row, Row]]:
    """Returns the keys whose value has changed, with the values before and after."""
    before = {row[:2]: row for row in rows(old)}
    after = {row[:2]: row for row in rows(new)}
    found = []
    for key in KEYS:
        place = (key.section, key.name)
        none = Row(*place, None, DEFAULT, 0, key.means)  # a maximum that one of them lacks
        was, becomes = before.get(place, none), after.get(place, none)
        if was.value != becomes.value:
            found.append((was, becomes))
    return found


def shown(value: Any) -> str:
    """Returns a value as TOML has it; "-" where nothing is chosen."""
    if value is None:
        return "-"
    return json.dumps(value, ensure_ascii=False)


def default(key: Key) -> Any:
    """Returns what holds where nobody says anything, as a file would say it; None: it depends."""
    return key.stands_for if key.default is None else key.default


def _left_out(
    said: Mapping[tuple[str, str], SourcedValue], board: str | None
) -> dict[tuple[str, str], tuple[Any, str]]:
    """Returns what keys mean that are left out, where more than a constant says it."""
    config = made(said)
    found: dict[tuple[str, str], tuple[Any, str]] = {
        ("call", "call_s"): (config.house.call_us / 1_000_000, DEFAULT),
    }
    name = board or config.board
    if name is None:
        return found
    for key in KEYS:
        value = _of_board(key, boards.load(name)) if key.of_board else None
        if value not in (None, "none"):
            found[key.section, key.name] = (value, name)
    found["wheel", "board"] = (name, DEFAULT if board is None else "--board")
    return found


def _of_board(key: Key, board: dict[str, Any]) -> Any:
    """Returns what a board says of a key; None or "none": nothing."""
    held: Any = board
    for step in key.of_board:
        held = held.get(step)
    return held
