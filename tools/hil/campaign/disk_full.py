"""What a campaign says of a disk that takes no more, before it takes that for a broken rule."""

from __future__ import annotations

import os
from pathlib import Path

from firmware.lib.errors import FAILED, Failure, cause

# A job in real time leaves less: its journal, its trace, all that was told.
LEAST_BYTES = 4_000_000


def unwritten(path: Path, error: OSError) -> Failure:
    """The campaign cannot go on: `path` cannot be written."""
    return _stopped(path, cause(error))


def no_room(folder: Path) -> Failure | None:
    """What to say if there is hardly room left in `folder`."""
    try:
        there = os.statvfs(folder)
    except OSError as error:
        return unwritten(folder, error)
    full = there.f_bavail * there.f_frsize < LEAST_BYTES
    return _stopped(folder, "no space left on device") if full else None


def _stopped(path: Path, why: str) -> Failure:
    return Failure(
        FAILED,
        f"{path}: {why}. What was written before is kept: once that is mended,"
        " the same command goes on from there.",
    )
