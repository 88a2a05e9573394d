"""Reads a plain line of arguments: what a unit starts a program with.

The library that reads arguments for people has help, and a sentence for each mistake; beside a
program that runs for long it would stay resident, 1.6 MB. Whoever has a line that is not plain
leaves it to that library.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Read = Callable[[str], Any]  # raises ValueError for what that library would refuse


def read(line: Sequence[str], options: Mapping[str, Read]) -> dict[str, Any] | None:
    """Returns the value of each option by its name in Python; None if the line is not plain.

    In a plain line each option stands once, by its whole name, with a good value after it.
    """
    names, texts = line[::2], line[1::2]
    if len(names) != len(texts) or len(set(names)) != len(names):
        return None
    values = {}
    for name, text in zip(names, texts, strict=True):
        if name not in options or not text or text.startswith("-"):
            return None
        try:
            values[name.removeprefix("--").replace("-", "_")] = options[name](text)
        except ValueError:
            return None
    return values


def whole(allowed: range) -> Read:
    """Returns what reads a whole number among `allowed`."""

    def value(text: str) -> int:
        if not text.isdecimal() or int(text) not in allowed:
            raise ValueError(text)
        return int(text)

    return value


def path(text: str) -> Path:
    """Returns the path; what is there may be read."""
    if os.path.exists(text) and not os.access(text, os.R_OK):
        raise ValueError(text)
    return Path(text)
