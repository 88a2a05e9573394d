"""The firmware hash of every record: over the sources that decide, by an explicit list (ADR 20).

What decides is whatever takes part in a number, a void, a call, a stake or a record: all that
`firmware.run` imports. Services, the client of the socket and the tools only ask, show, and hand in
what somebody typed, a virtual wheel, or a recorder that gets copies.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from firmware.lib.language import Message

HASH_SIZE = 8  # bytes
LIST = 2  # the number of the list below; a journal's rows of KIND say which one a hash stands for
COVERED = (
    "boards",
    "drivers",
    "firmware/__init__.py",
    "firmware/api",
    "firmware/bus",
    "firmware/config",
    "firmware/core",
    "firmware/expander",
    "firmware/keys",
    "firmware/lib",
    "firmware/loop.py",
    "firmware/ports.py",
    "firmware/run",
    "firmware/shims",
    "firmware/stakes",
    "firmware/store",
    "firmware/text",
    "rules",
)
# Records made before list 2. The wheel's own composition stood in tools then, outside the hash.
LIST_1 = "boards, drivers, firmware and rules as they were before ADR 20, without what opened them"
NOT_COVERED = (
    Message("the Python interpreter and its libraries"),
    Message("the operating system"),
    Message("firmware/client, firmware/services and tools, which ask and show but do not decide"),
    Message("the catalogues of languages below firmware/text/locale, which translate what is said"),
    Message(
        "configuration and calibration, which the journal and the calibration's own signature name"
    ),
)
# JSON {"firmware": hash, "list": its number, "covers": its names}: from here on the records of this
# hash stand for that list. A hash that no such row names stands for list 1.
KIND = "software"
_ROOT = Path(__file__).resolve().parents[2]


def covered(root: Path = _ROOT) -> list[Path]:
    """Returns the files that the hash covers, below the folder that holds `firmware`, by their
    paths.
    """
    found: list[Path] = []
    for name in COVERED:
        path = root / name
        found += path.rglob("*.py") if path.is_dir() else [path]
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def firmware_hash(root: Path = _ROOT) -> bytes:
    """Returns SHA-256 over path, length and bytes of each covered file, cut to HASH_SIZE bytes.

    Raises OSError if one cannot be read.
    """
    total = hashlib.sha256()
    for path in covered(root):
        content = path.read_bytes()
        total.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        total.update(content)
    return total.digest()[:HASH_SIZE]


def statement() -> dict[str, object]:
    """Returns the body of the row that says what the hash of this software stands for."""
    return {"firmware": firmware_hash().hex(), "list": LIST, "covers": list(COVERED)}
