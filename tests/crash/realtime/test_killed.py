"""kill -9 at many moments of a coup: nothing lit that is not journalled, nothing lost, no gap."""

import random
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
from crash_bench import CrashBench, watch_until, whole

from tools.testing.sizes import size

# The event after which the axe falls, and at most how long after it, in milliseconds. Between
# `detected` and `result` a number is written; the record leaves right behind.
MOMENTS = (
    ("coup_started", 500),
    ("ball_in_track", 500),
    ("no_more_bets", 20),
    ("ball_dropped", 500),
    ("detected", 2),
    ("detected", 6),
    ("detected", 12),
    ("detected", 20),
    ("detected", 40),
    ("result", 0),
    ("result", 5),
    ("result", 60),
)
ROUNDS = 2
WHEELS = size("kills of a controller") // ROUNDS  # each moment is met once, and in a soak more
SEED = 20261121


class Axe(NamedTuple):
    """One kill to come."""

    event: str
    after_s: float


class Fate:
    """What becomes of one bench: it is killed and started again, until its rounds are over."""

    def __init__(self, bench: CrashBench, axes: list[Axe], seed: int) -> None:
        self.bench = bench
        self._axes = axes
        self._seed = seed
        self._falls_s: float | None = None
        self.is_over = False
        bench.start(seed=seed)

    def step(self) -> None:
        """Kills when the time has come; after the last kill one whole coup is played."""
        bench = self.bench
        assert bench.run is not None
        if self.is_over:
            return
        events = [line["event"] for line in bench.run.lines]
        if not self._axes:
            self.is_over = (
                "coup_started" in events and "result" in events[events.index("coup_started") :]
            )
            return
        axe = self._axes[0]
        if self._falls_s is None and axe.event in events:
            self._falls_s = time.monotonic() + axe.after_s
        if self._falls_s is not None and time.monotonic() >= self._falls_s:
            bench.kill()
            whole(bench)
            self._axes.pop(0)
            self._falls_s = None
            self._seed += 1
            bench.start(seed=self._seed)


@pytest.mark.req("IEC-CR-7.4")
@pytest.mark.req("IL-660b.no_loss")
def test_killed_at_any_moment_the_journal_has_all_that_was_lit(
    benches: Callable[..., CrashBench],
) -> None:
    rng = random.Random(SEED)
    moments = [rng.choice(MOMENTS) for _ in range(WHEELS * ROUNDS - len(MOMENTS))]
    moments += MOMENTS
    rng.shuffle(moments)
    axes = [Axe(event, rng.uniform(0, most_ms) / 1000) for event, most_ms in moments]
    fates = [Fate(benches(), axes[at::WHEELS], seed=rng.randrange(10_000)) for at in range(WHEELS)]

    def over() -> bool:
        for fate in fates:
            fate.step()
        return all(fate.is_over for fate in fates)

    running = [fate.bench for fate in fates]
    watch_until(running, over)
    for bench in running:
        # What is confirmed now is lit, after all those crashes.
        last = [told for told in bench.results if "number" in told][-1]
        watch_until(
            [bench], lambda bench=bench, last=last: (last["seq"], last["number"]) in bench.lit
        )
        code, said = bench.kill(signal.SIGTERM)
        assert (code, "Traceback" in said) == (0, False), said
        whole(bench)
        seqs = [told["seq"] for told in bench.results]
        assert len(seqs) == len(set(seqs)), "an outcome was told twice"
        assert bench.lit
