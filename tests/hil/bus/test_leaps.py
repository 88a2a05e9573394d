"""On a sound line displays hear ahead of time what nothing can change any more, and only that."""

from __future__ import annotations

from firmware.config import Config
from firmware.config.game import choose
from firmware.core.facts import View
from tools.hil.faults.line_fault import CONTROLLER
from tools.hil.line import MemoryLine
from tools.hil.scenario import Scenario
from tools.hil.screen import opened


class Quiet:
    """A world in which a fault begins or ends at `turns_us`, at the soonest."""

    intervals = ()

    def __init__(self, turns_us: int) -> None:
        self.turns_us = turns_us


def line(turns_us: int) -> MemoryLine:
    """One on which the controller has begun to say something, to be heard at 8.7 ms."""
    scenario = Scenario("s", "", "boule", 1, seed=7, displays=2)
    made = MemoryLine(scenario, choose("boule_ref", Config()), Config())
    made.world = Quiet(turns_us)
    made._say(CONTROLLER, bytes(100), 0)
    return made


def test_displays_hear_ahead_of_time_what_nothing_can_change_any_more() -> None:
    made = line(turns_us=10_000)
    made.due_us(0)
    assert not made._due


def test_nobody_hears_ahead_of_time_what_a_fault_may_still_spoil() -> None:
    made = line(turns_us=8_000)
    assert made.due_us(0) <= 8_000
    assert made._due


def test_the_controller_hears_nothing_ahead_of_time() -> None:
    made = line(turns_us=1_000_000)
    made._say(1, bytes(100), 20_000)
    made.due_us(0)
    assert made._far.far.any() == 0
    assert [due.at_us for due in made._due] == [28_681]


def test_what_was_heard_ahead_of_time_is_still_on_the_line() -> None:
    made = line(turns_us=10_000)
    made.due_us(0)
    made._say(CONTROLLER, bytes(10), 5_000)
    assert made._speaking[0].begin_us == 8_681


def test_a_heartbeat_with_noise_before_it_was_said_when_it_was_said() -> None:
    """A zero beside a frame leaves it whole: what the display lights then is not old."""
    made = line(turns_us=1 << 62)
    made.show_view(View("BETS_OPEN", 1, 0, 0, None, None, None))
    for now_us in range(0, 1_000_000, 5_000):
        made.poll(now_us)
    payload, said_us = made._said_us.popitem()
    (framed,) = (one for one in made.past if payload in opened(one))
    screen = made._screens[1]
    screen._fresh_us = 0
    screen.receive(b"\0" + framed, 1_000_000, {payload: said_us})
    assert screen._fresh_us == said_us > 0
