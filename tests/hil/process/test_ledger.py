"""What was recorded and what was told are held against each other."""

from typing import Any

from firmware.core import facts
from tools.hil.stage import ledger
from tools.hil.verdict import BROKEN, LOST, Broken

STARTED = facts.CoupStarted(1_000, 1, facts.CW)
RESULT = facts.Result(9_000, 1, 1, 17, 8, "black", True, True)


def recorded(number: int | None = 17, **more: Any) -> dict[int, dict[str, Any]]:
    row = {"coup": 1, "seq": 1, "number": number, "compartment": 8, "colour": "black"}
    return {1: row | {"reason": None, "corrected": None} | more}


def rules(*told: Any, there: dict[int, dict[str, Any]]) -> list[str]:
    return [broken.rule for broken in ledger.lost(told, there)]


def test_what_is_recorded_as_it_was_told_is_in_order() -> None:
    assert rules(STARTED, RESULT, there=recorded()) == []


def test_a_result_that_is_not_in_the_journal_is_lost() -> None:
    assert rules(STARTED, RESULT, there={}) == [LOST]


def test_a_result_that_is_another_in_the_journal_is_lost() -> None:
    assert rules(STARTED, RESULT, there=recorded(5)) == [LOST]


def test_a_corrected_result_was_recorded_as_it_was_told_first() -> None:
    corrected = recorded(5, corrected=2, first_number=17)
    assert rules(STARTED, RESULT, there=corrected) == []


def test_what_a_crash_kept_from_being_told_happened_at_the_crash() -> None:
    later = facts.CoupStarted(20_000, 2, facts.CCW)
    whole = ledger.whole((STARTED, later), recorded(), crashes_us=[5_000, 30_000])
    assert whole == [STARTED, RESULT._replace(at_us=5_000), later]


def test_what_nobody_had_time_to_tell_comes_last() -> None:
    void = recorded(None, reason="interrupted")
    whole = ledger.whole((STARTED,), void, crashes_us=[])
    assert whole == [STARTED, facts.Void(1_000, 1, 1, "interrupted")]


def test_a_beginning_that_was_not_told_comes_before_its_end() -> None:
    whole = ledger.whole((RESULT,), recorded(), crashes_us=[5_000])
    assert whole == [facts.CoupStarted(5_000, 1, facts.UNKNOWN), RESULT]


def test_what_was_told_of_a_coup_whose_beginning_was_not_begins_with_it() -> None:
    call = facts.NoMoreBets(4_000, 1)
    whole = ledger.whole((call,), {}, crashes_us=[])
    assert whole == [facts.CoupStarted(4_000, 1, facts.UNKNOWN), call]


def test_what_was_told_before_its_beginning_is_broken_and_left_out() -> None:
    call = facts.NoMoreBets(500, 1)
    found, broken = ledger.orderly((call, STARTED, RESULT))
    assert (found, [each.rule for each in broken]) == ([STARTED, RESULT], [BROKEN])


def test_where_the_machine_held_up_the_wheel_what_is_broken_says_so() -> None:
    broken = (Broken(BROKEN, None, "It ended"),)
    assert ledger.flagged(broken, ledger.HELD_UP_US - 1) == broken
    assert "held up the wheel for 0.34 s" in ledger.flagged(broken, 340_000)[0].text
