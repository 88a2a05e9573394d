"""The stakes of semi-automatic games: closed at the call, sealed into the record of the coup."""

from __future__ import annotations

import pytest
from harness.ledger import Ledger
from harness.playing import ROULETTE
from harness.stage import BTN_VOID, goes_on, press, session_of, stopped_in
from harness.watched import Watched

from firmware.core import facts
from firmware.core.coup import states, timers
from firmware.core.coup.manual import UNDETECTED
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import CW


@pytest.mark.req("LU-37-1.stakes")
def test_the_book_is_closed_at_the_call_and_sealed_into_the_record() -> None:
    book = Ledger()
    session = session_of()
    watched = stopped_in(states.NO_MORE_BETS, session=session, book=book)
    assert book.told == [("begin", 1), ("close", 1)]
    assert ("stakes", book.close(1)) in watched.durable
    goes_on(watched, session)
    (end,) = watched.ends
    assert watched.durable[-1][1]["stakes"] == "5ea1"
    assert book.told[-1] == ("ended", 1, end.number, None)


def test_the_stakes_are_recorded_before_the_result() -> None:
    session = session_of()
    watched = Watched(ROULETTE.controller(book=Ledger()), delay_us=500_000)
    watched.run(session)
    kinds = [kind for kind, _ in watched.durable]
    assert kinds.index("stakes") < kinds.index("result")


def test_the_book_hears_of_an_end_only_when_it_is_durable() -> None:
    book = Ledger()
    watched = stopped_in(states.BALL_DROPPED, book=book)
    watched.delay_us = 1_000_000
    press(watched, BTN_VOID)
    assert book.told[-1][0] == "close"
    watched.until(watched.at_us + 1_000_000)
    assert book.told[-1] == ("ended", 1, None, "croupier")


def test_a_void_after_the_call_carries_the_seal_and_one_before_it_does_not() -> None:
    for state, sealed in ((states.BALL_IN_TRACK, False), (states.NO_MORE_BETS, True)):
        book = Ledger()
        watched = stopped_in(state, book=book)
        press(watched, BTN_VOID)
        assert (watched.durable[-1][1].get("stakes") == "5ea1") == sealed
        assert book.told[-1] == ("ended", 1, None, "croupier")


def test_the_seal_of_one_coup_is_not_in_the_record_of_the_next() -> None:
    book = Ledger()
    session = session_of(2)
    watched = stopped_in(states.CONFIRMED, session=session, book=book)
    book.seal = None
    goes_on(watched, session)
    bodies = [body for kind, body in watched.durable if kind == "result"]
    assert [body.get("stakes") for body in bodies] == ["5ea1", None]
    assert [kind for kind, _ in watched.durable].count("stakes") == 1


def test_while_terminals_take_stakes_no_number_is_entered() -> None:
    """Where the ball lies is seen at the table: with bets still open it could be staked upon."""
    book = Ledger()
    watched = stopped_in(states.BETS_OPEN, book=book)
    entry = facts.ManualEntered(watched.at_us, 17, None, "anna", "weber", "beams dark")
    watched.event(entry)
    assert not watched.ends
    assert book.told == [("begin", 1)]
    assert "void the coup" in watched.facts[-1].text
    press(watched, BTN_VOID)
    assert book.told == [("begin", 1), ("ended", 1, None, "croupier")]


@pytest.mark.parametrize("reason", UNDETECTED)
def test_while_terminals_take_stakes_no_number_is_asked_for(reason: str) -> None:
    book = Ledger()
    watched = stopped_in(states.BALL_IN_TRACK, book=book, undetected="manual")
    watched.core.table.sensors_failed(reason)
    watched.take(watched.at_us, watched.core.table.take_outputs())
    assert book.told == [("begin", 1), ("ended", 1, None, reason)]


def test_what_terminals_staked_after_the_drop_takes_no_part() -> None:
    """The call came too late (C10): whatever number people read could have been staked on."""
    session = session_of()
    watched = stopped_in(states.BALL_IN_TRACK, session=session, book=Ledger(), undetected="manual")
    watched.core.game.predictor.crossed = lambda *_: None  # type: ignore[method-assign]
    watched.core.timers.set(timers.CALL, None)
    goes_on(watched, session)
    assert watched.codes == ["C10"]
    assert [end.reason for end in watched.ends] == ["timeout"]


