"""A call that provably came too late is one, though a prediction made it."""

from __future__ import annotations

import pytest
from bench_wheel import Session
from core_bench import Watched, controller
from core_stage import codes, ends
from taught import COUPS, remembering

from firmware.core import facts

PROVEN_US = 1_000_000  # 1.5 beams of this ball


@pytest.mark.parametrize("call_us", [0, 1_000_000])
def test_a_call_that_ends_after_the_missing_beam_is_void(call_us: int) -> None:
    """Art. 37-1: no bet once the ball's speed does not hold it in the track."""
    session = Session(6, wheel="W1")
    session.w_c["W1"] *= 1.2  # it lets go far earlier than it was learned to
    for _ in range(12):
        session.play(session.plan())
    watched = Watched(controller(memory=remembering(), call_us=call_us))
    watched.run(session)
    calls = [one for one in watched.facts if isinstance(one, facts.NoMoreBets)]
    proven = 0
    for truth, end in zip(session.truths, ends(watched), strict=True):
        called = [one.at_us for one in calls if one.coup == end.coup]
        if called and called[0] + call_us > truth.drop_us + PROVEN_US:
            proven += 1
            assert isinstance(end, facts.Void) and end.reason == "timeout"
    assert proven
    assert codes(watched).count("C10") >= proven
    assert ends(watched)[0].coup == COUPS + 1
