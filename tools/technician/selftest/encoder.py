"""A rotor's run as its encoder told it: direction, turns, speed, ripple, slips. No I/O.

Sign and phase as in contracts/trace.md: channel A leads B when the rotor turns ccw, and the zero
mark is at 1 around stator angle 0. Angles are in turns, ccw positive, counted from the mark.
"""

from __future__ import annotations

from bisect import bisect_right
from math import cos, hypot, sin, tau
from typing import NamedTuple

from tools.technician.selftest.recording import Recording

_STEADY = 0.97  # of the speed that a run reaches: from there on it counts as steady
_WINDOW_TURNS = 0.25  # over which a speed is taken: a quarter of a turn hides no run-up
US_MIN = 60_000_000


class Run(NamedTuple):
    """One motion, from rest to rest or as far as it was seen."""

    times_us: list[int]  # of the quadrature's edges
    steps: list[int]  # the count after each, ccw positive
    steps_turn: int
    slips: int  # edges that cannot be: a level twice, or a turn back in full run
    channels: str  # "a" or "b", of each edge
    marks_us: list[float]  # the middles of the zero mark's pulses

    @property
    def direction(self) -> int:
        """1 ccw, -1 cw, 0: it did not move."""
        way = self.steps[-1] - self.steps[0] if self.steps else 0
        return (way > 0) - (way < 0)

    @property
    def turns(self) -> float:
        """How far it went."""
        return abs(self.steps[-1] - self.steps[0]) / self.steps_turn if self.steps else 0.0

    def count_at(self, at_us: float) -> float:
        """The count at a moment between two edges, as if the speed held between them."""
        after = min(max(bisect_right(self.times_us, at_us), 1), len(self.times_us) - 1)
        t_0, t_1 = self.times_us[after - 1], self.times_us[after]
        c_0, c_1 = self.steps[after - 1], self.steps[after]
        return c_0 + (c_1 - c_0) * (at_us - t_0) / max(1, t_1 - t_0)

    def angle_at(self, at_us: float) -> float:
        """The rotor's angle, 0 where the nearest passing of the mark had its middle.

        Raises ValueError if no mark was seen.
        """
        mark_us = min(self.marks_us, key=lambda each: abs(each - at_us))
        return (self.count_at(at_us) - self.count_at(mark_us)) / self.steps_turn


def decode(recording: Recording, cycles: int) -> Run:
    """The run in a recording. `cycles`: of each channel a turn."""
    level = {name: recording.level(name) for name in ("enc_a", "enc_b")}
    line = {recording.names.index(name): name for name in level}
    count = slips = 0
    times_us: list[int] = []
    steps: list[int] = []
    channels = []
    for at_us, each, value in recording.edges:
        name = line.get(each)
        if name is None:
            continue
        if value not in (0, 1) or value == level[name]:
            slips += 1
            continue
        level[name] = value
        # A leads B ccw: whatever changes, ccw it leaves A xor B at 1 after A and at 0 after B.
        forward = (level["enc_a"] ^ level["enc_b"]) == (name == "enc_a")
        count += 1 if forward else -1
        times_us.append(at_us)
        steps.append(count)
        channels.append(name[-1])
    marks_us = [pulse.centre_us for pulse in recording.pulses("enc_z")]
    slips += _turns_back(steps)
    return Run(times_us, steps, 4 * cycles, slips, "".join(channels), marks_us)


def _turns_back(steps: list[int]) -> int:
    """Steps against the way of the run, but for a tremble as it begins or ends."""
    way = steps[-1] - steps[0] if steps else 0
    back = [
        at
        for at in range(2, len(steps) - 2)
        if (steps[at] - steps[at - 1]) * way < 0 and (steps[at - 1] - steps[at - 2]) * way > 0
    ]
    return len(back)


