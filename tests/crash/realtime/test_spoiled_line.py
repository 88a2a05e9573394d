"""Real processes, and somebody between their ttys: the dash within a second, the number after."""

import random
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
from crash_bench import CrashBench, watch_until, whole
from middle import CONTROLLER, Middle, Passes, honestly
from patience import Meter, judge

# The second, and what it takes to say so.
BLANK_S = 1.0 + 1.0
CONVERGE_S = 2.0 + 1.0
LASTS_S = 2.5


def silence(middle: Middle) -> Passes:
    return lambda side, data: []


def delay(middle: Middle) -> Passes:
    return lambda side, data: [(1.2, data)]


def flips(middle: Middle) -> Passes:
    rng = random.Random(1)

    def passes(side: int, data: bytes) -> list[tuple[float, bytes]]:
        spoiled = bytearray(data)
        for at in range(0, len(data), 24):  # no frame is shorter
            spoiled[at + rng.randrange(min(24, len(data) - at))] ^= 1 << rng.randrange(8)
        return [(0.0, bytes(spoiled))]

    return passes


def losses(middle: Middle) -> Passes:
    return lambda side, data: [(0.0, data[:10] + data[11:-10] + data[-9:])]


def repetition(middle: Middle) -> Passes:
    """The controller is cut off; what it said so far is said again, all of it, without end."""
    said = list(middle.heard)
    turn = 0

    def passes(side: int, data: bytes) -> list[tuple[float, bytes]]:
        nonlocal turn
        turn += 1
        return [(0.0, said[turn % len(said)])] if side == CONTROLLER else []

    return passes


FAULTS = (silence, delay, flips, losses, repetition)


def is_lit_again(bench: CrashBench, result: dict) -> bool:
    """The number of the result; any state of the coup after it, if a busy machine took so long."""
    facts = bench.run.lines if bench.run else []
    if any(fact["event"] == "coup_started" and fact["coup"] > result["coup"] for fact in facts):
        return bench.display.lines[-1]["state"] != "STALE"
    return lit_is(bench, "CONFIRMED", result["number"])


def lit_is(bench: CrashBench, state: str, number: int | None) -> bool:
    lines = bench.display.lines
    return bool(lines) and (lines[-1]["state"], lines[-1]["shown"]) == (state, number)


@pytest.mark.parametrize("faults", [FAULTS], ids=["silence, delay, flips, losses, repetition"])
def test_a_line_at_fault_blanks_within_a_second_and_comes_back(
    benches: Callable[..., CrashBench], faults: tuple
) -> None:
    middles = [Middle() for _ in faults]
    running = [benches(line=middle) for middle in middles]
    for seed, bench in enumerate(running):
        bench.start(seed=seed)
    with Meter() as meter:
        stages = [Stage(bench, fault, meter) for bench, fault in zip(running, faults, strict=True)]

        def over() -> bool:
            for stage in stages:
                stage.step()
            return all(stage.back for stage in stages)

        watch_until(running, over)
    for bench in running:
        code, said = bench.kill(signal.SIGTERM)
        assert (code, "Traceback" in said) == (0, False), said
        whole(bench)
    for stage in stages:
        assert stage.blank is not None and stage.back is not None
        judge(f"{stage.name}: a dash", stage.blank.at_s, BLANK_S, stage.blank.stalled_s)
        judge(f"{stage.name}: the number", stage.back.at_s, CONVERGE_S, stage.back.stalled_s)


class Moment(NamedTuple):
    """A time, and how long this machine had stood still by then; or how long both took."""

    at_s: float
    stalled_s: float

    def since(self, before: "Moment") -> "Moment":
        return Moment(self.at_s - before.at_s, self.stalled_s - before.stalled_s)


class Stage:
    """One bench's way: a number lit, the fault, the dash, its end, the number again."""

    def __init__(self, bench: CrashBench, fault: Callable[..., Passes], meter: Meter) -> None:
        self.bench = bench
        self.name = fault.__name__
        self.blank: Moment | None = None
        self.back: Moment | None = None
        self._middle = bench.line
        self._fault = fault
        self._meter = meter
        self._begun: Moment | None = None
        self._ended: Moment | None = None

    def step(self) -> None:
        """Goes on when what was waited for is there."""
        bench, now = self.bench, Moment(time.monotonic(), self._meter.stalled_s)
        results = [told for told in bench.results if told["event"] == "result"]
        if self.back is not None or not results:
            return
        if self._begun is None:
            if lit_is(bench, "CONFIRMED", results[-1]["number"]):
                self._begun = now
                self._middle.passes = self._fault(self._middle)
        elif self._ended is None:
            lasted = now.since(self._begun)
            if self.blank is None and lit_is(bench, "STALE", None):
                self.blank = lasted
            if lasted.at_s - lasted.stalled_s > LASTS_S:
                assert lit_is(bench, "STALE", None), self.name
                self._ended = now
                self._middle.passes = honestly
        elif is_lit_again(bench, results[-1]):
            self.back = now.since(self._ended)
