"""The technician's bench: out of play, the rotor turned on demand, every act written down."""

from __future__ import annotations

from typing import Any

import pytest
from harness.places import LINES
from harness.playing import ROULETTE
from harness.stage import BTN_START, press
from harness.watched import Watched

import boards
import rules
from firmware.core import facts
from firmware.core.controller import Controller
from firmware.core.coup import states
from firmware.core.coup.maintenance import SPEEDS_UTURN_S, TURN_MAX_US
from firmware.core.coup.restart_state import FRESH
from firmware.core.facts import CCW, CW, UNKNOWN
from firmware.core.house import HOUSE

WHO = ("weber", "supervisor")
RPM_20 = 333_333
PERIOD_US = 10_000
ENC_A, ENC_B = LINES.index("enc_a"), LINES.index("enc_b")


def on(watched: Watched, *, why: str = "monthly check") -> Watched:
    watched.event(facts.ServiceAsked(watched.at_us, *WHO, True, why))
    return watched


def off(watched: Watched) -> Watched:
    watched.event(facts.ServiceAsked(watched.at_us, *WHO, False, "done"))
    return watched


def turn(watched: Watched, way: int, *, for_us: int = 10_000_000, speed: int = RPM_20) -> Watched:
    watched.event(facts.TurnAsked(watched.at_us, *WHO, way, speed, for_us))
    return watched


def bench(**options: Any) -> Watched:
    """A wheel out of play."""
    watched = Watched(ROULETTE.controller(driven=True, **options))
    watched.start(None)
    on(watched)
    watched.orders.clear()
    return watched


def refusal(watched: Watched) -> str | None:
    said = [fact for fact in watched.facts if isinstance(fact, facts.Fault) and fact.code == "P10"]
    return said[-1].text if said else None


def acts(watched: Watched) -> list[Any]:
    return [body for kind, body in watched.durable if kind == "act"]


def step(watched: Watched, at: int) -> None:
    """One quarter of an encoder's cycle, ccw, that many quarters after the first."""
    line = ENC_A if at % 2 == 0 else ENC_B
    watched.edge(watched.at_us + 20_000, line, 1 if at % 4 < 2 else 0)


# --- out of play, and back ------------------------------------------------------------------------
def test_a_wheel_taken_out_of_play_says_so_and_shows_no_number() -> None:
    watched = bench()
    assert watched.core.state == states.SERVICE
    view = watched.core.view()
    assert (view.state, view.number) == ("SERVICE", None)


def test_out_of_play_no_button_begins_a_coup() -> None:
    watched = bench()
    press(watched, BTN_START)
    assert watched.core.state == states.SERVICE
    assert watched.drives == []
    assert "out of play, for service" in (refusal(watched) or "")


def test_out_of_play_a_hand_that_turns_the_rotor_begins_no_coup() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    on(watched)
    for at in range(200):
        step(watched, at)
    assert not [fact for fact in watched.facts if isinstance(fact, facts.CoupStarted)]


def test_an_open_coup_has_to_end_before_the_wheel_is_taken_out() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    press(watched, BTN_START)
    for at in range(40):
        step(watched, at)
    assert watched.core.table.open
    on(watched)
    assert watched.core.state == states.BETS_OPEN
    assert "a coup is open" in (refusal(watched) or "")


def test_after_service_play_goes_on() -> None:
    watched = off(bench())
    assert watched.core.state == states.BETS_OPEN
    press(watched, BTN_START)
    assert watched.drives[-1] != UNKNOWN


def test_the_wheel_goes_back_into_play_only_when_its_rotor_rests() -> None:
    watched = turn(bench(), CCW)
    for at in range(40):
        step(watched, at)
    off(watched)
    assert watched.core.state == states.SERVICE
    assert "come to rest first" in (refusal(watched) or "")


def test_what_is_not_out_of_play_is_not_put_back() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    off(watched)
    assert "not out of play for service" in (refusal(watched) or "")
    assert acts(watched) == []


def test_a_lock_ends_the_service_and_has_to_be_cleared() -> None:
    watched = bench()
    watched.event(facts.Trouble(watched.at_us, "M12", ""))
    assert watched.core.state == states.FAULT
    on(watched)
    assert watched.core.state == states.FAULT
    assert "already, in state FAULT" in (refusal(watched) or "")


