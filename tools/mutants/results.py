"""What became of each mutant, kept so that a run goes on where the last one stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools.mutants.catalogue import Mutant

RED = "red"
HANGS = "hangs"  # its tests do not end any more: seen as well
GREEN = "green"  # nobody has seen it
BROKEN = "broken"  # it could not be played: that shows nothing
SEEN = (RED, HANGS)

TEST, TEST_ALL = "make test", "make test-all"


class Result(NamedTuple):
    """Of one mutant. `by`: under which command it was seen; `detail`: what saw it, or why not."""

    name: str
    key: str
    word: str
    by: str
    detail: str
    seconds: float


def key(mutant: Mutant, root: Path) -> str:
    """Of the mutant, its module, its tests and what tests share: the rest is left to `--again`."""
    total = hashlib.sha256(repr(mutant).encode() + _shared(root))
    for path in sorted({mutant.path, *(test.partition("::")[0] for test in mutant.tests)}):
        total.update((root / path).read_bytes())
    return total.hexdigest()[:16]


def _shared(root: Path) -> bytes:
    """Of the harnesses, benches and fixtures that tests are made with."""
    total = hashlib.sha256()
    for path in sorted((root / "tests").rglob("*.py")):
        if not path.name.startswith("test_"):
            total.update(path.name.encode() + path.read_bytes())
    return total.digest()


class Results:
    """A file of results, a JSON line each; later ones count."""

    def __init__(self, path: Path) -> None:
        """Reads what is there; a line that was cut off is none."""
        self._path = path
        self._by_key: dict[str, Result] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            try:
                found = Result(**json.loads(line))
            except (ValueError, TypeError):
                continue
            self._by_key[found.key] = found

    def of(self, key: str) -> Result | None:
        """What is known of that mutant as it stands; one that could not be played is not known."""
        found = self._by_key.get(key)
        return None if found is None or found.word == BROKEN else found

    def add(self, result: Result) -> None:
        """Keeps one. Raises OSError."""
        self._by_key[result.key] = result
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result._asdict()) + "\n")


_HEAD = ("mutant", "kind", "", "by", "seen by")


def table_lines(mutants: Sequence[Mutant], results: Sequence[Result | None]) -> list[str]:
    """The table, and the count under it; None: that one was not played."""
    rows = [_HEAD]
    for mutant, result in zip(mutants, results, strict=True):
        told = ("not played", "", "") if result is None else (result.word, result.by, result.detail)
        rows.append((mutant.name, mutant.kind, *told))
    wide = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    table = ["  ".join(f"{cell:<{size}}" for cell, size in zip(row, wide, strict=True)).rstrip()
             for row in rows]  # fmt: skip
    return [*table, "", count_seen(results)]


def count_seen(results: Sequence[Result | None]) -> str:
    """How many were seen, and how many of those under `make test`."""
    seen = [result for result in results if result is not None and result.word in SEEN]
    under = sum(result.by == TEST for result in seen)
    return f"{len(seen)} of {len(results)} {RED}, {under} of them under {TEST}."
