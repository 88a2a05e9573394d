"""What no plate does: edges at random, spoiled sessions, requests at any moment, a slow disk.

Held throughout, by harness.watched: one end a coup and in order, numbered without a gap, told
only after its record, a number on a view only when official, the way durable before the motor.
"""

from __future__ import annotations

import random

import pytest
from harness.mess import DELAYS_US, anything, options, soup
from harness.places import LINES
from harness.plate import PlateSession
from harness.playing import VINGT_TROIS
from harness.watched import Watched
from harness.wheel_troubles import BLIND, HARMLESS, HONEST

from firmware.core import facts

TROUBLES = tuple(HARMLESS) + tuple(BLIND) + tuple(HONEST)


def session_in_a_mess(seed: int) -> PlateSession:
    session = PlateSession(seed)
    r = random.Random(seed)
    for _ in range(4):
        plan = session.plan()
        if r.random() < 0.7:
            plan.troubles.append(r.choice(TROUBLES))
        plan.reversed = r.random() < 0.8
        plan.balls = r.choice((0, 1, 1, 1, 1, 2))
        plan.hop = r.choice((None, None, (r.uniform(0.0, 6.0), r.randrange(1, 27))))
        plan.press_s = r.choice((plan.press_s, plan.press_s, None, -r.uniform(0.0, 5.0)))
        session.play(plan)
    return session


@pytest.mark.parametrize("seed", range(60))
def test_no_number_is_wrong_in_a_mess(seed: int) -> None:
    session = session_in_a_mess(seed)
    assert not VINGT_TROIS.wrong_numbers(VINGT_TROIS.coups(session))


@pytest.mark.parametrize("seed", range(32))
def test_a_plate_in_a_mess_among_requests_breaks_nothing(seed: int) -> None:
    session = session_in_a_mess(seed + 1000)
    r = random.Random(seed)
    watched = Watched(VINGT_TROIS.controller(**options(seed)), delay_us=DELAYS_US[seed % 4])
    watched.start(session.levels())
    for edge in session.edges():
        watched.edge(*edge)
        if r.random() < 0.0005:
            watched.event(anything(r, edge[0], number=13))
    watched.end()
    starts = sum(isinstance(fact, facts.CoupStarted) for fact in watched.facts)
    ends = sum(isinstance(fact, (facts.Result, facts.Void)) for fact in watched.facts)
    assert starts == ends


@pytest.mark.parametrize("seed", range(32))
def test_random_edges_on_every_line_break_nothing(seed: int) -> None:
    r = random.Random(seed)
    watched = Watched(VINGT_TROIS.controller(**options(seed)), delay_us=DELAYS_US[seed % 4])
    watched.start([r.randrange(2) for _ in LINES])
    for edge in soup(seed, 1_500):
        watched.edge(*edge)
        if r.random() < 0.01:
            watched.event(anything(r, edge[0]))
    watched.end()
    assert not any(isinstance(fact, facts.Result) and fact.verified for fact in watched.facts)
