"""A coup is one table; what it lacks does not happen (DESIGN section 1, STYLE 3)."""

import itertools

import pytest

from firmware.core import coup

STATES = (
    "BETS_OPEN BALL_IN_TRACK NO_MORE_BETS BALL_DROPPED DETECTED CONFIRMED MANUAL VOID FAULT "
    "SERVICE".split()
)
HAPPENINGS = (
    coup.COUP_STARTED,
    coup.BALL_LAUNCHED,
    coup.CALL_DUE,
    coup.BALL_LEFT_TRACK,
    coup.NUMBER_VERIFIED,
    coup.NUMBER_ENTERED,
    coup.UNDETECTED,
    coup.RESULT_RECORDED,
    coup.VOIDED,
    coup.LOCKED,
    coup.CLEARED,
    coup.NUMBER_CORRECTED,
    coup.VOID_CORRECTED,
    coup.TAKEN_OUT,
    coup.PUT_BACK,
)


@pytest.mark.parametrize(("state", "happening"), list(itertools.product(STATES, HAPPENINGS)))
def test_what_is_absent_from_the_table_leads_nowhere(state: str, happening: str) -> None:
    expected = coup.TRANSITIONS.get((state, happening))
    assert coup.after(state, happening) == expected
    assert expected is None or expected in STATES


def test_the_table_speaks_of_known_states_and_happenings_only() -> None:
    for (state, happening), next_state in coup.TRANSITIONS.items():
        assert state in STATES
        assert next_state in STATES
        assert happening in HAPPENINGS


def test_nothing_but_a_record_makes_a_number_official() -> None:
    """DESIGN section 4: each coup durable before it is shown."""
    ways = {way for way, state in coup.TRANSITIONS.items() if state == coup.CONFIRMED}
    assert {happening for _, happening in ways} == {coup.RESULT_RECORDED, coup.NUMBER_CORRECTED}


@pytest.mark.req("IL-660b.no_second")
def test_a_confirmed_number_is_never_void_after() -> None:
    """Illinois 3000.660(b): no second decision on an outcome."""
    assert coup.after(coup.CONFIRMED, coup.VOIDED) is None
    assert coup.after(coup.VOID, coup.NUMBER_ENTERED) is None
    assert coup.after(coup.CONFIRMED, coup.NUMBER_ENTERED) is None


def test_no_number_is_verified_before_the_call_and_the_drop() -> None:
    """Luxembourg art. 37-1: « Dès lors, aucun enjeu ne peut plus être placé sur le tableau. »"""
    before = [state for state, happening in coup.TRANSITIONS if happening == coup.NUMBER_VERIFIED]
    assert before == [coup.BALL_DROPPED]
    assert coup.after(coup.BALL_IN_TRACK, coup.BALL_LEFT_TRACK) is None


@pytest.mark.req("UK-4.1.locked")
def test_a_lock_ends_only_when_cleared() -> None:
    """UK technical requirements 4.1: a fault locks the table until cleared."""
    leave = {happening for state, happening in coup.TRANSITIONS if state == coup.FAULT}
    assert leave == {coup.CLEARED}


def test_every_open_state_can_be_void() -> None:
    """DESIGN section 1: a coup is void when the croupier says so."""
    ended = (coup.CONFIRMED, coup.VOID, *coup.OUT_OF_PLAY)
    for state in set(STATES) - set(ended):
        assert coup.after(state, coup.VOIDED) == coup.VOID


def test_only_after_the_call_are_people_asked_for_the_number() -> None:
    """French arrêté of 14 May 2007, art. 67-5."""
    before = {state for state, happening in coup.TRANSITIONS if happening == coup.UNDETECTED}
    assert before == {coup.NO_MORE_BETS, coup.BALL_DROPPED, coup.DETECTED}


def test_every_state_can_be_reached() -> None:
    reached = set(coup.STARTS)
    for _ in STATES:
        reached |= {to for (state, _), to in coup.TRANSITIONS.items() if state in reached}
    assert reached == set(STATES)
