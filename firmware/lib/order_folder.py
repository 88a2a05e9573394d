"""Orders for the unit that runs as root: the page may not change the machine, it may only ask.

    DIR/NAME.order    {"what","file","sha256","who","utc"}, written last and whole
    DIR/NAME.FILE     what it is about: a configuration, a bundle, which slot to go back to
    DIR/NAME.done     {"ok","text","utc","said"}: what became of it; written by the unit, which then
                      removes the other two

NAME begins with the time, or one more than the newest where the clock was set back, so that names
sort in the order of the orders. The page has the person journal an act with the same sha256 first;
the unit carries out no order whose act it does not find in the journal, done by a supervisor.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from firmware.lib import durable, private_copy
from firmware.lib.errors import FAILED, Failure, unwritten
from firmware.lib.language import Message
from firmware.lib.named_file import read_named

BUNDLE_MAX = 1024 * 1024 * 1024  # bytes; an image's root slot has less
ANSWER_MAX = 4096  # bytes of a .done
KEPT = 20  # answers that are shown; older ones are removed
ORDER, DONE = ".order", ".done"
# What may be asked, and what the file beside the order is called.
CONFIG, UPDATE, ROLLBACK = "config", "update", "rollback"
FILES = {CONFIG: "wheel.toml", UPDATE: "bundle.raucb", ROLLBACK: "rollback.json"}
ACTS = {CONFIG: "config", UPDATE: "update", ROLLBACK: "update"}  # as on the command line
_NUMBER = re.compile("(0[0-9]{19})-")  # what an order's name begins with, up to the year 2286
_MODE = 0o640  # the unit's group reads, the page alone writes


def detail(path: Path, size: int) -> str:
    """Returns what the act says that orders the file: that very one, and not another of the same
    hash.
    """
    return f"left to be carried out: {path.name}, {size} bytes"


def clear(folder: Path) -> None:
    """Removes files that were never ordered: of a page that ended while one came."""
    for name in FILES.values():
        for path in folder.glob(f"*.{name}"):
            if not path.with_name(path.name.removesuffix(f".{name}") + ORDER).exists():
                path.unlink(missing_ok=True)


class Draft:
    """A file on its way into the folder: written, hashed, then ordered or thrown away."""

    def __init__(self, folder: Path, what: str) -> None:
        """Raises Failure if the folder cannot be written."""
        self._folder = folder
        self._what = what
        self._hash = hashlib.sha256()
        self.size = 0
        self.path = folder
        try:
            folder.mkdir(mode=0o750, parents=True, exist_ok=True)
            self._name = f"{_number(folder):020d}-{secrets.token_hex(4)}-{what}"
            self.path = folder / f"{self._name}.{FILES[what]}"
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
        except OSError as error:
            raise unwritten(self.path, error) from error
        self._file = os.fdopen(handle, "wb")

    @property
    def sha256(self) -> str:
        """Returns the hash of what was written so far, in hexadecimal digits."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> None:
        """Adds to it. Raises Failure: too long, or the disk does not take it, or would be full."""
        self.size += len(data)
        if self.size > BUNDLE_MAX:
            text = Message("Longer than {most} bytes: that is no bundle of ours.", most=BUNDLE_MAX)
            raise Failure(FAILED, text)
        self._hash.update(data)
        private_copy.keeps_room(self._folder, len(data), self.size)
        try:
            self._file.write(data)
        except OSError as error:
            raise unwritten(self.path, error) from error

    def finish(self) -> None:
        """Makes the complete file durable. Raises Failure if that fails."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
        except OSError as error:
            raise unwritten(self.path, error) from error

    def order(self, who: str) -> str:
        """Asks for it to be carried out; the order's name. Raises Failure."""
        told = {
            "what": self._what,
            "file": self.path.name,
            "sha256": self.sha256,
            "who": who,
            "utc": _utc(),
        }
        path = self._folder / f"{self._name}{ORDER}"
        try:
            durable.replace(path, json.dumps(told).encode() + b"\n", _MODE)
        except OSError as error:
            raise unwritten(path, error) from error
        return self._name

    def discard(self) -> None:
        """Removes the file: it is not wanted after all."""
        with contextlib.suppress(OSError):
            self._file.close()
        self.path.unlink(missing_ok=True)


async def written(draft: Draft, pieces: AsyncIterator[bytes]) -> None:
    """Writes what comes, then makes it durable. Raises Failure; the draft is then gone."""
    try:
        async for piece in pieces:
            draft.write(piece)
        await asyncio.to_thread(draft.finish)
    except BaseException:
        draft.discard()
        raise


def state(folder: Path) -> list[dict[str, Any]]:
    """Returns the orders that wait and the last answers, newest first.

    What is no order is left out.
    """
    found: dict[str, dict[str, Any]] = {}
    try:
        names = sorted((path for path in folder.iterdir()), reverse=True)
    except OSError:
        return []
    answers = [path for path in names if path.suffix == DONE]
    for path in answers[KEPT:]:
        with contextlib.suppress(OSError):
            path.unlink()
    for path in names:
        if path.suffix == ORDER or path in answers[:KEPT]:
            told = _read(path)
            if told is not None:
                found.setdefault(path.stem, {"name": path.stem}).update(told)
    return [found[name] for name in sorted(found, reverse=True)]


def _number(folder: Path) -> int:
    """Returns the time, in ns since 1970; above all that are there also where the clock was set
    back.
    """
    numbers = [int(found[1]) for path in folder.iterdir() if (found := _NUMBER.match(path.name))]
    return max([time.time_ns(), *(number + 1 for number in numbers)])


def _read(path: Path) -> dict[str, Any] | None:
    try:
        told = json.loads(read_named(path, ANSWER_MAX))
    except (OSError, ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _utc() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
