"""What software something is: its version, and its board. A file of each root slot and bundle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import FAILED, Failure, cause
from firmware.services.update import version
from firmware.services.update.slots import RELEASE

NAME = RELEASE.name
PREFIX = "cylindre-"
_SIZE_MAX = 4096
_BOARD_MAX = 64


class Release(NamedTuple):
    """The version as it is written, and the board's name."""

    version: str
    board: str


def compatible(board: str) -> str:
    """RAUC's word for what fits what."""
    return f"{PREFIX}{board}"


def text(release: Release) -> str:
    """The file."""
    return json.dumps(release._asdict()) + "\n"


def parse(data: bytes) -> Release:
    """Raises ValueError: a sentence."""
    if len(data) > _SIZE_MAX:
        raise ValueError("It is far too long.")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError("It is no JSON object.")
    number, board = found.get("version"), found.get("board")
    version.parse(number)
    if not isinstance(board, str) or not 0 < len(board) <= _BOARD_MAX:
        raise ValueError("It names no board.")
    return Release(str(number), board)


def read(path: Path) -> Release:
    """The release that file names. Raises Failure."""
    try:
        with path.open("rb") as file:
            return parse(file.read(_SIZE_MAX + 1))
    except OSError as error:
        raise Failure(FAILED, f"{path}: {cause(error)}. It says what software this is.") from None
    except ValueError as error:
        raise Failure(FAILED, f"{path} does not say what software this is. {error}") from None


def running(root: Path = Path("/")) -> Release:
    """The one that runs. Raises Failure."""
    return read(root / RELEASE)
