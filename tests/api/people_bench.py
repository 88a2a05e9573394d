"""People of whom to check a PIN costs nothing, and seconds that pass only when a test says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from service_bench import PINS

from firmware.keys.people import SCRYPT


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def somebody(name: str = "anna", role: str = "croupier", **changes: Any) -> bytes:
    """A line of the file; nobody's PIN has that hash."""
    found = {
        "name": name,
        "role": role,
        "n": SCRYPT[0],
        "r": SCRYPT[1],
        "p": SCRYPT[2],
        "salt": "00" * 16,
        "hash": "11" * 32,
    }
    return json.dumps(found | changes).encode() + b"\n"


def of(folder: Path, *names: str, **changes: Any) -> Path:
    """A file of croupiers whose hash is the PIN itself, as `quick` makes them."""
    path = folder / "people.jsonl"
    quick_hash = {name: PINS[name].encode().ljust(32) for name in names}
    lines = [somebody(name, hash=quick_hash[name].hex(), **changes) for name in names]
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
    return path
