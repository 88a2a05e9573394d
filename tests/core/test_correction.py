"""Corrections: a disputed outcome is corrected by a new record of two people, never changed.

DESIGN section 4: "A correction is a new record by two authorised people; nothing is ever changed."
"""

from __future__ import annotations

from typing import Any

import pytest
from harness.any_wheel import BOARDS, Wheel
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import facts
from firmware.core.coup import correction, states
from firmware.core.coup.restart_state import LastOutcome, RestartState
from firmware.core.facts import CW, UNKNOWN, fact_line

SLOW_US = 50_000
# A number that the apparatus has once, in one colour: with its compartment.
ONCE = {"roulette_ref": (17, "black"), "vingt_trois_ref": (3, "red"), "boule_ref": (5, "yellow")}


def correct(wheel: Wheel, of: int, number: int | None, colour: str | None = None) -> None:
    wheel.event(
        facts.CorrectionAsked(wheel.at_us, of, number, colour, "anna", "weber", "seen on film")
    )


def corrections(wheel: Wheel) -> list[Any]:
    return [fact for fact in wheel.facts if isinstance(fact, facts.Correction)]


def refusals(wheel: Wheel) -> list[str]:
    return [
        fact.text for fact in wheel.facts if isinstance(fact, facts.Fault) and fact.code == "P10"
    ]


def ended(board: str, **house: Any) -> Wheel:
    """A wheel whose first coup has just got its number."""
    wheel = Wheel(board, **house)
    wheel.until_state(states.CONFIRMED)
    return wheel


def another(wheel: Wheel) -> tuple[int, str]:
    """A number that did not come."""
    shown = wheel.core.view().number
    pairs = zip(wheel.rules["layout"], wheel.rules["colours"], strict=True)
    return next((number, colour) for number, colour in pairs if number != shown)


# --- the coup that is shown -----------------------------------------------------------------------


@pytest.mark.req("IL-660b.no_second")
@pytest.mark.parametrize("board", BOARDS)
def test_a_corrected_number_is_recorded_told_and_shown(board: str) -> None:
    wheel = ended(board)
    before = wheel.core.view()
    number, colour = another(wheel)
    correct(wheel, 1, number, colour)
    (said,) = corrections(wheel)
    kind, body = wheel.durable[-1]
    assert kind == "correction"
    assert body["manual"] == ["anna", "weber"]
    assert (said.coup, said.seq, said.corrects) == (1, 2, 1)
    assert (said.number, said.colour, said.reason) == (number, colour, None)
    view = wheel.core.view()
    assert (view.state, view.number, view.colour, view.seq) == (states.CONFIRMED, number, colour, 2)
    assert before.number != number
    evidence = wheel.evidence()
    assert (evidence["who"], evidence["manager"]) == ("anna", "weber")
    assert evidence["why"] == "seen on film"
    assert "rotor" not in body
    wheel.play_on()
    assert [body["seq"] for kind, body in wheel.durable if kind == "result"] == [1, 3]


@pytest.mark.parametrize("board", BOARDS)
def test_a_number_becomes_void_and_a_void_a_number(board: str) -> None:
    wheel = ended(board)
    number, colour = ONCE[board]
    correct(wheel, 1, None)
    view = wheel.core.view()
    assert (view.state, view.number, view.reason) == (states.VOID, None, "croupier")
    correct(wheel, 1, number, colour)
    view = wheel.core.view()
    assert (view.state, view.number, view.reason, view.seq) == (states.CONFIRMED, number, None, 3)
    first, second = corrections(wheel)
    assert (first.reason, first.number, second.corrects) == ("croupier", None, 2)
    compartment = list(wheel.rules["layout"]).index(number)
    assert second.compartment == (None if board == "boule_ref" else compartment)


def test_the_event_is_a_line_for_everybody() -> None:
    said = facts.Correction(9, 7, 12, 8, 17, 8, "black", None)
    assert dict(fact_line(said)) == {
        "t_us": 9,
        "event": "correction",
        "coup": 7,
        "seq": 12,
        "corrects": 8,
        "number": 17,
        "compartment": 8,
        "colour": "black",
        "reason": None,
    }


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_is_told_or_shown_before_the_correction_is_recorded(board: str) -> None:
    wheel = ended(board)
    before = wheel.core.view()
    wheel.delay_us = SLOW_US
    correct(wheel, 1, *another(wheel))
    wheel.until(wheel.at_us + SLOW_US - 1)
    assert wheel.core.view() == before
    assert not corrections(wheel)
    wheel.until(wheel.at_us + 1)
    assert wheel.core.view().seq == 2


# --- a coup that is not shown ---------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_a_coup_before_the_one_that_is_played_can_be_corrected(board: str) -> None:
    wheel = ended(board)
    number, colour = ONCE[board]
    wheel.until_state(states.NO_MORE_BETS)
    correct(wheel, 1, None)
    view = wheel.core.view()
    assert (view.state, view.coup, view.number) == (states.NO_MORE_BETS, 2, None)
    assert view.seq == 2  # the displays learn of it, and correct their list
    wheel.play_on()
    assert wheel.kinds() == [facts.Result, facts.Result]
    shown = wheel.core.view()
    correct(wheel, 1, number, colour)
    assert corrections(wheel)[-1].corrects == 2
    assert wheel.core.view() == shown, "the number of coup 2 stands, under its own seq"
    correct(wheel, 2, None)
    assert (corrections(wheel)[-1].corrects, corrections(wheel)[-1].seq) == (3, 5)
    assert wheel.core.view().seq == 5


