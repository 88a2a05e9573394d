"""Files as SQLite leaves them beside a journal after a crash, built by hand: right ones, evil ones.

The form is that of SQLite's "Database File Format", section 3, The Rollback Journal.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

MAGIC = bytes.fromhex("d9d505f920a163d7")
SECTOR = 512


class Header(NamedTuple):
    """A header; `count`: records after it; `pages`: of the journal before the commit."""

    count: int
    nonce: int
    pages: int
    sector: int
    page_size: int
    magic: bytes = MAGIC

    def encode(self) -> bytes:
        """Returns it, filled up to a sector of SECTOR bytes."""
        numbers = b"".join((each % 2**32).to_bytes(4, "big") for each in self[:5])
        return (self.magic + numbers).ljust(SECTOR, b"\0")


def rest_of(journal: Path) -> Path:
    """Returns where it lies."""
    return journal.with_name(journal.name + "-journal")


def page_size(journal: Path) -> int:
    """Returns a journal's page size, in bytes."""
    return int.from_bytes(journal.read_bytes()[16:18], "big")


def header(journal: Path, count: int = 0) -> Header:
    """Returns a header that fits a journal as it is."""
    size = page_size(journal)
    return Header(count, 7, journal.stat().st_size // size, SECTOR, size)


def record(number: int, page: bytes, nonce: int = 7) -> bytes:
    """Returns a page as it was before the commit, with its number and checksum."""
    checksum = (nonce + sum(page[at] for at in range(len(page) - 200, 0, -200))) % 2**32
    return number.to_bytes(4, "big") + page + checksum.to_bytes(4, "big")


def pages(journal: Path) -> list[bytes]:
    """Returns a journal's pages; the first is page 1."""
    content, size = journal.read_bytes(), page_size(journal)
    return [content[at : at + size] for at in range(0, len(content), size)]


def super_journal(name: bytes, size: int) -> bytes:
    """Returns the record by which a rest names a file, which SQLite deletes after rolling back."""
    locking_page = 0x4000_0000 // size + 1
    numbers = (len(name), sum(name))
    end = b"".join(each.to_bytes(4, "big") for each in numbers) + MAGIC
    return locking_page.to_bytes(4, "big") + name + end


def evil(journal: Path, victim: Path) -> bytes:
    """Returns a rest that has SQLite delete `victim`, and changes nothing else."""
    about = header(journal)
    return about.encode() + super_journal(os.fsencode(victim), about.page_size)


def put_evil(journal: Path, victim: Path) -> Path:
    """Makes a victim, and a rest beside the journal that has it deleted. Returns the victim."""
    victim.write_bytes(b"what somebody needs")
    rest_of(journal).write_bytes(evil(journal, victim))
    return victim
