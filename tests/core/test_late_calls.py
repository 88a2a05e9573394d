"""A call that provably came too late is one, though a prediction made it."""

from __future__ import annotations

import pytest
from harness.playing import ROULETTE
from harness.stage import session_of, stopped_in
from harness.taught import COUPS, remembering
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.call import predictor
from firmware.core.coup import states

PROVEN_US = 1_000_000  # 1.5 beams of this ball


@pytest.mark.req("LU-37-1.call")
@pytest.mark.parametrize("call_us", [0, 1_000_000, 4_000_000])  # the longest begin in time
def test_a_call_that_ends_after_the_missing_beam_is_void(call_us: int) -> None:
    """Art. 37-1: no bet once the ball's speed does not hold it in the track."""
    session = WheelSession(6, wheel="W1")
    session.w_c["W1"] *= 1.2  # it lets go far earlier than it was learned to
    for _ in range(12):
        session.play(session.plan())
    watched = Watched(ROULETTE.controller(restart_state=remembering(), call_us=call_us))
    watched.run(session)
    calls = [one for one in watched.facts if isinstance(one, facts.NoMoreBets)]
    proven = 0
    for truth, end in zip(session.truths, watched.ends, strict=True):
        called = [one.at_us for one in calls if one.coup == end.coup]
        if called and called[0] + call_us > truth.drop_us + PROVEN_US:
            proven += 1
            assert isinstance(end, facts.Void) and end.reason == "timeout"
    assert proven
    # Not called struck: what was learned does not hold, and the margin is earned anew.
    assert watched.core.game.call_progress(0).why == predictor.RELEARNING
    assert watched.codes.count("C10") >= proven
    assert watched.ends[0].coup == COUPS + 1


def test_what_a_late_call_taught_is_told_before_the_next_coup() -> None:
    """Its void is durable at once, and ends the coup before all of it is learned."""
    session = WheelSession(6, wheel="W1")
    session.w_c["W1"] *= 1.2
    session.play(session.plan())
    watched = Watched(ROULETTE.controller(restart_state=remembering()))
    watched.play(session)
    assert watched.codes == ["C10"] and len(watched.ends) == 1
    told = [order for order in watched.orders if isinstance(order, facts.CallProgress)]
    assert told[-1].coups == COUPS + 1
    assert told[-1][1:] == watched.core.game.call_progress(0)[1:]


@pytest.mark.req("LU-37-1.call")
def test_a_call_that_the_machine_told_late_is_void_and_teaches_nothing() -> None:
    """The core's own time knows nothing of it (firmware.loop.CALL_LATE_US)."""
    watched = stopped_in(states.NO_MORE_BETS, session=session_of(), restart_state=remembering())
    watched.event(facts.Trouble(watched.at_us, "C11", "230"))
    assert watched.codes == ["C11"]
    assert [end.reason for end in watched.ends] == ["timeout"]
    assert watched.core.game.call_progress(0).why != predictor.RELEARNING


@pytest.mark.parametrize("state", [states.BETS_OPEN, states.BALL_DROPPED, states.DETECTED])
def test_a_call_told_late_ends_the_coup_whatever_was_seen_meanwhile(state: str) -> None:
    watched = stopped_in(state, confirm="croupier")
    watched.event(facts.Trouble(watched.at_us, "C11", "230"))
    assert [end.reason for end in watched.ends] == ["timeout"]


@pytest.mark.req("LU-37-1.call")
def test_a_ball_struck_off_the_track_beside_its_call_is_void_and_teaches_nothing() -> None:
    """Whether it left before the call or after it nobody can know. On a new wheel any that leaves
    so early was struck; on others test_drop.py tells which."""
    found = stopped_in(states.NO_MORE_BETS, session=session_of())
    struck = session_of()
    for beam in ("rim0", "rim1", "rim2"):
        struck.cut[beam].append((found.at_us / 1e6, struck.truths[0].end_us / 1e6))
    watched = Watched(ROULETTE.controller())
    watched.run(struck)
    assert watched.codes == ["C10"]
    assert [end.reason for end in watched.ends] == ["timeout"]
    assert not [kind for kind, _ in watched.durable if kind == "learned"]
    assert watched.core.game.call_progress(0).why != predictor.RELEARNING
