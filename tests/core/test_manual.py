"""Manual mode: what people enter where the call or the number could not be detected.

French arrêté of 14 May 2007, art. 67-5 (DESIGN section 1): the croupier enters the number in the
presence of a member of the management, who restarts the game; the record says so.
"""

from __future__ import annotations

from typing import Any

import pytest
from harness.places import LAYOUT
from harness.playing import ROULETTE
from harness.stage import BTN_START, BTN_VOID, OPEN, goes_on, press, session_of, stopped_in
from harness.watched import Watched
from harness.wheel import WheelSession
from hypothesis import given
from hypothesis import strategies as st

import rules
from firmware.core import facts
from firmware.core.coup import manual
from firmware.core.coup import states as coup_states
from firmware.core.coup.manual import MANUAL_US, UNDETECTED

AFTER_CALL = (coup_states.NO_MORE_BETS, coup_states.BALL_DROPPED, coup_states.DETECTED)
# contracts/trace.md, without those that say that the sensors failed. A ball that is lost is known
# to be gone: the ring is dark though the rotor turns.
IRREGULAR = (
    "rotor_not_reversed same_direction too_few_turns moved_before_call foreign_object two_balls "
    "ball_lost"
).split()


def enter(watched: Watched, number: int, colour: str | None = None) -> None:
    watched.event(
        facts.ManualEntered(watched.at_us, number, colour, "anna", "weber", "sensor 2 dark")
    )


def fail(watched: Watched, reason: str) -> None:
    """The sensors give up, for that reason."""
    watched.core.table.sensors_failed(reason)
    watched.take(watched.at_us, watched.core.table.take_outputs())


def told(watched: Watched) -> list[str]:
    return [fact.text for fact in watched.facts if isinstance(fact, facts.Fault)]


# --- entering -------------------------------------------------------------------------------------


@pytest.mark.req("FR-67-5.number")
@pytest.mark.parametrize("undetected", ["void", "manual"])
@pytest.mark.parametrize("state", [coup_states.NO_MORE_BETS, coup_states.BALL_DROPPED])
def test_people_may_enter_the_number_that_was_not_detected(state: str, undetected: str) -> None:
    watched = stopped_in(state, undetected=undetected)
    enter(watched, 17)
    (end,) = watched.ends
    assert (end.number, end.compartment, end.colour) == (17, LAYOUT.index(17), "black")
    assert end.verified is False
    kind, body = watched.durable[-1]
    assert kind == "result"
    assert body["manual"] == ["anna", "weber"]
    said = watched.evidence()
    assert (said["who"], said["manager"], said["why"]) == ("anna", "weber", "sensor 2 dark")
    assert watched.core.view().number == 17


@pytest.mark.req("FR-67-5.call")
def test_where_the_call_was_not_detected_it_is_told_before_the_number() -> None:
    watched = stopped_in(coup_states.BETS_OPEN)
    enter(watched, 17)
    kinds = [type(fact) for fact in watched.facts]
    assert kinds[-2:] == [facts.NoMoreBets, facts.Result]
    states = [order.state for order in watched.orders if isinstance(order, facts.View)]
    assert states[-3:] == [coup_states.NO_MORE_BETS, coup_states.MANUAL, coup_states.CONFIRMED]


def test_a_ball_that_is_seen_in_the_track_has_no_number() -> None:
    """Luxembourg art. 37-1: « Quand la bille est définitivement arrêtée [...] »."""
    watched = stopped_in(coup_states.BALL_IN_TRACK)
    enter(watched, 17)
    assert not watched.ends
    assert watched.core.state == coup_states.BALL_IN_TRACK
    assert "the ball is in the track" in told(watched)[-1]


def test_a_number_that_was_called_for_is_not_called_for_again() -> None:
    watched = stopped_in(coup_states.NO_MORE_BETS)
    enter(watched, 17)
    assert [type(fact) for fact in watched.facts].count(facts.NoMoreBets) == 1


