"""What displays may light, judged from what was decided: each rule, kept and broken."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bus.messages import CONFIRMED, STALE
from firmware.core.facts import Correction, CoupStarted, Fault, Result
from tools.hil.lighting import Lighted, Lights, judge
from tools.hil.scenario import FaultInjection, Scenario
from tools.hil.verdict import LIT_LATE, LIT_WRONG, Broken
from tools.hil.world import FaultInterval

S = 1_000_000
RESULT = Result(20 * S, 1, 1, 17, 0, "black", True, True)
TOLD = (CoupStarted(5 * S, 1, 1), RESULT, CoupStarted(40 * S, 2, 1))
LIT = (
    Lighted(0, 1, STALE, None, 0, 0),
    Lighted(1 * S, 1, "BETS_OPEN", None, 1, 0),
    Lighted(20 * S + 40_000, 1, CONFIRMED, 17, 1, 1),
    Lighted(40 * S + 20_000, 1, "BETS_OPEN", None, 2, 1),
)
SCENARIO = Scenario(
    "s", "", "roulette", 2, displays=1,
    faults=(
        FaultInjection("line_cut", 1, "start"),
        FaultInjection("display_frozen", 1, "start", parameters=(("display", "1"),)),
    ),
)  # fmt: skip
CUT, FROZEN = 0, 1


def judged(
    lit: tuple[Lighted, ...] = LIT,
    told: tuple[Any, ...] = TOLD,
    intervals: tuple[FaultInterval, ...] = (),
) -> list[Broken]:
    return judge(SCENARIO, told, intervals, Lights(1, lit, 60 * S))


def rules(found: list[Broken]) -> list[str]:
    return [broken.rule for broken in found]


def test_a_display_that_lights_what_was_confirmed_breaks_no_rule() -> None:
    assert judged() == []


def test_another_number_than_the_confirmed_one_is_wrong() -> None:
    lit = (*LIT[:2], LIT[2]._replace(number=18), LIT[3])
    assert rules(judged(lit)) == [LIT_WRONG, LIT_LATE]


def test_a_number_before_it_was_confirmed_is_wrong() -> None:
    lit = (*LIT[:2], LIT[2]._replace(at_us=20 * S - 1), LIT[3])
    assert rules(judged(lit)) == [LIT_WRONG]


def test_a_number_that_stands_on_into_the_next_coup_is_wrong() -> None:
    lit = (*LIT[:3], LIT[3]._replace(at_us=42 * S))
    assert rules(judged(lit)) == [LIT_WRONG]
    assert rules(judged(lit[:3])) == [LIT_WRONG]


def test_a_display_that_stands_still_cannot_help_its_old_number() -> None:
    lit = (*LIT[:3], LIT[3]._replace(at_us=42 * S))
    assert judged(lit, intervals=(FaultInterval(FROZEN, 1, 39 * S, 41_900_000),)) == []
    assert rules(judged(lit, intervals=(FaultInterval(CUT, 1, 39 * S, 41_900_000),))) == [LIT_WRONG]


def test_a_number_that_is_not_lit_soon_is_late() -> None:
    lit = (*LIT[:2], LIT[2]._replace(at_us=20 * S + 600_000), LIT[3])
    assert rules(judged(lit)) == [LIT_LATE]


def test_a_number_may_come_late_where_the_line_is_at_fault_but_not_for_ever_afterwards() -> None:
    lit = (*LIT[:2], LIT[2]._replace(at_us=29 * S), LIT[3])
    assert judged(lit, intervals=(FaultInterval(CUT, 1, 19 * S, 28 * S),)) == []
    assert rules(judged(lit, intervals=(FaultInterval(CUT, 1, 19 * S, 24 * S),))) == [LIT_LATE]


def test_a_locked_table_lights_no_number() -> None:
    locked = Fault(21 * S, "M12", "")
    lit = (*LIT[:3], Lighted(21 * S + 20_000, 1, "FAULT", None, 1, 1), LIT[3])
    cut = (FaultInterval(CUT, 1, 19 * S, 24 * S),)
    assert rules(judged(lit, intervals=cut)) == [LIT_LATE]
    assert judged(lit, (*TOLD[:2], locked, TOLD[2]), intervals=cut) == []


def test_a_display_without_reason_in_the_dark_is_told() -> None:
    dark = (
        *LIT[:2], Lighted(10 * S, 1, STALE, None, 0, 0), LIT[1]._replace(at_us=12 * S), *LIT[2:],
    )  # fmt: skip
    assert rules(judged(dark)) == [LIT_LATE]
    assert judged(dark, intervals=(FaultInterval(CUT, 1, 9 * S, 10 * S),)) == []


def test_a_corrected_number_is_lit_with_the_record_that_corrects_it() -> None:
    correction = Correction(30 * S, 1, 2, 1, 18, 0, "red", None)
    told = (*TOLD[:2], correction, TOLD[2])
    lit = (*LIT[:3], Lighted(30 * S + 50_000, 1, CONFIRMED, 18, 1, 2), LIT[3]._replace(seq=2))
    assert judged(lit, told) == []
    stays = (*LIT[:3], LIT[2]._replace(at_us=30 * S + 50_000, seq=2), LIT[3])
    assert rules(judged(stays, told)) == [LIT_WRONG]


@pytest.mark.parametrize("missing", [(), (Lighted(0, 1, STALE, None, 0, 0),)])
def test_a_display_that_never_lights_anything_is_told(missing: tuple[Lighted, ...]) -> None:
    assert LIT_LATE in rules(judged(missing))
