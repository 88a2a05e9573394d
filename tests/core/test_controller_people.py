"""What people may do, and when: confirm, coup nul, restarts."""

from __future__ import annotations

from typing import Any

import pytest
from harness.playing import ROULETTE, in_coups
from harness.stage import BTN_START, BTN_VOID, OPEN, goes_on, press, session_of, stopped_in
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import CCW

# --- confirming -----------------------------------------------------------------------------------


@pytest.mark.req("FR-46.verified")
def test_a_detected_number_is_official_only_when_the_croupier_confirms() -> None:
    """FIELD.md, Luxembourg and France: the croupier verifies the detected number."""
    session = session_of()
    watched = stopped_in(states.DETECTED, session=session, confirm="croupier")
    goes_on(watched, session)
    assert not watched.ends
    assert watched.core.view().number is None
    watched.event(facts.ConfirmAsked(watched.at_us, "anna"))
    assert [type(end) for end in watched.ends] == [facts.Result]
    assert watched.core.view().number == watched.ends[0].number
    assert watched.evidence()["who"] == "anna"


def test_the_start_button_confirms_a_detected_number_and_starts_nothing() -> None:
    watched = stopped_in(states.DETECTED, confirm="croupier", driven=True)
    press(watched, BTN_START)
    assert [type(end) for end in watched.ends] == [facts.Result]
    assert watched.evidence()["who"] == "croupier"
    assert not [order for order in watched.orders if isinstance(order, facts.Drive)]


def test_what_is_detected_is_told_without_its_number() -> None:
    watched = stopped_in(states.DETECTED, confirm="croupier")
    fact = next(fact for fact in watched.facts if isinstance(fact, facts.Detected))
    told = facts.fact_line(fact)
    assert "number" not in dict(told)
    assert "compartment" not in dict(told)
    assert watched.core.view().number is None


def test_nothing_is_confirmed_before_it_is_detected() -> None:
    watched = stopped_in(states.NO_MORE_BETS, confirm="croupier")
    watched.event(facts.ConfirmAsked(watched.at_us, "anna"))
    assert not watched.ends
    assert watched.codes == ["P10"]


@pytest.mark.req("LU-37-1.rest")
def test_a_ball_that_moves_on_before_it_is_confirmed_is_void() -> None:
    session = WheelSession(4)
    plan = session.plan()
    plan.start_button_s = None
    plan.settled_s = 22.0
    plan.hop = (13.0, 4)
    session.play(plan)
    watched = Watched(ROULETTE.controller(confirm="croupier"))
    watched.run(session)
    assert [end.reason for end in watched.ends] == ["sensors_disagree"]


# --- coup nul -------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", OPEN)
@pytest.mark.parametrize("by_button", [True, False])
def test_the_croupier_may_void_a_coup_until_its_number_is_official(
    state: str, by_button: bool
) -> None:
    session = session_of(2)
    watched = stopped_in(state, session=session, confirm="croupier")
    if state == states.BETS_OPEN and not watched.facts:
        raise AssertionError("no coup yet")
    if by_button:
        press(watched, BTN_VOID)
    else:
        watched.event(facts.VoidAsked(watched.at_us, "anna"))
    assert [end.reason for end in watched.ends] == ["croupier"]
    assert watched.evidence()["who"] == ("croupier" if by_button else "anna")
    assert watched.core.view().reason == "croupier"
    assert watched.core.view().number is None


@pytest.mark.req("IL-660b.no_second")
@pytest.mark.parametrize("by_button", [True, False])
def test_an_official_number_is_never_void(by_button: bool) -> None:
    """Illinois 3000.660(b): no second decision on an outcome."""
    watched = stopped_in(states.CONFIRMED)
    number = watched.core.view().number
    if by_button:
        press(watched, BTN_VOID)
    else:
        watched.event(facts.VoidAsked(watched.at_us, "anna"))
        assert watched.codes == ["P10"]
    assert len(watched.ends) == 1
    assert watched.core.view().number == number


@pytest.mark.req("UK-3.2.inputs")
def test_both_buttons_at_once_make_one_end() -> None:
    """UK technical requirements 3.1b: simultaneous inputs cause no invalid result."""
    for first, second in ((BTN_START, BTN_VOID), (BTN_VOID, BTN_START)):
        watched = stopped_in(states.DETECTED, confirm="croupier")
        now = watched.at_us + 1_000
        for line in (first, second):
            watched.edge(now, line, 1)
        for line in (first, second):
            watched.edge(now + 100_000, line, 0)
        assert len(watched.ends) == 1


# --- records --------------------------------------------------------------------------------------


@pytest.mark.req("IL-660b.no_loss")
def test_nothing_is_told_or_shown_before_it_is_recorded() -> None:
    """DESIGN section 2: asks to record, goes on, and shows only when told `recorded`."""
    session = session_of(2)
    watched = Watched(ROULETTE.controller(), delay_us=3_000_000)
    watched.run(session)
    recorded_late = [end.at_us for end in watched.ends]
    at_once = [end.at_us for end in _ran(session).ends]
    assert len(recorded_late) == 2
    assert recorded_late[0] == at_once[0] + 3_000_000


def _ran(session: WheelSession, **options: Any) -> Watched:
    watched = Watched(ROULETTE.controller(**options))
    watched.run(session)
    return watched


