"""A configuration on trial: the files that bring the last good one back, whatever happens.

    wheel.toml           what the controller reads
    wheel.toml.good      the last one with which the wheel came up
    wheel.toml.trying    there while wheel.toml has not proved itself: its hash, and how many
                         starts it has had
    wheel.toml.lock      held by who applies a configuration, with the name

Each is replaced whole, and in such an order that a power cut between any two steps leaves one of
the two configurations, and the knowledge of which.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib import durable
from firmware.lib.durable import sync_folder
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named, open_named, read_named

STARTS_MAX = 3  # fewer than systemd gives a unit before safe mode (StartLimitBurst)
_MARK_MAX = 1_000  # bytes of a marker
_LOCK_MAX = 200
SIZE_MAX = 16 * 2**20  # bytes: what lies there may be too long for a configuration, and is replaced
_FULL = (errno.ENOSPC, errno.EDQUOT)


class Busy(Failure):
    """Somebody else is applying a configuration."""


class Mark(NamedTuple):
    """What the marker says: SHA-256 of the configuration on trial, and its starts until now."""

    sha256: str
    starts: int


class Trial:
    """The files around one configuration. Each change is durable when its method returns.

    Methods raise OSError if the disk does not take it.
    """

    def __init__(self, path: Path) -> None:
        """`path`: the configuration's. Touches nothing."""
        self.path = path
        self.good = path.with_name(path.name + ".good")
        self._marker = path.with_name(path.name + ".trying")
        self._lock = path.with_name(path.name + ".lock")

    @contextlib.contextmanager
    def alone(self, who: str) -> Iterator[None]:
        """Keeps others from applying meanwhile. Raises Busy, at once, if somebody does."""
        handle = open_named(self._lock, os.O_RDWR | os.O_CREAT, mode=0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                other = os.pread(handle, _LOCK_MAX, 0).decode(errors="replace") or "Somebody"
                text = Message(
                    "{other} is applying a configuration to {path} now. Wait for its end.",
                    other=other,
                    path=self.path,
                )
                raise Busy(FAILED, text) from None
            with contextlib.suppress(OSError):  # a full disk: nobody hears who, and it holds
                os.ftruncate(handle, 0)
                os.pwrite(handle, who.encode()[:_LOCK_MAX], 0)
            yield
        finally:
            os.close(handle)

    def mark(self) -> Mark | None:
        """Returns the marker, if the configuration that lies there is on trial."""
        try:
            found = json.loads(begin_named(self._marker, _MARK_MAX))
            mark = Mark(found["sha256"], found["starts"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, RecursionError):
            return Mark("", 0)  # whoever wrote that, it is no proof of anything
        return mark if type(mark.starts) is int else Mark("", 0)

    def begin_trial(self, data: bytes) -> None:
        """Puts a new configuration in the place of the one that is there, on trial."""
        # The restart that `apply` asks for is the first: it cannot count itself meanwhile.
        self._write_mark(Mark(_sha256(data), 1))
        _put(self.path, data)

    def keep(self) -> None:
        """Makes the present configuration the last good one."""
        try:
            data = read_named(self.path, SIZE_MAX)
        except FileNotFoundError:  # nothing is configured: that is what to go back to
            self._remove(self.good)
        else:
            _put(self.good, data)

    def proved(self) -> None:
        """Makes the configuration on trial the last good one: the wheel came up."""
        self.keep()
        self._remove(self._marker)

    def count(self, mark: Mark) -> None:
        """Counts one start more."""
        self._write_mark(mark._replace(starts=mark.starts + 1))

    def go_back(self) -> None:
        """Puts the last good one in its place again; if there was none, what lies there aside.

        On a full disk it is not copied but moved, which takes no room.
        """
        try:
            data = read_named(self.good, SIZE_MAX)
        except FileNotFoundError:
            durable.rename(self.path, self.path.with_name(self.path.name + ".failed"))
        else:
            try:
                _put(self.path, data)
            except OSError as error:
                if error.errno not in _FULL:
                    raise
                durable.rename(self.good, self.path)
        self._remove(self._marker)

    def lies(self, mark: Mark) -> bool:
        """Returns whether it is that on trial which lies there: not, if it was never put there."""
        try:
            return _sha256(read_named(self.path, SIZE_MAX)) == mark.sha256
        except FileNotFoundError:
            return False

    def forget(self) -> None:
        """Ends the trial: what lies there is not what was on trial."""
        self._remove(self._marker)

    def _write_mark(self, mark: Mark) -> None:
        data = json.dumps(mark._asdict()).encode() + b"\n"
        _put(self._marker, data)

    def _remove(self, path: Path) -> None:
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def _put(path: Path, data: bytes) -> None:
    """Replaces a file. Raises OSError with its name: that of a write has none."""
    try:
        durable.replace(path, data, durable.FOR_ALL)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
