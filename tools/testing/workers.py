"""Does tasks in processes of this machine, which tell how far they are while they are at it.

    tasks = [partial(play, plan) for plan in plans]     # play(plan, tell); tell(units) as it goes
    with Progress("bench-call", total=sum(plan.cost for plan in plans)) as progress:
        for at, found in each(tasks, jobs=2, progress=progress):

Ctrl-C is for the process that asked for the work: it ends the others, and none outlives it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from firmware.lib import parent_death_signal
from tools.testing.progress import Progress

Tell = Callable[[float], None]
_Found = TypeVar("_Found")
_LOOK_S = 0.2  # how soon what they tell is told on

# Forked, not spawned: what this process has imported, each would import again.
_CONTEXT = multiprocessing.get_context("fork")
_told: Any = None  # in a worker: the sum of what all have told


def silent(_units: float) -> None:
    """Tells nobody."""


def each(
    tasks: Sequence[Callable[[Tell], _Found]], *, jobs: int, progress: Progress
) -> Iterator[tuple[int, _Found]]:
    """Each task's place and result, as they come. They begin in their order."""
    if jobs == 1:
        for at, task in enumerate(tasks):
            yield at, task(progress.add)
        return
    told, seen = _CONTEXT.Value("d", 0.0), 0.0
    # A Ctrl-C must not find a worker before it knows what to do with one.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        pool = _CONTEXT.Pool(min(jobs, len(tasks)) or 1, _begin, (told, os.getpid()))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with pool:
        results = pool.imap_unordered(_do, enumerate(tasks))
        for _ in tasks:
            found = None
            while found is None:
                with contextlib.suppress(multiprocessing.TimeoutError):
                    found = results.next(_LOOK_S)
                now = told.value
                progress.add(now - seen)
                seen = now
            yield found


def _begin(told: Any, parent: int) -> None:
    """A worker's first act."""
    global _told
    _told = told
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the pool's way to end it, whoever forked it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    if not parent_death_signal.tie(parent, signal.SIGKILL):
        os._exit(1)


def _do(numbered: tuple[int, Callable[[Tell], _Found]]) -> tuple[int, _Found]:
    at, task = numbered
    return at, task(_tell)


def _tell(units: float) -> None:
    with _told.get_lock():
        _told.value += units
