"""A wheel, and the watch beside it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coup_journal import LAYOUT, CoupJournal
from drop_leans import leaning

import boards
from firmware.health.watcher import watch

GEOMETRY = boards.load("roulette_ref")["geometry"]
Found = list[list[Any]]


class Beside:
    """A wheel beside which the watch is called after each part that is played."""

    def __init__(self, path: Path, change: Callable[..., None] = leaning) -> None:
        self.path = path
        self.journal = CoupJournal(path, change=change)
        self.records = True

    def watched(self, *parts: Callable[[], Any]) -> Found:
        """Plays the parts, each after the watch has read all before. Returns what it found; the
        wheel records what the watch says."""
        left = list(parts)
        out = io.StringIO()

        class Came:
            def readline(self) -> str:
                if not left:
                    return ""
                left.pop(0)()
                return "\n"

        given = {"journal": str(self.path), "geometry": GEOMETRY, "layout": LAYOUT}
        watch(given | {"coups_a_year": 150_000, "croupiers": False}, Came(), out)  # type: ignore[arg-type]
        found = [json.loads(line) for line in out.getvalue().splitlines()]
        for _, _, body in found:
            if body is not None and self.records:
                self.journal.write("health", body)
        return found
