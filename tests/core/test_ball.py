"""The ball in the track: laps, direction, speed, and what is not the ball."""

import pytest
from harness.path import Pulse, throw
from hypothesis import given
from hypothesis import strategies as st

import boards
from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.sense.beams import SECOND_BALL, BallTrack
from firmware.core.units import TURN

GEOMETRY = boards.load("roulette_ref")["geometry"]


def seen(pulses: list[Pulse]) -> BallTrack:
    track = BallTrack(GEOMETRY)
    edges = [(begin, beam, 1) for begin, _, beam in pulses]
    edges += [(end, beam, 0) for _, end, beam in pulses]
    for edge in sorted(edges):
        track.edge(*edge)
    return track


speeds = st.floats(0.5, 2.4)


@given(st.sampled_from((CCW, CW)), speeds, st.floats(0.5, 1.0), st.floats(0, 1))
def test_the_direction_and_the_turns_of_a_clean_throw(
    way: int, first: float, share: float, angle: float
) -> None:
    pulses = throw(way, first, max(first * share, 0.4), 8.0, angle)
    track = seen(pulses)
    assert track.direction == way
    steps = round(track.turns_uturn() * 3 / TURN)
    assert abs(track.turns_uturn() - steps * TURN / 3) < 10
    # The launch may cut the first pulse, the end of the throw the last: shorter than a ball.
    assert len(pulses) - 3 <= steps <= len(pulses) - 1
    assert not track.second_ball


@given(st.sampled_from((CCW, CW)), st.sets(st.integers(4, 20), max_size=5))
def test_missed_beams_change_neither_direction_nor_turns(way: int, missed: set[int]) -> None:
    pulses = throw(way, 1.8, 0.7, 12.0)
    kept = [pulse for n, pulse in enumerate(pulses) if n not in missed]
    track = seen(kept)
    assert track.direction == way
    assert abs(track.turns_uturn() - (len(pulses) - 1) * TURN / 3) < 10


@given(st.sampled_from((CCW, CW)), st.integers(0, 2))
def test_a_dead_beam_changes_neither_direction_nor_turns(way: int, dead: int) -> None:
    pulses = throw(way, 1.8, 0.7, 12.0)
    track = seen([pulse for pulse in pulses if pulse[2] != dead])
    assert track.direction == way
    assert abs(track.turns_uturn() - (len(pulses) - 1) * TURN / 3) < TURN * 0.7
    assert track.counts[dead] == 0


@given(st.lists(st.tuples(st.integers(1_000_000, 12_000_000), st.integers(50, 2_000))))
def test_pulses_shorter_than_a_ball_can_make_are_noise(noise: list[tuple[int, int]]) -> None:
    """contracts/trace.md: beam pulses shorter than a ball can make are noise."""
    pulses = throw(CCW, 1.8, 0.7, 12.0)
    busy = [(begin - 3_000, end + 3_000) for begin, end, _ in pulses]
    kept: list[Pulse] = []
    for begin, width in sorted(noise):
        span = (begin, begin + width)
        if all(span[1] < low or span[0] > high for low, high in busy):
            kept.append((*span, 0))
            busy.append((begin - 5_000, span[1] + 5_000))
    track = seen(sorted(pulses + kept))
    assert track.direction == CCW
    assert abs(track.turns_uturn() - (len(pulses) - 1) * TURN / 3) < 10


@given(st.integers(20, 75), st.integers(2, 5))
def test_a_pulse_split_in_two_is_one_ball(first_percent: int, every: int) -> None:
    """FIELD.md: a sensor that flickers is no second ball; a doubled beam must not fool it."""
    pulses: list[Pulse] = []
    whole = throw(CW, 1.8, 0.7, 12.0)
    for n, (begin, end, beam) in enumerate(whole):
        if n % every == 1:
            width = end - begin
            pulses.append((begin, begin + width * first_percent // 100, beam))
            pulses.append((begin + width * (first_percent + 10) // 100, end, beam))
        else:
            pulses.append((begin, end, beam))
    track = seen(pulses)
    assert track.direction == CW
    assert not track.second_ball
    assert abs(track.turns_uturn() - (len(whole) - 1) * TURN / 3) < 10


def test_a_sleeve_over_a_beam_is_no_ball() -> None:
    track = seen([(1_000_000, 1_900_000, 0), (2_500_000, 2_900_000, 1), (3_000_000, 3_300_000, 2)])
    assert track.direction == UNKNOWN
    assert not track.crossings


def test_two_balls_in_the_track_are_seen_as_two() -> None:
    one = throw(CCW, 1.9, 0.8, 12.0)
    other = throw(CCW, 1.5, 0.7, 12.0, angle=0.6)
    assert len(other) > SECOND_BALL
    assert seen(sorted(one + other)).second_ball


def stuck_and_another(stuck_us: int, after_us: int, angle: float) -> list[Pulse]:
    """A ball that stops in the track between two beams, and a quicker one, thrown so much later."""
    first = [pulse for pulse in throw(CCW, 1.2, 0.5, 16.0) if pulse[1] < stuck_us]
    thrown_us = stuck_us + after_us
    other = throw(CCW, 1.35, 0.5, 16.0, angle=angle)
    return first + [(begin + thrown_us, end + thrown_us, beam) for begin, end, beam in other]


@pytest.mark.req("SD-34.no_spin_object")
@pytest.mark.parametrize("after_us", [-900_000, -600_000, -300_000, 0])
@pytest.mark.parametrize("angle", [twelfth / 12 for twelfth in range(12)])
def test_a_ball_that_gains_speed_is_another_one(angle: float, after_us: int) -> None:
    """Seed 15: the first was stuck between two beams, and the second went on as that would have.
    Wherever that one is thrown from: its pulses fit none of the first, or it is too soon."""
    assert seen(sorted(stuck_and_another(6_000_000, after_us, angle))).second_ball


@pytest.mark.parametrize("off_us", [-60_000, 60_000])
@pytest.mark.parametrize("moved", range(9, 15))
def test_one_pulse_that_lies_is_no_second_ball(moved: int, off_us: int) -> None:
    """Of a beam that answers late, or of a hand: that lap is shorter, and no other."""
    pulses = throw(CW, 1.8, 0.7, 12.0)
    begin, end, beam = pulses[moved]
    pulses[moved] = (begin + off_us, end + off_us, beam)
    assert not seen(sorted(pulses)).second_ball


def test_a_single_pulse_has_no_direction() -> None:
    track = seen([(1_000_000, 1_005_000, 0)])
    assert track.direction == UNKNOWN
    assert track.turns_uturn() == 0


@pytest.mark.req("SD-34.four_turns")
def test_four_turns_are_counted_as_four() -> None:
    """South Dakota 20:18:34:05: the ball must complete at least four revolutions."""
    pulses = throw(CW, 1.0, 1.0, 10.0)
    assert seen(pulses[:13]).turns_uturn() == 4 * TURN
    assert seen(pulses[:12]).turns_uturn() < 4 * TURN
