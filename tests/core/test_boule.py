"""The procedure of boule, from the press of the button to the number."""

from __future__ import annotations

from typing import Any

import pytest
from harness.dish_by_hand import REST_S, Dish, decided, times_s
from harness.playing import boule
from harness.watched import codes

from firmware.core import facts
from firmware.core.coup import states
from firmware.core.coup.restart_state import FRESH
from firmware.core.sense.throw import Throw

LONG = ((3, 0.7, 0.2), (12, 0.03, 0.4), (5, 1.0, 0.5), (5, 1.0, 0.5))


def thrown(**throw: Any) -> tuple[Dish, float]:
    """A dish: pressed at 1 s, thrown at 3.5 s; and when the ball left the track."""
    dish = Dish()
    dish.press(1.0)
    return dish, dish.throw(3.5, **throw)


@pytest.mark.parametrize("cups", [9, 18, 36])
def test_clean_coups_get_the_number_of_the_cup_where_the_ball_rests(cups: int) -> None:
    dish = Dish(cups)
    at_s = 1.0
    places = [0, cups - 1, cups // 2, 4]
    for turn, cup in enumerate(places):
        at_s = dish.coup(at_s, cup, way=(1, -1)[turn % 2]) + 1.9
    told = dish.play()
    assert decided(told) == places
    numbers = [fact.number for fact in told if isinstance(fact, facts.Result)]
    # contracts/trace.md: 1..9 around the dish, each number facing itself
    assert numbers == [cup % 9 + 1 for cup in places]
    assert codes(told) == []


def test_a_coup_is_told_in_order_and_has_no_rotor() -> None:
    dish = Dish()
    dish.coup(1.0, 7, way=-1)
    told = dish.play()
    assert [type(fact) for fact in told] == [
        facts.CoupStarted,
        facts.NoMoreBets,
        facts.BallInTrack,
        facts.BallDropped,
        facts.Detected,
        facts.Result,
    ]
    assert told[0].at_us == 1_000_000
    assert told[0].rotor == 0
    assert told[2].ball == facts.CW


def test_the_call_comes_at_the_first_beam_of_the_throw() -> None:
    dish, _ = thrown()
    first_us = next(edge[0] for edge in dish.edges() if edge[1] < 3 and edge[2] == 0)
    assert times_s(dish.play(), facts.NoMoreBets) == [first_us / 1e6]


def test_bets_are_open_until_the_call() -> None:
    dish, _ = thrown()
    assert dish.watch(3.4).core.state == states.BETS_OPEN
    assert dish.watch(3.7).core.state == states.NO_MORE_BETS


def test_the_house_may_call_later_in_the_throw() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    told = dish.play(after_throw_us=3_000_000)
    first_us = next(edge[0] for edge in dish.edges() if edge[1] < 3 and edge[2] == 0)
    assert times_s(told, facts.NoMoreBets) == [first_us / 1e6 + 3]
    kinds = [type(fact) for fact in told]
    assert kinds.index(facts.BallInTrack) < kinds.index(facts.NoMoreBets)
    assert decided(told) == [7]


def test_the_latest_call_is_when_a_cup_sees_the_ball() -> None:
    dish, drop_s = thrown()
    dish.hops(drop_s + 0.4, ((3, 0.7, 0.2), (8, 0.7, 0.2), (6, REST_S, 0)))
    told = dish.play(after_throw_us=30_000_000)
    assert drop_s < times_s(told, facts.NoMoreBets)[0] < drop_s + 1.2
    assert decided(told) == [6]


def test_the_time_that_a_spoken_call_takes_moves_nothing() -> None:
    dish, _ = thrown()
    assert times_s(dish.play(call_us=1_500_000), facts.NoMoreBets) == times_s(
        dish.play(), facts.NoMoreBets
    )


def test_a_press_while_bets_are_open_is_the_same_beginning() -> None:
    dish = Dish()
    dish.press(0.5)
    dish.coup(1.0, 7)
    dish.press(2.0)
    assert decided(dish.play()) == [7]


# --- the way of the throw ---------------------------------------------------------------------
@pytest.mark.req("FR-47.reversed")
def test_article_47_asks_no_alternation_at_boule() -> None:
    """« Au jeu du vingt-trois, l'employé ... dans un sens opposé au précédent »: not at boule."""
    dish = Dish()
    at_s = dish.coup(1.0, 7, way=1) + 1.9
    dish.coup(at_s, 8, way=1)
    assert decided(dish.play()) == [7, 8]


def test_where_the_house_asks_it_the_throw_must_alternate() -> None:
    dish = Dish()
    at_s = 1.0
    for cup, way in ((7, 1), (8, -1), (9, -1), (10, 1)):
        at_s = dish.coup(at_s, cup, way=way) + 1.9
    assert decided(dish.play(alternate_throws=True)) == [7, 8, "same_direction", 10]


def test_the_last_throw_is_remembered_across_a_restart() -> None:
    dish = Dish()
    dish.coup(1.0, 7, way=1)
    options = {"alternate_throws": True, "restart_state": FRESH._replace(ball=facts.CCW)}
    assert decided(dish.play(**options)) == ["same_direction"]


def test_the_way_of_the_throw_is_in_the_record() -> None:
    dish = Dish()
    dish.coup(1.0, 7, way=-1)
    body = dish.watch(30).durable[-1][1]
    assert body["ball"] == facts.CW
    assert body["held_us"] == 2_500_000


@pytest.mark.req("SD-34.no_spin_turns")
def test_too_few_turns_are_void() -> None:
    dish = Dish()
    dish.coup(1.0, 7, turns=2.5)
    assert decided(dish.play()) == ["too_few_turns"]


def test_three_proven_turns_are_enough() -> None:
    dish = Dish()
    dish.coup(1.0, 7, turns=3.5)
    assert decided(dish.play()) == [7]


@pytest.mark.parametrize("seed", range(20))
def test_beams_that_miss_the_ball_cost_no_coup(seed: int) -> None:
    dish = Dish()
    dish.coup(1.0, 7, missed=0.12, seed=seed)
    assert decided(dish.play()) == [7]


@pytest.mark.parametrize("beam", range(3))
def test_a_dead_beam_costs_no_coup_and_is_told(beam: int) -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.found = [edge for edge in dish.found if edge[1] != beam]
    told = dish.play()
    assert decided(told) == [7]
    assert codes(told) == ["W22"]


# --- before the throw, and without a start ----------------------------------------------------
def test_a_throw_before_the_start_is_void() -> None:
    """contracts/trace.md: « a coup starts at boule at btn_start »: no bets were open for this."""
    dish = Dish()
    rest_s = dish.throw(3.0, way=-1) + 0.1
    dish.cup(4, rest_s, REST_S)
    at_s = rest_s + REST_S + 1.9
    dish.coup(at_s, 7)
    told = dish.play()
    assert decided(told) == ["moved_before_call", 7]
    assert [fact.ball for fact in told if isinstance(fact, facts.BallInTrack)] == [-1, 1]
    assert len(times_s(told, facts.NoMoreBets)) == 1


def test_a_ball_that_runs_on_after_a_void_is_no_new_throw() -> None:
    dish, drop_s = thrown()
    dish.press(4.0, "btn_void")
    dish.hops(drop_s + 0.1, ((3, 0.2, 0.2), (8, REST_S, 0)))
    assert decided(dish.play()) == ["croupier"]


def test_a_throw_after_its_coup_was_declared_void_is_no_second_coup() -> None:
    dish = Dish()
    at_s = dish.coup(1.0, 7, way=1)
    dish.press(2.0, "btn_void")
    at_s = dish.coup(at_s + 1.9, 8, way=1) + 1.9
    dish.coup(at_s, 9, way=-1)
    assert decided(dish.play(alternate_throws=True)) == ["croupier", "same_direction", 9]


def test_a_relaunch_after_a_void_needs_its_own_press() -> None:
    dish = Dish()
    dish.press(1.0)
    dish.throw(3.0, turns=1.5)  # caught by the croupier
    dish.press(4.2, "btn_void")
    dish.coup(6.5, 7)
    assert decided(dish.play()) == ["croupier", 7]


def test_a_hand_that_passes_a_beam_calls_too_early_and_costs_nothing() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.pulse("rim1", 1.5, 0.05)
    told = dish.play()
    assert times_s(told, facts.NoMoreBets) == [1.55]
    assert decided(told) == [7]


def test_a_hand_that_passes_a_beam_and_a_cup_is_no_throw() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.pulse("rim1", 1.5, 0.05)
    dish.cup(9, 2.7, 0.3)
    assert decided(dish.play()) == [7]


def test_a_throw_too_weak_for_its_way_to_be_known_is_void() -> None:
    dish = Dish()
    dish.coup(1.0, 7, turns=0.6)
    told = dish.play()
    assert decided(told) == ["too_few_turns"]
    assert times_s(told, facts.BallInTrack) == []


@pytest.mark.parametrize("hand_s", [1.2, 2.5])
def test_a_hand_that_passes_a_beam_adds_no_turns_to_the_throw(hand_s: float) -> None:
    dish = Dish()
    dish.press(1.0)
    dish.pulse("rim1", hand_s, 0.006)
    dish.hops(dish.throw(5.0, turns=2.4) + 0.05, ((3, 0.06, 0.1), (7, REST_S, 0)))
    assert decided(dish.play()) == ["too_few_turns"]


def test_a_hand_that_passes_a_beam_starts_no_late_call() -> None:
    dish = Dish()
    dish.press(1.0)
    dish.pulse("rim1", 1.5, 0.05)
    assert dish.watch(20.0, after_throw_us=3_000_000).core.state == states.BETS_OPEN


def test_two_balls_in_the_track_are_void() -> None:
    dish, drop_s = thrown(turns=7.0)
    dish.throw(3.9, way=-1, turns=7.0, from_turn=0.5)
    dish.cup(7, drop_s + 0.2, REST_S)
    assert decided(dish.play()) == ["two_balls"]


@pytest.mark.parametrize("after_throw_s", [0, 5, 10])
@pytest.mark.parametrize("beam", range(3))
def test_a_single_beam_alone_proves_no_throw_and_names_the_dead_ones(
    beam: int, after_throw_s: int
) -> None:
    dish = Dish()
    dish.coup(1.0, 7, hops=LONG)
    dish.found = [edge for edge in dish.found if edge[1] > 2 or edge[1] == beam]
    told = dish.play(after_throw_us=after_throw_s * 1_000_000)
    assert decided(told) == ["too_few_turns"]
    named = [fact.text.split()[2] for fact in told if getattr(fact, "code", None) == "W22"]
    assert named == [str(dead) for dead in range(3) if dead != beam]


def test_a_throw_that_dropped_before_it_came_to_a_beam_blames_none() -> None:
    dish = Dish()
    dish.coup(1.0, 7, turns=0.9)
    told = dish.play()
    assert decided(told) == ["too_few_turns"]
    assert codes(told) == []


def test_turns_whose_way_no_second_beam_proves_do_not_count() -> None:
    throw = Throw(boule().board["geometry"])
    for turn in range(6):
        throw.edge(turn * 600_000, 0, 1)
        throw.edge(turn * 600_000 + 5_000, 0, 0)
    assert not throw.turned(3)


def test_noise_on_the_beams_calls_nothing() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    for step in range(12):
        dish.pulse(f"rim{step % 3}", 1.3 + step * 0.1, 0.0015)
    told = dish.play()
    assert times_s(told, facts.NoMoreBets)[0] > 3.5
    assert decided(told) == [7]


def test_a_throw_that_no_beam_saw_is_void() -> None:
    dish = Dish()
    dish.coup(1.0, 7, hops=((3, 0.06, 0.1), (9, 0.2, 0.1)), missed=1.0)
    told = dish.play()
    assert decided(told) == ["too_few_turns"]
    assert codes(told) == ["W41"]


def test_a_ball_forgotten_in_its_cup_is_told_before_the_throw_and_void_after() -> None:
    dish = Dish()
    dish.press(1.0)
    dish.cup(11, 0.5, 30.0)
    dish.cup(5, dish.throw(6.0) + 0.1, REST_S)
    told = dish.play()
    assert decided(told) == ["foreign_object"]
    [fault] = [fact for fact in told if isinstance(fact, facts.Fault)]
    assert fault.code == "W41"
    assert "Cup 11 " in fault.text
    assert fault.at_us == 4_000_000


def test_a_ball_lifted_between_start_and_throw_is_no_foreign_object() -> None:
    dish = Dish()
    dish.cup(11, 0.5, 2.0)
    dish.coup(1.0, 7)
    told = dish.play()
    assert decided(told) == [7]
    assert codes(told) == []


def test_a_cup_that_is_stuck_since_the_power_came_on_is_a_foreign_object() -> None:
    dish = Dish()
    dish.levels[dish.lines.index("cup09")] = 1
    dish.coup(1.0, 7)
    told = dish.play()
    assert decided(told) == ["foreign_object"]
    assert codes(told) == ["W41"]


# --- the next coup while one is open ----------------------------------------------------------
def test_a_press_while_the_ball_runs_is_forgotten() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.press(6.0)
    assert decided(dish.play()) == [7]


def test_a_press_while_the_ball_hops_is_forgotten() -> None:
    dish = Dish()
    dish.coup(1.0, 7, hops=LONG)
    dish.press(11.0)
    assert decided(dish.play()) == [7]


def test_a_press_while_the_ball_has_met_no_cup_yet_is_forgotten() -> None:
    """It may roll past them all for three seconds."""
    dish, drop_s = thrown()
    dish.press(drop_s + 1.7)
    dish.cup(7, drop_s + 3.2, REST_S)
    assert decided(dish.play()) == [7]


def test_a_press_just_before_the_number_begins_nothing_while_the_ball_lies_there() -> None:
    dish, drop_s = thrown()
    dish.cup(7, drop_s + 0.1, REST_S)
    dish.press(drop_s + 1.0)
    told = dish.play()
    assert decided(told) == [7]
    assert len(times_s(told, facts.CoupStarted)) == 1


def test_a_coup_not_yet_ended_when_the_next_begins_is_void_then() -> None:
    dish, drop_s = thrown()
    dish.cup(4, drop_s + 0.1, 0.4)  # lifted out at once
    dish.coup(drop_s + 1.9, 7)
    told = dish.play()
    assert decided(told) == ["ball_lost", 7]
    assert times_s(told, facts.CoupStarted)[1] == pytest.approx(drop_s + 4.5, abs=0.01)


def test_a_press_is_kept_while_the_disk_is_slow() -> None:
    dish = Dish()
    at_s = dish.coup(1.0, 7)
    dish.coup(at_s + 1.9, 8)
    watched = dish.watch(at_s - 1.0)
    assert decided(watched.facts) == [7]
    watched.delay_us = 1_000_000
    for edge in dish.edges():
        if edge[0] > (at_s - 1.0) * 1e6:
            watched.edge(*edge)
    watched.until(round((at_s + 40) * 1e6))
    watched.end()
    assert decided(watched.facts) == [7, 8]


@pytest.mark.req("ON-21.1.9.disabled")
def test_a_table_out_of_play_begins_nothing() -> None:
    dish = Dish()
    dish.coup(5.0, 7)
    watched = dish.watch(1.0)
    watched.event(facts.Trouble(2_000_000, "M12", ""))
    for edge in dish.edges():
        watched.edge(*edge)
    watched.until(60_000_000)
    assert watched.core.state == states.FAULT
    assert decided(watched.facts) == []
    watched.event(facts.ClearAsked(61_000_000, "x"))
    assert watched.core.state == states.BETS_OPEN
    assert decided(watched.facts) == []


# --- doubts about lines -----------------------------------------------------------------------
@pytest.mark.parametrize("name", ["rim1", "cup02"])
def test_a_doubt_about_a_line_from_the_call_on_is_void(name: str) -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.line(name, 6.0, -1)
    told = dish.play()
    assert decided(told) == ["sensors_disagree"]
    assert codes(told) == ["W33"]


@pytest.mark.parametrize("name", ["rim1", "cup02"])
def test_a_doubt_before_the_throw_costs_nothing(name: str) -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.line(name, 2.0, -1)
    assert decided(dish.play()) == [7]


def test_a_doubt_in_a_throw_that_is_called_late_is_void() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    dish.line("rim0", 4.0, -1)
    assert decided(dish.play(after_throw_us=3_000_000)) == ["sensors_disagree"]


# --- people -----------------------------------------------------------------------------------
def test_a_croupier_confirms_the_number_with_the_start_button() -> None:
    dish = Dish()
    at_s = dish.coup(1.0, 7)
    dish.press(at_s - 2.0)
    dish.coup(at_s + 1.9, 8)
    told = dish.play(confirm="croupier")
    assert decided(told)[0] == 7
    assert times_s(told, facts.Result) == [pytest.approx(at_s - 2.0)]


def test_a_ball_that_moves_before_the_croupier_confirmed_is_void() -> None:
    dish, drop_s = thrown()
    dish.hops(drop_s + 0.1, ((4, 4.0, 0.2), (9, REST_S, 0)))
    told = dish.play(confirm="croupier")
    assert decided(told) == ["sensors_disagree"]
    assert len(times_s(told, facts.Detected)) == 1


def test_a_ball_lifted_before_the_croupier_confirmed_leaves_him_the_choice() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    watched = dish.watch(60.0, confirm="croupier")
    assert watched.core.state == states.DETECTED


def test_where_the_house_asks_people_they_enter_what_was_not_detected() -> None:
    dish, drop_s = thrown()
    watched = dish.watch(drop_s + 30.0, undetected="manual")
    assert watched.core.state == states.MANUAL
    entered = facts.ManualEntered(watched.at_us + 1, 5, None, "croupier", "manager", "ridge")
    watched.event(entered)
    assert watched.core.view().number == 5
    # The cups cannot tell a ball that left the dish from one that rests between two of them.
    assert watched.evidence()["undetected"] == "ball_lost"


def test_a_press_for_the_next_coup_asks_people_for_the_number_of_this_one() -> None:
    dish, drop_s = thrown()
    dish.press(drop_s + 4.0)
    watched = dish.watch(drop_s + 4.5, undetected="manual")
    assert watched.core.state == states.MANUAL


def test_a_void_by_the_regulations_is_no_business_of_manual_mode() -> None:
    dish = Dish()
    dish.coup(1.0, 7, turns=2.5)
    assert decided(dish.play(undetected="manual")) == ["too_few_turns"]


def test_a_coup_without_a_throw_ends_by_itself() -> None:
    dish = Dish()
    dish.press(1.0)
    watched = dish.watch(302.0)
    assert decided(watched.facts) == ["timeout"]


def test_the_dish_never_turns() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    assert dish.watch(8.0).core.speed_uturn_s(8_000_000) == 0
