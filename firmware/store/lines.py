"""One record a line: JSON with a number that counts up and a checksum of its own.

    {"n":7,"utc":"2025-11-21T20:15:03Z","kind":"result","body":{...},"crc":"9f3c01aa"}

The checksum is the CRC-32 of the line as it stands, less the member `crc`.
"""

import json
import zlib
from typing import Any, NamedTuple

LINE_MAX = 65_536  # bytes; a learned table is a few hundred, so longer is not ours
_CRC_LENGTH = len(',"crc":"00000000"}')


class Row(NamedTuple):
    """One record as it lies in the file."""

    n: int
    kind: str
    body: Any


def encode(row: Row, utc: str) -> bytes:
    """The line of a row, with its newline. Raises ValueError for a body JSON cannot hold."""
    text = json.dumps(
        {"n": row.n, "utc": utc, "kind": row.kind, "body": row.body},
        separators=(",", ":"),
        allow_nan=False,
    )
    return b'%s,"crc":"%08x"}\n' % (text[:-1].encode(), zlib.crc32(text.encode()))


def decode(line: bytes) -> Row | None:
    """The row of a line with its newline, or None if it is not as `encode` wrote it."""
    text = line[: -_CRC_LENGTH - 1] + b"}"
    if line[len(text) - 1 :] != b',"crc":"%08x"}\n' % zlib.crc32(text):
        return None
    try:
        found = json.loads(text)
        row = Row(found["n"], found["kind"], found["body"])
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return row if type(row.n) is int and type(row.kind) is str else None
