"""Files that a power cut leaves whole: as they were, or as they are now.

One writes a file at a time: files that several programs write have a lock of their own.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from firmware.lib.errors import naming
from firmware.lib.named_file import open_named

OWNER_ONLY = 0o600
FOR_ALL = 0o644
_NEW = 0o666  # of which the umask takes its part
_PART = ".part"  # a file that is being written; one of a power cut's is written anew


def sync_folder(folder: Path) -> None:
    """Makes the name of a new file durable; without it a power cut could lose the whole file."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_once(path: Path, content: bytes, mode: int) -> None:
    """Makes a new file durably, whole or not at all. Raises OSError; never overwrites."""
    with naming(path):
        part = _write_part(path, content, mode)
        try:
            os.link(part, path)
        finally:
            part.unlink()
        try:
            sync_folder(path.parent)
        except OSError:
            path.unlink()
            raise


def replace(path: Path, content: bytes, mode: int | None = None) -> None:
    """Gives a file a new content durably, whole or not at all. Raises OSError.

    `mode`: its permissions; None: those of any new file, which FAT refuses to be told.
    """
    with naming(path):
        part = _write_part(path, content, mode)
        try:
            part.rename(path)
        except OSError:
            _forget(part)
            raise
        sync_folder(path.parent)


def rename(path: Path, to: Path) -> None:
    """Puts a file in the place of another, durably. Raises OSError."""
    with naming(to):
        path.rename(to)
        sync_folder(to.parent)


def overwrite(path: Path, content: bytes) -> None:
    """Writes over a file of the same length, in its place: its sectors change and nothing else.

    Half of it may be written when the power fails. Raises OSError.
    """
    with naming(path), os.fdopen(open_named(path, os.O_RDWR), "r+b", buffering=0) as file:
        file.write(content)
        os.fsync(file.fileno())


def _write_part(path: Path, content: bytes, mode: int | None) -> Path:
    if not path.name:  # "." and "/"
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    part = path.with_name(path.name + _PART)
    with contextlib.suppress(FileNotFoundError):
        part.unlink()
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW if mode is None else mode)
    try:
        with open(handle, "wb") as file:
            if mode is not None:
                os.fchmod(handle, mode)  # whatever the umask is
            file.write(content)
            file.flush()
            os.fsync(handle)
    except OSError:
        _forget(part)
        raise
    return part


def _forget(part: Path) -> None:
    with contextlib.suppress(OSError):
        part.unlink()
