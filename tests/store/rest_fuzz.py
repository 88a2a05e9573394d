"""A journal's rest file, mutated in every field, before a reader and before a controller.

Case `n` is always the same. Of each: a canary is deleted by nobody, nothing grows, and what is read
is refused, or is the journal as it was before the commit or after it; or `verify` tells.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import own_journal
import rest_files
from own_journal import SIGNER, result
from rest_files import MAGIC, SECTOR, Header

from firmware.store import reader
from firmware.store.journal_file import open_file
from firmware.store.rows import JournalError, Row
from firmware.store.verify import first_bad

REFUSED, IGNORED, ROLLED_BACK = "refused", "ignored", "rolled back"
_SPECIAL = (0, 1, 2, 3, 255, 511, 512, 513, 4_096, 65_536, 2**18 + 1, 2**31 - 1, 2**31, 2**32 - 1)


class Segment(NamedTuple):
    """A header and the records after it: page number, page, checksum."""

    header: Header
    records: list[tuple[int, bytes, int]]


class Bench:
    """A journal before a commit and after it, and what a cut in between leaves."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        self.rest = rest_files.rest_of(self.path)
        self.canary = folder / "canary"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        journal = own_journal.opened(self.path)
        for coup in range(1, 4):
            journal.write(*result(coup))
        journal.close()
        self.before = self.path.read_bytes()
        self.about = rest_files.header(self.path)
        self.pages = rest_files.pages(self.path)
        journal = own_journal.opened(self.path)
        journal.write("evidence", {"coup": 4, "seq": 4, "why": "x" * 20_000})
        journal.write(*result(4))
        journal.close()
        self.after = self.path.read_bytes()
        self.legitimate = [self._rows(self.before), self._rows(self.after)]
        self.canary.write_bytes(b"canary")
        self.told: Counter[str] = Counter()

    def _rows(self, content: bytes) -> list[Row]:
        self.path.write_bytes(content)
        return list(reader.rows(self.path))

    # --- what lies there ------------------------------------------------------------------------
    def honest(self, rng: random.Random) -> list[Segment]:
        """As SQLite leaves it: every page that the commit changes, in one segment or in more."""
        numbers = list(range(1, len(self.pages) + 1))
        rng.shuffle(numbers)
        cuts = sorted(rng.sample(range(1, len(numbers)), rng.choice((0, 0, 1, 2))))
        made = []
        for start, end in zip([0, *cuts], [*cuts, len(numbers)], strict=True):
            nonce = rng.getrandbits(32)
            records = [self._record(number, nonce) for number in numbers[start:end]]
            made.append(Segment(self.about._replace(count=len(records), nonce=nonce), records))
        return made

    def _record(self, number: int, nonce: int) -> tuple[int, bytes, int]:
        page = self.pages[number - 1]
        return number, page, checksum(page, nonce)

    def lay(self, content: bytes, rest: bytes) -> None:
        """Puts a journal there, and what lies beside it."""
        self.path.write_bytes(content)
        self.rest.write_bytes(rest)

    # --- what comes of it -----------------------------------------------------------------------
    def play(self, case: int) -> str:
        """Plays a case; returns what became of the rest file."""
        rng = random.Random(case)
        torn = rng.choice((self.after, self.before, self.after[: len(self.before)]))
        rest = mutated(self, rng)
        self.lay(torn, rest)
        self._read(case)
        assert (self.path.read_bytes(), self.rest.read_bytes()) == (torn, rest), case
        self._untouched(case)
        became = self._start(case, torn, rest)
        self._untouched(case)
        assert self.path.stat().st_size <= len(self.after), case
        assert not self.rest.exists() or self.rest.stat().st_size <= len(rest), case
        self.told[became] += 1
        return became

    def _untouched(self, case: int) -> None:
        there = {path.name for path in self.path.parent.iterdir()} - {self.rest.name}
        assert there == {self.path.name, "canary", "tmp"}, (case, there)
        assert self.canary.read_bytes() == b"canary", case
        assert not any(self.temporary.iterdir()), case

    def _read(self, case: int) -> None:
        try:
            rows = list(reader.rows(self.path))
            fits = rows in self.legitimate or first_bad(self.path, SIGNER.public) is not None
        except JournalError:
            return
        assert fits, (case, len(rows))

    def _start(self, case: int, torn: bytes, rest: bytes) -> str:
        """A controller's: opened, what is to be taken back is, and it is read."""
        try:
            file = open_file(self.path)
        except JournalError:
            assert self.path.read_bytes() == torn, case
            assert self.rest.read_bytes() == rest, case
            return REFUSED
        assert file is not None
        try:
            file.connection()
        except (JournalError, sqlite3.Error):  # what was taken back is none of ours: a start ends
            pass
        finally:
            file.close()
        self._read(case)
        return ROLLED_BACK if rest[:8] == MAGIC else IGNORED