def test_a_correction_while_the_wheel_is_locked_changes_what_stands_and_not_the_lock() -> None:
    wheel = ended("roulette_ref")
    wheel.event(facts.Trouble(wheel.at_us, "M12", ""))
    correct(wheel, 1, None)
    assert wheel.core.state == states.FAULT
    assert corrections(wheel)[0].reason == "croupier"
    wheel.event(facts.ClearAsked(wheel.at_us, "weber"))
    assert wheel.core.state == states.BETS_OPEN
    assert wheel.core.view().seq == 2
    wheel.play_on()
    assert wheel.facts[-1].seq == 3


def test_a_lock_that_comes_before_the_correction_is_durable_stays() -> None:
    wheel = ended("roulette_ref")
    wheel.delay_us = SLOW_US
    correct(wheel, 1, None)
    wheel.event(facts.Trouble(wheel.at_us, "M12", ""))
    wheel.until(wheel.at_us + SLOW_US)
    assert wheel.core.state == states.FAULT
    assert len(corrections(wheel)) == 1


def test_a_coup_may_begin_and_end_while_a_correction_waits_for_the_disk() -> None:
    wheel = ended("roulette_ref")
    wheel.delay_us = 60_000_000
    correct(wheel, 1, None)
    wheel.play_on()
    assert wheel.core.table.closing
    assert not corrections(wheel)
    wheel.end()
    counted = [(kind, body["seq"]) for kind, body in wheel.durable if "seq" in body]
    assert [said for said in counted if said[0] != "evidence"] == [
        ("result", 1),
        ("correction", 2),
        ("result", 3),
    ]
    assert [said.seq for said in corrections(wheel)] == [2]
    assert wheel.core.view().seq == 3


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "number", "colour", "why"),
    [
        (0, 17, None, "there is no coup 0 to correct."),
        (2, 17, None, "there is no coup 2 to correct."),
        (1, 37, None, "there is no 37 here."),
        (1, 17, "red", "17 is black, never red."),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(
    of: int, number: int, colour: str | None, why: str
) -> None:
    wheel = ended("roulette_ref")
    correct(wheel, of, number, colour)
    assert [why in text for text in refusals(wheel)] == [True]
    assert not corrections(wheel)
    assert wheel.durable[-1][0] == "result"


def test_a_number_of_two_colours_needs_one() -> None:
    wheel = ended("vingt_trois_ref")
    correct(wheel, 1, 7)
    assert ["7 is black or red here: say which." in text for text in refusals(wheel)] == [True]
    colour = "black" if wheel.core.view().colour == "red" else "red"
    correct(wheel, 1, 7, colour)
    assert wheel.core.view().colour == colour


def test_what_stands_already_is_no_correction() -> None:
    wheel = ended("roulette_ref")
    correct(wheel, 1, wheel.core.view().number)
    correct(wheel, 1, None)
    correct(wheel, 1, None)
    assert ["what stands for coup 1 already" in text for text in refusals(wheel)] == [True, True]
    assert [said.seq for said in corrections(wheel)] == [2]


def test_an_open_coup_is_no_matter_for_a_correction() -> None:
    wheel = ended("roulette_ref")
    wheel.until_state(states.NO_MORE_BETS)
    correct(wheel, 2, 17)
    assert ["coup 2 has not ended" in text for text in refusals(wheel)] == [True]


def test_nothing_is_corrected_while_an_end_or_another_correction_is_being_recorded() -> None:
    wheel = ended("roulette_ref")
    wheel.until_state(states.BALL_DROPPED)
    wheel.delay_us = 60_000_000
    wheel.event(facts.VoidAsked(wheel.at_us, "anna"))
    correct(wheel, 1, None)
    wheel.until(wheel.at_us + 60_000_000)
    assert wheel.core.state == states.VOID
    correct(wheel, 1, None)
    correct(wheel, 2, 17)
    wheel.end()
    first, second = refusals(wheel)
    assert "the end of the coup is being recorded." in first
    assert "another correction is being recorded." in second
    assert [(said.coup, said.seq) for said in corrections(wheel)] == [(1, 3)]


# --- which record is corrected --------------------------------------------------------------------


class Standing:
    """As much of a Table as `stands` asks."""

    def __init__(self, coup_now: int, seq: int, made: list[tuple[int, int]], is_open: bool) -> None:
        self.coup = coup_now
        self.seq = seq
        self.corrections = made
        self.open = is_open


@given(
    st.integers(0, 50),
    st.lists(st.one_of(st.none(), st.integers(1, 30)), max_size=40),
    st.booleans(),
)
def test_what_a_correction_corrects_is_what_stands(
    earlier: int, happened: list[int | None], is_open: bool
) -> None:
    """`happened`: None is an end, a number a correction of one of the coups so far."""
    coups, seq = earlier, 0
    made: list[tuple[int, int]] = []
    stands: dict[int, int] = {}
    for what in happened:
        seq += 1
        if what is None:
            coups += 1
            stands[coups] = seq
        elif stands:
            of = sorted(stands)[what % len(stands)]
            stands[of] = seq
            made.append((of, seq))
        else:
            seq -= 1
    table = Standing(coups + is_open, seq, made, is_open)
    for of in range(1, coups + 1):
        assert correction.stands(table, of) == stands.get(of), of


def test_a_coup_from_before_the_journal_was_begun_anew_is_out_of_reach() -> None:
    """Its seq is one of another epoch."""
    restart_state = RestartState(40, 3, CW, UNKNOWN, 0, None, LastOutcome(3, 17, "black", None), ())
    wheel = Wheel("roulette_ref", restart_state)
    correct(wheel, 37, 5)
    correct(wheel, 38, 5)
    assert ["coup 37 lies before" in text for text in refusals(wheel)] == [True]
    assert [(said.coup, said.corrects, said.seq) for said in corrections(wheel)] == [(38, 1, 4)]