def test_whatever_play_had_the_motor_do_ends_when_the_wheel_is_taken_out() -> None:
    watched = Watched(ROULETTE.controller(driven=True))
    watched.start(None)
    press(watched, BTN_START)
    on(watched)
    assert [rotor != UNKNOWN for rotor in watched.drives] == [True, False]


def test_a_motion_that_is_being_recorded_does_not_begin_out_of_play() -> None:
    watched = Watched(ROULETTE.controller(driven=True), delay_us=400_000)
    watched.start(None)
    watched.edge(1_000_000, BTN_START, 1)
    on(watched)
    watched.until(watched.at_us + 2_000_000)
    assert [rotor for rotor in watched.drives if rotor] == []


# --- turning --------------------------------------------------------------------------------------
@pytest.mark.req("LU-37-1.reversed")
@pytest.mark.parametrize("way", [CCW, CW])
def test_a_turn_of_the_bench_counts_for_the_alternation(way: int) -> None:
    """Luxembourg art. 37-1: « actionner chaque fois le plateau mobile dans un sens opposé »."""
    watched = off(turn(bench(restart_state=FRESH._replace(coup=1, seq=1, rotor=-way)), way))
    press(watched, BTN_START)
    assert [rotor for rotor in watched.drives if rotor] == [way, -way]


@pytest.mark.req("LU-37-1.reversed")
def test_the_motor_waits_until_its_turn_is_durable() -> None:
    watched = Watched(ROULETTE.controller(driven=True), delay_us=400_000)
    watched.start(None)
    on(watched)
    turn(watched, CW)
    assert CW not in watched.drives
    watched.until(watched.at_us + 800_000)
    assert watched.drives[-1] == CW


def test_a_turn_is_as_fast_as_was_asked() -> None:
    watched = turn(bench(), CCW, speed=100_000)
    assert watched.orders[-1] == facts.Drive(CCW, 100_000)


def test_a_turn_ends_by_itself() -> None:
    watched = turn(bench(), CCW, for_us=5_000_000)
    began_us = watched.at_us
    watched.until(began_us + 4_999_999)
    assert watched.drives == [CCW]
    watched.until(began_us + 5_000_000)
    assert watched.drives == [CCW, UNKNOWN]


def test_a_turn_ends_when_it_is_asked_to() -> None:
    watched = turn(turn(bench(), CCW), UNKNOWN)
    assert watched.drives == [CCW, UNKNOWN]
    assert watched.core.timers.due_us is None


def test_a_later_turn_takes_the_place_of_an_earlier_one() -> None:
    watched = turn(bench(), CCW, for_us=5_000_000)
    watched.until(watched.at_us + 3_000_000)
    turn(watched, CW, for_us=5_000_000)
    watched.until(watched.at_us + 4_000_000)
    assert watched.drives == [CCW, CW]


@pytest.mark.parametrize("driven", [True, False])
def test_nothing_turns_in_play_nor_without_a_motor(driven: bool) -> None:
    watched = Watched(ROULETTE.controller(driven=driven))
    watched.start(None)
    if not driven:
        on(watched)
    turn(watched, CCW)
    assert CCW not in watched.drives
    expected = "only out of play" if driven else "no motor turns this rotor"
    assert expected in (refusal(watched) or "")


def test_limits_of_a_turn_hold_by_assertion_for_they_were_checked_outside() -> None:
    watched = bench()
    for speed, for_us in ((SPEEDS_UTURN_S[1] + 1, 1), (RPM_20, TURN_MAX_US + 1), (RPM_20, 0)):
        with pytest.raises(AssertionError):
            turn(watched, CCW, speed=speed, for_us=for_us)


def test_after_a_turn_a_restart_finds_no_open_coup() -> None:
    """`actuation` rows of play belong to a coup that is about to open; these to none."""
    watched = turn(bench(restart_state=FRESH._replace(coup=7, seq=7)), CW)
    kind, body = watched.durable[-1]
    assert (kind, body) == ("actuation", {"coup": 7, "rotor": CW, "by": "service"})


def test_nothing_turns_at_a_dish() -> None:
    board = boards.load("boule_ref")
    watched = Watched(Controller(board, rules.load("boule_fr"), house=HOUSE))
    watched.start(None)
    turn(on(watched), CCW)
    assert watched.core.state == states.SERVICE
    assert "no motor" in (refusal(watched) or "")
    off(watched)
    assert watched.core.state == states.BETS_OPEN


