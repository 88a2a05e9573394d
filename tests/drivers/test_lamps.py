import pytest

from drivers.lamps import Lamps
from firmware.core.cards import states as card_states
from firmware.core.coup import states as coup_states
from firmware.shims.virtual import VirtualMachine


@pytest.fixture
def lit():
    machine = VirtualMachine()
    pins = [machine.Pin(pin, machine.Pin.OUT) for pin in (23, 24, 25)]
    lamps = Lamps(bets_open=pins[0], no_more_bets=pins[1], fault=pins[2])

    def show(state):
        lamps.light(state)
        return tuple(machine.level(pin) for pin in (23, 24, 25))

    return show


@pytest.mark.req("LU-37-1.open")
def test_bets_stay_open_while_the_ball_is_held_in_the_track(lit):
    assert [lit(state) for state in (coup_states.BETS_OPEN, coup_states.BALL_IN_TRACK)] == [
        (1, 0, 0)
    ] * 2


@pytest.mark.req("LU-37-1.closed")
def test_no_more_bets_burns_from_the_call_to_the_number(lit):
    states = (
        coup_states.NO_MORE_BETS,
        coup_states.BALL_DROPPED,
        coup_states.DETECTED,
        coup_states.MANUAL,
    )
    assert [lit(state) for state in states] == [(0, 1, 0)] * 4


def test_between_a_result_and_the_next_coup_no_lamp_burns(lit):
    assert [lit(state) for state in (coup_states.CONFIRMED, coup_states.VOID)] == [(0, 0, 0)] * 2


@pytest.mark.req("UK-4.1.shown")
def test_a_fault_and_a_state_nobody_knows_burn_the_fault_lamp(lit):
    assert [lit(state) for state in (coup_states.FAULT, "BALL_STOLEN")] == [(0, 0, 1)] * 2


def test_no_more_bets_burns_while_a_round_of_cards_is_played(lit):
    played = ("DEALING", "INSURANCE", "PLAYING", "DEALER", "DONE", "HOLD")
    assert [lit(state) for state in played] == [(0, 1, 0)] * 6
    assert [lit(state) for state in ("NO_SHOE", "BETS_OPEN", "CONFIRMED", "VOID", "FAULT")] == [
        (0, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 1),
    ]  # fmt: skip
    states = {state for state, _ in card_states.TRANSITIONS} | set(card_states.TRANSITIONS.values())
    assert {state for state in states if lit(state) == (0, 0, 1)} == {card_states.FAULT}


def test_every_state_of_the_table_has_its_lamps(lit):
    states = {state for state, _ in coup_states.TRANSITIONS} | set(coup_states.TRANSITIONS.values())
    assert {state for state in states if lit(state) == (0, 0, 1)} == set(coup_states.OUT_OF_PLAY)
