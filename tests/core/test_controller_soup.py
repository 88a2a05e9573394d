"""What no wheel does: edges at random on every line, requests at any moment, a slow disk.

Held throughout, by harness.watched: one end a coup and in order, numbered without a gap, told
only after its record, a number on a view only when official, the way durable before the motor.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from harness.mess import DELAYS_US, anything, options, soup
from harness.places import LINES
from harness.playing import ROULETTE, in_coups
from harness.watched import ENDS, Watched
from harness.wheel import WheelPlan, WheelSession
from harness.wheel_troubles import BLIND, HARMLESS, HONEST
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware.core import facts
from firmware.core.call import predictor
from firmware.core.coup.restart_state import RestartState


def correction(r: random.Random, at_us: int, *, coups: int) -> Any:
    """One that may make sense, for a wheel that has begun so many coups."""
    number = None if r.random() < 0.3 else r.randrange(-1, 38)
    return facts.CorrectionAsked(at_us, r.randrange(coups + 2), number, None, "x", "y", "z")


def stirred(seed: int, edges: list[tuple[int, int, int]], levels: Any, share: float) -> Watched:
    r, other = random.Random(seed), random.Random(f"corrections {seed}")
    watched = Watched(ROULETTE.controller(**options(seed)), delay_us=DELAYS_US[seed % 4])
    watched.start(levels)
    for edge in edges:
        watched.edge(*edge)
        if r.random() < share:
            watched.event(anything(r, edge[0]))
        if other.random() < share:
            coups = watched.core.view().coup
            watched.event(correction(other, watched.at_us, coups=coups))
    watched.end()
    started = [fact.coup for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    assert [fact.coup for fact in watched.facts if isinstance(fact, ENDS)] == started
    return watched


@pytest.mark.req("UK-3.2.inputs")
@pytest.mark.parametrize("seed", [*range(40), 1010, 1087, 1283])
def test_random_edges_on_every_line_break_nothing(seed: int) -> None:
    watched = stirred(seed, soup(seed, 2_500), [seed >> n & 1 for n in range(11)], 0.01)
    assert not [fact for fact in watched.facts if isinstance(fact, facts.Result) and fact.verified]


def played(seed: int) -> WheelSession:
    session = WheelSession(seed)
    for _ in range(3):
        plan = session.plan()
        _spoil(plan, session.random)
        session.play(plan)
    return session


def _spoil(plan: WheelPlan, r: random.Random) -> None:
    plan.rest_s = r.choice((0.1, 0.3, 2.0))
    plan.reversed = r.random() < 0.9
    plan.lift_after_stop = r.random() < 0.3
    if r.random() < 0.5:
        plan.troubles = r.sample(HARMLESS + HONEST + BLIND, 1)
    if r.random() < 0.2:
        plan.things = [(r.uniform(-0.5, 25), r.uniform(0, 36), r.choice((9.0, 20.0, 39.0)))]
    if r.random() < 0.2:
        plan.hop = (r.uniform(0.5, 6.0), r.choice((-2, -1, 1, 7)))
    if r.random() < 0.2:
        plan.void_button_s = r.uniform(0, 30)


@pytest.mark.parametrize("seed", range(48))
def test_a_wheel_in_a_mess_among_requests_breaks_nothing(seed: int) -> None:
    session = played(seed)
    watched = stirred(seed, session.edges(), session.levels(), 0.002)
    verified = [f for f in watched.facts if not isinstance(f, facts.Result) or f.verified]
    for coup in in_coups(session.truths, verified):
        assert all(
            # With a croupier or a slow disk the ball may lie elsewhere by the time it is told.
            isinstance(end, facts.Void) or end.compartment in [rest[2] for rest in coup.truth.rests]
            for end in coup.ends
        )


@pytest.mark.req("UK-3.2.inputs")
@pytest.mark.parametrize("seed", [*range(100, 140), 1268])
def test_a_wheel_in_a_mess_shows_no_wrong_number(seed: int) -> None:
    session = played(seed)
    assert not ROULETTE.wrong_numbers(ROULETTE.coups(session))


edge = st.tuples(
    st.integers(0, 400_000), st.integers(0, len(LINES) - 1), st.sampled_from((0, 1, 1, 0, -1))
)


@settings(max_examples=150)
@given(st.lists(edge, max_size=120), st.integers(0, 15), st.integers(0, 3))
def test_any_edges_at_all_break_nothing(
    steps: list[tuple[int, int, int]], chosen: int, delay: int
) -> None:
    watched = Watched(ROULETTE.controller(**options(chosen)), delay_us=DELAYS_US[delay])
    watched.start(None)
    at_us = 0
    for after_us, line, level in steps:
        at_us += after_us
        watched.edge(at_us, line, level)
    watched.until(at_us + 400_000_000)
    watched.end()
    assert watched.core.view().number is None


@given(
    st.integers(0, 1000),
    st.integers(0, 1000),
    st.sampled_from((-1, 0, 1)),
    st.booleans(),
    st.none() | st.lists(st.floats(allow_nan=True) | st.integers(), max_size=5),
)
@example(predictor.RECORDED_EACH, 9, 1, False, None)
@example(predictor.RECORDED_EACH + 1, 9, 1, False, None)
def test_any_memory_starts(
    coups: int, seq: int, rotor: int, interrupted: bool, learned: Any
) -> None:
    restart_state = RestartState(
        coups, seq, rotor, 0, coups + 1 if interrupted else 0, learned, None, ()
    )
    watched = Watched(
        ROULETTE.controller(restart_state=restart_state),
        open_coup=coups + 1 if interrupted else None,
    )
    watched.start(None)
    refused = learned is not None or watched.core.table.coup > predictor.RECORDED_EACH
    assert watched.codes == ["W51"] * refused
    assert len(watched.facts) == int(interrupted) + int(refused)
    assert watched.core.view().seq == seq + int(interrupted)
