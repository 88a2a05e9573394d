"""Worker processes on this machine: each asks for a job, plays it, hands back its row.

A worker that dies or hangs is replaced; its job is given out once more, then told as broken. No
worker outlives its campaign, whatever ends that.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from firmware.lib import parent_death_signal
from firmware.lib.errors import FAILED, Failure
from tools.hil.campaign import work
from tools.hil.campaign.plan import Plan, job
from tools.hil.places import virtual

HUNG_S = 1_800.0  # a job takes a second of ours, two coups in real time some minutes
TRIES = 2
END_S = 20.0  # so long a worker of real time may take to stop its processes
_TEACHING = 64  # jobs; among so many there is every wheel
_LOOK_S = 0.5  # how soon a job that has to wait for its turn is given out
_AGAIN_S = 0.01  # after an exit that went lost: a destructor is over by then
_STOPS = (signal.SIGINT, signal.SIGTERM)

# Forked, not spawned: importing firmware and simulator once takes a second a worker.
_CONTEXT = multiprocessing.get_context("fork")


class Team(NamedTuple):
    """Workers of one kind, and what they play."""

    indices: Sequence[int]  # of the plan's jobs
    jobs: int  # workers
    folder: Path | None = None  # where a place of real time keeps what it leaves behind
    niceness: int = 0  # that comes to theirs
    apart_s: float = 0.0  # between two jobs that begin: the start of one takes a core so long


class _Worker:
    """One process, its pipe, and the job it has."""

    def __init__(self, plan: Plan, team: Team) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_work, args=(theirs, self.pipe, plan, team))
        # A Ctrl-C must not find it before it knows what to do with one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self.index: int | None = None
        self.since_s = 0.0

    def give(self, index: int) -> None:
        """A job to play."""
        self.index = index
        self.since_s = time.monotonic()
        with contextlib.suppress(OSError):  # it has died: `rows` finds that out by its pipe
            self.pipe.send(index)

    def end(self) -> None:
        """At once, but with time to stop what it started."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(END_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class _Shift:
    """One team at work."""

    def __init__(self, plan: Plan, team: Team) -> None:
        self.workers: list[_Worker] = []
        self._plan = plan
        self._team = team
        self._todo = list(reversed(team.indices))
        self._tries: dict[int, int] = {}
        self._next_s = 0.0

    @property
    def is_over(self) -> bool:
        """Nothing is to be done any more."""
        return not self._todo and not self.busy

    @property
    def busy(self) -> list[_Worker]:
        """Who has a job."""
        return [worker for worker in self.workers if worker.index is not None]

    def fill(self) -> None:
        """Gives out what can be given out now."""
        idle = [worker for worker in self.workers if worker.index is None]
        while self._todo and (idle or len(self.workers) < self._team.jobs):
            now_s = time.monotonic()
            if now_s < self._next_s:
                return
            self._next_s = now_s + self._team.apart_s
            if not idle:
                idle = [_Worker(self._plan, self._team)]
                self.workers += idle
            idle.pop().give(self._todo.pop())

    def row(self, worker: _Worker) -> dict[str, Any] | None:
        """What he has to say; None if his job is to be played by another."""
        index = worker.index
        assert index is not None
        worker.index = None
        with contextlib.suppress(EOFError, OSError):
            if not _hangs(worker):
                found: dict[str, Any] | str = worker.pipe.recv()
                if isinstance(found, str):
                    raise Failure(FAILED, found)
                return found
        self.workers.remove(worker)
        worker.end()
        self._tries[index] = self._tries.get(index, 0) + 1
        if self._tries[index] < TRIES:
            self._todo.append(index)
            return None
        return lost(self._plan, index)


def rows(plan: Plan, *teams: Team) -> Iterator[dict[str, Any]]:
    """The rows of those teams' jobs, as they come. All teams are at work at the same time.

    Raises Failure if what a job leaves behind cannot be written.
    """
    _teach(plan, teams)
    shifts = [_Shift(plan, team) for team in teams]
    try:
        while not all(shift.is_over for shift in shifts):
            for shift in shifts:
                shift.fill()
            for shift, worker in _heard(shifts):
                row = shift.row(worker)
                shift.fill()
                if row is not None:
                    yield row
    finally:
        workers = [worker for shift in shifts for worker in shift.workers]
        for worker in workers:  # all at once first: each may take a while
            worker.process.terminate()
        for worker in workers:
            worker.end()


def _teach(plan: Plan, teams: Sequence[Team]) -> None:
    """What controllers know of their wheels: worked out once here, not once a worker.

    The first jobs say which wheels there are. Whatever breaks here breaks in a worker, who tells.
    """
    with contextlib.suppress(Exception):
        for team in teams:
            for index in team.indices[:_TEACHING]:
                virtual.taught(job(plan, index).scenario)


def _heard(shifts: Sequence[_Shift]) -> list[tuple[_Shift, _Worker]]:
    """Those that have something to say, or have had long enough for it."""
    busy = {worker.pipe: (shift, worker) for shift in shifts for worker in shift.busy}
    if not busy:  # the next one's turn has not come
        time.sleep(_LOOK_S)
    heard = [busy[pipe] for pipe in wait(list(busy), _LOOK_S) if isinstance(pipe, Connection)]
    return heard or [each for each in busy.values() if _hangs(each[1])]


def _hangs(worker: _Worker) -> bool:
    return time.monotonic() - worker.since_s > HUNG_S and not worker.pipe.poll()


def lost(plan: Plan, index: int) -> dict[str, Any]:
    """The row of a job that nobody could play."""
    todo = job(plan, index)
    scenario = todo.scenario
    head = {
        "job": index, "place": todo.place, "kind": todo.kind, "apparatus": scenario.apparatus,
        "wheel": scenario.wheel, "hand": scenario.hand, "learned": scenario.learned,
    }  # fmt: skip
    text = f"{TRIES} workers died of it, or were not done after {HUNG_S:.0f} s each"
    return head | work.crashed(scenario, text)


def _work(pipe: Connection, parents: Connection, plan: Plan, team: Team) -> None:
    """A worker's life."""
    parents.close()  # else its own end would keep the pipe open when the campaign is gone
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the campaign ends them
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGALRM, _leave)
    sys.unraisablehook = _unraisable
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    if not parent_death_signal.tie(parent, signal.SIGTERM):
        return
    os.nice(team.niceness)
    gc.freeze()  # what was imported stays: the collector need not look at it again
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_played(plan, pipe.recv(), team.folder))


def _played(plan: Plan, index: int, folder: Path | None) -> dict[str, Any] | str:
    """The row; or the sentence of why no job can be played here any more."""
    try:
        return work.play(plan, index, folder)
    except Failure as failure:
        return failure.sentence


def _leave(number: int, frame: Any) -> NoReturn:
    """Unwinds, so that whatever plays in real time stops its processes."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def _unraisable(what: sys.UnraisableHookArgs) -> None:
    """Leaves again: an exit that falls into a destructor or a weak reference's end goes lost."""
    if what.exc_type is SystemExit:
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
    else:
        sys.__unraisablehook__(what)
