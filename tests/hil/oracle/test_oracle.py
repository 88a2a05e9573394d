"""What the oracle holds a scenario to: each rule, kept and broken."""

from __future__ import annotations

from typing import Any

import pytest
from told_coups import COUP, SECOND, blind, judged, rules, told, truth

from firmware.core import facts
from tools.hil.faults.entry import EITHER, NUMBER, VOID, Expect
from tools.hil.scenario import FaultInjection
from tools.hil.verdict import (
    FALSE_ALARM,
    LATE_CALL,
    NO_ENDING,
    NOT_BEGUN,
    OUTCOME,
    TWICE,
    WRONG_NUMBER,
)
from tools.hil.world import FaultInterval


def test_a_number_that_is_true_and_a_call_before_the_drop_break_nothing() -> None:
    verdict = judged(told(1) + told(2), [truth(1), truth(2)])
    assert rules(verdict) == []
    assert verdict.clean == (1, 2)


def test_a_number_that_is_not_true_is_wrong() -> None:
    assert rules(judged(told(1, pocket=6), [truth(1)])) == [WRONG_NUMBER]


def test_a_number_where_no_ball_lies_is_wrong() -> None:
    assert rules(judged(told(1), [truth(1, pocket=None)])) == [WRONG_NUMBER]


@pytest.mark.parametrize(("called_s", "broken"), [(19.9, []), (20.1, [LATE_CALL])])
def test_a_call_after_the_drop_is_late(called_s: float, broken: list[str]) -> None:
    assert rules(judged(told(1, called_s=called_s), [truth(1)])) == broken


@pytest.mark.parametrize(
    ("code", "reason", "broken"),
    [
        ("C10", "timeout", []),
        ("C11", "timeout", []),
        ("C10", "two_balls", [LATE_CALL]),
        (None, "timeout", [LATE_CALL]),
        (None, "two_balls", [LATE_CALL]),
    ],
)
def test_a_late_call_of_a_clean_coup_is_late_unless_it_is_void_for_that(
    code: str | None, reason: str, broken: list[str]
) -> None:
    *said, end = told(1, called_s=21, pocket=None, reason=reason)
    if code is not None:
        said.append(facts.Fault(21 * SECOND, code, "Late."))
    assert rules(judged([*said, end], [truth(1)])) == broken


@pytest.mark.parametrize(("pocket", "broken", "apart"), [(None, [], (2,)), (5, [LATE_CALL], ())])
def test_a_late_call_of_a_coup_that_a_fault_made_void_is_counted_apart(
    pocket: int | None, broken: list[str], apart: tuple[int, ...]
) -> None:
    use, intervals = blind(Expect(EITHER))
    said = [*told(1), *told(2, called_s=21, pocket=pocket), *told(3)]
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert (rules(verdict), verdict.late_void) == (broken, apart)


def test_a_coup_that_began_and_never_ended_is_told() -> None:
    assert NO_ENDING in rules(judged(told(1)[:1], [truth(1)]))


def test_a_clean_coup_that_nobody_opened_is_told() -> None:
    assert rules(judged(told(1), [truth(1), truth(2)])) == [NO_ENDING]


def test_a_clean_coup_that_is_void_is_counted_and_breaks_no_rule() -> None:
    verdict = judged(told(1, pocket=None) + told(2), [truth(1), truth(2)])
    assert (rules(verdict), verdict.clean_voids) == ([], 1)


def test_coups_within_a_spell_and_while_it_settles_are_not_clean() -> None:
    use, intervals = blind(Expect(EITHER))
    truths = [truth(number) for number in range(1, 6)]
    said = [fact for number in range(1, 6) for fact in told(number)]
    assert judged(said, truths, use, intervals=intervals).clean == (1, 4, 5)


@pytest.mark.parametrize(
    ("outcome", "pocket", "broken"),
    [
        (NUMBER, 5, []),
        (NUMBER, None, [OUTCOME]),
        (VOID, None, []),
        (VOID, 5, [OUTCOME]),
        (EITHER, 5, []),
        (EITHER, None, []),
    ],
)
def test_the_coup_in_which_it_began_ends_as_the_entry_says(
    outcome: str, pocket: int | None, broken: list[str]
) -> None:
    use, intervals = blind(Expect(outcome))
    said = told(1) + told(2, pocket=pocket) + told(3)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == broken


