"""How much of the rotor's speed anybody may know, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.api.tachometer import (
    HELD_US,
    SETTLE_US,
    STEP_RPM,
    Tachometer,
    called,
)
from firmware.core.coup import states

PERIOD_US = 10_000
STATES = sorted({state for pair in states.TRANSITIONS.items() for state in (pair[0][0], pair[1])})


def uturn_s(rpm: float) -> int:
    return round(rpm * 1_000_000 / 60)


class Clock:
    ns = 0

    def __call__(self) -> int:
        return self.ns


@pytest.mark.req("LU-house.computer")
def test_before_the_call_the_speed_is_a_step_of_five_and_after_it_exact() -> None:
    """DESIGN section 1: until the call nothing that predicts leaves the core."""
    tachometer = Tachometer(exact_in=called(driven=True))
    for now_us in (0, SETTLE_US):
        tachometer.turns(now_us, uturn_s(-16.48))
    told = {state: tachometer.read().figure_in(state) for state in STATES}
    assert told.pop("NO_MORE_BETS") == told.pop("BALL_DROPPED") == told.pop("DETECTED") == 16.5
    assert set(told.values()) == {15}
    assert {"BETS_OPEN", "BALL_IN_TRACK", "CONFIRMED", "VOID"} <= set(told)


def test_only_states_that_follow_a_call_and_precede_the_number_have_an_exact_speed() -> None:
    """A hand may set the rotor in motion while the last number still stands."""
    never = {states.BETS_OPEN, states.BALL_IN_TRACK, states.CONFIRMED, states.VOID}
    assert not never & set(called(driven=True))


def test_a_hand_may_turn_the_rotor_for_the_next_coup_before_the_number_is_confirmed() -> None:
    assert set(called(driven=True)) - set(called(driven=False)) == {states.DETECTED}


@given(st.lists(st.floats(0, 61), min_size=2, max_size=300), st.integers(1, 600))
def test_no_moment_at_which_the_speed_passes_a_step_is_told(
    speeds: list[float], periods: int
) -> None:
    """What is told while it turns changes at fixed times after it began to turn, never else."""
    tachometer = Tachometer()
    now_us, before = 0, 0.0
    began_us = periods * PERIOD_US
    for rpm in speeds:
        now_us += periods * PERIOD_US
        tachometer.turns(now_us, uturn_s(rpm))
        told = tachometer.read().figure_in(states.BETS_OPEN)
        if uturn_s(rpm) < uturn_s(2.5):
            assert told == 0
            began_us = now_us
        elif told != before:
            assert now_us >= began_us + SETTLE_US
            assert told % STEP_RPM == 0
            # Halfway between two steps either is right.
            assert abs(told - uturn_s(rpm) * 60 / 1_000_000) <= STEP_RPM / 2 + 1e-6
            began_us = now_us + HELD_US - SETTLE_US
        before = told


def test_how_long_the_loop_has_not_come_round_is_known() -> None:
    clock = Clock()
    tachometer = Tachometer(clock)
    assert tachometer.loop_age_ms() is None
    tachometer.turns(0, 0)
    clock.ns = 1_234_000_000
    assert tachometer.loop_age_ms() == 1234
