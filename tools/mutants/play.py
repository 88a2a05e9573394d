"""Plays a mutant's tests in a copy that holds it: do they see it?"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from firmware.lib.errors import FAILED, Failure, cause
from tools.mutants.catalogue import Mutant
from tools.mutants.results import BROKEN, GREEN, HANGS, RED, TEST, TEST_ALL, Result, key
from tools.mutants.tree import Tree

# What `make test` leaves out, and what of that it takes all the same.
QUICK = "smoke or not (realtime or browser or statistical or package)"
ALL = ""
# pytest's exit codes; every other one says that nothing was tried.
_PASSED, _FAILED, _NONE = 0, 1, 5
# A test that takes so many times what it took without the mutant, and so long, does not end.
_TIMES, _LEAST_S = 10.0, 60.0
_FIRST_S = 600.0  # for tests of which nothing is known yet
_HUNG = -1  # in the place of an exit code
_DETAIL_MAX = 200
_WHERE = "import importlib, sys; print(importlib.import_module(sys.argv[1]).__file__)"


class Stopped(Exception):
    """Somebody has pressed Ctrl-C."""


class Seen(NamedTuple):
    """What came of it; as in results.Result."""

    word: str
    by: str
    detail: str


class _Run(NamedTuple):
    """How a program ended, what it printed, how long it took."""

    code: int
    printed: str
    seconds: float


class Player:
    """Plays in one copy, one mutant after the other."""

    def __init__(self, tree: Tree, stop: threading.Event) -> None:
        """`stop`: ends what is under way."""
        self._tree = tree
        self._stop = stop
        self._took_s: dict[tuple[str, ...], float] = {}  # of tests that are green without a mutant

    def play(self, mutant: Mutant) -> Seen:
        """Whether its tests see it. Raises Stopped."""
        if mutant.tests not in self._took_s:
            run = self._pytest(mutant.tests, ALL, _FIRST_S)
            if run.code != _PASSED or " passed" not in run.printed:
                return Seen(BROKEN, "", f"without it: {_told(run)}")
            self._took_s[mutant.tests] = run.seconds
        limit_s = max(_LEAST_S, _TIMES * self._took_s[mutant.tests])
        with self._tree.holding(mutant):
            where = self._python(["-P", "-c", _WHERE, mutant.module], _FIRST_S)
            if where.code != _PASSED:
                return Seen(BROKEN, "", f"importing it fails: {_told(where)}")
            assert where.printed.startswith(str(self._tree.folder)), where.printed
            return self._seen(mutant, limit_s)

    def _seen(self, mutant: Mutant, limit_s: float) -> Seen:
        run = self._pytest(mutant.tests, QUICK, limit_s)
        by = TEST
        left_out = run.code == _NONE or " deselected" in run.printed
        if run.code in (_PASSED, _NONE) and left_out:
            run, by = self._pytest(mutant.tests, ALL, limit_s), TEST_ALL
        if run.code == _HUNG:
            return Seen(HANGS, by, f"no end in {limit_s:.0f} s")
        if run.code == _FAILED:
            return Seen(RED, by, _failing(run.printed))
        return Seen(GREEN if run.code == _PASSED else BROKEN, "", _told(run))

    def _pytest(self, tests: Sequence[str], marks: str, limit_s: float) -> _Run:
        # A mark that no test has yet is no mistake here.
        options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "strict_markers=false", "-m", marks]
        return self._python(["-m", "pytest", *options, *tests], limit_s)

    def _python(self, words: Sequence[str], limit_s: float) -> _Run:
        """Runs it in the copy, whose sources come before those that are installed."""
        environ = {**os.environ, "PYTHONPATH": str(self._tree.folder), "CI": "true"}
        environ.pop("PYTEST_ADDOPTS", None)
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=self._tree.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # so that it ends with all that it has started
        )
        begun_s = time.monotonic()
        try:
            printed, hung = _read(process, begun_s + limit_s, self._stop.is_set)
        finally:
            _end(process)
        code = _HUNG if hung else process.returncode
        return _Run(code, printed, time.monotonic() - begun_s)


def _read(
    process: subprocess.Popen[str], until_s: float, stopped: Callable[[], bool]
) -> tuple[str, bool]:
    """What it prints, and whether it does not end. Raises Stopped."""
    while True:
        try:
            return process.communicate(timeout=0.5)[0], False
        except subprocess.TimeoutExpired:
            if stopped():
                raise Stopped from None
            if time.monotonic() >= until_s:
                return "", True


def _end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _failing(printed: str) -> str:
    """The first test that failed."""
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", printed, re.MULTILINE)
    return found.group(1)[:_DETAIL_MAX] if found else "a test"


def _told(run: _Run) -> str:
    """The last that a program said."""
    lines = run.printed.strip().splitlines()
    return lines[-1][:_DETAIL_MAX] if lines else f"ended with {run.code}"


def play_all(
    mutants: Sequence[Mutant],
    root: Path,
    *,
    workers: int,
    done: Callable[[Result], None],
) -> None:
    """Plays each; `done` is told of each as it ends.

    What is under way at a KeyboardInterrupt is ended, and not told. Raises Failure.
    """
    folder = root / "var" / "mutants"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".copies-") as name:
            _play(mutants, root, Path(name), min(workers, len(mutants)), done)
    except OSError as error:
        raise Failure(FAILED, f"No mutant can be played in {folder}: {cause(error)}.") from None


def _play(
    mutants: Sequence[Mutant],
    root: Path,
    folder: Path,
    workers: int,
    done: Callable[[Result], None],
) -> None:
    stop = threading.Event()
    free: SimpleQueue[Player] = SimpleQueue()
    for number in range(workers):
        free.put(Player(Tree(root, folder / str(number)), stop))

    def one(mutant: Mutant) -> Result:
        player, begun_s = free.get(), time.monotonic()
        try:
            seen = player.play(mutant)
        finally:
            free.put(player)
        took_s = round(time.monotonic() - begun_s, 1)
        return Result(mutant.name, key(mutant, root), *seen, took_s)

    pool = ThreadPoolExecutor(workers)
    try:
        waiting: set[Future[Result]] = {pool.submit(one, mutant) for mutant in mutants}
        while waiting:
            ended, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for each in ended:
                done(each.result())
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