@pytest.mark.parametrize("delay_us", [500_000, 20_000_000, 60_000_000])
def test_a_slow_disk_costs_no_coup_its_end(delay_us: int) -> None:
    session = session_of(4)
    watched = Watched(ROULETTE.controller(), delay_us=delay_us)
    watched.run(session)
    numbers = [fact.coup for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    assert [end.coup for end in watched.ends] == numbers
    assert len(numbers) >= 2


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_nothing_begins_after_the_end(share: float) -> None:
    """contracts/trace.md: each coup ends in exactly one result or void."""
    session = session_of(3)
    watched = Watched(ROULETTE.controller(), delay_us=30_000_000)
    watched.start(session.levels())
    start, end = session.truths[2].motion_us, session.truths[2].end_us
    for edge in session.edges():
        if edge[0] < start + (end - start) * share:
            watched.edge(*edge)
    watched.end()
    started = [fact.coup for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    assert [end.coup for end in watched.ends] == started


def test_an_unknown_or_repeated_ticket_changes_nothing() -> None:
    watched = stopped_in(states.CONFIRMED)
    for ticket in (0, 1, 2, 99):
        assert not watched.core.handle(facts.Recorded(watched.at_us, ticket))
    assert watched.core.state == states.CONFIRMED


def test_voids_and_results_are_numbered_in_one_sequence() -> None:
    """DESIGN section 1: a void is a result too: recorded, broadcast, never skipped."""
    session = WheelSession(6)
    for n in range(4):
        plan = session.plan()
        plan.with_rotor = n % 2 == 1
        session.play(plan)
    watched = _ran(session)
    assert [end.seq for end in watched.ends] == [1, 2, 3, 4]
    kinds = [kind for kind, _ in watched.durable if kind in ("result", "void")]
    assert kinds == ["result", "void", "result", "void"]


# --- restarts -------------------------------------------------------------------------------------


@pytest.mark.req("ON-21.1.8.interrupted")
def test_a_coup_that_a_restart_interrupted_is_void_first() -> None:
    """Ontario 3.2.3-3.2.4: an interrupted game is preserved."""
    restart_state = FRESH._replace(coup=41, seq=77, rotor=CCW, open_coup=42)
    watched = Watched(ROULETTE.controller(restart_state=restart_state), open_coup=42)
    watched.start(None)
    (end,) = watched.ends
    assert (end.coup, end.seq, end.reason) == (42, 78, "interrupted")
    assert watched.core.view().number is None


@pytest.mark.req("LU-37-1.reversed")
@pytest.mark.parametrize(("last", "outcome"), [(1, "rotor_not_reversed"), (-1, "result")])
def test_alternation_survives_a_restart(last: int, outcome: str) -> None:
    """DESIGN section 1: it is durable before the motor starts and survives a restart."""
    session = WheelSession(3)
    session.play(session.plan())
    restart_state = FRESH._replace(coup=5, seq=5, rotor=last * session.way)
    coups = in_coups(session.truths, _ran(session, restart_state=restart_state).facts)
    assert coups[0].outcome == outcome


def test_numbers_go_on_after_a_restart() -> None:
    session = session_of()
    restart_state = FRESH._replace(coup=41, seq=77)
    (end,) = _ran(session, restart_state=restart_state).ends
    assert (end.coup, end.seq) == (42, 78)


@pytest.mark.parametrize("learned", [None, [], "x", [1, 2], [0, 0.5, 0.1, 1.0], [5, None, 1, 1]])
def test_a_memory_of_the_wheel_that_is_none_costs_no_number(learned: Any) -> None:
    session = session_of()
    restart_state = FRESH._replace(learned=learned)
    assert isinstance(_ran(session, restart_state=restart_state).ends[0], facts.Result)


# --- what leaves the core -------------------------------------------------------------------------


@pytest.mark.req("LU-house.computer")
def test_nothing_that_predicts_leaves_the_core_before_the_call() -> None:
    """DESIGN section 1: we are not a roulette computer."""
    session = session_of()
    watched = Watched(ROULETTE.controller())
    assert watched.play(
        session, lambda: any(isinstance(fact, facts.NoMoreBets) for fact in watched.facts)
    )
    allowed = {facts.CoupStarted, facts.RotorMoving, facts.BallInTrack, facts.NoMoreBets}
    assert {type(fact) for fact in watched.facts} <= allowed
    views = [order for order in watched.orders if isinstance(order, facts.View)]
    assert views
    assert all(view.number is None and view.reason is None for view in views)


def test_a_spoken_call_begins_earlier_by_as_long_as_it_takes() -> None:
    """DESIGN section 3: less the time the call takes (call_s: 1 s where a croupier speaks it)."""
    session = session_of(4)
    at_once = [f.at_us for f in _ran(session).facts if isinstance(f, facts.NoMoreBets)]
    spoken = _ran(session, call_us=1_000_000)
    called = [f.at_us for f in spoken.facts if isinstance(f, facts.NoMoreBets)]
    assert len(called) == 4
    for early, late, truth in zip(called, at_once, session.truths, strict=True):
        assert early < late
        assert truth.drop_us is not None
        assert early + 1_000_000 <= truth.drop_us
