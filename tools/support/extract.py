"""Puts a bundle's files into a new folder, all or none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tools.exits import FAILED, Failure
from tools.support.bundle import Bundle


def extract(bundle: Bundle, folder: Path) -> None:
    """The names were checked when it was read: none leads out of the folder. Raises Failure."""
    if os.path.lexists(folder):
        text = f"{folder} is there already: give a folder that is not."
        raise Failure(FAILED, text)
    part = folder.with_name(folder.name + ".part")
    try:
        part.mkdir(parents=True)
        for name, content in bundle.files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        part.rename(folder)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        if not isinstance(error, FileExistsError):  # that one is another's
            shutil.rmtree(part, ignore_errors=True)
        raise Failure(FAILED, f"Cannot extract to {folder}: {why}.") from error
