"""One record a line: JSON with a number that counts up and a checksum of its own.

    {"n":7,"utc":"2025-11-21T20:15:03Z","kind":"coup","body":{...},"crc":"9f3c01aa"}

The checksum is the CRC-32 of the line as it stands, less the member `crc`.
"""

import json
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

LINE_MAX = 524_288  # bytes; what is longer is not ours
_CRC_LENGTH = len(',"crc":"00000000"}')


class Row(NamedTuple):
    """One record as it lies in the file."""

    n: int
    utc: str
    kind: str
    body: Any


def encode(row: Row) -> bytes:
    """Returns the line of a row, with its newline.

    Raises ValueError for a body JSON cannot hold.
    """
    text = json.dumps(row._asdict(), separators=(",", ":"), allow_nan=False)
    return b'%s,"crc":"%08x"}\n' % (text[:-1].encode(), zlib.crc32(text.encode()))


def decode(line: bytes) -> Row | None:
    """Returns the row of a line with its newline, or None if it is not as `encode` wrote it."""
    text = line[: -_CRC_LENGTH - 1] + b"}"
    if line[len(text) - 1 :] != b',"crc":"%08x"}\n' % zlib.crc32(text):
        return None
    try:
        found = json.loads(text)
        row = Row(found["n"], found["utc"], found["kind"], found["body"])
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return row if (type(row.n), type(row.utc), type(row.kind)) == (int, str, str) else None


class Damaged(Exception):
    """A line that is not as it was written; `n` is its number."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.n = n


class Read(NamedTuple):
    """How far whole lines go: where the next begins, the last one's n; `torn`: bytes follow."""

    end: int
    n: int
    torn: bool


def fold(lines: BinaryIO, take: Callable[[Row], object], *, end: int = 0, n: int = 0) -> Read:
    """Gives every row to `take`, from the offset `end` on, whose row has the number n + 1.

    Raises Damaged for a line that is not as it was written, or that `take` cannot take: it raises
    KeyError, TypeError, ValueError or AttributeError. A last line that was never finished is none.
    """
    lines.seek(end)
    while line := lines.readline(LINE_MAX):
        row = decode(line)
        if row is not None and row.n == n + 1:
            try:
                take(row)
            except (KeyError, TypeError, ValueError, AttributeError):
                row = None
        if row is None or row.n != n + 1:
            if _torn(line, lines.read(1)):
                return Read(end, n, True)
            raise Damaged(n + 1)
        end += len(line)
        n = row.n
    return Read(end, n, False)


def _torn(line: bytes, rest: bytes) -> bool:
    """Returns whether a bad line looks unfinished: the last one, without its end or with an
    unwritten page.

    A whole last line that fails its checksum was written and acknowledged, then altered.
    """
    return not rest and (not line.endswith(b"\n") or b"\0" in line)
