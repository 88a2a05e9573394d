"""Opens a file that somebody names: on a line, in a configuration, beside a journal.

What is named may be put there by somebody else, and need not be a file at all: a pipe would wait
for ever, a device would begin to bark, a link would lead to what only the reader may read. One name
is none of these whatever it leads to: that of the reader's own standard input, and of the other
handles that a shell gave it (`cylindre replay <(ssh wheel cat trace.vcd)`).
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from pathlib import Path

from firmware.lib.language import N_, Message


class NamedFileError(OSError):
    """What is named is no file that is read here; `strerror` says why."""


_LINK = N_("it is a link, and links are not followed here")
_NO_FILE = N_("it is no regular file")
_TOO_LONG = N_("it is too long")
_NEW = 0o666  # of which the umask takes its part
# proc(5): a handle of this very process. `<(command)` is /dev/fd/63, or the like.
_OWN_HANDLE = re.compile(r"/dev/stdin|(?:/dev|/proc/self)/fd/([0-9]{1,9})")


def open_named(
    path: Path | str,
    flags: int = os.O_RDONLY,
    *,
    size_max: int | None = None,
    follow: bool = False,
    own_handles: bool = False,
    mode: int = _NEW,
) -> int:
    """Returns a handle of the regular file `path`, which the caller closes; never waits.

    `flags`: of os.open; with O_CREAT a file that is not there is made, of that `mode`. `size_max`:
    bytes; a longer file is refused. `follow`: of a link that is meant, the file it leads to.
    `own_handles`: takes /dev/stdin and /dev/fd/N as what they are, and reading that may wait: for
    what a person names on the command line of this process, never for what a file names. Raises
    NamedFileError for what is no such file, other OSErrors as os.open does, and ValueError for a
    path with a null character.
    """
    own = _OWN_HANDLE.fullmatch(str(path)) if own_handles else None
    if own is not None and not stat.S_ISREG(os.stat(path).st_mode):
        return os.dup(int(own[1] or 0))  # a regular one is opened anew: read from its beginning
    follow = follow or own is not None
    how = flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        about = os.stat(path) if follow else os.lstat(path)
    except FileNotFoundError:
        if not flags & os.O_CREAT:
            raise
    else:
        _check(path, about, size_max)
    handle = os.open(path, how, mode)
    try:
        _check(path, os.fstat(handle), size_max)  # it may have been exchanged since
    except NamedFileError:
        os.close(handle)
        raise
    return handle


def open_file(
    path: Path | str,
    *,
    size_max: int | None = None,
    follow: bool = False,
    own_handles: bool = False,
) -> io.BufferedReader:
    """Returns it as a file to read bytes from. Raises as open_named does."""
    return os.fdopen(
        open_named(path, size_max=size_max, follow=follow, own_handles=own_handles), "rb"
    )


def read_named(
    path: Path | str, size_max: int, *, follow: bool = False, own_handles: bool = False
) -> bytes:
    """Returns what the regular file `path` holds, `size_max` bytes at most.

    Raises as open_named does.
    """
    with open_file(path, size_max=size_max, follow=follow, own_handles=own_handles) as file:
        data = _read(path, file, size_max + 1)
    if len(data) > size_max:  # it has grown since, or is somebody's output
        raise _refused(path, errno.EFBIG, _TOO_LONG)
    return data


def begin_named(path: Path | str, size: int, **how: bool) -> bytes:
    """Returns the first `size` bytes of the regular file `path`, however long it is.

    For who has a sentence of its own for a file that is too long. Raises as open_named does.
    """
    with open_file(path, **how) as file:
        return _read(path, file, size)


def _read(path: Path | str, file: io.BufferedReader, size: int) -> bytes:
    data: bytes | None = file.read(size)
    if data is None:  # it would wait, as /proc/kmsg does, whose kind is a regular file's
        raise _refused(path, errno.EAGAIN, _NO_FILE)
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
