"""Which faults of line and displays are at work: the world times them, the line makes them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tools.hil.faults import catalogue
from tools.hil.faults.entry import LINE_LAYERS
from tools.hil.faults.line_fault import LineFault, LinePort
from tools.hil.scenario import Scenario
from tools.hil.world import FaultInterval

DISPLAYS_LEAST = 2  # where one of these faults is in a scenario: the catalogue speaks of two


def displays_of(scenario: Scenario) -> int:
    """How many displays a scenario has on its line."""
    has_faults = any(catalogue.find(use.fault).layer in LINE_LAYERS for use in scenario.faults)
    return max(scenario.displays, DISPLAYS_LEAST if has_faults else 0)


class LineFaults:
    """The faults of one scenario's line. `working`: those that are at work now, oldest first."""

    def __init__(self, line: LinePort, scenario: Scenario) -> None:
        self.working: list[LineFault] = []
        self._line = line
        self._scenario = scenario
        self._by_use: dict[int, LineFault] = {}
        self._seen = 0  # of the world's intervals

    def follow(self, intervals: Sequence[FaultInterval], now_us: int) -> None:
        """Begins and ends what the world says has begun and ended."""
        if len(intervals) > self._seen:
            for interval in intervals[self._seen :]:
                self._seen += 1
                self._begin(interval, now_us)
        for interval in intervals if self._by_use else ():
            if interval.end_us is not None and interval.use in self._by_use:
                fault = self._by_use.pop(interval.use)
                self.working.remove(fault)
                fault.end_fault(now_us)
                for other in self.working:
                    other.outlives(fault, now_us)

    def _begin(self, interval: FaultInterval, now_us: int) -> None:
        use = self._scenario.faults[interval.use]
        entry = catalogue.find(use.fault)
        if entry.layer not in LINE_LAYERS:
            return
        rng = Random(f"{self._scenario.seed}/{interval.use}/{use.fault}")
        fault = entry.make(self._line, catalogue.parameters_of(entry, use), rng)
        self._by_use[interval.use] = fault
        self.working.append(fault)
        fault.begin_fault(now_us)
