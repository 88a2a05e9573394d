"""Which board the wheel at a socket has, where nobody says it."""

from __future__ import annotations

from pathlib import Path

import boards
from firmware.service.requests import CONTROL
from tools.ask import path_of
from tools.exits import USAGE, Failure


def board_name(folder: Path | None) -> str:
    """Of the socket's folder, which `cylindre run` calls after its board. Raises Failure."""
    found = path_of(folder, CONTROL).resolve().parent.name
    if found not in boards.NAMES:
        raise Failure(USAGE, "Which board? Give --board or --config; cylindre boards lists them.")
    return found
