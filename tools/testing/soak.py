"""`make soak`: what is too large for `make test-all`, at full size, for as long as it takes.

Each test that takes its number from tools/testing/sizes.py, and each that is marked `soak`, is a
piece of its own: a pytest process, with a record of its result in var/soak/results.jsonl. A soak
goes on where it stopped, as long as the sources are the same. One that is whole and green writes
tests/soak.json, from which docs/testing.md says when that was.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from xml.etree import ElementTree

import click

from firmware.lib import parent_death_signal
from firmware.lib.errors import FAILED, INTERRUPTED, OK, USAGE, Failure, of_file
from firmware.lib.signals import as_ctrl_c
from tools.hil.campaign.folder import commit
from tools.testing import run_command
from tools.testing.marks import ROOT, sources
from tools.testing.progress import Progress
from tools.testing.sizes import SOAKING, SOAKS, Soak

FOLDER = ROOT / "var" / "soak"
GREEN = ROOT / "tests" / "soak.json"
SKIPPED = -1000  # a status of ours: what was not played is not green
_ENDS_S = 30.0  # so long may a test take to put back what it has begun
_UNKNOWN_S = 60.0  # what a test is thought to take, where no soak was green yet
_PASSED = re.compile(r"\b\d+ passed\b")
_ROOM = 2 << 30  # bytes: what the largest soak, two images of a card, lays on the disk


class Piece(NamedTuple):
    """One test of a soak."""

    soak: str
    test: str


class Result(NamedTuple):
    """How a piece went, and on which day (UTC); `sources`: of what; `found`: what it counted."""

    piece: Piece
    status: int
    seconds: float
    sources: str
    commit: str
    day: str
    found: Mapping[str, int] = MappingProxyType({})


@click.command(
    epilog="""\b
    Examples:
      make soak
      make soak ARGS="--hours 2 --only call"
    """
)
@click.option("--hours", type=click.FloatRange(0, min_open=True), help="Stop after so long.")
@click.option("--only", "names", multiple=True, help="One soak, by its name (may be repeated).")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes.")
@click.option("--list", "listed", is_flag=True, help="List the soaks, and play none.")
def command(hours: float | None, names: tuple[str, ...], jobs: int, listed: bool) -> int:
    """Play what is large at its full size; goes on where it stopped."""
    soaks = chosen(names)
    if listed:
        for soak in soaks:
            click.echo(f"{soak.name:<14}{_sizes(soak)}{soak.promise}")
        return OK
    _make_room()
    mine = sources()
    pieces = [piece for soak in soaks for piece in _pieces(soak)]
    done = {each.piece: each for each in results() if each.sources == mine and not each.status}
    todo = [piece for piece in pieces if piece not in done]
    interrupted = False
    if todo:
        end_s = time.monotonic() + hours * 3600 if hours else None
        try:
            with as_ctrl_c():
                _play(
                    todo,
                    mine,
                    jobs=jobs,
                    end_s=end_s,
                    before=[each for each in pieces if each in done],
                )
        except KeyboardInterrupt:
            interrupted = True
    found = {each.piece: each for each in results() if each.sources == mine}
    for line in table(soaks, pieces, found):
        click.echo(line)
    _keep_green(soaks, pieces, found)
    if interrupted:
        return INTERRUPTED
    return FAILED if any(found[piece].status for piece in pieces if piece in found) else OK


def _sizes(soak: Soak) -> str:
    return "".join(f"{each.whole} {each.name}; " for each in soak.sizes)


def chosen(names: tuple[str, ...]) -> list[Soak]:
    """The soaks of these names, all if there are none. Raises Failure if one is unknown."""
    known = [soak.name for soak in SOAKS]
    for name in names:
        if name not in known:
            raise Failure(USAGE, f"There is no soak {name}: there are {', '.join(known)}.")
    return [soak for soak in SOAKS if not names or soak.name in names]


def _make_room() -> None:
    """Raises Failure if the disk has no room for what soaks lay there; leaves nothing behind."""
    try:
        for where in (ROOT, tempfile.gettempdir()):
            free = shutil.disk_usage(where).free
            if free < _ROOM:
                raise Failure(
                    FAILED,
                    f"The disk of {where} has {free >> 20} MiB left: a soak wants {_ROOM >> 20}.",
                )
        FOLDER.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise of_file(FOLDER, error) from None


def _environ() -> dict[str, str]:
    return {**os.environ, SOAKING: "1"}


def _pieces(soak: Soak) -> list[Piece]:
    """Its tests, as pytest names them. Raises Failure if there are none."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *soak.tests],
        cwd=ROOT, env=_environ(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    tests = [line for line in done.stdout.splitlines() if "::" in line]
    if done.returncode or not tests:
        raise Failure(FAILED, f"The tests of the soak {soak.name} cannot be read: make check.")
    return [Piece(soak.name, test) for test in tests]


def results(folder: Path | None = None) -> list[Result]:
    """What was played here; a line that was cut is none."""
    path = (folder or FOLDER) / "results.jsonl"
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            told = json.loads(line)
            found.append(Result(Piece(*told.pop("piece")), **told))
        except (ValueError, TypeError, KeyError):
            continue
    return found


def _play(
    todo: list[Piece], mine: str, *, jobs: int, end_s: float | None, before: list[Piece]
) -> None:  # fmt: skip
    """Plays them, each result kept as it comes. What ends it early ends all, and is passed on."""
    started: list[subprocess.Popen[str]] = []
    stopped = threading.Event()
    failed, cost = 0, _costs()

    def one(piece: Piece) -> Result:
        if stopped.is_set():
            raise KeyboardInterrupt
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="cylindre-soak-") as folder:
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                 f"--basetemp={folder}/tests", f"--junitxml={folder}/record.xml", piece.test],
                cwd=ROOT, env=_environ() | {"TMPDIR": folder}, text=True, start_new_session=True,
                preexec_fn=parent_death_signal.preexec(signal.SIGKILL),
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            started.append(process)
            said = process.communicate()[0]
            found = _counted(Path(folder) / "record.xml")
        status = process.returncode
        if status == OK and not _PASSED.search(said):
            status = SKIPPED
        if status > 0:
            _write("failures.txt", said)
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        seconds = round(time.monotonic() - began_s, 1)
        return Result(piece, status, seconds, mine, commit(), day, found)

    done = sum(cost(piece) for piece in before)
    with Progress("soak", total=done + sum(map(cost, todo)), done=done, unit_s=1.0,
                  workers=jobs) as progress, ThreadPoolExecutor(jobs) as pool:  # fmt: skip
        waiting: set[Future[Result]] = set()
        rest = list(todo)
        try:
            while rest or waiting:
                while rest and len(waiting) < jobs and (not end_s or time.monotonic() < end_s):
                    waiting.add(pool.submit(one, rest.pop(0)))
                if not waiting:
                    progress.print_line(f"The hours are over, {len(rest)} tests are left.")
                    break
                ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for each in ended:
                    result = each.result()
                    _keep(result)
                    failed += bool(result.status)
                    count = f"{len(before) + len(todo) - len(rest) - len(waiting)} tests"
                    progress.add(cost(result.piece), f"{count}, {failed} failed")
        except BaseException:
            stopped.set()
            _end(started)
            raise


