"""Coups as a wheel played them and as a controller told them, and the oracle's verdict on both."""

from __future__ import annotations

from typing import Any

from firmware.core import facts
from tools.hil import oracle
from tools.hil.faults.entry import Expect
from tools.hil.scenario import FaultInjection, Scenario
from tools.hil.verdict import RunLog, Verdict
from tools.hil.world import FaultInterval
from tools.sim.truth import CoupTruth
from tools.virtual.score import Judged, Score

SECOND = 1_000_000
COUP = 40 * SECOND


def truth(number: int, *, pocket: int | None = 5) -> CoupTruth:
    """A coup of 40 s: thrown after 5, dropped after 20, at rest after 25, lifted after 35."""
    at = (number - 1) * COUP
    return CoupTruth(
        coup=number,
        t_start_us=at,
        t_launch_us=at + 5 * SECOND,
        t_drop_us=at + 20 * SECOND,
        t_rest_us=at + 25 * SECOND,
        t_lift_us=at + 35 * SECOND,
        compartment=pocket,
        number=pocket,
    )


def told(
    number: int, *, called_s: float = 19, pocket: int | None = 5, reason: str = "encoder"
) -> list[Any]:
    """What a controller says of that coup; `pocket` None: void, for `reason`."""
    at = (number - 1) * COUP
    end_us = at + 30 * SECOND
    end: Any = facts.Void(end_us, number, number, reason)
    if pocket is not None:
        end = facts.Result(end_us, number, number, pocket, pocket, "red", True, True)
    return [
        facts.CoupStarted(at, number, 0),
        facts.NoMoreBets(at + int(called_s * SECOND), number),
        end,
    ]


def judged(
    said: list[Any],
    truths: list[CoupTruth],
    *uses: FaultInjection,
    intervals: tuple[FaultInterval, ...] = (),
    slack_us: int = 0,
) -> Verdict:
    """The verdict on facts and truths."""
    score = Score()
    for fact in said:
        score.add(fact, 0)
    coups: list[Judged] = score.judge(truths, final=True)
    scenario = Scenario("t", "t", "roulette", len(truths), faults=uses)
    return oracle.judge(
        scenario,
        RunLog(
            facts=said,
            judged=coups,
            truths=truths,
            intervals=intervals,
            end_us=len(truths) * COUP,
            slack_us=slack_us,
        ),
    )


def rules(verdict: Verdict) -> list[str]:
    """The rules broken."""
    return [broken.rule for broken in verdict.broken]


def blind(expect: Expect) -> tuple[FaultInjection, tuple[FaultInterval, ...]]:
    """A fault in the second coup that lasts to the third, and what is expected of it."""
    use = FaultInjection("ring_blind", 2, "start", 0, COUP, expect=expect)
    return use, (FaultInterval(0, 2, COUP, 2 * COUP + SECOND),)


def w23(at_us: int) -> Any:
    """The fault of a ring sensor, told then."""
    return facts.Fault(at_us, "W23", "Ring sensor 1 did not see a ball.")
