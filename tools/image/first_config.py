"""A wheel's first configuration on the laptop: judged, and put beside the firmware on the card.

Any laptop can read and write it there. The wheel takes it at its next start (first_start.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from firmware.lib import partitions
from firmware.lib.errors import FAILED, Failure, cause
from firmware.lib.language import N_, Message
from tools.image import first_check, first_files
from tools.image.first_files import MAIN, Files


def check(path: Path) -> tuple[Files, list[str]]:
    """The files of a folder, or of one file; and what may not be meant, as sentences.

    Raises Failure, with every mistake, if a wheel would not take them or mtools is missing.
    """
    files = first_files.read(path)
    with tempfile.TemporaryDirectory(prefix="cylindre-first-") as name:
        folder = Path(name)
        first_check.stage(files, folder)
        try:
            notices = first_check.judge(files, folder)
        except Failure as failure:
            raise Failure(failure.exit_code, _as_given(failure.sentence, path)) from None
    if shutil.which("mcopy") is None:
        raise Failure(FAILED, N_("mcopy is missing: sudo apt install mtools brings it."))
    return files, [_as_given(notice, path) for notice in notices]


def put(files: Files, disk: Path) -> None:
    """Copies a checked configuration to the flashed disk, or image. Raises Failure.

    It is read back from the disk itself: there it is, or nobody is told so.
    """
    place = f"{disk}@@{partitions.partition('firmware').start_mib}M"
    try:
        with tempfile.TemporaryDirectory(prefix="cylindre-first-") as name:
            folder = Path(name) / partitions.FIRST
            first_check.stage(files, folder)
            _mtools("mcopy", "-o", "-s", "-i", place, str(folder), "::")
        handle = os.open(disk, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)
        for file, data in files.items():
            if _mtools("mtype", "-i", place, f"::{partitions.FIRST}/{file}") != data:
                raise OSError(Message("{file} reads back otherwise", file=file))
    except OSError as error:
        why = cause(error)
        raise Failure(
            FAILED,
            Message(
                "The configuration could not be put on {disk} ({why}): copy it there by hand,"
                " into a folder {first}, or flash again.",
                disk=disk,
                why=Message(why),
                first=partitions.FIRST,
            ),
        ) from None


def _as_given(text: str, path: Path) -> str:
    """A sentence about wheel.toml, where it is a file of another name that was given."""
    if path.is_dir():
        return text
    return "\n".join(
        f"{path}{line.removeprefix(MAIN)}" if line.startswith(f"{MAIN}:") else line
        for line in text.splitlines()
    )


def _mtools(*words: str) -> bytes:
    """What the program printed. Raises OSError with what it complained of."""
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        raise OSError(done.stderr.decode("utf-8", "replace").strip().replace("\n", " ")[:200])
    return done.stdout