def checksum(page: bytes, nonce: int) -> int:
    """Returns what SQLite has behind a page."""
    return (nonce + sum(page[at] for at in range(len(page) - 200, 0, -200))) % 2**32


def encode(segments: list[Segment]) -> bytearray:
    """Returns the file."""
    data = bytearray()
    for segment in segments:
        data += bytes(-len(data) % SECTOR) + segment.header.encode()
        for number, page, check in segment.records:
            data += (number % 2**32).to_bytes(4, "big") + page + check.to_bytes(4, "big")
    return data


# --- mutations: of the segments, then of the bytes ------------------------------------------------
def _number(rng: random.Random, was: int) -> int:
    return rng.choice(
        (was + 1, was - 1, was * 2, was ^ 1 << rng.randrange(32), rng.getrandbits(32))
        + (rng.choice(_SPECIAL),) * 3
    )  # fmt: skip


def _header(segments: list[Segment], rng: random.Random) -> None:
    at = rng.randrange(len(segments))
    field = rng.choice(("count", "nonce", "pages", "sector", "page_size"))
    found = segments[at].header
    segments[at] = segments[at]._replace(
        header=found._replace(**{field: _number(rng, getattr(found, field)) % 2**32})
    )


def _magic(segments: list[Segment], rng: random.Random) -> None:
    at = rng.randrange(len(segments))
    magic = bytearray(MAGIC)
    magic[rng.randrange(8)] = rng.choice((0, rng.randrange(256)))
    found = rng.choice((bytes(magic), bytes(8)))
    segments[at] = segments[at]._replace(header=segments[at].header._replace(magic=found))


def _records(segments: list[Segment], rng: random.Random) -> None:
    """A page's number, content or checksum; the checksum put right again or not."""
    segment = rng.choice(segments)
    if not segment.records:
        return
    at = rng.randrange(len(segment.records))
    number, page, check = segment.records[at]
    what = rng.choice(("number", "content", "head", "checksum"))
    if what == "number":
        number = _number(rng, number)
    elif what == "checksum":
        check = _number(rng, check) % 2**32
    else:
        changed = bytearray(page)
        for _ in range(rng.choice((1, 1, 50))):
            changed[rng.randrange(100 if what == "head" else len(page))] = rng.randrange(256)
        page = bytes(changed)
    if rng.random() < 0.7 and what != "checksum":
        check = checksum(page, segment.header.nonce)
    segment.records[at] = (number, page, check)


def _order(segments: list[Segment], rng: random.Random) -> None:
    """A record twice, none, or elsewhere; the count put right or not; a segment twice."""
    at = rng.randrange(len(segments))
    records = segments[at].records
    what = rng.choice(("twice", "gone", "none", "segment"))
    if what == "segment":
        segments.insert(rng.randrange(len(segments) + 1), segments[at])
    elif what == "none":
        records.clear()
    elif records and what == "gone":
        records.pop(rng.randrange(len(records)))
    elif records:
        records.insert(rng.randrange(len(records) + 1), rng.choice(records))
    if rng.random() < 0.7:
        right = segments[at].header._replace(count=len(segments[at].records))
        segments[at] = segments[at]._replace(header=right)


def _nothing(_: list[Segment], __: random.Random) -> None:
    pass


_OF_SEGMENTS: tuple[Callable[[list[Segment], random.Random], None], ...] = (
    _header, _header, _header, _magic, _records, _records, _records, _order, _nothing,
)  # fmt: skip


def mutated(bench: Bench, rng: random.Random) -> bytes:
    """Returns a rest file, of one mutation to three; of some only bytes, of some an evil end."""
    segments = bench.honest(rng)
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(_OF_SEGMENTS)(segments, rng)
    data = encode(segments)
    last = rng.random()
    if last < 0.05:
        data = data[: rng.randrange(len(data) + 1)]
    elif last < 0.08:
        data += rng.randbytes(rng.randrange(1, 3_000))
    elif last < 0.10:
        data = bytearray(rng.randbytes(rng.randrange(len(data))))
    elif last < 0.12:
        data[:SECTOR] = bytes(SECTOR)
    elif last < 0.14:
        data += bytes(rng.randrange(1, 1 << 20))
    elif last < 0.17:
        for _ in range(rng.choice((1, 20))):
            data[rng.randrange(len(data))] = rng.randrange(256)
    if rng.random() < 0.2:
        if rng.random() < 0.3:
            data = data[:SECTOR]
        evil = bytearray(rest_files.super_journal(bytes(bench.canary), bench.about.page_size))
        if rng.random() < 0.3:
            evil[rng.randrange(len(evil))] = rng.randrange(256)
        data += bytes(-len(data) % rng.choice((1, SECTOR))) + evil
    return bytes(data)


def folder() -> Path:
    """Returns a new folder in memory, where there is such."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="rest-", dir=memory if memory.is_dir() else None))


def remove(made: Path) -> None:
    """Removes it."""
    shutil.rmtree(made)
