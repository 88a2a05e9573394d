"""Runs a recorded trace through the very code that runs in the wheel, in the trace's own time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import rules
from firmware.core.controller import Controller
from firmware.core.feed import feed
from tools.trace import open_trace


def replay(
    path: str | os.PathLike[str], board: dict[str, Any], *, confirm: str = "auto"
) -> Iterator[Any]:
    """Yields the facts of a trace as they are decided.

    The rotor counts as turned by hand, and the call takes no time (contracts/trace.md). Raises
    TraceError where the trace cannot be read on, after everything decided before: a coup that is
    open there stays open, for its end may have been recorded and lost.
    """
    controller = Controller(
        board, rules.load(board["rules"]), confirm=confirm, driven=False, call_us=0
    )
    with open_trace(path, board) as trace:
        yield from feed(controller, trace.edges(), trace.levels)
