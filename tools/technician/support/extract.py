"""Puts a bundle's files into a new folder, all or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from firmware.lib.errors import FAILED, Failure, cause
from tools.technician.support.bundle import Bundle


def want_new(folder: Path) -> None:
    """Raises Failure if something lies there."""
    if os.path.lexists(folder):
        text = f"{folder} is there already: give a folder that is not."
        raise Failure(FAILED, text)


def extract(bundle: Bundle, folder: Path) -> None:
    """The names were checked when it was read: none leads out of the folder. Raises Failure."""
    want_new(folder)
    part = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Of a name of its own: what a kill left of another try is in nobody's way.
        part = Path(tempfile.mkdtemp(".part", f"{folder.name}.", folder.parent))
        for name, content in bundle.files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        part.rename(folder)
    except OSError as error:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)
        raise Failure(FAILED, f"Cannot extract to {folder}: {cause(error)}.") from error
