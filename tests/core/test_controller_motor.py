"""The motor's orders and the faults around the wheel, and what awkward moments do to them."""

from __future__ import annotations

import pytest
from harness.places import LAYOUT, LINES
from harness.playing import ROULETTE
from harness.stage import BTN_START, OPEN, goes_on, press, session_of, stopped_in
from harness.taught import remembering
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.restart_state import FRESH, RestartState
from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.sense.button import BOUNCE_US

# --- the motor ------------------------------------------------------------------------------------


@pytest.mark.req("LU-37-1.reversed")
@pytest.mark.parametrize("last", [CCW, CW])
def test_the_motor_turns_against_the_last_actuation(last: int) -> None:
    """Luxembourg art. 37-1: « actionner chaque fois le plateau mobile dans un sens opposé »."""
    restart_state = FRESH._replace(coup=1, seq=1, rotor=last)
    watched = Watched(ROULETTE.controller(restart_state=restart_state, driven=True))
    watched.start(None)
    press(watched, BTN_START)
    assert watched.drives == [-last]


@pytest.mark.req("LU-37-1.reversed")
def test_the_motor_waits_until_its_direction_is_durable() -> None:
    watched = Watched(ROULETTE.controller(driven=True), delay_us=400_000)
    watched.start(None)
    watched.edge(1_000_000, BTN_START, 1)
    assert watched.drives == []
    watched.until(1_399_999)
    assert watched.drives == []
    watched.until(1_400_000)
    assert len(watched.drives) == 1


@pytest.mark.req("GLI-3.4.4.influence")
def test_the_motor_is_ordered_once_however_often_the_button_is_pressed() -> None:
    watched = Watched(ROULETTE.controller(driven=True), delay_us=400_000)
    watched.start(None)
    for _ in range(5):
        press(watched, BTN_START)
    watched.until(watched.at_us + 1_000_000)
    assert len(watched.drives) == 1


def driven_coup(way: int, restart_state: RestartState) -> tuple[Watched, WheelSession]:
    """The button is pressed, then the rotor turns that way, whatever was ordered."""
    session = WheelSession(8, way=-way)
    plan = session.plan()
    plan.start_button_s = -0.2
    plan.rest_s = 2.0
    session.play(plan)
    watched = Watched(ROULETTE.controller(restart_state=restart_state, driven=True))
    watched.run(session)
    return watched, session


def test_a_driven_coup_is_played_as_commanded() -> None:
    restart_state = FRESH._replace(coup=1, seq=1, rotor=CW)
    watched, session = driven_coup(CCW, restart_state)
    assert watched.drives[0] == CCW
    assert [type(end) for end in watched.ends] == [facts.Result]
    assert watched.ends[0].number == LAYOUT[session.truths[0].rests[-1][2]]


def test_a_rotor_that_turns_against_its_command_is_void() -> None:
    """DESIGN section 1: judged by the encoder, and where we drive, the command must agree."""
    restart_state = FRESH._replace(coup=1, seq=1, rotor=CW)
    watched, _ = driven_coup(CW, restart_state)
    assert [end.reason for end in watched.ends] == ["rotor_not_reversed"]


# --- faults ---------------------------------------------------------------------------------------


@pytest.mark.req("UK-4.1.locked", "ON-21.1.9.disabled")
def test_a_lock_ends_the_coup_stops_the_motor_and_stays_until_cleared() -> None:
    """UK technical requirements 4.1: a fault is detected, shown, and locks until cleared."""
    session = session_of(3)
    watched = stopped_in(states.NO_MORE_BETS, session=session, driven=True)
    watched.event(facts.Trouble(watched.at_us, "M12", ""))
    assert [end.reason for end in watched.ends] == ["croupier"]
    assert watched.core.state == states.FAULT
    assert watched.drives[-1] == UNKNOWN
    second = session.truths[1].end_us
    for edge in session.edges():
        if watched.at_us < edge[0] < second:
            watched.edge(*edge)
    press(watched, BTN_START)
    assert len(watched.ends) == 1
    assert watched.drives[-1] == UNKNOWN
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert watched.core.state == states.BETS_OPEN
    goes_on(watched, session)
    assert len(watched.ends) == 2


