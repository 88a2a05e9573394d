"""Runs what names a requirement, tells how far it is, and leaves what it found as JUnit files."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import IO, NamedTuple

from firmware.lib import parent_death_signal
from tools.docs.evidence import junit, results
from tools.docs.evidence.marks import ROOT, in_tests
from tools.docs.evidence.telling import FD, THERE
from tools.hil import places, scenario_file
from tools.hil.faults import catalogue
from tools.testing.progress import Progress
from tools.testing.workers import Tell, each

TESTS, SCENARIOS = "run", "scenarios"  # NAME.xml; NAME-part.xml of what was stopped
COLLECTED_S = 20.0  # about, of each worker, before the first test
END_S = 60.0  # so long may pytest take to stop what its tests have started
WORKERS = os.cpu_count() or 1  # as `-n auto`

Costs = Mapping[tuple[str, str], float]


class Played(NamedTuple):
    """What one scenario has found; a case of tools.docs.evidence.junit."""

    name: str
    wrong: tuple[str, ...]
    spent_s: float
    requires: tuple[str, ...]


def made_here() -> list[str]:
    """The shipped scenarios that name a requirement and can be played in process."""
    found = []
    for name in scenario_file.shipped():
        scenario = scenario_file.find(name)
        virtual = all("virtual" in catalogue.find(use.fault).places for use in scenario.faults)
        if scenario.requires and virtual:
            found.append(name)
    return found


def costs(folder: Path, *, scenarios: bool) -> dict[tuple[str, str], float]:
    """Seconds of each test, and scenario, by kind and name: as the last files there have it.

    What they do not have is taken for as long as the others on average.
    """
    last: defaultdict[tuple[str, str], float] = defaultdict(float)
    for path in sorted(folder.glob("*.xml")):
        found: defaultdict[tuple[str, str], float] = defaultdict(float)
        with contextlib.suppress(OSError, ET.ParseError, ValueError):
            for case in ET.parse(path).getroot().iter("testcase"):
                found[results.named(case)] += float(case.get("time", 0))
        last.update(found)
    names = {("test", named.name) for named in in_tests()}
    names |= {("scenario", name) for name in made_here()} if scenarios else set()
    usual = fmean(known) if (known := [last[name] for name in names if last.get(name)]) else 1.0
    return {name: last.get(name) or usual for name in names}


def tests(folder: Path, cost: Costs, progress: Progress) -> Path:
    """Runs the tests. What fails there stands in the file, and is said."""
    part = folder / f"{TESTS}-part.xml"
    part.unlink(missing_ok=True)
    with tempfile.TemporaryFile("w+") as said:
        code = _pytest(part, cost, progress, said)
        if code:
            said.seek(0)
            progress.print_line(said.read().strip())
    return _whole(folder, TESTS) if part.exists() else part


def scenarios(folder: Path, cost: Costs, progress: Progress) -> Path:
    """Plays each of `made_here`."""
    names = made_here()
    played: list[Played] = []
    part = folder / f"{SCENARIOS}-part.xml"
    tasks = [partial(_play, name, cost[("scenario", name)]) for name in names]
    try:
        for _, found in each(tasks, jobs=WORKERS, progress=progress):
            played.append(found)
    finally:
        played.sort()
        part.write_text(junit.text("scenarios", played, place="virtual"), encoding="utf-8")
    return _whole(folder, SCENARIOS)


def _whole(folder: Path, name: str) -> Path:
    """It is not only a part."""
    return (folder / f"{name}-part.xml").replace(folder / f"{name}.xml")


def _play(name: str, cost: float, tell: Tell) -> Played:
    began_s = time.monotonic()
    scenario = scenario_file.find(name)
    broken = places.load("virtual").run(scenario).verdict.broken
    tell(cost)
    wrong = tuple(f"{each.rule}: {each.text}" for each in broken)
    return Played(name, wrong, time.monotonic() - began_s, tuple(scenario.requires))


def _pytest(part: Path, cost: Costs, progress: Progress, said: IO[str]) -> int:
    """Its exit code. It is interrupted once, as by a terminal, and lives no longer than this."""
    ours, theirs = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-m", "req", "-n", "auto", "--dist", "worksteal",
         "--tb=short", "-o", "console_output_style=classic", "-p", "tools.docs.evidence.telling",
         f"--junitxml={part}"],
        cwd=ROOT, stdout=said, stderr=said, pass_fds=[theirs], start_new_session=True,
        env=os.environ | {FD: str(theirs)}, preexec_fn=parent_death_signal.preexec(signal.SIGKILL),
    )  # fmt: skip
    os.close(theirs)
    try:
        with open(ours, encoding="utf-8", errors="replace") as lines:
            _heard(lines, cost, progress)
        return process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _heard(lines: Iterator[str], cost: Costs, progress: Progress) -> None:
    """What pytest tells: a test's parameters share its cost."""
    cases: Counter[str] = Counter()
    over = 0
    for line in lines:
        what, _, nodeid = line.rstrip("\n").partition(" ")
        test = nodeid.partition("[")[0]
        if what == THERE:
            progress.add(0 if cases else COLLECTED_S * WORKERS)
            cases[test] += 1
            continue
        over += 1
        note = f"{over} of {cases.total()} cases" if cases else f"{over} cases"
        progress.add(cost.get(("test", test), 0.0) / (cases[test] or 1), note)
