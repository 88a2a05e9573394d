"""What the page asks of programs that are not its own: handed in by whoever starts it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from firmware.config import Mistake
from firmware.config.table_limits import LimitsChange
from firmware.services.page.jobs import JobParts


class WayBack(NamedTuple):
    """The slot to go back to, the version in it, and the file that orders it."""

    slot: str
    version: str
    order: bytes


class Providers(NamedTuple):
    """One function for each of the others."""

    # Runs a self-test or a calibration; returns how it ended. Raises Failure.
    run_job: Callable[[JobParts], str]
    # Every mistake of a configuration: its path, its text, the board that stands before its own.
    mistakes: Callable[[Path, str, str | None], list[Mistake]]
    # How its limits differ from those of the file there: what a director signs; None: nothing.
    limits: Callable[[Path, str, str | None], LimitsChange | None]
    # How the slots of this machine stand, as `cylindre update status --json`; None without slots.
    slots: Callable[[], dict[str, Any] | None]
    # The way back in what `slots` found; None where there is none now.
    way_back: Callable[[dict[str, Any]], WayBack | None]
