"""How long tests last: as their runs here recorded it, and as it was when the record was kept.

`tests/durations.json` is kept in git: the table of docs/testing.md is made of it, and the order of
a fresh clone. `python -m tools.testing.durations` writes it from the runs in var/tests.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tools.testing.marks import FOLDERS, PURE, ROOT

RECORDS = ROOT / "var" / "tests"
KEPT = ROOT / "tests" / "durations.json"
CI_TIMES = ROOT / "var" / "ci-times.json"  # of the steps of the last .ci/run (times.py)
_LONG_S = 1.0  # shorter tests need no place in an order


class Cost(NamedTuple):
    """What the tests of a mark cost: seconds of one worker, and of a core."""

    tests: int
    seconds: float
    cpu_s: float


def records(folder: Path = RECORDS) -> list[dict[str, Any]]:
    """The runs recorded here, the oldest first. What is no record is passed over."""
    found = []
    files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in files:
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            found.append(told) if isinstance(told["tests"], dict) else None
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def kept(path: Path = KEPT) -> dict[str, Any]:
    """What git keeps. Empty: there is none yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def known() -> dict[str, float]:
    """Seconds by test, of the last run that played it."""
    seconds: dict[str, float] = dict(kept().get("longest", {}))
    for record in records():
        seconds.update({name: s for name, (_, s, _) in record["tests"].items()})
    return seconds


def by_file(seconds: dict[str, float]) -> dict[str, float]:
    """The sums of the files."""
    sums: dict[str, float] = defaultdict(float)
    for name, s in seconds.items():
        sums[name.partition("::")[0]] += s
    return sums


def costs(tests: dict[str, list[Any]]) -> dict[str, Cost]:
    """Sums by mark. A test below two marked folders counts for the outer one."""
    sums = {mark: Cost(0, 0.0, 0.0) for mark in (PURE, *FOLDERS)}
    for name, (_, seconds, cpu_s) in tests.items():
        mark = mark_of(name)
        n, s, c = sums[mark]
        sums[mark] = Cost(n + 1, s + seconds, c + cpu_s)
    return sums


def mark_of(name: str) -> str:
    """The mark of a test by its id."""
    folders = name.partition("::")[0].split("/")
    return next((folder for folder in folders if folder in FOLDERS), PURE)


def dearest(tests: dict[str, list[Any]], count: int = 12) -> list[tuple[str, Cost]]:
    """The files that cost most seconds."""
    sums: dict[str, Cost] = {}
    for name, (_, seconds, cpu_s) in tests.items():
        file = name.partition("::")[0]
        n, s, c = sums.get(file, Cost(0, 0.0, 0.0))
        sums[file] = Cost(n + 1, s + seconds, c + cpu_s)
    return sorted(sums.items(), key=lambda each: -each[1].seconds)[:count]


def merged(found: Iterable[dict[str, Any]]) -> dict[str, list[Any]]:
    """Each test as it was played last."""
    tests: dict[str, list[Any]] = {}
    for record in found:
        tests.update({name: row for name, row in record["tests"].items() if row[0] == "passed"})
    return tests


def keep(commit: str, times: dict[str, Any], path: Path = KEPT) -> None:
    """Writes what git keeps, from the runs recorded here."""
    tests = merged(records())
    told = {
        "commit": commit,
        "cores": os.cpu_count(),
        "times": times,
        "marks": {mark: [n, round(s), round(c)] for mark, (n, s, c) in costs(tests).items()},
        "dearest": {file: [n, round(s), round(c)] for file, (n, s, c) in dearest(tests)},
        "longest": {
            name: round(row[1], 1) for name, row in sorted(tests.items()) if row[1] >= _LONG_S
        },
    }
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Keeps what the last runs here took, and the last .ci/run if there was one."""
    from tools.hil.campaign.folder import commit

    steps = kept().get("times", {})
    if CI_TIMES.exists():
        steps = json.loads(CI_TIMES.read_text(encoding="utf-8"))
    keep(commit(), steps)
    print(f"{KEPT.relative_to(ROOT)} is written; make docs says it in docs/testing.md.")


if __name__ == "__main__":
    main()
