"""Until when the ball may hop about unseen, and no number is given (docs/adr/0016)."""

from __future__ import annotations

import pytest
from harness.places import LINES
from harness.stage import stopped_in
from harness.watched import Watched

from firmware.core.coup import states
from firmware.core.games.roulette import SETTLES_US

PULSE_US = 20_000


def settled_us(watched: Watched) -> int:
    """When the core takes the ball to lie somewhere."""
    when: int = watched.core.game.voter.settled_us
    return when


def seen_again(watched: Watched) -> None:
    """A beam sees what runs as the ball ran, three beams after it was last seen."""
    track = watched.core.game.track
    last, beams = track.crossings[-1], 3
    at_us = last.at_us + beams * track.beam_us()
    watched.edge(at_us - PULSE_US, LINES.index(f"rim{last.beam}"), 1)
    watched.edge(at_us, LINES.index(f"rim{last.beam}"), 0)


@pytest.mark.req("LU-37-1.rest")
def test_a_ball_that_has_left_the_track_is_given_time_to_settle() -> None:
    watched = stopped_in(states.BALL_DROPPED)
    last_us = watched.core.game.track.crossings[-1].at_us
    assert last_us + SETTLES_US < settled_us(watched) < watched.at_us + SETTLES_US


def test_a_beam_that_sees_something_once_more_is_noise_and_twice_is_the_ball() -> None:
    watched = stopped_in(states.BALL_DROPPED)
    before_us = settled_us(watched)
    seen_again(watched)
    assert settled_us(watched) == before_us
    seen_again(watched)
    assert settled_us(watched) == watched.at_us + SETTLES_US
