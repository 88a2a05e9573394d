"""Truth beside decision: what counts as right, wrong, void, late and missed."""

import pytest

from firmware.core import facts
from tools.sim.truth import CoupTruth
from tools.virtual.score import RIGHT, VOID, WRONG, Score, percentile, summary

SPEED = 350_000


def truth(coup=1, start_us=1_000_000, **other):
    """A coup as it was: zero in compartment 0."""
    times = {
        "t_launch_us": start_us + 5_000_000,
        "t_drop_us": start_us + 15_000_000,
        "t_rest_us": start_us + 20_000_000,
        "t_lift_us": start_us + 30_000_000,
    }
    values = {"rotor": 1, "compartment": 0, "number": 0, **times, **other}
    return CoupTruth(coup=coup, t_start_us=start_us, **values)


def decide(score, *, coup=1, start_us=1_300_000, call_us=14_000_000, number=0, reason=None):
    """Gives a score the facts of one coup."""
    score.add(facts.CoupStarted(start_us, coup, 0), 0)
    if call_us is not None:
        score.add(facts.NoMoreBets(call_us, coup), SPEED)
    end_us = start_us + 22_000_000
    if reason is None:
        score.add(facts.Detected(end_us, coup, number, number), SPEED)
        score.add(facts.Result(end_us, coup, 1, number, number, "green", True, True), SPEED)
    else:
        score.add(facts.Void(end_us, coup, 1, reason), SPEED)


def test_the_right_number_is_right_with_its_lead_and_its_time_to_verify():
    score = Score()
    decide(score)
    (judged,) = score.judge([truth()])
    assert (judged.verdict, judged.late, judged.lead_us) == (RIGHT, False, 2_000_000)
    assert judged.verified_us == 2_300_000
    assert judged.verified_uturn == 2_300_000 * SPEED // 1_000_000


def test_another_number_is_wrong():
    score = Score()
    decide(score, number=1)
    (judged,) = score.judge([truth()])
    assert judged.verdict == WRONG


def test_the_right_number_in_another_case_is_wrong():
    """At vingt-trois a number lies in several cases, and the case gives the colour."""
    score = Score()
    decide(score, number=0)
    (judged,) = score.judge([truth(compartment=9)])
    assert judged.verdict == WRONG


@pytest.mark.parametrize("call_us", [16_000_000, 16_000_001, None])
def test_a_call_at_the_drop_or_after_it_or_never_is_late(call_us):
    score = Score()
    decide(score, call_us=call_us)
    (judged,) = score.judge([truth()])
    assert (judged.verdict, judged.late) == (RIGHT, True)
    assert summary(score)["late"] == 1


def test_a_void_is_counted_by_its_reason_and_is_late_only_with_a_late_call():
    score = Score()
    decide(score, reason="timeout", call_us=None)
    (judged,) = score.judge([truth()])
    assert (judged.verdict, judged.late) == (VOID, False)
    assert summary(score)["void_reasons"] == {"timeout": 1}


def test_a_truth_is_waited_for_until_the_ball_is_lifted():
    score = Score()
    decide(score)
    assert score.judge([truth(t_lift_us=None)]) == []
    assert len(score.judge([truth()])) == 1
    assert score.judge([truth()]) == []


def test_a_coup_that_was_never_opened_is_missed_and_one_that_never_was_is_wrong():
    score = Score()
    truths = [truth(1, 1_000_000), truth(2, 60_000_000)]
    decide(score, coup=1, start_us=60_100_000, call_us=74_000_000)
    decide(score, coup=2, start_us=200_000_000, call_us=None)
    first, second = score.judge(truths, final=True)
    assert (first.verdict, first.truth) == (RIGHT, truths[1])
    assert (second.verdict, second.truth) == (WRONG, None)
    figures = summary(score)
    assert (figures["missed"], figures["coups"]) == (1, 3)


def two_truths():
    """Zero in the first, 1 in the second, a minute later."""
    return [truth(1), truth(2, 61_000_000, compartment=1, number=1)]


def put_off(score, *, detected):
    """A zero seen after 24 s, whose record a slow disk put off into the next coup."""
    score.add(facts.CoupStarted(1_300_000, 1, 0), 0)
    score.add(facts.NoMoreBets(14_000_000, 1), SPEED)
    if detected:
        score.add(facts.Detected(24_000_000, 1, 0, 0), SPEED)
    score.add(facts.Result(70_000_000, 1, 1, 0, 0, "green", True, True), SPEED)


def test_a_number_that_was_put_off_is_of_the_coup_in_which_it_was_detected():
    score, truths = Score(), two_truths()
    put_off(score, detected=True)
    (judged,) = score.judge(truths, final=True)
    assert (judged.verdict, judged.truth) == (RIGHT, truths[0])


def test_a_number_that_was_never_detected_is_of_the_coup_in_which_it_was_told():
    score, truths = Score(), two_truths()
    put_off(score, detected=False)
    (judged,) = score.judge(truths, final=True)
    assert (judged.verdict, judged.truth) == (WRONG, truths[1])


def test_a_coup_that_is_begun_again_after_a_void_has_the_same_ball():
    score = Score()
    decide(score, coup=1, start_us=1_300_000, reason="croupier", call_us=None)
    decide(score, coup=2, start_us=2_300_000, reason="croupier", call_us=None)
    decide(score, coup=3, start_us=3_300_000)
    judged = score.judge([truth()], final=True)
    assert [coup.verdict for coup in judged] == [VOID, VOID, RIGHT]
    assert [coup.truth for coup in judged] == [truth()] * 3
    assert score.missed == 0


@pytest.mark.parametrize(("start_us", "known"), [(30_999_999, True), (31_000_000, False)])
def test_a_void_that_began_after_the_ball_was_lifted_is_of_no_coup(start_us, known):
    score = Score()
    decide(score, start_us=start_us, reason="timeout", call_us=None)
    (judged,) = score.judge([truth()], final=True)
    assert (judged.truth is not None) is known


def test_percentiles_are_values_that_occurred():
    assert percentile([], 0.5) is None
    assert [percentile([3, 1, 2], share) for share in (0, 0.05, 0.5, 0.95, 1)] == [1, 1, 2, 3, 3]
