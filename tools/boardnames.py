"""Boards by the name a person typed."""

from __future__ import annotations

import difflib
from typing import Any

import boards
from tools.exits import USAGE, Failure


def load_board(name: str) -> dict[str, Any]:
    """The board called `name`. Raises Failure, with the name that was likely meant."""
    try:
        return boards.load(name)
    except KeyError:
        near = difflib.get_close_matches(name, boards.NAMES, n=1)
        hint = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(boards.NAMES)}."
        raise Failure(USAGE, f'There is no board "{name}"; {hint}') from None