# --- every end of a coup --------------------------------------------------------------------------
def result(coup: int, pocket: int, at_s: float) -> Any:
    """A number given then."""
    return facts.Result(int(at_s * SECOND), coup, coup, pocket, pocket, "red", True, True)


def test_a_wrong_number_that_a_right_one_comes_after_is_wrong_all_the_same() -> None:
    said = [*told(1, pocket=6), result(1, 5, 31)]
    assert rules(judged(said, [truth(1)])) == [WRONG_NUMBER, TWICE]


def test_a_wrong_number_that_is_taken_back_is_wrong_all_the_same() -> None:
    said = [*told(1, pocket=6), facts.Void(31 * SECOND, 1, 2, "croupier")]
    assert rules(judged(said, [truth(1)])) == [WRONG_NUMBER, TWICE]


def test_the_same_number_twice_is_an_end_too_many() -> None:
    assert rules(judged([*told(1), result(1, 5, 31)], [truth(1)])) == [TWICE]


@pytest.mark.parametrize(("pocket", "broken"), [(5, []), (6, [WRONG_NUMBER])])
def test_what_a_number_is_corrected_to_must_be_true(pocket: int, broken: list[str]) -> None:
    correction = facts.Correction(32 * SECOND, 1, 2, 1, pocket, pocket, "red", None)
    assert rules(judged([*told(1), correction], [truth(1)])) == broken


# --- clean coups ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("at_s", "code", "broken"),
    [(10, "W23", [FALSE_ALARM]), (10, "W52", []), (50, "W23", []), (130, "W23", [FALSE_ALARM])],
)
def test_what_is_told_as_wrong_where_nothing_is_is_a_false_alarm(
    at_s: int, code: str, broken: list[str]
) -> None:
    """The second coup and the third one are the fault's; what is learned of a wheel is no alarm."""
    use, intervals = blind(Expect(EITHER))
    said = [fact for number in (1, 2, 3, 4) for fact in told(number)]
    said.append(facts.Fault(at_s * SECOND, code, "Blind."))
    truths = [truth(number) for number in (1, 2, 3, 4)]
    assert rules(judged(said, truths, use, intervals=intervals)) == broken


def test_a_code_that_made_a_clean_coup_void_is_counted_as_that() -> None:
    said = [*told(1)[:1], facts.Fault(SECOND, "W24", "Dark."), *told(1, pocket=None)[1:]]
    verdict = judged(said, [truth(1)])
    assert (rules(verdict), verdict.clean_voids) == ([], 1)


@pytest.mark.parametrize(("after_s", "broken"), [(4, []), (6, [OUTCOME])])
def test_a_code_that_makes_a_coup_void_and_a_number_do_not_go_together(
    after_s: int, broken: list[str]
) -> None:
    """Before the ball runs it may be a warning."""
    use, intervals = blind(Expect(EITHER))
    start, *rest = told(2)
    fault = facts.Fault(COUP + after_s * SECOND, "W24", "Dark.")
    said = [*told(1), start, facts.BallInTrack(COUP + 5 * SECOND, 2, 1), fault, *rest]
    assert rules(judged(said, [truth(1), truth(2)], use, intervals=intervals)) == broken


def test_a_void_coup_that_the_wheel_knows_nothing_of_is_clean_where_no_fault_is() -> None:
    said = [*told(1), facts.CoupStarted(36 * SECOND, 2, 0)]
    said.append(facts.Void(37 * SECOND, 2, 2, "encoder"))
    assert judged(said, [truth(1)]).clean_voids == 1
    use = FaultInjection("ring_blind", 1, "start", expect=Expect(EITHER))
    assert judged(said, [truth(1)], use, intervals=(FaultInterval(0, 1, 0, None),)).clean_voids == 0


