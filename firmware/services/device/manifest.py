"""The software manifest: every file of the installed software, one a line, and one hash over it.

    SHA256 SIZE MODE PATH        a file: its bytes' hash, how many, its mode in octal
    SHA256 SIZE link PATH        a link: hash and length of where it leads

Sorted by path, as bytes; PATH is relative to the root of the file system. Installed software is
whatever below usr/ has "cylindre" in its path, so that a file added beside ours counts too. An
inspector makes the same list from outside, with coreutils alone (docs/verify-install.md).
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from firmware.lib.errors import cause
from firmware.lib.language import Message
from firmware.lib.named_file import begin_named, open_file

FOLDER = "usr"
NAME = "cylindre"
MANIFEST = Path("usr/share/cylindre/manifest")  # every file but this one
LINK = "link"
LINES_MAX = 50_000  # the software has some 1500 files
SIZE_MAX = 16 * 2**20
_CHUNK = 2**20
_HASH_DIGITS = 64


class Entry(NamedTuple):
    """One file, without its path. `mode`: octal, or LINK."""

    sha256: str
    size: int
    mode: str


Entries = dict[str, Entry]


class Differences(NamedTuple):
    """Paths whose bytes, size or mode differ, that are gone, and that are there besides."""

    differing: list[str]
    missing: list[str]
    extra: list[str]


class NoManifestError(Exception):
    """There is no manifest, or it is none; the text says so."""


def installed(root: Path) -> Entries:
    """Returns the software that lies below `root`, by path. Raises OSError."""
    return {path: entry_of(root / path) for path in _paths(root)}


def entry_of(path: Path) -> Entry:
    """Returns a file or link as the manifest has it. Raises OSError."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        target = os.readlink(os.fsencode(path))
        return Entry(hashlib.sha256(target).hexdigest(), len(target), LINK)
    if not stat.S_ISREG(found.st_mode):
        return Entry("0" * _HASH_DIGITS, 0, f"{stat.S_IFMT(found.st_mode):o}")
    digest = hashlib.sha256()
    with open_file(path) as file:
        while data := file.read(_CHUNK):
            digest.update(data)
    return Entry(digest.hexdigest(), found.st_size, f"{stat.S_IMODE(found.st_mode):o}")


def text_of(entries: Entries) -> bytes:
    """Returns the manifest of these files."""
    order = sorted(entries, key=os.fsencode)
    lines = [f"{entries[path].sha256} {entries[path].size} {entries[path].mode} " for path in order]
    return b"".join(
        line.encode() + os.fsencode(path) + b"\n" for line, path in zip(lines, order, strict=True)
    )


def hash_of(text: bytes) -> str:
    """Returns the hash of the manifest's bytes, which stands for all of it."""
    return hashlib.sha256(text).hexdigest()


def read(root: Path) -> bytes:
    """Returns the manifest below `root`. Raises NoManifestError."""
    path = root / MANIFEST
    try:
        text = begin_named(path, SIZE_MAX + 1)
    except OSError as error:
        raise NoManifestError(Message("{}: {}.", path, cause(error))) from None
    if len(text) > SIZE_MAX:
        raise NoManifestError(
            Message("{path} is larger than any manifest of this software.", path=path)
        )
    return text


def parse(text: bytes) -> Entries:
    """Returns the files that a manifest lists.

    Raises NoManifestError if `text_of` makes no such one.
    """
    lines = text.split(b"\n")
    if lines.pop() != b"" or not lines or len(lines) > LINES_MAX:
        raise NoManifestError(Message("The manifest is cut short, or none at all."))
    entries: Entries = {}
    for number, line in enumerate(lines, 1):
        parts = line.split(b" ", 3)
        if len(parts) != 4 or not _is_entry(parts):
            raise NoManifestError(
                Message("Line {number} of the manifest is not one of a manifest.", number=number)
            )
        sha256, size, mode, path = parts
        entries[os.fsdecode(path)] = Entry(sha256.decode(), int(size), mode.decode())
    if text_of(entries) != text:
        raise NoManifestError(Message("The manifest is not sorted, or names a file twice."))
    return entries


def compare(wanted: Entries, found: Entries) -> Differences:
    """Returns what is not as it was made, each list sorted."""
    both = wanted.keys() & found.keys()
    return Differences(
        sorted(path for path in both if wanted[path] != found[path]),
        sorted(wanted.keys() - found.keys()),
        sorted(found.keys() - wanted.keys()),
    )


def _is_entry(parts: list[bytes]) -> bool:
    sha256, size, mode, path = parts
    return (
        len(sha256) == _HASH_DIGITS
        and set(sha256) <= set(b"0123456789abcdef")
        and 1 <= len(size) <= 15
        and size.isdigit()
        and (mode == LINK.encode() or (1 <= len(mode) <= 6 and set(mode) <= set(b"01234567")))
        and path.startswith(FOLDER.encode() + b"/")
        and b"\0" not in path
    )


def _paths(root: Path) -> Iterator[str]:
    """Everything but folders below FOLDER that has NAME in its path, but for the manifest."""
    top = os.path.join(root, FOLDER)
    skip = len(os.path.join(root, ""))

    def refuse(error: OSError) -> None:
        # Folders of others that are closed to us hold nothing we would run; root sees them too.
        if not isinstance(error, PermissionError) or NAME in str(error.filename)[skip:]:
            raise error

    for folder, folders, files in os.walk(top, onerror=refuse):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in (*files, *links):
            path = os.path.join(folder, name)[skip:]
            if NAME in path and path != str(MANIFEST):
                yield path