def test_a_detected_number_is_confirmed_or_void_but_not_entered_over() -> None:
    watched = stopped_in(coup_states.DETECTED, confirm="croupier")
    enter(watched, 17)
    assert not watched.ends
    assert "confirm it, or declare the coup void" in told(watched)[-1]


def test_without_a_coup_no_number_is_entered() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    enter(watched, 17)
    assert not watched.durable
    assert "no coup is open" in told(watched)[-1]


@pytest.mark.req("IL-660b.no_second")
def test_an_official_number_is_not_entered_again() -> None:
    """Illinois 3000.660(b): no second decision on an outcome."""
    watched = stopped_in(coup_states.CONFIRMED)
    enter(watched, 17)
    assert len(watched.ends) == 1
    assert watched.codes == ["P10"]


def test_nothing_is_entered_while_the_end_waits_for_the_disk() -> None:
    watched = stopped_in(coup_states.BALL_DROPPED)
    watched.delay_us = 1_000_000
    enter(watched, 17)
    enter(watched, 18)
    assert "being recorded" in told(watched)[-1]
    watched.event(facts.VoidAsked(watched.at_us, "anna"))
    assert "being recorded" in told(watched)[-1]
    watched.until(watched.at_us + 1_000_000)
    assert [end.number for end in watched.ends] == [17]


@pytest.mark.parametrize("number", [-1, 37, 99])
def test_a_number_that_the_wheel_lacks_is_refused(number: int) -> None:
    watched = stopped_in(coup_states.BALL_DROPPED)
    enter(watched, number)
    assert not watched.ends
    assert f"there is no {number} here" in told(watched)[-1]


def test_a_colour_that_the_number_does_not_have_is_refused() -> None:
    watched = stopped_in(coup_states.BALL_DROPPED)
    enter(watched, 17, "red")
    assert not watched.ends
    assert "17 is black, never red" in told(watched)[-1]
    enter(watched, 17, "black")
    assert watched.ends[0].number == 17


# --- numbers that lie in several compartments -----------------------------------------------------


@pytest.mark.parametrize("number", [*range(5, 13), 14])
def test_at_vingt_trois_5_to_12_and_14_need_their_colour(number: int) -> None:
    """contracts/trace.md: each of 5-11 once red and once black, 12 and 14 of both colours."""
    game = rules.load("vingt_trois_fr")
    assert manual.unlike(game, number, None) == f"{number} is black or red here: say which."
    for colour in ("red", "black"):
        assert manual.unlike(game, number, colour) is None
        compartment, its = manual.place(game, number, colour)
        assert its == colour
        assert (compartment is None) == (number in (12, 14) and game_count(number, colour) > 1)
    assert "never white" in manual.unlike(game, number, "white")


def game_count(number: int, colour: str) -> int:
    game = rules.load("vingt_trois_fr")
    return list(zip(game["layout"], game["colours"], strict=True)).count((number, colour))


def test_the_white_13_lies_in_three_cases() -> None:
    assert manual.place(rules.load("vingt_trois_fr"), 13, None) == (None, "white")


def test_at_vingt_trois_a_number_that_is_there_once_names_its_case() -> None:
    game = rules.load("vingt_trois_fr")
    for number, colour in ((1, "red"), (2, "black"), (3, "red"), (4, "black")):
        assert manual.place(game, number, None) == (game["layout"].index(number), colour)


@pytest.mark.parametrize("number", range(1, 10))
def test_at_boule_each_number_lies_in_two_cups_of_one_colour(number: int) -> None:
    game = rules.load("boule_fr")
    compartment, colour = manual.place(game, number, None)
    assert compartment is None
    assert colour == {5: "yellow"}.get(number, "black" if number in (1, 3, 6, 8) else "red")
    assert manual.unlike(game, 0, None) == "there is no 0 here."