@pytest.mark.req("UK-4.1.alerted")
def test_every_lock_is_told_though_the_last_was_the_same() -> None:
    watched = stopped_in(states.CONFIRMED)
    for times in (1, 2):
        watched.event(facts.Trouble(watched.at_us, "M12", ""))
        assert watched.core.state == states.FAULT
        assert watched.codes.count("M12") == times
        watched.event(facts.ClearAsked(watched.at_us, "m.weber"))


def test_a_locked_or_cleared_table_shows_no_number() -> None:
    """DESIGN section 4: nobody can be shown a stale number."""
    watched = stopped_in(states.CONFIRMED)
    watched.event(facts.Trouble(watched.at_us, "M11", ""))
    assert watched.core.state == states.FAULT
    assert watched.core.view().number is None
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    assert watched.core.state == states.BETS_OPEN
    assert watched.core.view().number is None


@pytest.mark.parametrize("state", OPEN)
@pytest.mark.parametrize("code", ["M10", "M11", "M12", "M13", "M14"])
def test_a_fault_of_the_drive_ends_any_open_coup_once(state: str, code: str) -> None:
    watched = stopped_in(state, confirm="croupier")
    watched.event(facts.Trouble(watched.at_us, code, ""))
    watched.event(facts.Trouble(watched.at_us, code, ""))
    assert len(watched.ends) == 1
    assert isinstance(watched.ends[0], facts.Void)


@pytest.mark.parametrize("code", ["B10", "S10"])
def test_a_lost_display_or_disk_is_a_notice_and_play_goes_on(code: str) -> None:
    session = session_of()
    watched = stopped_in(states.BALL_IN_TRACK, session=session)
    watched.event(facts.Trouble(watched.at_us, code, "/dev/ttyS0"))
    goes_on(watched, session)
    assert watched.codes == [code]
    assert [type(end) for end in watched.ends] == [facts.Result]


def test_two_faults_of_the_drive_are_cleared_as_one_lock() -> None:
    """Campaign of seed 11, job 6695: else the next number is not shown, and nobody knows why."""
    session = session_of(2)
    watched = stopped_in(states.NO_MORE_BETS, session=session)
    for code in ("M12", "M13"):
        watched.event(facts.Trouble(watched.at_us, code, ""))
    watched.event(facts.ClearAsked(watched.at_us, "m.weber"))
    goes_on(watched, session)
    assert [type(end) for end in watched.ends] == [facts.Void, facts.Result]
    assert watched.core.state == states.CONFIRMED


def test_nobody_clears_what_is_not_locked() -> None:
    watched = stopped_in(states.BALL_IN_TRACK)
    watched.event(facts.ClearAsked(watched.at_us, "anna"))
    assert watched.core.state == states.BALL_IN_TRACK
    assert watched.codes == ["P10"]


# --- awkward moments ------------------------------------------------------------------------------


def test_a_fault_before_the_direction_is_durable_takes_the_order_back() -> None:
    """GLI-19 3.4.4: nothing moves the device but as designed; here, no motor under an e-stop."""
    watched = Watched(ROULETTE.controller(driven=True), delay_us=400_000)
    watched.start(None)
    watched.edge(1_000_000, BTN_START, 1)
    watched.event(facts.Trouble(1_200_000, "M12", ""))
    watched.until(3_000_000)
    assert watched.core.state == states.FAULT
    assert watched.drives == [UNKNOWN]