def steady(run: Run, until_us: int | None = None) -> tuple[int, int] | None:
    """From when to when the run held its speed, or None: it never did for a whole turn.

    `until_us`: then the motor was told to let go; what comes later is the run-out.
    """
    window = max(4, int(run.steps_turn * _WINDOW_TURNS))
    times = [at_us for at_us in run.times_us if until_us is None or at_us <= until_us]
    if len(times) < run.steps_turn + 2 * window:
        return None
    spans = [times[at + window] - times[at] for at in range(len(times) - window)]
    usual = sorted(spans)[len(spans) // 2]
    fit = [at for at, span in enumerate(spans) if span * _STEADY <= usual]
    begin, end = fit[0], fit[-1] + window
    return (times[begin], times[end]) if end - begin >= run.steps_turn else None


class Pace(NamedTuple):
    """How evenly a rotor turned over whole turns."""

    rpm: float  # signed, ccw positive
    ripple_percent: float  # half of what lies between the fastest and the slowest place
    first_percent: float  # of that, what comes once a turn (eccentric, out of balance)
    second_percent: float  # and twice a turn (oval, or a bent shaft)
    edges_a: float  # a turn
    edges_b: float
    marks: float
    phase_deg: float  # from A to B, of a channel's cycle: 90
    turns: int


def pace(run: Run, span: tuple[int, int]) -> Pace | None:
    """Over the whole turns within `span`; None if there is none."""
    begin = bisect_right(run.times_us, span[0])
    end = bisect_right(run.times_us, span[1]) - 1
    turns = abs(run.steps[end] - run.steps[begin]) // run.steps_turn
    if turns < 1:
        return None
    end = begin + turns * run.steps_turn
    if end >= len(run.times_us):
        return None
    took_us = run.times_us[end] - run.times_us[begin]
    by_place = _by_place(run, begin, turns)
    speeds = _smooth([1 / each for each in by_place])
    mean = sum(speeds) / len(speeds)
    first, second = (_harmonic(speeds, order) / mean * 100 for order in (1, 2))
    marks = sum(run.times_us[begin] <= at_us < run.times_us[end] for at_us in run.marks_us)
    return Pace(
        rpm=run.direction * turns * US_MIN / took_us,
        ripple_percent=(max(speeds) - min(speeds)) / 2 / mean * 100,
        first_percent=first,
        second_percent=second,
        edges_a=run.channels[begin:end].count("a") / turns,
        edges_b=run.channels[begin:end].count("b") / turns,
        marks=marks / turns,
        phase_deg=_phase_deg(run, begin, end),
        turns=turns,
    )


def _by_place(run: Run, begin: int, turns: int) -> list[float]:
    """How long the step at each place of the disc took, in the mean of the turns."""
    sums = [0.0] * run.steps_turn
    for at in range(begin, begin + turns * run.steps_turn):
        sums[(at - begin) % run.steps_turn] += run.times_us[at + 1] - run.times_us[at]
    return [each / turns for each in sums]


def _smooth(values: list[float]) -> list[float]:
    """Over a cycle: what is uneven from edge to edge is the disc, not the speed."""
    count = len(values)
    return [sum(values[(at + by) % count] for by in range(4)) / 4 for at in range(count)]


def _harmonic(values: list[float], order: int) -> float:
    """The size of what comes `order` times a turn."""
    count = len(values)
    x = sum(value * cos(tau * order * at / count) for at, value in enumerate(values))
    y = sum(value * sin(tau * order * at / count) for at, value in enumerate(values))
    return 2 * hypot(x, y) / count


def _phase_deg(run: Run, begin: int, end: int) -> float:
    """From an edge of the channel that leads to the next of the other, of a whole cycle."""
    leads = "a" if run.direction > 0 else "b"
    spans = [
        run.times_us[at + 1] - run.times_us[at]
        for at in range(begin, end)
        if run.channels[at] == leads
    ]
    cycle_us = 4 * (run.times_us[end] - run.times_us[begin]) / (end - begin)
    return 360 * sum(spans) / len(spans) / cycle_us if spans else 0.0