@given(
    st.sampled_from(rules.WHEEL_GAMES),
    st.integers(-3, 40),
    st.none() | st.sampled_from(("red", "black", "white", "yellow", "green", "blue", "")),
)
def test_what_is_not_refused_has_one_colour_and_lies_where_it_says(
    name: str, number: int, colour: str | None
) -> None:
    game = rules.load(name)
    why_not = manual.unlike(game, number, colour)
    if why_not is not None:
        assert why_not.endswith(".")
        return
    compartment, its = manual.place(game, number, colour)
    assert (number, its) in manual.choices(game)
    assert colour in (None, its)
    if compartment is not None:
        assert (game["layout"][compartment], game["colours"][compartment]) == (number, its)


# --- when the sensors give up ---------------------------------------------------------------------


@pytest.mark.req("FR-67-5.number")
@pytest.mark.parametrize("reason", UNDETECTED)
@pytest.mark.parametrize("state", AFTER_CALL)
def test_where_the_house_chose_so_people_are_asked_for_the_number(state: str, reason: str) -> None:
    watched = stopped_in(state, undetected="manual", confirm="croupier")
    fail(watched, reason)
    assert watched.core.state == coup_states.MANUAL
    assert not watched.ends
    assert watched.codes == ["P14"]
    enter(watched, 17)
    assert watched.ends[0].number == 17
    assert watched.evidence()["undetected"] == reason


@pytest.mark.parametrize("reason", UNDETECTED)
def test_unless_the_house_chose_so_it_is_void(reason: str) -> None:
    watched = stopped_in(coup_states.BALL_DROPPED)
    fail(watched, reason)
    assert [end.reason for end in watched.ends] == [reason]


def test_a_ball_that_is_no_longer_followed_is_called_for_before_people_are_asked() -> None:
    watched = stopped_in(coup_states.BALL_IN_TRACK, undetected="manual")
    fail(watched, "encoder")
    assert watched.core.state == coup_states.MANUAL
    assert isinstance(watched.facts[-2], facts.NoMoreBets)


def test_a_coup_whose_ball_was_never_thrown_is_void_all_the_same() -> None:
    watched = stopped_in(coup_states.BETS_OPEN, undetected="manual")
    fail(watched, "timeout")
    assert [end.reason for end in watched.ends] == ["timeout"]


@pytest.mark.parametrize("reason", IRREGULAR)
@pytest.mark.parametrize("state", OPEN)
def test_what_the_regulations_make_void_no_people_can_heal(state: str, reason: str) -> None:
    """South Dakota 20:18:34:05-06: no spin. DESIGN section 1."""
    watched = stopped_in(state, undetected="manual", confirm="croupier")
    fail(watched, reason)
    assert [end.reason for end in watched.ends] == [reason]


@pytest.mark.parametrize("pulses", [0, 2])
def test_a_ball_that_left_the_wheel_has_no_number_to_enter(pulses: int) -> None:
    session = WheelSession(4)
    plan = session.plan()
    plan.lost_after = pulses
    session.play(plan)
    watched = Watched(ROULETTE.controller(undetected="manual"))
    watched.run(session)
    assert [end.reason for end in watched.ends] == ["ball_lost"]


def waiting(**options: Any) -> Watched:
    watched = stopped_in(coup_states.BALL_DROPPED, undetected="manual", **options)
    fail(watched, "sensors_disagree")
    assert watched.core.state == coup_states.MANUAL
    return watched


@pytest.mark.parametrize("reason", [*UNDETECTED, *IRREGULAR])
def test_while_people_are_asked_the_sensors_decide_nothing(reason: str) -> None:
    watched = waiting()
    fail(watched, reason)
    assert watched.core.state == coup_states.MANUAL
    assert watched.codes == ["P14"]


def test_the_rest_of_the_coup_changes_nothing_while_people_are_asked() -> None:
    session = session_of()
    watched = stopped_in(coup_states.BALL_DROPPED, session=session, undetected="manual")
    fail(watched, "sensors_disagree")
    goes_on(watched, session)
    assert watched.core.state == coup_states.MANUAL
    assert not watched.ends


def test_people_are_waited_for_but_not_for_ever() -> None:
    watched = waiting()
    since = watched.at_us
    watched.until(since + MANUAL_US - 1)
    assert not watched.ends
    watched.until(since + MANUAL_US)
    (end,) = watched.ends
    assert (end.reason, end.at_us) == ("timeout", since + MANUAL_US)


