"""A file that stands in for the FRAM chip where the board has none: `--fram FILE`.

Put it on another medium than the journal: who can cut one should not be able to cut the other.
"""

import contextlib
import errno
import fcntl
import os
from pathlib import Path

from firmware.lib.durable import sync_folder
from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.named_file import NamedFileError, open_named
from firmware.store.fram import ADOPT, HeadError

SIZE = 32_768  # what the chip has
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)  # FAT and exFAT say the first


class FileFram:
    """32 KiB in a file of its own; `read` and `write` as firmware.store.fram.Memory has them."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Opens it, for us alone unless `read_only`; makes it, all zeros, where there is none.

        Raises HeadError with a sentence; nothing that was there is overwritten.
        """
        self.path = path
        self._file = -1
        try:
            if not read_only and not os.path.lexists(path):
                _make(path)
            flags = os.O_RDONLY if read_only else os.O_RDWR
            # It should lie on another medium: a link to there is meant.
            self._file = open_named(path, flags, follow=True)
            if not read_only:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            size = os.fstat(self._file).st_size
        except BlockingIOError as error:
            self.close()
            text = Message(
                "Another controller uses {path}. Stop it, or give another --fram.", path=path
            )
            raise HeadError(text) from error
        except NamedFileError as error:
            raise HeadError(
                Message("{path} is no regular file. Give another --fram.", path=path)
            ) from error
        except OSError as error:
            self.close()
            why = cause(error)
            raise HeadError(
                Message(
                    "Cannot use {path} as FRAM: {why}. Give another --fram.",
                    path=path,
                    why=Message(why),
                )
            ) from error
        if size != SIZE:
            self.close()
            raise HeadError(
                Message(
                    "{path} has {size} bytes, and a FRAM has {wanted_size}: it is torn, or"
                    " something else.",
                    path=path,
                    size=size,
                    wanted_size=SIZE,
                ),
                Message("Restore it, or give another --fram and see {adopt}.", adopt=ADOPT),
            )

    def read(self, at: int, size: int) -> bytes:
        """Reads `size` bytes from `at` on. Raises OSError; ValueError beyond the end."""
        _want_inside(at, size)
        data = os.pread(self._file, size, at)
        if len(data) != size:
            raise OSError(errno.EIO, Message("{path} was cut while in use", path=self.path))
        return data

    def write(self, at: int, data: bytes) -> None:
        """Writes durably. Raises OSError; ValueError beyond the end."""
        _want_inside(at, len(data))
        written = 0
        while written < len(data):
            written += os.pwrite(self._file, data[written:], at + written)
        os.fdatasync(self._file)

    def close(self) -> None:
        """Gives it back. May be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _make(path: Path) -> None:
    """A blank one, whole or not at all: half a file would look like a torn one.

    Where the medium has no second name for a file, as a stick with FAT, a power cut just here may
    leave half of it; that is refused then, in a sentence, and holds nothing yet.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.unlink(missing_ok=True)
        _write_blank(part)
        try:
            os.link(part, path)  # unlike a rename it never replaces what came in between
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            _write_blank(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
    sync_folder(path.parent)


def _write_blank(path: Path) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o640)
    try:
        with open(handle, "wb") as file:
            file.write(bytes(SIZE))
            file.flush()
            os.fsync(handle)
    except OSError:
        path.unlink()  # it is ours, and holds nothing
        raise


def _want_inside(at: int, size: int) -> None:
    if at < 0 or size < 0 or at + size > SIZE:
        raise ValueError(Message("a FRAM has {size} bytes", size=SIZE))
