"""One ball, crossing by crossing: missed beams, flickers, a track that is lost."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import pytest
from call_balls import balls, kept
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.call.ball_tracker import FOLLOWED_TURN_S, SEEN_MAX, BallTracker
from firmware.core.call.curve import PRIOR_TURN_S2
from firmware.core.call.direction_model import DirectionModel
from firmware.core.sense.beams import KEPT, Crossing
from firmware.core.units import TURN


def rolling(speed: float, crossings: int, *, beams: int = 3, since_us: int = 0) -> list[Crossing]:
    """A ball that slows as a new wheel expects it to, without noise."""
    found = []
    for n in range(crossings):
        way = n / beams
        time = (speed - sqrt(speed * speed - 2 * PRIOR_TURN_S2 * way)) / PRIOR_TURN_S2
        found.append(Crossing(since_us + round(time * 1e6), n % beams, n * TURN // beams))
    return found


def speed_at(crossing: Crossing, speed: float) -> float:
    return sqrt(speed * speed - 2 * PRIOR_TURN_S2 * crossing.turned_uturn / TURN)


def follow(crossings: Sequence[Crossing], beams: int = 3) -> BallTracker:
    tracker = BallTracker(DirectionModel(beams))
    for last in range(1, len(crossings) + 1):
        tracker.update(crossings[max(last - KEPT, 0) : last])
    return tracker


@pytest.mark.parametrize("beams", [1, 3, 8])
def test_it_knows_the_speed_that_the_ball_has(beams: int) -> None:
    crossings = rolling(1.0, 6 * beams, beams=beams)
    known = follow(crossings, beams).known
    assert known.crossing == crossings[-1]
    assert known.motion.speed == pytest.approx(speed_at(crossings[-1], 1.0), rel=2e-3)
    assert len(known.laps) == min(5 * beams, SEEN_MAX)
    lap_us = crossings[-1].at_us - crossings[-1 - beams].at_us
    assert known.laps[-1] == (crossings[-1].at_us, pytest.approx(lap_us / 1e6))


def test_before_a_whole_lap_it_knows_nothing() -> None:
    assert follow(rolling(1.0, 3)).known.motion is None
    assert follow(rolling(1.0, 4)).known.motion is not None


@pytest.mark.parametrize("missed", [[9], [9, 10], [8, 12], [14]])
def test_missed_beams_cost_no_more_than_what_they_would_have_told(missed: list[int]) -> None:
    crossings = rolling(1.0, 16)
    seen = [one for n, one in enumerate(crossings) if n not in missed]
    known = follow(seen).known
    assert known.motion.speed == pytest.approx(speed_at(crossings[-1], 1.0), rel=2e-3)
    assert known.seen[-1].beam == (None if missed == [14] else crossings[-1].beam)


def test_the_deceleration_is_learned_of_whole_laps_only() -> None:
    crossings = rolling(1.0, 16)
    lessons = follow(crossings).known.lessons
    assert len(lessons) == 16 - 4  # from the fifth crossing on
    for speed, deceleration in lessons:
        assert deceleration == pytest.approx(PRIOR_TURN_S2, rel=1e-3)
        assert 0.4 < speed < 1.0
    gone = [one for n, one in enumerate(crossings) if n != 9]
    # Every lap that would begin or end at the missed beam is missing.
    assert len(follow(gone).known.lessons) == len(lessons) - 3


@given(st.lists(st.integers(-40_000, 40_000), min_size=1, max_size=3), st.integers(5, 14))
def test_a_flickered_crossing_taken_back_is_as_if_never_told(
    shifts: list[int], flickered: int
) -> None:
    """beams.BallTrack judges a pulse that flickers again, and then its last crossing is another."""
    crossings = rolling(1.0, 16)
    tracker = BallTracker(DirectionModel(3))
    for last in range(1, len(crossings) + 1):
        so_far = crossings[:last]
        if last == flickered:
            end = so_far[-1]
            for shift in shifts:
                tracker.update([*so_far[:-1], end._replace(at_us=end.at_us + shift)])
        tracker.update(so_far)
    assert tracker.known == follow(crossings).known


def test_a_crossing_told_twice_counts_once() -> None:
    crossings = rolling(1.0, 12)
    tracker = BallTracker(DirectionModel(3))
    for last in range(1, len(crossings) + 1):
        for _ in range(2):
            tracker.update(crossings[:last])
    assert tracker.known == follow(crossings).known


def test_a_lost_track_keeps_the_old_estimate_until_a_lap_is_known_anew() -> None:
    """beams.BallTrack begins again with one crossing after misfits in a row."""
    crossings = rolling(1.0, 20)
    tracker = follow(crossings[:10])
    known = tracker.known
    for last in range(13, 16):
        tracker.update(crossings[12:last])
        assert tracker.known == known
    tracker.update(crossings[12:16])
    assert tracker.known.crossing == crossings[15]
    assert tracker.known.seen == () and len(tracker.known.laps) == len(known.laps) + 1
    assert tracker.known.motion.speed == pytest.approx(speed_at(crossings[15], 1.0), rel=0.01)
    tracker.update(crossings[12:17])
    assert len(tracker.known.seen) == 1


def test_a_ball_thrown_again_is_followed_at_its_new_speed() -> None:
    slow = rolling(0.6, 8)
    again = rolling(1.1, 10, since_us=slow[-1].at_us + 1_000_000)
    tracker = follow(slow)
    for last in range(1, len(again) + 1):
        tracker.update(again[:last])
    assert tracker.known.motion.speed == pytest.approx(speed_at(again[-1], 1.1), rel=5e-3)


def test_a_fast_ball_is_taken_up_anew_at_each_lap() -> None:
    """It may still skid (PHYSICS.md): what it does says nothing of how it will slow."""
    crossings = rolling(2.0, 12)
    for last in range(4, 13):
        known = follow(crossings[:last]).known
        lap = 1.0 / known.laps[-1].lap_s
        assert (known.seen == ()) == (lap > FOLLOWED_TURN_S)


@pytest.mark.parametrize("wheel", ["W1", "W2"])
def test_real_crossings_with_missed_beams_are_followed_to_the_end(wheel: str) -> None:
    """Told all the way, and by what beams.BallTrack still keeps at the end: what came before those
    two laps hardly counts."""
    for ball in balls(wheel, 12, seed=6, missed=0.05):
        told = BallTracker(DirectionModel(3))
        for seen in kept(ball.crossings):
            told.update(seen)
        late = follow(ball.crossings[-KEPT:])
        assert told.known.crossing == late.known.crossing == ball.crossings[-1]
        assert late.known.motion.speed == pytest.approx(told.known.motion.speed, rel=0.02)
        assert len(told.known.seen) <= SEEN_MAX
