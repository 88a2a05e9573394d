"""Waits in real time, and judges how long something took, by what this machine had time for.

A machine that stands still, or has more to run than cores, is late with everything. That time is
measured beside every wait, and is not counted: neither as waited, nor against what has a limit.
"""

import collections
import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, Self, TypeVar

import pytest

from firmware.lib.errors import Failure
from tools.bench.stall_meter import StallMeter
from tools.testing.marks import STALLED

PATIENCE_S = 120.0  # of a machine that runs; what is waited for takes it seconds
LAST_RESORT_S = 300.0  # of a call that blocks by itself: only what hangs takes so long
_POLL_S = (0.0005, 0.02)  # between two looks at first, and at most
_NAP_S = 0.02
_LATE_S = 0.03  # a nap that is late by less is not: threads of one Python wait for one another
_WINDOW_US = 1_000_000
# What waits for something that is late is late by as much again: challenge and answer, say.
_PUT_OFF = 2

T = TypeVar("T")


def running() -> int:
    """How many threads of this machine want a core now, but for the one that asks."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) - 1


class Meter(StallMeter):
    """How long this machine stood still while it is entered, for anybody who wanted to run.

    A nap that ends late counts for so much. While more want to run than there are cores, each does
    without one for its share of the time, and that counts too.
    """

    def __init__(self, wanting: Callable[[], int] = running, cores: int | None = None) -> None:
        super().__init__(_NAP_S)
        self.stalled_s = 0.0
        self.worst_s = 0.0  # in any one second
        self._wanting = wanting
        self._cores = cores or len(os.sched_getaffinity(0))
        self._lately: collections.deque[tuple[int, float]] = collections.deque()

    def saw(self, last_us: int, now_us: int) -> None:
        passed_s = (now_us - last_us) / 1_000_000
        late_s = passed_s - _NAP_S if passed_s >= _NAP_S + _LATE_S else 0.0
        crowd = max(self._wanting(), self._cores)
        lost_s = late_s + (passed_s - late_s) * (1 - self._cores / crowd)
        self.stalled_s += lost_s
        self._lately.append((now_us, lost_s))
        while self._lately[0][0] <= now_us - _WINDOW_US:
            self._lately.popleft()
        lately_s = min(sum(lost for _, lost in self._lately), _WINDOW_US / 1_000_000)
        self.worst_s = max(self.worst_s, lately_s)


class Waiting:
    """Patience with one thing, while it is entered: `on` before every further look for it."""

    def __init__(
        self,
        what: str,
        seconds: float = PATIENCE_S,
        told: Callable[[], object] | None = None,
        *,
        meter: Meter | None = None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what = what
        self._seconds = seconds
        self._told = told
        self._meter = meter or Meter()
        self._clock_s = clock_s
        self.anew()

    def __enter__(self) -> Self:
        self._meter.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._meter.__exit__()

    def anew(self) -> None:
        """Begins again: something has come of it."""
        self._began_s, self._before_s = self._clock_s(), self._meter.stalled_s

    def on(self) -> None:
        """Fails if it was waited for long enough, with what `told` knows of it."""
        waited_s = self._clock_s() - self._began_s
        stalled_s = self._meter.stalled_s - self._before_s
        if waited_s - stalled_s > self._seconds:
            told = "" if self._told is None else f" {self._told()}"
            raise AssertionError(
                f"{self._what}: never, in {waited_s:.1f} s of which this machine stood still for"
                f" {stalled_s:.1f} s.{told}"
            )


def until(
    condition: Callable[[], T],
    what: str = "what is waited for",
    seconds: float = PATIENCE_S,
    *,
    told: Callable[[], object] | None = None,
    waits: bool = False,
) -> T:
    """What `condition` gives, once that is true; `waits`: it takes its time by itself."""
    if found := condition():
        return found
    pause_s, most_s = _POLL_S
    with Waiting(what, seconds, told) as waiting:
        while not (found := condition()):
            waiting.on()
            if not waits:
                time.sleep(pause_s)
                pause_s = min(2 * pause_s, most_s)
    return found


def connect(line: socket.socket, path: Path) -> None:
    """Connects to who listens there: a socket's file is there a moment before anybody does."""
    until(lambda: line.connect_ex(str(path)) == 0, f"somebody who listens at {path}")


@contextlib.contextmanager
def within(limit_s: float, what: str) -> Iterator[None]:
    """Judges that what is done in it takes so long at most."""
    began_s = time.monotonic()
    with Meter() as meter:
        yield
    judge(what, time.monotonic() - began_s, limit_s, meter.stalled_s)


def judge(what: str, took_s: float, limit_s: float, stalled_s: float) -> None:
    """Fails if it took longer than the limit and what the machine's stalls put off meanwhile.

    Skips, if it took longer than the limit and the machine stood still for longer than that.
    """
    if took_s <= limit_s:
        return
    assert took_s - _PUT_OFF * stalled_s <= limit_s, (
        f"{what}: took {took_s:.2f} s of which this machine stood still for {stalled_s:.2f} s,"
        f" not {limit_s:.1f} s at most"
    )
    if stalled_s > limit_s:
        _skip(stalled_s, took_s, f"{what}, in {limit_s:.1f} s at most")


@contextlib.contextmanager
def unless_stalled(most_s: float, what: str, meter: Meter | None = None) -> Iterator[None]:
    """Skips what is asserted in it, if this machine stood still for `most_s` of a second meanwhile.

    For a machine under test that has limits of its own in real time, and is right to miss them;
    also the decorator of a test. What holds however slow a machine is belongs outside.
    `meter`: one that was entered while that played, if it plays no more.
    """
    with contextlib.nullcontext(meter) if meter else Meter() as found:
        try:
            yield
        except (AssertionError, Failure) as error:
            if found.worst_s < most_s:
                raise
            failed = error
        else:
            return
    _skip(found.worst_s, 1.0, f"{what} ({str(failed).partition(chr(10))[0]})")


def _skip(stalled_s: float, of_s: float, what: str) -> NoReturn:
    pytest.skip(f"{STALLED} for {stalled_s:.2f} of {of_s:.2f} s, not shown: {what}")
