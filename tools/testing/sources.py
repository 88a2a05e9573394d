"""What tests decide about: a hash of all that the checkout holds, theirs included."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tools.testing.marks import ROOT

# What runs write down there, and the page that is made of it, decide nothing.
_WRITTEN = frozenset(("tests/durations.json", "tests/soak.json", "docs/testing.md"))


@cache
def sources() -> str:
    """Of this checkout, as it lies there: what git keeps, and what is new."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    names = {name for name in listed.split("\0") if name and name not in _WRITTEN}
    return of(ROOT, (ROOT / name for name in names))


def of(root: Path, files: Iterable[Path]) -> str:
    """A hash of these files' names below `root` and their bytes, in hexadecimal."""
    total = hashlib.sha256()
    for path in sorted(files):
        if path.is_file():  # what is deleted has no bytes
            content = path.read_bytes()
            total.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
            total.update(content)
    return total.hexdigest()[:16]
