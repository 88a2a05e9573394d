"""What the catalogue of faults (docs/hil.md) found in roulette, as the smallest case of each."""

from __future__ import annotations

import pytest
from harness.places import LINES, RING_BALL
from harness.playing import ROULETTE
from harness.stage import BTN_START, BTN_VOID, press, session_of, stopped_in
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import CCW

QUARTERS = ((1, 0), (1, 1), (0, 1), (0, 0))  # of a cycle, by the levels of A and B


def reached(session: WheelSession, at_us: int, watched: Watched) -> Watched:
    """The session as far as that time."""
    if not watched.at_us:
        watched.start(session.levels())
    for edge in session.edges():
        if watched.at_us < edge[0] <= at_us:
            watched.edge(*edge)
    watched.until(at_us)
    return watched


def views(watched: Watched) -> list[str]:
    return [order.state for order in watched.orders if isinstance(order, facts.View)]


def begun(watched: Watched) -> list[int]:
    return [fact.coup for fact in watched.facts if isinstance(fact, facts.CoupStarted)]


def refusals(watched: Watched) -> list[str]:
    return [fact.text for fact in watched.facts if getattr(fact, "code", "") == "P10"]


# --- things in the ring ---------------------------------------------------------------------------


@pytest.mark.req("LU-37-1.chip")
def test_a_thing_like_a_ball_in_the_ring_does_not_hide_the_coup_that_the_motor_begins() -> None:
    """A motor takes longer than START_NEAR_US to reverse the rotor, and the thing turns with it."""
    session = session_of()
    plan = session.plan()
    plan.start_button_s = None
    plan.rest_s = 5.0
    second = session.play(plan)
    first = session.truths[0]
    session._fixed(0.3, RING_BALL, first.end_us / 1e6 - 4.0, second.end_us / 1e6)
    watched = Watched(ROULETTE.controller(driven=True))
    reached(session, first.end_us - 500_000, watched)
    press(watched, BTN_START)
    reached(session, second.end_us, watched)
    started = [fact.at_us for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    assert len(started) == 2
    assert 0 < started[1] - second.motion_us < 1_000_000
    assert [type(end) for end in watched.ends][1:] == [facts.Void]


@pytest.mark.req("LU-37-1.chip", "SD-34.no_spin_object")
def test_a_thing_that_lay_in_the_ring_before_a_throw_that_few_beams_saw_is_foreign() -> None:
    session = WheelSession(3)
    plan = session.plan()
    plan.start_button_s = None
    plan.launch_s = 6.0
    plan.things = [(1.0, 11.3, 30.0)]
    truth = session.play(plan)
    for beam in ("rim1", "rim2"):
        session.cut[beam].append((0.0, truth.end_us / 1e6))
    watched = Watched(ROULETTE.controller())
    watched.run(session)
    assert [end.reason for end in watched.ends] == ["foreign_object"]


# --- hands over the track -------------------------------------------------------------------------
@pytest.mark.parametrize("before_s", [1.0, 2.5, 4.5])
def test_a_beam_that_is_dark_once_before_the_throw_is_no_throw(before_s: float) -> None:
    """As wide as a ball, and no other beam sees any: neither a void nor a turn more."""
    session = WheelSession(3)
    plan = session.plan()
    plan.launch_s = 6.0
    truth = session.play(plan)
    assert truth.launch_us is not None
    told = ROULETTE.replayed(session)
    at_s = truth.launch_us / 1e6 - before_s
    session.dark["rim1"].append((at_s, at_s + 0.046))
    watched = Watched(ROULETTE.controller())
    assert watched.run(session) == told
    assert [type(end) for end in watched.ends] == [facts.Result]


# --- the motor ------------------------------------------------------------------------------------


def without_its_ball() -> tuple[WheelSession, Watched]:
    """A driven coup that waits for a ball which never comes into the ring."""
    session = WheelSession(3)
    plan = session.plan()
    plan.start_button_s = None
    plan.ring_balls = 0
    plan.settled_s = 30.0
    plan.rpm = 9.0  # slow enough that it is not known to be lost after 7 s
    session.play(plan)
    return session, stopped_in(states.BALL_DROPPED, session=session, driven=True)


def test_the_start_button_ends_a_coup_that_has_lost_its_ball_and_turns_the_rotor() -> None:
    session, watched = without_its_ball()
    reached(session, watched.at_us + 7_000_000, watched)
    assert watched.core.state == states.BALL_DROPPED
    press(watched, BTN_START)
    assert [end.reason for end in watched.ends] == ["ball_lost"]
    assert len(watched.drives) == 1


def test_the_start_button_ends_no_coup_whose_ball_may_still_hop() -> None:
    session, watched = without_its_ball()
    reached(session, watched.at_us + 2_000_000, watched)
    press(watched, BTN_START)
    assert not watched.ends
    assert not watched.drives


def test_a_rotor_that_still_turns_the_way_it_is_to_be_driven_has_to_rest_first() -> None:
    """No motion would follow the order, so no coup would begin: that is said, not kept."""
    watched = stopped_in(states.CONFIRMED, driven=True)
    press(watched, BTN_START)
    watched.event(facts.Trouble(watched.at_us + 100_000, "M14", ""))  # it has not turned back
    way = watched.core.game.rotor.direction
    ordered = len(watched.drives)
    watched.core.game.rotor.edge_us = watched.at_us  # and it turns on
    press(watched, BTN_START)
    assert watched.core.table.rotor_direction == -way
    assert len(watched.drives) == ordered
    assert "come to rest first" in refusals(watched)[-1]


# --- the encoder ----------------------------------------------------------------------------------


@pytest.mark.req("UK-4.1.detected")
@pytest.mark.parametrize("channel", ["enc_a", "enc_b"])
def test_a_channel_that_dies_in_a_coup_turned_by_hand_is_told_and_void(channel: str) -> None:
    session = session_of()
    truth = session.truths[0]
    session.dead_encoder.append((channel, truth.motion_us / 1e6 + 2.0, truth.end_us / 1e6))
    watched = Watched(ROULETTE.controller())
    watched.run(session)
    assert "W31" in watched.codes
    assert [end.reason for end in watched.ends] == ["encoder"]
    assert truth.drop_us is not None
    assert watched.ends[0].at_us < truth.drop_us


def disputed() -> Watched:
    """A table whose mark contradicts the count, between two coups."""
    watched = stopped_in(states.CONFIRMED)
    watched.core.game.rotor._losses.aside = 4  # steps
    return watched


@pytest.mark.req("UK-3.1b.audit")
def test_who_has_looked_at_mark_and_disc_clears_their_dispute_and_it_is_recorded() -> None:
    watched = disputed()
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert watched.durable[-1] == ("cleared", {"coup": 1, "who": "m.weber"})
    assert not refusals(watched)
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert "nothing to clear" in refusals(watched)[-1]


def test_nobody_clears_a_dispute_within_a_coup() -> None:
    watched = stopped_in(states.BALL_IN_TRACK)
    watched.core.game.rotor._losses.aside = 4  # steps
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert len(refusals(watched)) == 1
    assert watched.core.game.rotor._losses.aside


@pytest.mark.req("UK-4.1.locked")
def test_a_lock_is_not_cleared_while_the_rotor_turns() -> None:
    """The cause of a runaway is still there."""
    session = session_of()
    watched = stopped_in(states.BALL_IN_TRACK, session=session, driven=True)
    watched.event(facts.Trouble(watched.at_us, "M11", ""))
    reached(session, watched.at_us + 1_000_000, watched)
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert watched.core.state == states.FAULT
    assert "come to rest first" in refusals(watched)[-1]
    watched.event(facts.ClearAsked(session.truths[0].end_us + 3_000_000, "m.weber"))
    assert watched.core.state == states.BETS_OPEN


def test_a_hand_that_turns_the_rotor_hinders_nobody_from_clearing_a_lock() -> None:
    watched = stopped_in(states.BALL_IN_TRACK)
    watched.event(facts.Trouble(watched.at_us, "M12", ""))
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert watched.core.state == states.BETS_OPEN


# --- a disk that is slow, or full -----------------------------------------------------------------


def test_a_ball_thrown_and_gone_before_the_last_number_was_recorded_is_void() -> None:
    """Nobody called for it: bets must not stand open over a ball that already lies."""
    session = session_of(2)
    at_once = Watched(ROULETTE.controller())
    at_once.run(session)
    second = session.truths[1]
    assert second.drop_us is not None
    delay_us = second.drop_us + 4_000_000 - at_once.ends[0].at_us
    watched = Watched(ROULETTE.controller(), delay_us=delay_us)
    reached(session, second.end_us - 1_000_000, watched)
    assert begun(watched) == [1, 2]
    assert views(watched).count(states.BETS_OPEN) >= 2
    reached(session, second.end_us + delay_us + 5_000_000, watched)
    result, void = watched.ends
    assert isinstance(result, facts.Result)
    assert void.reason == "interrupted"
    assert void.at_us == result.at_us + delay_us


@pytest.mark.parametrize(
    ("state", "button"), [(states.DETECTED, BTN_START), (states.BALL_IN_TRACK, BTN_VOID)]
)
def test_the_start_button_is_refused_while_the_last_end_is_not_recorded(
    state: str, button: int
) -> None:
    watched = stopped_in(state, driven=True, confirm="croupier")
    watched.delay_us = 30_000_000
    press(watched, button)
    watched.until(watched.at_us + 1_000_000)
    press(watched, BTN_START)
    assert watched.core.table.closing
    assert not watched.drives
    assert "is being recorded" in refusals(watched)[-1]


@pytest.mark.req("LU-37-1.closed")
def test_no_bets_are_shown_open_before_the_void_of_an_interrupted_coup() -> None:
    restart_state = FRESH._replace(coup=41, seq=77, rotor=CCW, open_coup=42)
    watched = Watched(
        ROULETTE.controller(restart_state=restart_state), open_coup=42, delay_us=100_000
    )
    watched.start(None)
    assert views(watched) == []
    watched.until(100_000)
    assert views(watched) == ["VOID"]


# --- the motor ------------------------------------------------------------------------------------


class Encoder:
    """Steps through the levels of A and B, from both at 0."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._at = 3

    def turn(self, way: int, *steps_us: int) -> None:
        """It steps that way, each after so long."""
        for after_us in steps_us:
            before, self._at = QUARTERS[self._at], (self._at + way) % 4
            after = QUARTERS[self._at]
            channel = int(after[1] != before[1])
            line = LINES.index(("enc_a", "enc_b")[channel])
            self._watched.edge(self._watched.at_us + after_us, line, after[channel])


def test_a_motor_that_came_to_nothing_begins_a_coup_when_it_turns_that_way_again() -> None:
    """Seed 101, job 3496: it turned against its command, then not at all, then as it should. The
    coup never opened, and the rotor went round and round.
    """
    watched = Watched(ROULETTE.controller(driven=True))
    watched.start(None)
    push = (700_000, 90_000, 60_000, 45_000, 40_000)
    press(watched, BTN_START)
    way = -watched.drives[-1]
    encoder = Encoder(watched)
    encoder.turn(way, *push)  # too little for a run
    watched.event(facts.Trouble(watched.at_us, "M14", ""))
    assert begun(watched) == [1]
    for _ in range(2):
        watched.until(watched.at_us + 5_000_000)
        press(watched, BTN_START)
        if watched.drives[-1] == way:
            break
        watched.until(watched.at_us + 3_000_000)
        watched.event(facts.Trouble(watched.at_us, "M10", ""))
    encoder.turn(way, *push, *[25_000] * 20)
    assert begun(watched) == [1, 2]
