"""Plays tests: what computes with a worker a core, then what waits with four.

Tests that wait for real time sleep more than they compute: with few workers the cores would idle.
What a stalled machine could not show is played once more, alone. All runs keep their record and
their JUnit file in var/tests; what was played, what was left out and what was wanting is said once,
of all together.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib.errors import FAILED, OK, USAGE, Failure
from tools.testing import machine, marks
from tools.testing.durations import RECORDS
from tools.testing.marks import ROOT, TESTS, sources
from tools.testing.progress import duration

COMPUTING, WAITING = "computing", "waiting"
SIDES = (COMPUTING, WAITING)
ALONE = "alone"  # the third run
_WAITING_WORKERS = 4  # a core
STOPPED, NOTHING = 2, 5  # pytest's statuses: by Ctrl-C or -x, and when no test was chosen
_TEST = re.compile(r"^\s*def test_", re.M)


class Asked(NamedTuple):
    """What to play. `arguments`: for pytest. `rest`: not what `make test` has passed before."""

    part: str  # "test" or "all"
    arguments: Sequence[str] = ()
    rest: bool = False
    within: tuple[Path, ...] | None = None  # only these files


class Played(NamedTuple):
    """What one or more runs found. `stalled`: the tests that a stalled machine could not show."""

    status: int
    counts: Counter[str]
    wanting: Counter[str]
    seconds: float
    cpu_s: float
    stalled: tuple[str, ...] = ()


def play(asked: Asked) -> Played:
    """Plays both sides, as far as there is something to play."""
    found: list[Played] = []
    for side in SIDES:
        if _has(asked, side):
            found.append(_one(asked, side, _record(asked, side)))
            if found[-1].status not in (OK, FAILED, NOTHING):
                break
    else:
        alone = _record(asked, ALONE)
        for old in (alone, alone.with_suffix(".xml")):
            old.unlink(missing_ok=True)
        if again := [test for each in found for test in each.stalled]:
            found = [_without_stalled(each) for each in found]
            found.append(_one(Asked("all", again), ALONE, alone))
    statuses = {each.status for each in found} - {0, NOTHING}
    nothing = all(each.status == NOTHING for each in found)
    return Played(
        max(statuses) if statuses else (NOTHING if nothing else 0),
        sum((each.counts for each in found), Counter()),
        sum((each.wanting for each in found), Counter()),
        sum(each.seconds for each in found),
        sum(each.cpu_s for each in found),
        found[-1].stalled if found else (),
    )


def _without_stalled(played: Played) -> Played:
    """What is left of it when these are played again."""
    counts = Counter({name: n for name, n in played.counts.items() if name != "stalled"})
    return played._replace(counts=counts, stalled=())


def record_of(part: str, side: str) -> Path:
    """Where a run's record is kept; its JUnit file stands beside it."""
    return RECORDS / f"{part}-{side}.json"


def cpu_s(part: str) -> list[float]:
    """What the last runs of a part computed, in seconds; nothing of what was not played."""
    records = [record_of(part, side) for side in (*SIDES, ALONE)]
    told = [json.loads(path.read_text(encoding="utf-8")) for path in records if path.exists()]
    return [float(each.get("cpu_s", 0.0)) for each in told]


def just_passed() -> list[Path]:
    """Records of `make test` with these very sources. Raises Failure if there is none."""
    found = []
    for path in (record_of("test", side) for side in SIDES):
        if path.exists():
            told = json.loads(path.read_text(encoding="utf-8"))
            found += [path] if told.get("sources") == sources() else []
    if not found:
        raise Failure(USAGE, "make test has not been played with these sources: play it first.")
    return found


