"""Whether a fault was told by one of its codes, by its deadline; and what excuses one that was not.

Of two faults at once, one may hide the other. That is no notice: it is counted as masked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from firmware.core import facts
from firmware.core.faults import find
from firmware.loop import LEAP_US
from tools.hil.faults import catalogue
from tools.hil.faults.chip import Before
from tools.hil.faults.entry import EITHER, LINE_LAYERS, NUMBER, Expect
from tools.hil.scenario import FaultInjection, Scenario
from tools.hil.verdict import IDLE, LATE, MASKED, NEVER, NO_CODE, NOT_DUE, TOLD, Noticed, RunLog
from tools.hil.world import FaultInterval
from tools.virtual.score import VOID, Judged

# What a motor's driver tells bears the core's time: that of the last edge. Of a rotor that is about
# to rest, where time jumps, that came up to a leap ago.
LAG_US = LEAP_US
# Codes that name the sensor they blame: of a fault of one sensor they must name that one.
_NAMING = ("W21", "W22", "W23", "W24", "W33", "W41", "W42")
_OF_DISPLAYS = ("B11", "B12")  # they name the display
STANDS_US = 2_000_000  # so long after a fault of the line a display may still be told as lost
# What has been told of the line, and what cannot be told then: over a port that is gone nobody is
# heard to be silent, of one who is silent nobody hears what he lights, what is lost is lost once.
_HIDES = {
    "B10": ("B10", "B11", "B12", "B13"),
    "B11": ("B11", "B12", "B13"),
    "B12": ("B12",),
    "B13": ("B11", "B12", "B13"),
}


def notice(scenario: Scenario, said: RunLog, interval: FaultInterval) -> Noticed:
    """How that fault was noticed."""
    use = scenario.faults[interval.use]
    expect = catalogue.expect_of(use)
    noticed = Noticed(
        interval.use, use.fault, None, interval.begin_us, None, NO_CODE, interval.idle
    )
    if not expect.codes:
        return noticed
    deadline_us = _deadline_us(said, interval, expect)
    found = _first(said.facts, use, interval.begin_us - LAG_US)
    is_late = found is not None and deadline_us is not None and found.at_us > deadline_us
    if interval.idle and (found is None or is_late):
        # The controller saw what it would have seen without; what is told later is of another.
        return noticed._replace(how=IDLE)
    if found is None:
        how = NOT_DUE if deadline_us is None else NEVER
    else:
        noticed = noticed._replace(code=code_of(found), at_us=found.at_us)
        how = LATE if is_late else TOLD
    if how in (LATE, NEVER) and deadline_us is not None:
        beside = [
            (other, fact)
            for other, fact in _beside(scenario, said, interval, interval.begin_us, deadline_us)
            if fact is None or fact.at_us <= deadline_us
        ]
        in_coup = list(
            _beside(scenario, said, interval, _coup_begin_us(said, interval), deadline_us)
        )
        if (
            _is_under_ball(said, interval, use)
            or _was_told(said, use, interval, deadline_us)
            or _is_hidden(expect, [fact for _, fact in beside if fact is not None])
            or _is_behind_broken(scenario, said, interval, beside)
            or (in_coup and _ends_void(said, interval, use, deadline_us))
        ):
            return noticed._replace(code=None, at_us=None, how=MASKED)
    return noticed._replace(how=how)


def code_of(fact: Any) -> str | None:
    """The code that a fact tells, or the reason of a void."""
    if type(fact) is facts.Fault:
        return str(fact.code)
    return str(fact.reason) if type(fact) is facts.Void else None


def _first(told: Sequence[Any], use: FaultInjection, since_us: int) -> Any:
    """The first that tells that fault, or None."""
    codes = catalogue.expect_of(use).codes
    line = dict(use.parameters).get("line")
    return next(
        (
            fact
            for fact in told
            if fact.at_us >= since_us
            and code_of(fact) in codes
            and (line is None or _names(fact, line))
        ),
        None,
    )


def _names(fact: Any, line: str) -> bool:
    """False if it blames other sensors than that one: pocket2 is "Ring sensor 2", or a line."""
    code = code_of(fact)
    if type(fact) is not facts.Fault or code not in _NAMING:
        return True
    before, after = find(code).text.split("{}")
    named = fact.text.partition(before)[2].partition(after)[0].split(" and ")
    digits = line.lstrip("abcdefghijklmnopqrstuvwxyz_")
    return line in named or (digits.isdecimal() and str(int(digits)) in named)


def _deadline_us(said: RunLog, interval: FaultInterval, expect: Expect) -> int | None:
    """By when it must have been told; None: later than the scenario went."""
    limits = []
    if expect.by_s is not None:
        limits.append(interval.begin_us + int(expect.by_s * 1e6) + said.slack_us)
    if expect.by_coups is not None:
        wanted = interval.coup + expect.by_coups
        ends = [
            coup.decision.at_us
            for coup in said.judged
            if coup.truth is not None and coup.truth.coup >= wanted
        ]
        if ends:
            limits.append(min(ends))
    limit = min(limits, default=None)
    return limit if limit is not None and limit <= said.end_us else None


def _coup_begin_us(said: RunLog, interval: FaultInterval) -> int:
    """When the coup began in which the fault did; the one before, where it was never opened."""
    begun = [truth.t_start_us for truth in said.truths if truth.coup <= interval.coup]
    nexts = [truth.t_start_us for truth in said.truths if truth.coup > interval.coup]
    over_us = min(nexts, default=said.end_us)
    if begun and not any(begun[-1] <= at_us < over_us for at_us in said.opened_us.values()):
        begun.pop()
    return min(interval.begin_us, *begun[-1:])


def _beside(
    scenario: Scenario, said: RunLog, interval: FaultInterval, since_us: int, deadline_us: int
) -> Iterator[tuple[FaultInterval, Any]]:
    """Each other fault that was at work between those times, and what told of it in time; None of
    one that has no code, or need not be told yet, and may make a coup void. One that should have
    been told and was not excuses nothing."""
    for other in said.intervals:
        entry = catalogue.find(scenario.faults[other.use].fault)
        ends_us = said.end_us if other.end_us is None else other.end_us
        if entry.layer in LINE_LAYERS:
            ends_us += STANDS_US
        # What it told, which may have made the deadline, bears a time of up to LAG_US before.
        if other == interval or other.begin_us - LAG_US > deadline_us or since_us > ends_us:
            continue
        use = scenario.faults[other.use]
        expect = catalogue.expect_of(use)
        found = _first(said.facts, use, other.begin_us - LAG_US)
        due_us = _deadline_us(said, other, expect)
        not_due = not expect.codes or (found is None and due_us is None)
        may_void = not_due and expect.outcome != NUMBER and not other.idle
        if may_void and other.begin_us <= deadline_us:
            yield other, None
        if found is not None and (due_us is None or found.at_us <= due_us):
            yield other, found


def _is_behind_broken(
    scenario: Scenario,
    said: RunLog,
    interval: FaultInterval,
    beside: Sequence[tuple[FaultInterval, Any]],
) -> bool:
    """Whether it lies before a sensor that was broken all that time, and named for that, or need
    not be: one that is blind sees no chip. Nobody looks before the coup is opened."""
    use = scenario.faults[interval.use]
    line = dict(use.parameters).get("line")
    if line is None or catalogue.find(use.fault).layer != "chip":
        return False
    begun_us = _coup_begin_us(said, interval)
    opened_us = min((at_us for at_us in said.opened_us.values() if at_us >= begun_us), default=0)
    return any(
        (fact is None or (type(fact) is facts.Fault and fact.code in _NAMING))
        and dict(scenario.faults[other.use].parameters).get("line") == line
        and other.begin_us <= max(interval.begin_us, opened_us)
        and _end_us(other) >= _end_us(interval)
        for other, fact in beside
    )


def _end_us(interval: FaultInterval) -> float:
    return float("inf") if interval.end_us is None else interval.end_us


def _is_hidden(expect: Expect, beside: Sequence[Any]) -> bool:
    """Whether the line was told as broken already, so that nothing of this one could be told."""
    for found in beside:
        hides = _HIDES.get(str(code_of(found)), ())
        if all(code in hides for code in expect.codes):
            return True
    return False


def _was_told(said: RunLog, use: FaultInjection, interval: FaultInterval, deadline_us: int) -> bool:
    """Whether it was told before, in the coup of its deadline: once a coup, though it came back."""
    since_us = max([at_us for at_us in said.opened_us.values() if at_us <= deadline_us], default=0)
    display = dict(use.parameters).get("display", "")
    named = f" {display} " if display.isdecimal() else ""
    told = [
        fact
        for fact in said.facts
        if type(fact) is facts.Fault
        and since_us <= fact.at_us < interval.begin_us
        and (fact.code not in _OF_DISPLAYS or named in fact.text)
    ]
    return _first(told, use, 0) is not None


def _is_under_ball(said: RunLog, interval: FaultInterval, use: FaultInjection) -> bool:
    """Whether the ball has come to lie in the very cup into which a chip fell as it came down.

    The two look like the ball alone, and its number is right.
    """
    line = str(dict(use.parameters).get("line"))
    if catalogue.find(use.fault).make is not Before or not line.startswith("cup"):
        return False
    cup = int(line.removeprefix("cup"))
    return any(
        truth.coup == interval.coup
        and truth.compartment == cup
        and truth.t_drop_us is not None
        and interval.begin_us >= truth.t_drop_us
        for truth in said.truths
    )


def _ends_void(
    said: RunLog, interval: FaultInterval, use: FaultInjection, deadline_us: int
) -> bool:
    """True if the last coup is void that this fault touched until the deadline, or it touched none;
    of one that was over before a number could hang on it, the first, or the one that was void
    before it began.

    No number hung on it, and a coup that ends early is not judged by what comes later.
    """
    over_us = deadline_us if interval.end_us is None else interval.end_us
    # What was void the croupier may have begun again once the fault was over.
    coups = [
        coup
        for coup in said.judged
        if said.opened_us.get(coup.coup, over_us) <= over_us
        and interval.begin_us <= coup.decision.at_us
        and (coup.decision.at_us <= deadline_us or _is_own(coup, interval))
        and _feels(said, coup, interval, use)
    ]
    if not coups or coups[-1].verdict == VOID:
        return True
    began_void = any(
        coup.verdict == VOID and coup.decision.at_us < interval.begin_us and _is_own(coup, interval)
        for coup in said.judged
    )
    # Too little was left of it: the number is found as the ball rests, and then sent.
    of_line = catalogue.find(use.fault).layer in LINE_LAYERS
    numbers_us = [
        coup.decision.at_us if of_line else coup.truth.t_rest_us
        for coup in coups
        if coup.verdict != VOID and coup.truth is not None and coup.truth.t_rest_us is not None
    ]
    return (began_void or coups[0].verdict == VOID) and over_us < min(numbers_us, default=0)


def _is_own(coup: Judged, interval: FaultInterval) -> bool:
    """Whether it began in that coup."""
    return coup.truth is not None and coup.truth.coup == interval.coup


def _feels(said: RunLog, coup: Judged, interval: FaultInterval, use: FaultInjection) -> bool:
    """False of a coup in which that fault cannot be told."""
    expect = catalogue.expect_of(use)
    if coup.truth is None:
        return True
    if _is_own(coup, interval):
        # A ball that is left in the wheel is one too many in the next coup.
        rest_us = coup.truth.t_rest_us
        late = rest_us is not None and interval.begin_us >= rest_us
        spares = expect.outcome == NUMBER and expect.by_coups is not None and late
        return expect.next_outcome == EITHER and not spares
    launch_us = coup.truth.t_launch_us
    of_rotor = catalogue.find(use.fault).layer == "rotor"
    if of_rotor and launch_us is not None and _end_us(interval) < launch_us:
        return False  # over before the plate was set in motion
    # What is told in its own coup and was over before the next began.
    nexts = [truth.t_start_us for truth in said.truths if truth.coup > interval.coup]
    return expect.by_coups != 0 or _end_us(interval) > min(nexts, default=said.end_us)
