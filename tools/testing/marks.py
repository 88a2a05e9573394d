"""Which test is played when: one rule, by folder, and the tests that are marked `smoke`."""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
# A test below a folder of this name, at any depth, has this mark.
FOLDERS = {
    "realtime": "real processes, ttys and sockets in real time: they wait more than they compute",
    "browser": "a real Chromium looks at real pages",
    "statistical": "large numbers of the same thing; their size stands in tools/testing/sizes.py",
    "package": "Debian packages, images, cards and signed updates are made",
}
PURE = "pure"  # what has none of the four
WAITING = ("realtime", "browser")  # played with more workers than cores
OTHERS = {
    "smoke": "has a mark by its folder, and is played by make test all the same",
    "needs(*names)": "what the test wants of the machine, by the names of tools/testing/machine.py",
    "soak(name)": "is played by make soak alone: too large for make test-all at any size",
}
# How the reason begins of a skip that says how long the machine stood still (tests/patience.py).
STALLED = "this machine stood still"
_SMOKE = re.compile(r"^\s*@pytest\.mark\.smoke\b|\bmarks=pytest\.mark\.smoke\b", re.M)


def of(path: Path) -> tuple[str, ...]:
    """The marks that folders give a file of tests, in the table's order."""
    below = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return tuple(mark for mark in FOLDERS if mark in below.parts)


def is_pure(path: Path) -> bool:
    """Whether its tests have no mark by their folder."""
    return not of(path)


def is_named(path: Path, asked: Iterable[Path]) -> bool:
    """Whether it lies in a marked folder that is asked for by its own name, or is asked for."""
    return any(of(each) and (each == path or each in path.parents) for each in asked)


def waits(path: Path) -> bool:
    """Whether its tests rather wait than compute."""
    return any(mark in WAITING for mark in of(path))


@cache
def count_smoke(path: Path) -> int:
    """How many tests of a file `make test` plays whatever the mark of its folder."""
    return len(_SMOKE.findall(path.read_text(encoding="utf-8")))


def has_smoke(path: Path) -> bool:
    """Whether there are such tests."""
    return count_smoke(path) > 0


def files(tests: Path = TESTS) -> Iterable[Path]:
    """All files of tests."""
    return sorted(tests.rglob("test_*.py"))


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
    return hash_of(ROOT, (ROOT / name for name in names))


def hash_of(root: Path, files: Iterable[Path]) -> str:
    """A hash of these files' names below `root` and their bytes, in hexadecimal."""
    total = hashlib.sha256()
    for path in sorted(files):
        if path.is_file():  # what is deleted has no bytes
            content = path.read_bytes()
            total.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
            total.update(content)
    return total.hexdigest()[:16]
