"""Files that a power cut leaves whole: the old one or the new one."""

from __future__ import annotations

import os
from pathlib import Path


def replace(path: Path, data: bytes) -> None:
    """Writes beside, flushes, renames, flushes the folder. Raises OSError: the old one stays."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.rename(path)
    _flush_folder(path.parent)


def overwrite(path: Path, data: bytes) -> None:
    """Writes over a file of the same length, in its place: its sectors change and nothing else.

    Half of it may be written when the power fails. Raises OSError.
    """
    with path.open("r+b", buffering=0) as file:
        file.write(data)
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
