"""A file of somebody else's, copied to where nobody else may change it, before anybody looks at it.

What is looked at is then what is used. The journal lies on the same storage: room is left for it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.lib.named_file import open_file

RESERVE = 64 * 1024 * 1024  # bytes that stay free: weeks of the journal of a wheel that plays
SMALL = 1 << 20  # bytes: a configuration, the way back: wanted most where the storage is full
_PREFIX = "cylindre-copy-"
_CHUNK = 1 << 20


class Copy(NamedTuple):
    """`sha256`: of what was copied, in hexadecimal digits."""

    path: Path
    sha256: str


def keeps_room(folder: Path, more: int, size: int) -> None:
    """Checks that `more` bytes in that folder leave room enough. Raises Failure.

    They are of a file of `size` bytes; what is SMALL needs no more than its own room.
    """
    if size > SMALL and shutil.disk_usage(folder).free < more + RESERVE:
        raise Failure(
            FAILED,
            Message(
                "{folder} has no room for it: {reserve} MiB stay free for the journal. Free"
                " some storage.",
                folder=folder,
                reserve=RESERVE >> 20,
            ),
        )


def clear(folder: Path) -> None:
    """Removes what a power cut left; for who is alone with that folder."""
    for path in folder.glob(f"{_PREFIX}*"):
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def copied(source: Path, name: str, *, size_max: int, folder: Path | None) -> Iterator[Copy]:
    """Yields a copy of that name in a folder of its own, and removes it afterwards.

    A link is not followed, and nothing but a file is taken. Raises Failure and OSError.
    """
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder) as own:
        copy = Path(own) / name
        yield Copy(copy, copy_file(source, copy, size_max))


def copy_file(source: Path, copy: Path, size_max: int, uid: int | None = None) -> str:
    """Copies a regular file, no link, as long as it was at first; `copy` must not be there.

    `uid`: whose it must be. Returns the SHA-256 of what was copied, in hexadecimal digits. Raises
    Failure and OSError.
    """
    with open_file(source, size_max=size_max) as file, copy.open("xb") as target:
        about = os.fstat(file.fileno())
        if uid is not None and about.st_uid != uid:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(source))
        keeps_room(copy.parent, about.st_size, about.st_size)
        digest, size = hashlib.sha256(), 0
        while data := file.read(_CHUNK):
            size += len(data)
            if size > about.st_size:
                raise Failure(FAILED, Message("{source} grows while it is copied.", source=source))
            digest.update(data)
            target.write(data)
    return digest.hexdigest()
