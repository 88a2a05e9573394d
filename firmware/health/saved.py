"""What the watch knows, kept in a file so that a start need not read the whole journal again.

It is a cache: where it is missing, torn, of another version or of another journal, the journal is
read from its first row on, and gives the same bits.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

from firmware.core.health.watch import VERSION
from firmware.lib import durable
from firmware.lib.named_file import open_file

_MODE = 0o640
_BYTES_MAX = 16_000_000


def state_path(journal: Path) -> Path:
    """Returns where the watch over that journal keeps what it knows."""
    return journal.with_name(journal.name + ".health")


def save(path: Path, state: dict[str, Any]) -> None:
    """Keeps a state in place of the one before, whole or not at all. Raises OSError."""
    text = json.dumps({"version": VERSION, **state}).encode()
    durable.replace(path, b"%08x\n%s" % (zlib.crc32(text), text), _MODE)


def load(path: Path) -> dict[str, Any] | None:
    """Returns the state that was kept; None where there is none that can be used."""
    try:
        with open_file(path) as file:
            data = file.read(_BYTES_MAX)
    except OSError:
        return None
    checksum, _, text = data.partition(b"\n")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    found = json.loads(text)
    return found if found.pop("version") == VERSION else None
