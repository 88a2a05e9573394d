"""Real processes, and somebody between their ttys: the dash within a second, the number after."""

import random
import signal
import time
from collections.abc import Callable

import pytest
from crash_bench import CrashBench, watch_until, whole
from middle import CONTROLLER, Middle, Passes, honestly

# The second, and what two busy machines need to say so.
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
    stages = [Stage(bench, bench.line, fault) for bench, fault in zip(running, faults, strict=True)]

    def over() -> bool:
        for stage in stages:
            stage.step()
        return all(stage.is_over for stage in stages)

    watch_until(running, over)
    for stage in stages:
        assert stage.blank_s <= BLANK_S, stage.name
        assert stage.back_s <= CONVERGE_S, stage.name
        bench = stage.bench
        code, said = bench.kill(signal.SIGTERM)
        assert (code, "Traceback" in said) == (0, False), said
        whole(bench)


class Stage:
    """One bench's way: a number lit, the fault, the dash, its end, the number again."""

    def __init__(self, bench: CrashBench, middle: Middle, fault: Callable[..., Passes]) -> None:
        self.bench = bench
        self.name = fault.__name__
        self.is_over = False
        self.blank_s = self.back_s = 0.0
        self._middle = middle
        self._fault = fault
        self._begun_s: float | None = None
        self._ended_s: float | None = None

    def step(self) -> None:
        """Goes on when what was waited for is there."""
        bench, now_s = self.bench, time.monotonic()
        results = [told for told in bench.results if told["event"] == "result"]
        if self.is_over or not results:
            return
        number = results[-1]["number"]
        if self._begun_s is None:
            if lit_is(bench, "CONFIRMED", number):
                self._begun_s = now_s
                self._middle.passes = self._fault(self._middle)
        elif self._ended_s is None:
            if not self.blank_s and lit_is(bench, "STALE", None):
                self.blank_s = now_s - self._begun_s
            if now_s - self._begun_s > LASTS_S:
                assert lit_is(bench, "STALE", None), self.name
                self._ended_s = now_s
                self._middle.passes = honestly
        elif lit_is(bench, "CONFIRMED", number):
            self.back_s = now_s - self._ended_s
            self.is_over = True
