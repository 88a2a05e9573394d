"""How often the oscilloscope is told: twenty times a second while the wheel moves, else less."""

import json

from firmware.api.scope import Scope
from firmware.core.coup import states
from firmware.core.facts import View

PERIOD_US = 50_000
BEGAN_US = 9_000_000


class Listener:
    """Somebody who wants edges."""

    out_max = 0


def told(seconds, edge_every, state):
    """The frames of so many seconds in which every so many periods have an edge (0: none)."""
    scope = Scope(["enc_a"], [0], 0)
    scope.show_view(View(state, *[None] * (len(View._fields) - 1)))
    scope.add(Listener())
    frames = []
    for at in range(round(seconds * 1_000_000 / PERIOD_US)):
        now_us = BEGAN_US + at * PERIOD_US
        if edge_every and at % edge_every == 0:
            scope.add_edges([(now_us - 1, 0, at // edge_every % 2)])
        scope.drain()
        _, lines = scope.frame(now_us, now_us)
        frames += [json.loads(line) for line in lines]
    return frames


def test_a_rotor_that_makes_an_edge_in_every_period_is_told_twenty_times_a_second():
    assert len(told(2, 1, states.SERVICE)) == 40


def test_a_rotor_too_slow_for_that_is_told_as_often():
    frames = told(2, 3, states.SERVICE)
    assert len(frames) == 40
    assert sum(len(frame["edges"]) for frame in frames) == 14


def test_a_wheel_at_rest_is_told_four_times_a_second():
    assert 8 <= len(told(2, 0, states.SERVICE)) <= 10


def test_what_is_held_back_before_the_call_does_not_show_in_the_pace():
    frames = told(2, 1, states.BETS_OPEN)
    assert 8 <= len(frames) <= 10
    assert all(frame["held"] and not frame["edges"] for frame in frames)
