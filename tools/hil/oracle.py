"""What must hold of every scenario, wherever it ran: judges what was decided by what was true.

Always: no wrong number, no call after the drop, every coup ends once, nothing lit that was not
confirmed. Of each fault: it begins, is noticed by one of its codes by its deadline (noticing.py),
and the coups it touched end as it says. Coups that no fault touched are clean: nothing is told in
them as wrong, and how many of them are void is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from firmware.core import facts
from firmware.core.faults import NOTICE, find
from firmware.core.health.codes import CODES
from tools.hil.detection import code_of, notice
from tools.hil.faults import catalogue
from tools.hil.faults.entry import EITHER, NUMBER
from tools.hil.scenario import Scenario
from tools.hil.verdict import (
    FALSE_ALARM,
    LATE,
    LATE_CALL,
    NEVER,
    NO_ENDING,
    NOT_BEGUN,
    OUTCOME,
    TWICE,
    UNNOTICED,
    WRONG_NUMBER,
    Broken,
    Noticed,
    RunLog,
    Verdict,
)
from tools.hil.world import FaultInterval
from tools.sim.truth import CoupTruth
from tools.virtual.score import RIGHT, VOID, WRONG, Judged

# A coup whose call was late, and which is void for that.
CALLED_LATE = ("C10", "C11")
# May be told in a clean coup: what is learned of a wheel and its health, a slow disk, and what
# people are answered.
NO_ALARM = ("W51", "W52", *CODES.values(), "S14", "P10", "P11")


class _Span(NamedTuple):
    """From which truth to which a fault reached; both are touched."""

    use: int
    first: int
    last: int


def judge(scenario: Scenario, said: RunLog) -> Verdict:
    """Holds all that was said against what must hold."""
    spans = _spans(scenario, said)
    clean, late_void = _clean(said, spans), _late_void(said)
    noticed = [notice(scenario, said, interval) for interval in said.intervals]
    broken = [
        *said.broken,
        *_numbers(said),
        *_calls(said, {*late_void} & {*clean}),
        *_endings(said),
        *_grades(said),
        *_missed(scenario, said, spans),
        *_false_alarms(said, spans),
        *_not_begun(scenario, said, spans),
    ]
    for interval, found in zip(said.intervals, noticed, strict=True):
        broken += _unnoticed(scenario, interval, found)
        broken += _never_told(scenario, said, interval)
        broken += _outcomes(scenario, said, interval, spans)
        broken += _reasons(scenario, said, interval, spans)
    return Verdict(tuple(said.judged), clean, tuple(noticed), tuple(broken), late_void)


def _clean(said: RunLog, spans: Sequence[_Span]) -> tuple[int, ...]:
    """The coups that no fault touched; also those of which the wheel knows nothing."""
    clean = []
    for coup in said.judged:
        truth = coup.truth or _truth_at(said.truths, coup.decision.at_us)
        if truth is None or not _touching(truth.coup, spans):
            clean.append(coup.coup)
    return tuple(clean)


# --- always ---------------------------------------------------------------------------------------
def _numbers(said: RunLog) -> Iterator[Broken]:
    """Every number that was ever given, also one that another end of the coup came after."""
    judged = {coup.coup: coup for coup in said.judged}
    for fact in said.facts:
        if type(fact) not in (facts.Result, facts.Correction) or fact.number is None:
            continue
        coup = judged.get(fact.coup)
        if coup is None:
            continue  # it never began or never ended: that is told
        truth = coup.truth
        is_last = fact == coup.decision
        if is_last and coup.verdict != WRONG:
            continue
        if is_last or truth is None or not truth.right(fact.at_us, fact.compartment, fact.number):
            true = None if truth is None else truth.number
            text = f"coup {fact.coup} was given {fact.number}; it was {true}"
            yield Broken(WRONG_NUMBER, fact.coup, text)


def _late_void(said: RunLog) -> tuple[int, ...]:
    """The coups called late that are void, and not because the call was: void pays nobody."""
    told, number = set(), 0
    for fact in said.facts:
        if type(fact) is facts.CoupStarted:
            number = fact.coup
        elif code_of(fact) in CALLED_LATE:
            told.add(number)
    return tuple(
        coup.coup
        for coup in said.judged
        if coup.late
        and coup.verdict == VOID
        and not (coup.decision.reason == "timeout" and coup.coup in told)
    )


def _calls(said: RunLog, unexcused: set[int]) -> Iterator[Broken]:
    """Late calls of coups that have a number, or that no fault touched: `unexcused`, void for
    another reason."""
    for coup in said.judged:
        if coup.late and (coup.verdict != VOID or coup.coup in unexcused):
            yield Broken(LATE_CALL, coup.coup, f"the call of coup {coup.coup} was late")


def _endings(said: RunLog) -> Iterator[Broken]:
    judged = {coup.coup for coup in said.judged}
    for fact in said.facts:
        if type(fact) is facts.CoupStarted and fact.coup not in judged:
            yield Broken(NO_ENDING, fact.coup, f"coup {fact.coup} never ended")
    yield from ended_twice(said.facts)


def ended_twice(told: Sequence[Any]) -> Iterator[Broken]:
    """A result or void of a coup that had one before. `told`: facts."""
    ended = set()
    for fact in told:
        if type(fact) in (facts.Result, facts.Void):
            if fact.coup in ended:
                yield Broken(TWICE, fact.coup, f"coup {fact.coup} was ended twice")
            ended.add(fact.coup)


def _grades(said: RunLog) -> Iterator[Broken]:
    """What is told as making a coup void, or the table locked, does so once the ball runs; before
    that it may be a warning (W41: there is time to take out what lies in the dish)."""
    thrown = {fact.coup: fact.at_us for fact in said.facts if type(fact) is facts.BallInTrack}
    for fact in said.facts:
        if type(fact) is facts.Fault and find(fact.code).grade != NOTICE:
            for coup in said.judged:
                begin_us = thrown.get(coup.coup, coup.decision.at_us)
                if begin_us < fact.at_us < coup.decision.at_us and coup.verdict != VOID:
                    text = f"{fact.code} was told in coup {coup.coup}, which was given a number"
                    yield Broken(OUTCOME, coup.coup, text)


def _missed(scenario: Scenario, said: RunLog, spans: Sequence[_Span]) -> Iterator[Broken]:
    """What happened at the table to its end, and no coup was opened for it."""
    seen = {coup.truth.coup for coup in said.judged if coup.truth is not None}
    for truth in said.truths:
        if truth.t_lift_us is None or truth.coup in seen:
            continue
        touching = _touching(truth.coup, spans)
        # A fault that spares the number spares the coup; one that makes it void, the first one.
        if all(
            expect.outcome == NUMBER or (expect.outcome != EITHER and span.first == truth.coup)
            for span in touching
            for expect in (catalogue.expect_of(scenario.faults[span.use]),)
        ):
            text = f"the wheel's coup {truth.coup} was played and never opened"
            yield Broken(NO_ENDING, None, text, touching[0].use if touching else None)


def _false_alarms(said: RunLog, spans: Sequence[_Span]) -> Iterator[Broken]:
    """What was told as wrong where nothing was; a void clean coup is counted already."""
    void = {coup.truth.coup for coup in said.judged if coup.truth and coup.verdict == VOID}
    for fact in said.facts:
        if type(fact) is facts.Fault and fact.code not in NO_ALARM:
            truth = _truth_at(said.truths, fact.at_us)
            if truth is not None and truth.coup not in void and not _touching(truth.coup, spans):
                text = f"{fact.code} was told at {fact.at_us / 1e6:.2f} s: {fact.text}"
                yield Broken(FALSE_ALARM, None, text)


def _not_begun(scenario: Scenario, said: RunLog, spans: Sequence[_Span]) -> Iterator[Broken]:
    """A fault that was never made shows nothing; unless another took its moment from it."""
    begun = {interval.use for interval in said.intervals}
    for at, use in enumerate(scenario.faults):
        if at not in begun and not _touching(use.coup, spans):
            text = f"{use.fault} never began: coup {use.coup} had no {use.moment}"
            yield Broken(NOT_BEGUN, None, text, at)


# --- of one fault ---------------------------------------------------------------------------------
def _unnoticed(scenario: Scenario, interval: FaultInterval, found: Noticed) -> Iterator[Broken]:
    if found.how in (LATE, NEVER):
        codes = " or ".join(catalogue.expect_of(scenario.faults[interval.use]).codes)
        when = "never"
        if found.at_us is not None:
            when = f"{(found.at_us - interval.begin_us) / 1e6:.2f} s after"
        text = f"{found.fault} was to be told as {codes} by its deadline; it was told {when}"
        yield Broken(UNNOTICED, interval.coup, text, interval.use)


def _never_told(scenario: Scenario, said: RunLog, interval: FaultInterval) -> Iterator[Broken]:
    use = scenario.faults[interval.use]
    end_us = said.end_us if interval.end_us is None else interval.end_us
    for fact in said.facts:
        if (
            type(fact) is facts.Fault
            and fact.code in catalogue.expect_of(use).never
            and interval.begin_us <= fact.at_us <= end_us
        ):
            text = f"{use.fault} should not be told as {fact.code}: {fact.text}"
            yield Broken(FALSE_ALARM, interval.coup, text, interval.use)


def _outcomes(
    scenario: Scenario, said: RunLog, interval: FaultInterval, spans: Sequence[_Span]
) -> Iterator[Broken]:
    """The coup in which it began, and the next one: what becomes of them."""
    use = scenario.faults[interval.use]
    expect = catalogue.expect_of(use)
    for number, outcome in (
        (interval.coup, expect.outcome),
        (interval.coup + 1, expect.next_outcome),
    ):
        shared = any(span.use != interval.use for span in _touching(number, spans))
        coups = [coup for coup in said.judged if coup.truth and coup.truth.coup == number]
        # What was void the croupier may begin again, and by then the fault be over, or another
        # fault have made void what this one should.
        if number == interval.coup:
            coups = [coup for coup in coups if _felt(said, coup, interval)]
        for coup in coups[:1] if shared or number != interval.coup else coups:
            # Of two faults at once the other may cost the number.
            if outcome == NUMBER and coup.verdict not in (RIGHT, WRONG) and not shared:
                text = f"{use.fault} should not cost coup {coup.coup} its number"
                text += f": {coup.decision.reason}"
                yield Broken(OUTCOME, coup.coup, text, interval.use)
            # And what it is told as may make it begin another coup than the next.
            taken = shared and number != interval.coup
            if outcome == VOID and coup.verdict != VOID and not (interval.idle or taken):
                text = f"{use.fault} should make coup {coup.coup} void"
                yield Broken(OUTCOME, coup.coup, text, interval.use)


def _felt(said: RunLog, coup: Judged, interval: FaultInterval) -> bool:
    """Whether the fault was at work in that coup, before it was decided."""
    ends_us = said.end_us if interval.end_us is None else interval.end_us
    opened_us = said.opened_us.get(coup.coup, 0)
    return interval.begin_us <= coup.decision.at_us and opened_us <= ends_us


def _reasons(
    scenario: Scenario, said: RunLog, interval: FaultInterval, spans: Sequence[_Span]
) -> Iterator[Broken]:
    """Why the coups that it alone touched are void."""
    use = scenario.faults[interval.use]
    reasons = catalogue.expect_of(use).reasons
    for coup in said.judged:
        if not reasons or coup.truth is None or coup.verdict != VOID:
            continue
        touching = [span.use for span in _touching(coup.truth.coup, spans)]
        if touching == [interval.use] and coup.decision.reason not in reasons:
            text = f"{use.fault} made coup {coup.coup} void as {coup.decision.reason}"
            yield Broken(OUTCOME, coup.coup, text, interval.use)


# --- whose time -----------------------------------------------------------------------------------
def _spans(scenario: Scenario, said: RunLog) -> list[_Span]:
    spans = []
    for interval in said.intervals:
        last = max((truth.coup for truth in said.truths), default=interval.coup)
        if interval.end_us is not None:
            begun = [truth.coup for truth in said.truths if truth.t_start_us <= interval.end_us]
            settles = catalogue.expect_of(scenario.faults[interval.use]).settles_coups
            last = max([*begun, interval.coup]) + settles
        spans.append(_Span(interval.use, interval.coup, last))
    return spans


def _touching(number: int, spans: Sequence[_Span]) -> list[_Span]:
    return [span for span in spans if span.first <= number <= span.last]


def _truth_at(truths: Sequence[CoupTruth], at_us: int) -> CoupTruth | None:
    """The last that had begun."""
    return next((truth for truth in reversed(truths) if truth.t_start_us <= at_us), None)