# --- what a fault must do -------------------------------------------------------------------------
def test_a_fault_that_never_begins_is_told() -> None:
    use = FaultInjection("beam_blind", 9, "launch")
    assert rules(judged(told(1), [truth(1)], use)) == [NOT_BEGUN]


def test_a_fault_whose_moment_another_took_from_it_need_not_begin() -> None:
    use, intervals = blind(Expect(EITHER))
    other = FaultInjection("beam_blind", 2, "rest")
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    assert (
        rules(judged(said, [truth(1), truth(2), truth(3)], use, other, intervals=intervals)) == []
    )


@pytest.mark.parametrize(
    ("outcome", "broken"), [(NUMBER, [NO_ENDING]), (VOID, [NO_ENDING]), (EITHER, [])]
)
def test_a_coup_that_is_to_end_so_is_to_begin(outcome: str, broken: list[str]) -> None:
    use, intervals = blind(Expect(outcome))
    said = told(1) + told(3)
    truths = [truth(1), truth(2), truth(3)]
    assert rules(judged(said, truths, use, intervals=intervals)) == broken


@pytest.mark.parametrize(("pocket", "broken"), [(None, []), (5, [OUTCOME])])
def test_the_next_coup_ends_as_the_entry_says(pocket: int | None, broken: list[str]) -> None:
    use, intervals = blind(Expect(NUMBER, next_outcome=VOID))
    said = told(1) + told(2) + told(3, pocket=pocket)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == broken


@pytest.mark.parametrize(("at_s", "broken"), [(50, [FALSE_ALARM]), (100, [])])
def test_what_must_not_be_told_of_it_is_not(at_s: int, broken: list[str]) -> None:
    use, intervals = blind(Expect(EITHER, never=("L10",), settles_coups=1))
    said = [fact for number in (1, 2, 3) for fact in told(number)]
    said.append(facts.Fault(at_s * SECOND, "L10", "Not level."))
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == broken


def test_how_long_it_settles_is_what_the_use_says() -> None:
    use, intervals = blind(Expect(EITHER, settles_coups=2))
    truths = [truth(number) for number in range(1, 7)]
    said = [fact for number in range(1, 7) for fact in told(number)]
    assert judged(said, truths, use, intervals=intervals).clean == (1, 6)


def test_what_broke_a_rule_of_its_own_is_blamed() -> None:
    use, intervals = blind(Expect(VOID))
    verdict = judged(told(1) + told(2), [truth(1), truth(2)], use, intervals=intervals)
    assert [broken.use for broken in verdict.broken] == [0]


@pytest.mark.parametrize(("reason", "broken"), [("encoder", []), ("two_balls", [OUTCOME])])
def test_what_it_makes_void_is_void_for_one_of_its_reasons(reason: str, broken: list[str]) -> None:
    use, intervals = blind(Expect(EITHER, reasons=("encoder",)))
    said = told(1) + told(2, pocket=None, reason=reason) + told(3)
    verdict = judged(said, [truth(1), truth(2), truth(3)], use, intervals=intervals)
    assert rules(verdict) == broken


@pytest.mark.parametrize(("ends_s", "broken"), [(30, []), (None, [OUTCOME])])
def test_a_coup_that_is_begun_again_under_the_fault_that_made_it_void_is_void_too(
    ends_s: int | None, broken: list[str]
) -> None:
    """The same throw: opened a second time, it has a number."""
    use = FaultInjection(
        "ball_along_rotor", 1, "start", expect=Expect(VOID, ("same_direction",), by_coups=0)
    )
    first = told(1, pocket=None, reason="same_direction")
    again = [facts.CoupStarted(31 * SECOND, 2, 0), *told(1)[1:]]
    said = [*first, *(one._replace(coup=2, at_us=one.at_us + 2 * SECOND) for one in again)]
    intervals = (FaultInterval(0, 1, 0, None if ends_s is None else ends_s * SECOND),)
    verdict = judged(said, [truth(1)], use, intervals=intervals)
    assert [one for one in rules(verdict) if one == OUTCOME] == broken
