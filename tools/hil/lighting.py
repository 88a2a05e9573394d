"""What displays may light, whatever happens to their line. Judged by what was decided and when.

Never a number that was not confirmed, never one of a coup after which another has long begun. And
where nothing is wrong with line or displays, the number that was confirmed, soon.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from firmware.bus.messages import STALE
from firmware.bus.slots import FRESH_US
from firmware.core import facts
from firmware.core.faults import LOCK, find
from tools.hil.faults import catalogue
from tools.hil.faults.display import Frozen
from tools.hil.faults.entry import LINE_LAYERS
from tools.hil.scenario import Scenario
from tools.hil.verdict import LIT_LATE, LIT_WRONG, Broken
from tools.hil.world import FaultInterval

# From the record to its light on a sound line: three copies of the record go out in 100 ms.
LIT_US = 500_000
CONVERGE_US = 2_000_000  # all is lit again so soon after the end of a fault (docs/bus.md)
STALE_US = FRESH_US + 10_000  # a display looks at its clock every few milliseconds


class Lighted(NamedTuple):
    """A display begins to light something else. `number` None: a dash."""

    at_us: int
    display: int  # from 1
    state: str  # of firmware.bus.messages, or STALE
    number: int | None
    coup: int
    seq: int  # of the record that was the newest


class Limits(NamedTuple):
    """How long things may take at a place; in real time the machine has a share in it."""

    lit_us: int = LIT_US
    converge_us: int = CONVERGE_US
    stale_us: int = STALE_US


class Lights(NamedTuple):
    """All that one scenario's displays have lit."""

    displays: int
    lighted: Sequence[Lighted]  # in order of time
    end_us: int
    limits: Limits = Limits()


Shown = Sequence[tuple[Lighted, int]]  # what was lit, and until when
Spans = Sequence[tuple[int, int]]


def judge(
    scenario: Scenario, told: Sequence[Any], intervals: Sequence[FaultInterval], lights: Lights
) -> list[Broken]:
    """What was lit that must not be, and what was not that must. `told`: facts."""
    spans = _faulty(scenario, intervals, lights)
    broken: list[Broken] = []
    for display in range(1, lights.displays + 1):
        own = [one for one in lights.lighted if one.display == display]
        ends = [one.at_us for one in own[1:]] + [lights.end_us]
        shown = list(zip(own, ends, strict=False))
        broken += _unconfirmed(told, shown)
        broken += _overdue(
            told, shown, _frozen(scenario, intervals, lights, display), lights.limits
        )
        broken += _unlit(told, shown, spans, lights)
        broken += _dark(shown, spans, lights)
    return broken


def _unconfirmed(told: Sequence[Any], shown: Shown) -> Iterator[Broken]:
    """A number that is not how its coup stood, or was lit before that was told."""
    stood: dict[int, list[Any]] = {}
    for fact in told:
        if type(fact) in (facts.Result, facts.Correction):
            stood.setdefault(fact.coup, []).append(fact)
    for one, _ in shown:
        if one.number is None:
            continue
        known = [
            fact
            for fact in stood.get(one.coup, ())
            if fact.seq <= one.seq and fact.at_us <= one.at_us
        ]
        if not known or known[-1].number != one.number:
            said = f"{known[-1].number} was confirmed" if known else "nothing was confirmed yet"
            text = f"display {one.display} lit {one.number} for coup {one.coup}: {said}"
            yield Broken(LIT_WRONG, one.coup, text)


def _overdue(told: Sequence[Any], shown: Shown, frozen: Spans, limits: Limits) -> Iterator[Broken]:
    """A number that stood on though the next coup had begun."""
    begun = [fact for fact in told if type(fact) is facts.CoupStarted]
    for one, until_us in shown:
        later = bisect_right(begun, one.coup, key=lambda fact: int(fact.coup))
        if one.number is None or later == len(begun):
            continue
        next_us = begun[later].at_us
        late_us = until_us - next_us
        if late_us > limits.stale_us and not _meets(frozen, next_us, until_us):
            text = f"display {one.display} lit {one.number} of coup {one.coup} "
            yield Broken(LIT_WRONG, one.coup, f"{text}{late_us / 1e6:.2f} s into the next one")


