"""A wheel's first configuration: a file beside the firmware, which any laptop can read and write.

The wheel takes it at its next start, if it is valid (tools/image/root/).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tools.exits import CONFIGURATION, FAILED, Failure
from tools.image import layout


def check(path: Path) -> None:
    """Raises Failure, with every mistake, if `path` is no configuration or mtools is missing."""
    from firmware import config

    try:
        config.load(path)
    except config.ConfigError as error:
        raise Failure(CONFIGURATION, "\n".join(error.sentences)) from None
    if shutil.which("mcopy") is None:
        raise Failure(FAILED, "mcopy is missing: sudo apt install mtools brings it.")


def put(path: Path, disk: Path) -> None:
    """Copies a checked configuration to the flashed disk, or image. Raises Failure.

    It is read back from the disk itself: there it is, or nobody is told so.
    """
    place = f"{disk}@@{layout.partition('firmware').start_mib}M"
    try:
        _mtools("mcopy", "-o", "-i", place, str(path), f"::{layout.FIRST_CONFIG}")
        handle = os.open(disk, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)
        if _mtools("mtype", "-i", place, f"::{layout.FIRST_CONFIG}") != path.read_bytes():
            raise OSError("it reads back otherwise")
    except OSError as error:
        why = error.strerror or str(error)
        text = f"The configuration could not be put on {disk} ({why}): copy it there by hand as"
        raise Failure(FAILED, f"{text} {layout.FIRST_CONFIG}, or flash again.") from None


def _mtools(*words: str) -> bytes:
    """What the program printed. Raises OSError with what it complained of."""
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        raise OSError(done.stderr.decode("utf-8", "replace").strip().replace("\n", " ")[:200])
    return done.stdout