def test_contacts_that_settle_are_one_press() -> None:
    """A press that confirms must not start the next coup as its contacts settle."""
    watched = stopped_in(states.DETECTED, confirm="croupier", driven=True)
    at_us = watched.at_us + 1_000
    for n in range(6):
        watched.edge(at_us + n * BOUNCE_US // 4, BTN_START, (n + 1) % 2)
    assert len(watched.ends) == 1
    assert not watched.drives
    watched.edge(watched.at_us + BOUNCE_US, BTN_START, 1)  # and the next press is one
    assert len(watched.drives) == 1


def test_a_detected_number_is_void_if_the_ball_runs_in_the_track_again() -> None:
    session = session_of()
    watched = stopped_in(states.DETECTED, session=session, confirm="croupier")
    beam = watched.core.game.track.crossings[-1]
    lap_us = 3 * (watched.core.game.drop_detector.beam_us or 0)
    laps = (watched.at_us - beam.at_us) // lap_us
    # The same ball, a lap later than it was last seen: one that never left.
    rim = LINES.index(f"rim{beam.beam}")
    again_us = beam.at_us + (laps + 1) * lap_us
    watched.edge(again_us, rim, 1)
    watched.edge(again_us + 13_000, rim, 0)
    watched.event(facts.ConfirmAsked(watched.at_us, "anna"))
    assert [type(end) for end in watched.ends] == [facts.Void]


def without(
    session: WheelSession,
    beams: tuple[str, ...],
    since_us: int,
    until_us: int,
    *,
    restart_state: RestartState = FRESH,
) -> Watched:
    """The session, deaf to some beams for a while."""
    deaf = [LINES.index(beam) for beam in beams]
    watched = Watched(ROULETTE.controller(restart_state=restart_state))
    watched.start(session.levels())
    for at_us, line, level in session.edges():
        if not (line in deaf and since_us <= at_us < until_us):
            watched.edge(at_us, line, level)
    watched.end()
    return watched


RIM = ("rim0", "rim1", "rim2")


def test_beams_that_are_silent_near_the_drop_call_at_once_and_cost_no_coup() -> None:
    """Luxembourg art. 37-1: no bet once the ball may have left; a ball seen again had not."""
    session, restart_state = session_of(), remembering()  # or the call would be far from the drop
    seen = without(session, (), 0, 0, restart_state=restart_state)
    (call_us,) = [fact.at_us for fact in seen.facts if isinstance(fact, facts.NoMoreBets)]
    assert session.truths[0].drop_us - call_us < 4_000_000
    watched = without(session, RIM, call_us - 1_700_000, call_us, restart_state=restart_state)
    (early_us,) = [fact.at_us for fact in watched.facts if isinstance(fact, facts.NoMoreBets)]
    assert early_us < call_us
    assert [type(end) for end in watched.ends] == [facts.Result]
    assert not watched.codes


def test_a_call_that_only_silence_made_may_have_been_late_and_is_void() -> None:
    session = session_of()
    seen = without(session, (), 0, 0)
    (call_us,) = [fact.at_us for fact in seen.facts if isinstance(fact, facts.NoMoreBets)]
    watched = without(session, RIM, call_us - 1_700_000, 1_000_000_000)
    assert "C10" in watched.codes
    assert [end.reason for end in watched.ends] == ["timeout"]


def test_a_drop_behind_a_missed_beam_teaches_nothing() -> None:
    """Where the ball left is then known to two beams only."""
    session = session_of()
    seen = without(session, (), 0, 0)
    assert [kind for kind, _ in seen.durable].count("learned") == 1
    learned = seen.core.game.predictor.learned
    assert learned.coups == 1
    crossing = seen.core.game.track.crossings[-2]
    at_us = crossing.at_us
    deaf = without(session, (f"rim{crossing.beam}",), at_us - 20_000, at_us + 20_000)
    assert [type(end) for end in deaf.ends] == [facts.Result]
    assert deaf.core.game.predictor.learned.coups == 0


# --- how hard it works ----------------------------------------------------------------------------


def effort_in(watched: Watched, spin_up_us: int | None) -> dict[str, int]:
    """What the evidence of a coup has of it, if the loop tells it as the ball has dropped."""
    watched.event(facts.MotorEffort(watched.at_us, spin_up_us, 640))
    watched.event(facts.VoidAsked(watched.at_us, "anna"))
    said = watched.evidence()
    return {key: said[key] for key in ("spin_up_us", "duty_permille") if key in said}


def test_the_evidence_tells_how_hard_the_motor_worked() -> None:
    told = effort_in(stopped_in(states.BALL_DROPPED, driven=True), 2_100_000)
    assert told == {"spin_up_us": 2_100_000, "duty_permille": 640}
    assert effort_in(stopped_in(states.BALL_DROPPED, driven=True), None) == {"duty_permille": 640}


def test_where_a_hand_turns_the_rotor_no_motor_is_told_to_work() -> None:
    assert effort_in(stopped_in(states.BALL_DROPPED, driven=False), 2_100_000) == {}


def test_what_comes_after_a_coup_is_not_the_next_ones() -> None:
    watched = stopped_in(states.BALL_DROPPED, driven=True)
    watched.event(facts.VoidAsked(watched.at_us, "anna"))
    watched.event(facts.MotorEffort(watched.at_us, 2_100_000, 640))
    assert "duty_permille" not in watched.evidence()
    assert watched.core.table.evidence.body(watched.at_us).get("duty_permille") is None