# --- written down ---------------------------------------------------------------------------------
def test_every_act_is_written_down_with_who_did_it_in_which_role() -> None:
    watched = turn(bench(), CCW, for_us=30_000_000)
    off(turn(watched, UNKNOWN))
    who = {"who": "weber", "role": "supervisor"}
    assert acts(watched) == [
        {"what": "service on", "detail": "monthly check"} | who,
        {"what": "turn", "detail": "ccw, 20.0 rpm, 30 s"} | who,
        {"what": "turn", "detail": "runs out"} | who,
        {"what": "service off", "detail": "done"} | who,
    ]


def test_what_was_done_elsewhere_is_written_down_in_any_state() -> None:
    watched = Watched(ROULETTE.controller())
    watched.start(None)
    sha256 = "ab" * 32
    watched.event(facts.ActDone(1, "anna", "technician", "config", "pace 60 s", sha256))
    (act,) = acts(watched)
    assert act == {
        "what": "config",
        "who": "anna",
        "role": "technician",
        "detail": "pace 60 s",
        "sha256": sha256,
    }
    told = facts.Act(1, "config", "anna", "technician", "pace 60 s", sha256)
    assert told in watched.orders
    assert facts.fact_line(told) is None
    assert dict(facts.croupiers_line(told))["who"] == "anna"


def test_what_is_refused_is_not_written_down() -> None:
    watched = Watched(ROULETTE.controller(driven=True))
    watched.start(None)
    turn(watched, CCW)
    assert acts(watched) == []
    assert watched.codes == ["P10"]


# --- another holder -------------------------------------------------------------------------------
def test_another_supervisor_takes_the_wheel_over_and_it_stays_out_of_play() -> None:
    watched = turn(bench(), CCW)
    watched.until(watched.at_us + PERIOD_US)
    watched.event(facts.ServiceAsked(watched.at_us, "klein", "supervisor", True, "hands inside"))
    assert refusal(watched) is None
    assert watched.core.state == states.SERVICE
    assert watched.drives == [CCW, UNKNOWN]  # what the one before had begun ends
    assert acts(watched)[-1] == {
        "what": "service on",
        "who": "klein",
        "role": "supervisor",
        "detail": "hands inside",
    }


def test_who_took_it_over_in_the_period_it_was_taken_did_not_know_whose_it_was() -> None:
    watched = on(Watched(ROULETTE.controller(driven=True)))
    klein = facts.ServiceAsked(watched.at_us, "klein", "supervisor", True, "a chip")
    watched.event(klein)
    assert "weber has the wheel in service: take it over first" in (refusal(watched) or "")
    assert acts(watched)[-1] == {
        "what": "service refused",
        "who": "klein",
        "role": "supervisor",
        "detail": "weber has the wheel in service: take it over first.",
    }
    turn(watched, CCW)
    assert watched.drives[-1] == CCW
    watched.until(watched.at_us + PERIOD_US)
    watched.event(klein._replace(at_us=watched.at_us))
    assert [act["who"] for act in acts(watched) if act["what"] == "service on"] == [
        "weber",
        "klein",
    ]


def test_who_has_the_wheel_already_takes_it_from_nobody() -> None:
    watched = on(bench())
    assert "already, in state SERVICE" in (refusal(watched) or "")
    assert [act["what"] for act in acts(watched)] == ["service on"]


def test_nobody_else_turns_the_rotor_or_puts_the_wheel_back_into_play() -> None:
    """Another's hands may be in it."""
    watched = bench()
    other = ("klein", "supervisor")
    watched.event(facts.TurnAsked(watched.at_us, *other, CCW, RPM_20, 10_000_000))
    assert "weber has the wheel in service" in (refusal(watched) or "")
    watched.event(facts.ServiceAsked(watched.at_us, *other, False, "done"))
    assert watched.core.state == states.SERVICE
    assert watched.drives == []
    assert [act["who"] for act in acts(watched)] == ["weber"]


def test_whoever_sees_a_rotor_turn_may_let_it_run_out() -> None:
    watched = turn(bench(), CCW)
    watched.event(facts.TurnAsked(watched.at_us, "klein", "supervisor", UNKNOWN, 0, 0))
    assert acts(watched)[-1]["detail"] == "runs out"
    assert acts(watched)[-1]["who"] == "klein"
