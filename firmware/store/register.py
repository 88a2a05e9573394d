"""The register of orphelins as a file: Luxembourg art. 8's "carnet d'enregistrement".

JSON lines, appended to by the running controller and by `cylindre orphelins`: each holds a lock on
the file for as long as it looks and appends, no longer. An entry is durable before `append`
returns. A torn last line was never told to anybody and is cut off; any other damage is
for a person to judge.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware.lib.durable import sync_folder
from firmware.lib.errors import cause, naming
from firmware.lib.language import Message
from firmware.lib.named_file import NamedFileError, open_named
from firmware.stakes.orphelins import Orphelins, Refused
from firmware.store.checked_lines import Damaged, Read, Row, encode, fold
from firmware.store.clock import utc


class RegisterError(Exception):
    """The register cannot be used; the text says why and what to do."""


class Page:
    """The register while it is ours: what it says, and a place for the next entry."""

    def __init__(self, file: int, said: Orphelins, read: Read) -> None:
        """Takes the open and locked file, folded as far as `read` says."""
        self.said = said
        self.read = read
        self.spoilt = False  # an entry could not be made durable: what was folded is too much
        self._file = file

    def append(self, kind: str, body: Any) -> int:
        """Makes an entry and returns its number, once it is durable.

        Raises firmware.stakes.orphelins.Refused for one that may not follow, OSError if it cannot
        be written; then it was not made.
        """
        n, end = self.read.n + 1, self.read.end
        line = encode(Row(n, utc(), kind, body))
        self.said.add_entry(n, kind, body)
        try:
            written = 0
            while written < len(line):
                written += os.pwrite(self._file, line[written:], end + written)
            os.fsync(self._file)
        except OSError:
            self.spoilt = True
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, end)
            raise
        self.read = Read(end + len(line), n, False)
        return n


class Copy(Page):
    """A page whose entries are folded, and written nowhere."""

    def __init__(self, said: Orphelins, n: int) -> None:
        """Takes what a register says in its first `n` entries."""
        super().__init__(-1, said, Read(0, n, False))

    def append(self, kind: str, body: Any) -> int:
        """Returns the number that the entry would have. Raises Refused for one that may not
        follow."""
        n = self.read.n + 1
        self.said.add_entry(n, kind, body)
        self.read = Read(0, n, False)
        return n


class Register:
    """One file, which any number of processes may append to. Reads only what is new to it."""

    def __init__(self, path: Path) -> None:
        """Opens nothing yet."""
        self.path = path
        self.notice: str | None = None  # what was cut off the file
        self._said = Orphelins()
        self._read = Read(0, 0, False)
        self._place = (0, 0)  # the file that was read so far: device and inode

    @contextlib.contextmanager
    def writing(self) -> Iterator[Page]:
        """Yields the register, alone, made if there is none. Waits for whoever has it.

        Raises RegisterError.
        """
        file = self._open(os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._catch_up(file)
            page = Page(file, self._said, self._read)
            try:
                with naming(self.path):
                    yield page
            finally:
                self._read = page.read
                if page.spoilt:
                    self._forget()
        finally:
            os.close(file)

    def copy(self) -> Page:
        """Returns a page on which entries can be tried. Raises RegisterError."""
        rows, said = self.rows()
        return Copy(said, len(rows))

    def rows(self) -> tuple[list[Row], Orphelins]:
        """Returns every entry, and what they say; changes nothing. Raises RegisterError.

        A register that is not there is empty.
        """
        said = Orphelins()
        found: list[Row] = []

        def take(row: Row) -> None:
            _take(said, row)
            found.append(row)

        if self.path.exists():
            file = self._open(os.O_RDONLY)
            with os.fdopen(file, "rb") as lines:
                fcntl.flock(file, fcntl.LOCK_SH)
                try:
                    fold(lines, take)
                except Damaged as error:
                    raise self._damaged(error.n) from error
        return found, said

    def _forget(self) -> None:
        self._said = Orphelins()
        self._read = Read(0, 0, False)
        self._place = (0, 0)

    def _catch_up(self, file: int) -> None:
        """Folds what others have appended since."""
        held = os.fstat(file)
        place = (held.st_dev, held.st_ino)
        if place != self._place or held.st_size < self._read.end:
            self._forget()
            self._place = place
        if held.st_size == self._read.end:
            return
        try:
            os.fsync(file)  # whoever wrote it may have died before this
            with os.fdopen(os.dup(file), "rb") as lines:
                end, n, _ = self._read
                read = fold(lines, lambda row: _take(self._said, row), end=end, n=n)
            if read.torn:
                os.ftruncate(file, read.end)
                self.notice = Message(
                    "{path}: cut off a last line that was never finished.", path=self.path
                )
        except Damaged as error:
            self._forget()
            raise self._damaged(error.n) from error
        except OSError as error:
            self._forget()
            raise RegisterError(Message("{}: {}.", self.path, cause(error))) from error
        self._read = Read(read.end, read.n, False)

    def _open(self, how: int) -> int:
        path = self.path
        try:
            if how & os.O_CREAT:
                path.parent.mkdir(parents=True, exist_ok=True)
            made = not path.exists()
            # Names and addresses: for who acts for the house alone.
            file = open_named(path, how, mode=0o600)
        except NamedFileError as error:
            raise RegisterError(
                Message("The register of orphelins {path} is no regular file.", path=path)
            ) from error
        except OSError as error:
            raise RegisterError(
                Message(
                    "Cannot open the register of orphelins {path}: {why}.",
                    path=path,
                    why=cause(error),
                )
            ) from error
        try:
            if made:
                sync_folder(path.parent)
        except OSError as error:
            os.close(file)
            raise RegisterError(Message("{}: {}.", path, cause(error))) from error
        return file

    def _damaged(self, n: int) -> RegisterError:
        return RegisterError(
            Message(
                "{path}:{n}: this line is damaged, or does not follow from those before. Keep"
                " the file for inspection, and restore a copy.",
                path=self.path,
                n=n,
            )
        )


def _take(said: Orphelins, row: Row) -> None:
    try:
        said.add_entry(row.n, row.kind, row.body)
    except Refused as refused:
        raise ValueError(refused.sentence) from refused
