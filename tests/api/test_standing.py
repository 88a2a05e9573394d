"""What `status` answers, for whoever shows it further."""

from typing import Any

import pytest

from firmware.api.status import TableStatus
from firmware.core.facts import (
    CCW,
    CW,
    BallInTrack,
    CallProgress,
    Correction,
    CoupStarted,
    Fault,
    NoMoreBets,
    Result,
    View,
    Void,
)

RESULT = Result(9, 3, 3, 17, 8, "black", True, True)


class Clock:
    ns = 5_000_000_000

    def __call__(self) -> int:
        return self.ns


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def standing(clock: Clock) -> TableStatus:
    return TableStatus("roulette", clock)


def view(state: str, coup: int = 3, number: Any = None, reason: Any = None) -> View:
    return View(state, coup, coup, CW, number, None, reason)


def test_before_the_loop_begins_nothing_is_known(standing: TableStatus) -> None:
    status = standing.status()
    assert (status["state"], status["rotor_rpm"], status["loop_age_ms"]) == (None, None, None)


def test_bets_are_open_from_the_coups_start_to_its_end(standing: TableStatus) -> None:
    standing.show_view(view("BETS_OPEN", coup=0))
    assert standing.status()["open"] is False  # nobody has begun anything
    for fact, open_after in (
        (CoupStarted(1, 3, 0), True),
        (NoMoreBets(2, 3), True),
        (Void(3, 3, 3, "croupier"), False),
        (CoupStarted(4, 4, 0), True),
        (RESULT, False),
    ):
        standing.take_fact(fact)
        assert standing.status()["open"] is open_after


def test_the_way_of_the_ball_and_what_is_wrong_are_those_of_this_coup(
    standing: TableStatus,
) -> None:
    for fact in (
        CoupStarted(1, 3, 0),
        BallInTrack(2, 3, CCW),
        Fault(3, "W22", ""),
        Fault(4, "L10", ""),
    ):
        standing.take_fact(fact)
    standing.take_fact(Fault(5, "W22", "another"))
    status = standing.status()
    assert (status["ball"], status["faults"]) == ("ccw", ["W22", "L10"])
    standing.take_fact(CoupStarted(6, 4, 0))
    status = standing.status()
    assert (status["ball"], status["faults"]) == (None, [])


def test_a_number_is_told_once_it_may_be_shown_and_not_before(standing: TableStatus) -> None:
    standing.show_view(view("DETECTED"))
    standing.take_fact(RESULT)
    status = standing.status()
    assert (status["number"], status["last_number"], status["result_age_ms"]) == (None, None, None)
    standing.show_view(view("CONFIRMED", number=17))
    status = standing.status()
    assert (status["number"], status["last_number"], status["last_coup"]) == (17, 17, 3)
    assert status["result_age_ms"] == 0
    standing.show_view(view("BETS_OPEN", coup=4))
    status = standing.status()
    assert (status["number"], status["last_number"], status["result_age_ms"]) == (None, 17, None)


def test_a_result_grows_old_also_when_it_is_corrected(standing: TableStatus, clock: Clock) -> None:
    standing.take_fact(RESULT)
    standing.show_view(view("CONFIRMED", number=17))
    clock.ns += 2_500_000_000
    standing.show_view(view("CONFIRMED", number=18))
    status = standing.status()
    assert (status["number"], status["last_number"]) == (18, 18)
    assert status["result_age_ms"] == 2500


def test_a_number_that_stood_before_the_restart_is_no_news(standing: TableStatus) -> None:
    standing.show_view(view("CONFIRMED", number=17))
    status = standing.status()
    assert (status["number"], status["last_number"], status["result_age_ms"]) == (17, 17, None)


def test_a_result_corrected_to_a_void_leaves_no_number(standing: TableStatus) -> None:
    standing.take_fact(RESULT)
    standing.show_view(view("CONFIRMED", number=17))
    standing.show_view(view("VOID", reason="corrected"))
    assert standing.status()["last_number"] is None


@pytest.mark.parametrize(
    ("coup", "number", "last"),
    [(3, 18, (18, 3)), (3, None, (None, None)), (4, 20, (20, 4)), (2, 20, (17, 3))],
)
def test_a_correction_of_a_coup_no_longer_shown_corrects_the_last_number(
    standing: TableStatus, coup: int, number: int | None, last: Any
) -> None:
    standing.show_view(view("CONFIRMED", number=17))
    standing.show_view(view("VOID", coup=4, reason="croupier"))
    standing.show_view(view("BETS_OPEN", coup=5))
    standing.take_fact(Correction(9, coup, 5, coup, number, None, None, None))
    status = standing.status()
    assert (status["last_number"], status["last_coup"]) == last


def test_a_void_leaves_the_number_of_the_coup_before(standing: TableStatus) -> None:
    standing.show_view(view("CONFIRMED", number=17))
    standing.show_view(view("VOID", coup=4, reason="croupier"))
    status = standing.status()
    assert (status["last_number"], status["last_coup"], status["reason"]) == (17, 3, "croupier")


def test_where_the_call_stands_is_told_as_the_core_told_it_last(standing: TableStatus) -> None:
    assert standing.status()["call"] is None
    standing.take_fact(CallProgress(0, 0, None, "new"))
    standing.take_fact(CallProgress(1, 212, 520_000, "learned"))
    told = {"coups": 212, "lead_us": 520_000, "why": "learned"}
    assert standing.status()["call"] == told
    for fact in (CoupStarted(2, 3, 0), BallInTrack(3, 3, CCW), NoMoreBets(4, 3), RESULT):
        standing.take_fact(fact)
        assert standing.status()["call"] == told  # until a coup has ended and the core says more
