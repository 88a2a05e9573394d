"""Where the ball was last seen, and whether it lay or ran there."""

from __future__ import annotations

import pytest

import boards
from firmware.core.sense.presence import Presence
from firmware.core.sense.ring import Detection, RingSensors
from firmware.core.sense.rotor import RotorEncoder

GEOMETRY = boards.load("vingt_trois_ref")["geometry"]


def presence() -> Presence:
    rotor = RotorEncoder(cycles=36)
    return Presence(rotor, RingSensors(GEOMETRY, compartments=27, rotor=rotor))


def seen_in(here: Presence, *compartments: int) -> None:
    """One detection after the other, 700 ms apart."""
    for number, compartment in enumerate(compartments):
        here.in_ring(
            Detection(number * 700_000, number % 3, compartment, 0, 13_000, number * 333_000)
        )


def test_a_ball_seen_four_times_in_one_case_lies_there() -> None:
    here = presence()
    seen_in(here, 5, 5, 5)
    assert not here.rests()
    assert here.place() is None
    seen_in(here, 5)
    assert here.rests()
    assert here.place() == 5


def test_a_ball_that_hops_from_case_to_case_lies_nowhere() -> None:
    here = presence()
    seen_in(here, 5, 9, 5, 5, 20, 5)
    assert here.rests()  # four of the last six
    seen_in(here, 20)
    assert not here.rests()


def test_of_two_things_that_lie_there_both_are_seen_to() -> None:
    here = presence()
    seen_in(here, 5, 9, 5, 9, 5, 9, 5, 9)
    assert here.place() == 9
    seen_in(here, 5)
    assert here.place() == 5


def test_a_ball_that_a_beam_saw_last_runs_and_lies_nowhere() -> None:
    here = presence()
    seen_in(here, 5, 5, 5, 5)
    assert not here.runs(3_000_000)
    here.in_track(3_000_000)
    assert here.runs(10_999_999)
    assert not here.runs(11_000_000)
    assert here.place() is None
    assert here.seen_since(2_999_999)
    assert not here.seen_since(3_000_000)


@pytest.mark.parametrize(
    ("at_us", "turns", "about"),
    [
        (3_999_999, 0.1, True),
        (3_999_999, 2.0, True),
        (9_000_000, 1.1, True),
        (4_000_000, 1.2, False),
    ],
)
def test_a_ball_that_a_beam_saw_is_gone_once_time_and_ring_would_have_shown_it(
    at_us: int, turns: float, about: bool
) -> None:
    rotor = RotorEncoder(cycles=36)
    here = Presence(rotor, RingSensors(GEOMETRY, compartments=27, rotor=rotor))
    here.in_track(0)
    rotor.travelled = round(turns * rotor.steps_turn) + (not about)
    assert here.about(at_us) is about