@pytest.mark.parametrize("by_button", [True, False])
def test_the_croupier_may_void_a_coup_that_waits_for_its_number(by_button: bool) -> None:
    watched = waiting()
    if by_button:
        press(watched, BTN_VOID)
    else:
        watched.event(facts.VoidAsked(watched.at_us, "anna"))
    assert [end.reason for end in watched.ends] == ["croupier"]


def test_a_stop_ends_a_coup_that_waited_for_its_number() -> None:
    watched = waiting()
    watched.end()
    assert [end.reason for end in watched.ends] == ["interrupted"]


def test_a_lock_ends_a_coup_that_waited_for_its_number() -> None:
    watched = waiting()
    watched.event(facts.Trouble(watched.at_us, "M11", ""))
    assert [end.reason for end in watched.ends] == ["encoder"]
    assert watched.core.state == coup_states.FAULT


def test_a_runaway_rotor_voids_even_where_people_may_enter_the_number() -> None:
    watched = stopped_in(coup_states.BALL_DROPPED, undetected="manual")
    watched.event(facts.Trouble(watched.at_us, "M11", ""))
    assert [end.reason for end in watched.ends] == ["encoder"]


def test_the_start_button_starts_nothing_until_the_number_is_entered() -> None:
    watched = waiting(driven=True)
    press(watched, BTN_START)
    assert not watched.drives
    assert "the number has to be entered first" in told(watched)[-1]


def test_a_hand_that_plays_on_waits_for_the_number_too() -> None:
    """No coup opens within another; the number entered is that of the coup that waited."""
    session = session_of(2)
    watched = stopped_in(coup_states.BALL_DROPPED, session=session, undetected="manual")
    fail(watched, "sensors_disagree")
    for edge in session.edges():
        if watched.at_us < edge[0] < session.truths[1].motion_us + 1_000_000:
            watched.edge(*edge)
    assert watched.core.state == coup_states.MANUAL
    enter(watched, 17)
    assert [end.coup for end in watched.ends] == [1]
    goes_on(watched, session)
    assert [type(end) for end in watched.ends] == [facts.Result, facts.Result]
    assert watched.ends[1].compartment == session.truths[1].rests[-1][2]


def test_a_hop_before_the_confirmation_is_left_to_the_people() -> None:
    session = WheelSession(4)
    plan = session.plan()
    plan.start_button_s = None
    plan.settled_s = 22.0
    plan.hop = (13.0, 4)
    session.play(plan)
    watched = Watched(ROULETTE.controller(confirm="croupier", undetected="manual"))
    watched.play(session)
    assert watched.core.state == coup_states.MANUAL
    enter(watched, 17)
    assert watched.evidence()["undetected"] == "sensors_disagree"


def test_a_call_that_came_too_late_is_left_to_the_people() -> None:
    """Art. 67-5: where the call cannot be detected. The fault is told all the same."""
    session = session_of()
    drop_us = session.truths[0].drop_us
    assert drop_us is not None
    watched = stopped_in(coup_states.BALL_IN_TRACK, session=session, undetected="manual")
    watched.core.game.predictor.crossed = lambda *_: None  # type: ignore[method-assign]
    watched.core.timers.set(0, None)
    goes_on(watched, session)
    assert watched.codes[:2] == ["C10", "P14"]
    assert watched.core.state == coup_states.MANUAL


def test_alternation_goes_on_after_a_number_that_people_entered() -> None:
    """Luxembourg art. 37-1: the rotor turns the other way at every coup."""
    session = session_of(2)
    watched = stopped_in(coup_states.BALL_DROPPED, session=session)
    enter(watched, 17)
    goes_on(watched, session)
    moving = [fact.rotor for fact in watched.facts if isinstance(fact, facts.RotorMoving)]
    assert moving[0] == -moving[1]
    assert [type(end) for end in watched.ends] == [facts.Result, facts.Result]