def test_a_number_that_people_enter_after_the_call_settles_what_was_sealed() -> None:
    book = Ledger()
    watched = stopped_in(states.NO_MORE_BETS, book=book)
    watched.event(facts.ManualEntered(watched.at_us, 17, None, "anna", "weber", "ring dark"))
    assert book.told == [("begin", 1), ("close", 1), ("ended", 1, 17, None)]
    assert watched.durable[-1][1]["stakes"] == "5ea1"


def test_the_end_of_a_coup_that_a_restart_interrupted_is_told_to_a_new_book() -> None:
    book = Ledger()
    restart_state = FRESH._replace(coup=6, seq=6, rotor=CW, open_coup=7)
    watched = Watched(ROULETTE.controller(restart_state=restart_state, book=book), open_coup=7)
    watched.start(None)
    assert book.told == [("ended", 7, None, "interrupted")]
    assert "stakes" not in watched.durable[-1][1]


def test_the_end_of_a_coup_that_a_restart_interrupted_after_its_call_carries_the_seal() -> None:
    book = Ledger()
    book.closed.append(7)
    restart_state = FRESH._replace(coup=6, seq=6, rotor=CW, open_coup=7)
    watched = Watched(ROULETTE.controller(restart_state=restart_state, book=book), open_coup=7)
    watched.start(None)
    assert watched.durable[-1][1]["stakes"] == "5ea1"


@pytest.mark.parametrize("present", [True, False])
def test_who_is_at_the_table_is_recorded(present: bool) -> None:
    """Luxembourg art. 20-1: « nécessitant l’intervention d’au moins un employé »."""
    book = Ledger()
    watched = Watched(ROULETTE.controller(book=book))
    watched.start(None)
    watched.event(facts.EmployeePresent(1, "anna", present))
    assert book.told == [("employee", "anna", present)]
    assert watched.durable == [("employee", {"who": "anna", "present": present})]
    (told,) = watched.facts
    assert (type(told), told.present) == (facts.Employees, ["anna"] if present else [])


def test_money_is_entered_once_it_is_durable_and_told_with_whose_request_it_was() -> None:
    """Luxembourg art. 62: « argent comptant »."""
    book = Ledger()
    watched = Watched(ROULETTE.controller(book=book))
    watched.start(None)
    given = {"account": 1, "cents": 500, "who": "anna", "ref": "a1"}
    watched.event(facts.EntryAsked(1, "deposit", given))
    assert book.told == [("entry", "deposit"), ("entered", "money")]
    assert watched.durable == [("money", given)]
    (told,) = watched.facts
    assert (told.kind, told.body, told.ref) == ("money", given, "a1")


def test_money_that_the_book_refuses_is_not_entered() -> None:
    book = Ledger()
    book.refusal = "there is no account 1."
    watched = Watched(ROULETTE.controller(book=book))
    watched.start(None)
    watched.event(facts.EntryAsked(1, "deposit", {"account": 1, "who": "anna"}))
    assert watched.durable == []
    assert "there is no account 1." in watched.facts[0].text


def test_who_is_signed_off_by_an_employee_is_recorded() -> None:
    book = Ledger()
    watched = Watched(ROULETTE.controller(book=book))
    watched.start(None)
    watched.event(facts.UnseatAsked(1, "anna", 2, "has left"))
    assert book.told == [("unseat", 2, "has left")]
    body = {"coup": 0, "who": "anna", "why": "has left", "terminal": 2, "player": "bert"}
    assert watched.durable == [("unseated", body)]
    assert not watched.facts


def test_nobody_is_signed_off_where_no_terminal_is_played() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    watched.event(facts.UnseatAsked(1, "anna", 2, "has left"))
    assert not watched.durable
    assert "no terminal is played at this table" in watched.facts[0].text


def test_what_the_book_refuses_is_refused_in_its_words() -> None:
    book = Ledger()
    book.refusal = "a coup is open."
    watched = Watched(ROULETTE.controller(book=book))
    watched.start(None)
    watched.event(facts.EmployeePresent(1, "anna", False))
    assert "a coup is open." in watched.facts[0].text
    assert not watched.durable


def test_without_terminals_nobody_need_come() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    watched.event(facts.EmployeePresent(1, "anna", True))
    assert "no terminal" in watched.facts[0].text
    assert not watched.durable
