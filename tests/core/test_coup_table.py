"""A coup is one table; what it lacks does not happen (DESIGN section 1)."""

import itertools

import pytest
from harness.state_table import check_names, check_step

from firmware.core.coup import states

STATES = (
    "BETS_OPEN BALL_IN_TRACK NO_MORE_BETS BALL_DROPPED DETECTED CONFIRMED MANUAL VOID FAULT "
    "SERVICE".split()
)
HAPPENINGS = (
    states.COUP_STARTED,
    states.BALL_LAUNCHED,
    states.CALL_DUE,
    states.BALL_LEFT_TRACK,
    states.NUMBER_VERIFIED,
    states.NUMBER_ENTERED,
    states.UNDETECTED,
    states.RESULT_RECORDED,
    states.VOIDED,
    states.LOCKED,
    states.CLEARED,
    states.NUMBER_CORRECTED,
    states.VOID_CORRECTED,
    states.TAKEN_OUT,
    states.PUT_BACK,
)


@pytest.mark.parametrize(("state", "happening"), list(itertools.product(STATES, HAPPENINGS)))
def test_what_is_absent_from_the_table_leads_nowhere(state: str, happening: str) -> None:
    check_step(states.TRANSITIONS, states.after, STATES, (state, happening))


def test_the_table_speaks_of_known_states_and_happenings_only() -> None:
    check_names(states.TRANSITIONS, STATES, HAPPENINGS)


def test_nothing_but_a_record_makes_a_number_official() -> None:
    """DESIGN section 4: each coup durable before it is shown."""
    ways = {way for way, state in states.TRANSITIONS.items() if state == states.CONFIRMED}
    assert {happening for _, happening in ways} == {states.RESULT_RECORDED, states.NUMBER_CORRECTED}


@pytest.mark.req("IL-660b.no_second")
def test_a_confirmed_number_is_never_void_after() -> None:
    """Illinois 3000.660(b): no second decision on an outcome."""
    assert states.after(states.CONFIRMED, states.VOIDED) is None
    assert states.after(states.VOID, states.NUMBER_ENTERED) is None
    assert states.after(states.CONFIRMED, states.NUMBER_ENTERED) is None


def test_no_number_is_verified_before_the_call_and_the_drop() -> None:
    """Luxembourg art. 37-1: « Dès lors, aucun enjeu ne peut plus être placé sur le tableau. »"""
    before = [
        state for state, happening in states.TRANSITIONS if happening == states.NUMBER_VERIFIED
    ]
    assert before == [states.BALL_DROPPED]
    assert states.after(states.BALL_IN_TRACK, states.BALL_LEFT_TRACK) is None


@pytest.mark.req("UK-4.1.locked")
def test_a_lock_ends_only_when_cleared() -> None:
    """UK technical requirements 4.1: a fault locks the table until cleared."""
    leave = {happening for state, happening in states.TRANSITIONS if state == states.FAULT}
    assert leave == {states.CLEARED}


def test_every_open_state_can_be_void() -> None:
    """DESIGN section 1: a coup is void when the croupier says so."""
    ended = (states.CONFIRMED, states.VOID, *states.OUT_OF_PLAY)
    for state in set(STATES) - set(ended):
        assert states.after(state, states.VOIDED) == states.VOID


def test_only_after_the_call_are_people_asked_for_the_number() -> None:
    """French arrêté of 14 May 2007, art. 67-5."""
    before = {state for state, happening in states.TRANSITIONS if happening == states.UNDETECTED}
    assert before == {states.NO_MORE_BETS, states.BALL_DROPPED, states.DETECTED}


def test_every_state_can_be_reached() -> None:
    reached = set(states.STARTS)
    for _ in STATES:
        reached |= {to for (state, _), to in states.TRANSITIONS.items() if state in reached}
    assert reached == set(STATES)