def _one(asked: Asked, side: str, record: Path) -> Played:
    within = RECORDS / "within.txt"
    if asked.within is not None:
        within.parent.mkdir(parents=True, exist_ok=True)
        within.write_text("\n".join(map(str, asked.within)), encoding="utf-8")
    cores = os.cpu_count() or 1
    workers = {COMPUTING: ["-n", str(cores), "--dist", "worksteal"],
               # A file's tests share what a worker has started: a wheel, a page, a machine.
               WAITING: ["-n", str(_WAITING_WORKERS * cores), "--dist", "loadfile",
                         "--no-loadscope-reorder"],
               ALONE: ["-n", "0"]}[side]  # fmt: skip
    command = [
        sys.executable, "-m", "pytest", *workers,
        f"--part={asked.part}", f"--side={'both' if side == ALONE else side}",
        f"--record={record}", f"--junitxml={record.with_suffix('.xml')}",
        *(f"--but={each}" for each in (just_passed() if asked.rest else ())),
        *([f"--within={within}"] if asked.within is not None else []), *asked.arguments,
    ]  # fmt: skip
    before_s, start_s, began = _cpu_s(), time.monotonic(), time.time()
    status = _ended(subprocess.Popen(command, cwd=ROOT))
    tests: dict[str, Any] = {}
    wanting: Counter[str] = Counter()
    if record.exists() and record.stat().st_mtime >= began - 1:
        told = json.loads(record.read_text(encoding="utf-8"))
        tests, wanting = told["tests"], Counter(told["wanting"])
    counts = Counter(result for result, *_ in tests.values())
    cpu_s = _cpu_s() - before_s
    if tests:
        record.write_text(json.dumps({**told, "cpu_s": round(cpu_s, 1)}, indent=0), "utf-8")
    stalled = tuple(name for name, (result, *_) in tests.items() if result == "stalled")
    return Played(status, counts, wanting, time.monotonic() - start_s, cpu_s, stalled)


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Its status. Ctrl-C reaches it too, and it has the time to take down what it has started."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue


def _record(asked: Asked, side: str) -> Path:
    """Of such a run. It stands for its part only if all of that was played."""
    return record_of(asked.part if _is_whole(asked) else "some", side)


def _is_whole(asked: Asked) -> bool:
    """Whether all of a part is played."""
    return not asked.arguments and asked.within is None


def _cpu_s() -> float:
    """CPU seconds of all that was started and has ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _has(asked: Asked, side: str) -> bool:
    """Whether there is a file of that side where the arguments point; by its name alone."""
    files = [path for path in _files(asked) if marks.waits(path) == (side == WAITING)]
    if asked.part == "test":
        return any(
            marks.is_pure(path) or marks.has_smoke(path) or _is_named(path, asked) for path in files
        )
    return bool(files)


def _paths(arguments: Sequence[str]) -> list[Path]:
    """The files and folders that are named among pytest's arguments; the tests if none is."""
    named = [Path(ROOT, each.partition("::")[0]) for each in arguments if not each.startswith("-")]
    return [path for path in named if path.is_relative_to(TESTS) and path.exists()] or [TESTS]


def _files(asked: Asked) -> list[Path]:
    if asked.within is not None:
        return list(asked.within)
    return [
        path
        for each in _paths(asked.arguments)
        for path in ([each] if each.is_file() else marks.files(each))
    ]


def _is_named(path: Path, asked: Asked) -> bool:
    return marks.is_named(path, _paths(asked.arguments))


def left_out(asked: Asked) -> Counter[str]:
    """How many test functions `make test` leaves to `make test-all`, by mark."""
    left: Counter[str] = Counter()
    if asked.part == "test":
        for path in _files(asked):
            if (found := marks.of(path)) and not _is_named(path, asked):
                text = path.read_text(encoding="utf-8")
                left[found[0]] += len(_TEST.findall(text)) - marks.count_smoke(path)
    return +left


def summary(name: str, asked: Asked, played: Played) -> list[str]:
    """What is said at the end of `make NAME`."""
    counts = played.counts
    passed, failed = counts["passed"], counts["failed"]
    skipped = counts["skipped"] + counts["wanting"] + counts["stalled"]
    lines = [
        f"make {name}: {duration(played.seconds)}, {played.cpu_s / 60:.1f} CPU-minutes on"
        f" {os.cpu_count()} cores",
        f"tests: {passed} passed, {failed} failed, {skipped} skipped",
    ]
    if left := left_out(asked):
        marked = ", ".join(f"{mark} {n}" for mark, n in sorted(left.items()))
        more = " ".join(["make test-all", *_only(asked)])
        lines.insert(1, f"left out: {left.total()} test functions ({marked}); {more} plays them")
    if counts["stalled"]:
        tests = " ".join(played.stalled)
        lines.insert(1, f"not shown, for {marks.STALLED} when they were played alone too: {tests}")
    if wanting := counts["wanting"]:
        lines.insert(1, machine.told_wanting(wanting, played.wanting))
    return lines


def _only(asked: Asked) -> list[str]:
    return [f'ARGS="{" ".join(asked.arguments)}"'] if asked.arguments else []