def _end(started: list[subprocess.Popen[str]]) -> None:
    """Ctrl-C for each and all it has started: mmdebstrap takes its mounts down. Then harder."""
    last_s = time.monotonic() + _ENDS_S
    for number in (signal.SIGINT, signal.SIGKILL):
        for process in started:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
        while time.monotonic() < last_s and any(each.poll() is None for each in started):
            time.sleep(0.05)


def _counted(record: Path) -> dict[str, int]:
    """What a test has counted (`counted`), as its JUnit file has it."""
    try:
        told = ElementTree.parse(record).iter("property")
    except (OSError, ElementTree.ParseError):
        return {}
    pairs = [(each.get("name", ""), each.get("value", "")) for each in told]
    return {name: int(value) for name, value in pairs if value.isdecimal()}


def _sum(played: Iterable[Result]) -> dict[str, int]:
    """What these have counted, together."""
    total: Counter[str] = Counter()
    for each in played:
        total.update(each.found)
    return dict(total)


def _costs() -> Callable[[Piece], float]:
    """What a test took when its soak was last green, in seconds of a worker."""
    known = {name: 60 * told["minutes"] / told["tests"] for name, told in green().items()}
    return lambda piece: known.get(piece.soak, _UNKNOWN_S)


def _keep(result: Result) -> None:
    _write("results.jsonl", json.dumps(result._asdict()) + "\n")


def _write(name: str, text: str) -> None:
    """Adds that to a file of the folder. Raises Failure, as where the disk is full."""
    try:
        with (FOLDER / name).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise of_file(FOLDER / name, error) from None


def table(soaks: list[Soak], pieces: list[Piece], found: dict[Piece, Result]) -> list[str]:
    """What is printed at the end: a line each soak, then the tests that failed."""
    lines = [f"{'soak':<14}{'tests':>7}{'passed':>8}{'failed':>8}{'minutes':>9}"]
    for soak in soaks:
        mine = [piece for piece in pieces if piece.soak == soak.name]
        played = [found[piece] for piece in mine if piece in found]
        bad = sum(bool(each.status) for each in played)
        minutes = sum(each.seconds for each in played) / 60
        found_there = counts_of(_sum(played))
        lines.append(
            f"{soak.name:<14}{len(mine):>7}{len(played) - bad:>8}{bad:>8}{minutes:>9.1f}"
            f"{'  ' if found_there else ''}{found_there}"
        )
    bad_ones = [found[piece] for piece in pieces if piece in found and found[piece].status]
    words = {SKIPPED: "SKIPPED"}
    return lines + [f"{words.get(each.status, 'FAILED')} {each.piece.test}" for each in bad_ones]


def counts_of(found: Mapping[str, int]) -> str:
    """What tests have counted, in words: 1,204 inputs, 7 new paths."""
    return ", ".join(f"{count:,} {name}" for name, count in found.items())


def green() -> dict[str, Any]:
    """When each soak was last green."""
    told: dict[str, Any] = json.loads(GREEN.read_text(encoding="utf-8")) if GREEN.exists() else {}
    return told


def _keep_green(soaks: list[Soak], pieces: list[Piece], found: dict[Piece, Result]) -> None:
    """Each soak that is whole and green is written down, with commit and day."""
    now = before = green()
    for soak in soaks:
        mine = [found.get(piece) for piece in pieces if piece.soak == soak.name]
        played = [each for each in mine if each is not None and each.status == OK]
        if len(played) < len(mine):
            continue
        last = max(played, key=lambda each: each.day)
        told = {
            "commit": last.commit,
            "day": last.day,
            "sizes": {each.name: each.whole for each in soak.sizes},
            "tests": len(played),
            "minutes": round(sum(each.seconds for each in played) / 60, 1),
        }
        if found_there := _sum(played):
            told["found"] = found_there
        now = {**now, soak.name: told}
    if now != before:
        GREEN.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        names = ", ".join(name for name in now if now[name] != before.get(name))
        click.echo(f"Green: {names}. {GREEN.relative_to(ROOT)} and `make docs` say so.")


if __name__ == "__main__":
    run_command.run(command)
