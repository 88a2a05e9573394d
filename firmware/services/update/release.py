"""What software something is: its version, and its board. A file of each root slot and bundle."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import Message
from firmware.lib.named_file import open_named
from firmware.services.update.slots import RELEASE

Version = tuple[int, ...]
_PARTS_MAX, _DIGITS_MAX = 4, 9  # 2026.11.22.1 fits, and each fits any integer
_TEXT = re.compile(rf"[0-9]{{1,{_DIGITS_MAX}}}(\.[0-9]{{1,{_DIGITS_MAX}}}){{0,{_PARTS_MAX - 1}}}")


def parse_version(text: object) -> Version:
    """Reads a version; 1.2 and 1.2.0 are the same. Raises ValueError: it is none."""
    if not isinstance(text, str) or _TEXT.fullmatch(text) is None:
        raise ValueError(
            Message("A version is one to four numbers with dots between them, as 1.4.0 is.")
        )
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


NAME = RELEASE.name
PREFIX = "cylindre-"
_SIZE_MAX = 4096
_BOARD_MAX = 64


class Release(NamedTuple):
    """The version as it is written, and the board's name."""

    version: str
    board: str


def compatible(board: str) -> str:
    """Returns RAUC's word for what fits what."""
    return f"{PREFIX}{board}"


def text(release: Release) -> str:
    """Returns the file."""
    return json.dumps(release._asdict()) + "\n"


def parse(data: bytes) -> Release:
    """Reads a release. Raises ValueError: a sentence."""
    if len(data) > _SIZE_MAX:
        raise ValueError(Message("It is far too long."))
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError(Message("It is no JSON object."))
    number, board = found.get("version"), found.get("board")
    parse_version(number)
    if not isinstance(board, str) or not 0 < len(board) <= _BOARD_MAX:
        raise ValueError(Message("It names no board."))
    return Release(str(number), board)


def read(path: Path) -> Release:
    """Returns the release that file names. Raises Failure."""
    try:
        with os.fdopen(open_named(path), "rb") as file:
            return parse(file.read(_SIZE_MAX + 1))
    except OSError as error:
        raise Failure(
            FAILED,
            Message(
                "{path}: {cause}. It says what software this is.", path=path, cause=cause(error)
            ),
        ) from None
    except ValueError as error:
        raise Failure(
            FAILED,
            Message(
                "{path} does not say what software this is. {error}",
                path=path,
                error=Message(str(error)),
            ),
        ) from None


def running(root: Path = Path("/")) -> Release:
    """Returns the release that runs. Raises Failure."""
    return read(root / RELEASE)