def _unlit(told: Sequence[Any], shown: Shown, spans: Spans, lights: Lights) -> Iterator[Broken]:
    """A number that was confirmed, with nothing wrong on the line, and was not lit."""
    soon_us = lights.limits.lit_us
    changes = [fact.at_us for fact in told if _hides(fact)]
    lit: dict[int, list[tuple[Lighted, int]]] = {}
    for one, until_us in shown:
        lit.setdefault(one.coup, []).append((one, until_us))
    for fact in told:
        if type(fact) is not facts.Result:
            continue
        at = bisect_left(changes, fact.at_us)
        over_us = changes[at] if at < len(changes) else lights.end_us
        for first_us, last_us in _gaps(fact.at_us, over_us, spans):
            by_us = first_us + soon_us
            if by_us <= last_us and not any(
                one.number == fact.number and one.at_us <= by_us and until_us > first_us
                for one, until_us in lit.get(fact.coup, ())
            ):
                text = f"{_name(shown)} did not light {fact.number} of coup {fact.coup} in time"
                yield Broken(LIT_LATE, fact.coup, text)


def _hides(fact: Any) -> bool:
    """Whether the last number is not lit any more from then on, or another one is."""
    if type(fact) is facts.Fault:
        return find(fact.code).grade == LOCK
    return type(fact) in (facts.CoupStarted, facts.Correction)


def _dark(shown: Shown, spans: Spans, lights: Lights) -> Iterator[Broken]:
    """A display that was dark with nothing wrong."""
    for one, until_us in shown:
        for first_us, last_us in _gaps(one.at_us, until_us, spans):
            if one.state == STALE and last_us - first_us > lights.limits.lit_us:
                text = f"display {one.display} was dark for {(last_us - first_us) / 1e6:.2f} s"
                yield Broken(LIT_LATE, None, text)


def _name(shown: Shown) -> str:
    return f"display {shown[0][0].display}" if shown else "a display"


def _gaps(begin_us: int, end_us: int, spans: Spans) -> Iterator[tuple[int, int]]:
    """What of the time between lies outside all spans."""
    for first_us, last_us in sorted(spans):
        if begin_us < min(first_us, end_us):
            yield begin_us, min(first_us, end_us)
        begin_us = max(begin_us, last_us)
    if begin_us < end_us:
        yield begin_us, end_us


def _faulty(scenario: Scenario, intervals: Sequence[FaultInterval], lights: Lights) -> Spans:
    """When line or displays may be at fault: the faults, and until all must be lit again."""
    spans = [(0, lights.limits.converge_us)]  # the displays start, too
    for interval in intervals:
        if catalogue.find(scenario.faults[interval.use].fault).layer in (*LINE_LAYERS, "host"):
            end_us = lights.end_us if interval.end_us is None else interval.end_us
            spans.append((interval.begin_us, end_us + lights.limits.converge_us))
    return spans


def _frozen(
    scenario: Scenario, intervals: Sequence[FaultInterval], lights: Lights, display: int
) -> Spans:
    """When that display stood still: it could not go dark then."""
    spans = []
    for interval in intervals:
        use = scenario.faults[interval.use]
        entry = catalogue.find(use.fault)
        if entry.make is Frozen and catalogue.parameters_of(entry, use)["display"] == str(display):
            end_us = lights.end_us if interval.end_us is None else interval.end_us
            spans.append((interval.begin_us, end_us + lights.limits.stale_us))
    return spans


def _meets(spans: Spans, begin_us: int, end_us: int) -> bool:
    return any(first <= end_us and begin_us <= last for first, last in spans)
