"""Opens a file that somebody names: on a line, in a configuration, beside a journal.

What is named may be put there by somebody else, and need not be a file at all: a pipe would wait
for ever, a device would begin to bark, a link would lead to what only the reader may read.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from firmware.lib.language import N_, Message


class NamedFileError(OSError):
    """What is named is no file that is read here; `strerror` says why."""


_LINK = N_("it is a link, and links are not followed here")
_NO_FILE = N_("it is no regular file")
_TOO_LONG = N_("it is too long")


def open_named(
    path: Path | str,
    flags: int = os.O_RDONLY,
    *,
    size_max: int | None = None,
    follow: bool = False,
) -> int:
    """Returns a handle of the regular file `path`, which the caller closes; never waits.

    `flags`: of os.open, without O_CREAT. `size_max`: bytes; a longer file is refused. `follow`:
    of a link that is meant, the file it leads to. Raises NamedFileError for what is no such file,
    other OSErrors as os.open does, and ValueError for a path with a null character.
    """
    about = os.stat(path) if follow else os.lstat(path)
    _check(path, about, size_max)
    no_link = 0 if follow else os.O_NOFOLLOW
    handle = os.open(path, flags | no_link | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _check(path, os.fstat(handle), size_max)  # it may have been exchanged since
    except NamedFileError:
        os.close(handle)
        raise
    return handle


def read_named(path: Path | str, size_max: int, *, follow: bool = False) -> bytes:
    """Returns what the regular file `path` holds, `size_max` bytes at most.

    Raises as open_named does.
    """
    with os.fdopen(open_named(path, size_max=size_max, follow=follow), "rb") as file:
        data = file.read(size_max + 1)
    if len(data) > size_max:  # it has grown since
        raise _refused(path, errno.EFBIG, _TOO_LONG)
    return data


def _check(path: Path | str, about: os.stat_result, size_max: int | None) -> None:
    if stat.S_ISLNK(about.st_mode):
        raise _refused(path, errno.ELOOP, _LINK)
    if stat.S_ISDIR(about.st_mode):
        raise NamedFileError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(about.st_mode):
        raise _refused(path, errno.EINVAL, _NO_FILE)
    if size_max is not None and about.st_size > size_max:
        raise _refused(path, errno.EFBIG, _TOO_LONG)


def _refused(path: Path | str, number: int, why: str) -> NamedFileError:
    return NamedFileError(number, Message(why), str(path))
