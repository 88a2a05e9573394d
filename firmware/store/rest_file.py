"""Judges what a commit that never ended left beside a journal, before SQLite sees it (CPython).

SQLite believes such a file: it writes the pages that stand there over the journal, makes that as
long as the file says, and deletes another file if it names one (a super-journal). A wheel's commits
never name one. So what no commit of a wheel leaves is refused here, however SQLite would take it.
Its form: https://www.sqlite.org/fileformat2.html, section 3; how it is played back: `pager.c`,
`pager_playback`.

What is judged may be exchanged before SQLite opens it, by whoever may write in the folder. Who only
reads is safe from that: SQLite changes nothing for them, and what is to be taken back is, in a copy
that is theirs alone, and judged there. The controller, which opens the journal to write, is as safe
as its folder: who may write there as well may remove the journal itself. Root goes there as the
folder's owner alone (firmware/lib/as_owner.py).
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from firmware.lib.errors import cause
from firmware.lib.language import N_, Message
from firmware.lib.named_file import NamedFileError, open_named
from firmware.store.rows import JournalError

_PAGE_SIZE, _PAGE_COUNT = slice(16, 18), 28  # where in the journal's own header
_MAGIC = bytes.fromhex("d9d505f920a163d7")
_HEADER = 28  # bytes; filled up to a sector
_SECTORS = [1 << power for power in range(9, 17)]  # bytes
_NUMBER = 4  # bytes: a page's number before it, its checksum behind it
_CHECKED = 200  # bytes from one that the checksum adds up to the next, from a page's end
_LOOKS = 100  # at a file that its controller is writing; an attempt takes some 50 us

_NAMES = N_("it names another file, which SQLite would delete")
_HARD_LINK = N_("it has another name elsewhere")
_LENGTH = N_("it is longer than any commit leaves it")
_UNFIT = N_("its header does not fit the journal")
_RECORDS = N_("its pages do not fit the journal")
_FIRST = N_("its first page is not this journal's")


class _Unfit(Exception):
    """It is not as a wheel's commit leaves it; the text says why."""


def rest_of(path: Path) -> Path:
    """Returns SQLite's file beside it, with what a commit on its way would have to take back."""
    return path.with_name(path.name + "-journal")


def want_fit(path: Path, journal: int, name: Path | None = None) -> None:
    """Checks that what lies beside the journal is nothing, or of a wheel's commit.

    `journal`: a handle of it. `name`: what it is called, if `path` is a copy. A controller may be
    writing both: only what is the same twice is refused. Raises JournalError, and OSError for what
    cannot be read.
    """
    there = f"{path}-journal"
    try:
        about = os.lstat(there)
    except FileNotFoundError:
        return
    if stat.S_ISREG(about.st_mode) and not about.st_size:  # between two commits
        return
    before, why = None, ""
    for _ in range(_LOOKS):
        try:
            rest = open_named(there)
        except FileNotFoundError:
            return
        except NamedFileError as error:
            raise _refused(name or path, cause(error)) from error
        look = _Look(rest, journal)
        try:
            look.judge()
            return
        except _Unfit as error:
            why = str(error)
            if before == (seen := look.seen()):
                break
            before = seen
        finally:
            os.close(rest)
    raise _refused(name or path, why)


def _refused(path: Path, why: str) -> JournalError:
    return JournalError(
        Message(
            "Beside {path} lies {name}, which no commit of a wheel leaves so: {why}. Move it away,"
            " and keep it for inspection.",
            path=path,
            name=rest_of(path).name,
            why=Message(why),
        )
    )


class _Look:
    """One look at a file and its journal. Reads what it judges, and no more."""

    def __init__(self, rest: int, journal: int) -> None:
        about = os.fstat(rest)
        self._rest = rest
        self._journal = journal
        self._size = about.st_size
        self._names = about.st_nlink
        self._seen = hashlib.sha256(b"%d %d" % (about.st_size, about.st_nlink))

    def seen(self) -> bytes:
        """Returns a digest of all that it has read."""
        return self._seen.digest()

    def _read(self, handle: int, at: int, length: int) -> bytes:
        data = os.pread(handle, length, at)
        self._seen.update(data)
        return data

    def judge(self) -> None:
        """Raises _Unfit."""
        if not self._size:
            return
        if self._names > 1:
            raise _Unfit(_HARD_LINK)
        if self._read(self._rest, max(0, self._size - len(_MAGIC)), len(_MAGIC)) == _MAGIC:
            raise _Unfit(_NAMES)
        own = self._read(self._journal, 0, 100)
        page = int.from_bytes(own[_PAGE_SIZE], "big") if len(own) == 100 else 0
        page = 65_536 if page == 1 else page
        if page < 512:  # none that SQLite knows; or a journal that is only being made
            raise _Unfit(_UNFIT)
        there = os.fstat(self._journal).st_size // page
        head = self._read(self._rest, 0, _HEADER)
        counts = head[:8] == _MAGIC  # else it was never synced: SQLite takes nothing back
        sector = _number(head, 20) if counts else _SECTORS[-1]
        # Each page once at most, each perhaps with a header, and one more header.
        if sector in _SECTORS and self._size > (there + 1) * (page + 2 * _NUMBER + sector):
            raise _Unfit(_LENGTH)
        if not counts:
            return
        before = _number(head, 16)
        if sector not in _SECTORS or _number(head, 24) != page or not 1 <= before <= there:
            raise _Unfit(_UNFIT)
        first = self._pages(head, page) or own
        if not _is_first(first, own, before):
            raise _Unfit(_FIRST)

    def _pages(self, head: bytes, page: int) -> bytes | None:
        """Checks each page that would be taken back. Returns the beginning of the first page, if it
        is there."""
        like, sector, pages = head[16:], _number(head, 20), _number(head, 16)
        first, known, at = None, set(), 0
        while True:
            count, nonce = _number(head, 8), _number(head, 12)
            at += sector
            if at + count * (page + 2 * _NUMBER) > self._size:
                raise _Unfit(_RECORDS)
            for _ in range(count):
                data = self._read(self._rest, at, page + 2 * _NUMBER)
                number, content = _number(data, 0), data[_NUMBER:-_NUMBER]
                checksum = nonce + sum(content[page - _CHECKED : 0 : -_CHECKED])
                right = checksum % 2**32 == _number(data, _NUMBER + page)
                if not right or not 1 <= number <= pages or number in known:
                    raise _Unfit(_RECORDS)
                known.add(number)
                first = content[:100] if number == 1 else first
                at += len(data)
            at = -(-at // sector) * sector
            head = self._read(self._rest, at, _HEADER)
            if at + sector > self._size or head[:8] != _MAGIC:
                return first
            if head[16:] != like:
                raise _Unfit(_UNFIT)


def _is_first(first: bytes, own: bytes, pages: int) -> bool:
    """Whether a journal of so many pages may have begun so, which now begins with `own`."""
    same = (slice(0, 24), slice(40, 72))  # no commit changes form, schema, version, application
    return _number(first, _PAGE_COUNT) == pages and all(first[part] == own[part] for part in same)


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + _NUMBER], "big")
