"""The watch over health runs beside the wheel: it is told of ends, and heard while no ball runs."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Iterator, Sequence

import pytest
from patience import until

from firmware.core.facts import BallInTrack, HealthFound, Result, Void
from firmware.run.health_watcher import HealthWatcher

# Finds something at each end that it hears of; ends by itself after the third.
WATCH = """
import json, sys
for n, _ in zip(range(3), sys.stdin):
    print(json.dumps(["H20", str(n), {"n": n}]), flush=True)
"""
ENDED = Result(7, 1, 1, 17, 4, "black", True, True)
Start = Callable[[str], HealthWatcher]


@pytest.fixture
def start() -> Iterator[Start]:
    begun: list[HealthWatcher] = []

    def starting(code: str) -> HealthWatcher:
        begun.append(HealthWatcher([sys.executable, "-c", code]))
        return begun[-1]

    yield starting
    for watcher in begun:
        watcher.close()


def heard(watcher: HealthWatcher) -> Sequence[HealthFound]:
    found: list[HealthFound] = []

    def look() -> bool:
        found.extend(watcher.take_events())
        return bool(found)

    until(look)
    return found


def test_it_reads_when_a_coup_has_ended_and_what_it_finds_is_taken(start: Start) -> None:
    watcher = start(WATCH)
    assert watcher.take_events() == ()
    watcher.take_fact(ENDED)
    assert heard(watcher) == [HealthFound(0, "H20", "0", {"n": 0})]
    watcher.take_fact(Void(7, 2, 2, "croupier"))
    assert heard(watcher) == [HealthFound(0, "H20", "1", {"n": 1})]


def test_nothing_is_told_while_a_ball_runs(start: Start) -> None:
    watcher = start(WATCH)
    watcher.take_fact(ENDED)
    process = watcher._process
    assert process is not None and process.stdout is not None
    until(lambda: bool(select.select([process.stdout], [], [], 0)[0]))
    watcher.take_fact(BallInTrack(8, 2, 1))
    assert watcher.take_events() == ()
    watcher.take_fact(ENDED)
    assert heard(watcher)[0] == HealthFound(0, "H20", "0", {"n": 0})


def test_one_that_has_ended_is_told_and_begins_anew(start: Start) -> None:
    watcher = start("import sys; sys.stdin.readline()")
    watcher.take_fact(ENDED)
    (found,) = heard(watcher)
    assert (found.code, found.body) == ("H30", None)
    assert watcher.take_events() == ()
    watcher.take_fact(ENDED)
    (again,) = heard(watcher)
    assert again == found


def test_what_cannot_begin_or_says_no_json_is_a_fault_and_the_loop_goes_on(start: Start) -> None:
    for watcher in (HealthWatcher(["/nowhere/python"]), start("print('Traceback')")):
        watcher.take_fact(ENDED)
        (found,) = heard(watcher)
        assert (found.code, found.body) == ("H30", None)
        assert watcher.take_events() == ()


def test_it_ends_with_the_wheel_even_if_it_is_busy(start: Start) -> None:
    watcher = start("import signal; signal.signal(15, signal.SIG_IGN)\nwhile True: pass")
    watcher.take_fact(ENDED)
    process = watcher._process
    assert process is not None
    watcher.close()
    assert process.returncode is not None
