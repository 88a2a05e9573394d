"""Which cup holds the ball, and for certain: DESIGN section 3 for a dish with a sensor a cup."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from harness.dish_by_hand import REST_S, Dish, decided, times_s
from harness.watched import codes
from hypothesis import given
from hypothesis import strategies as st

from firmware.core import facts
from firmware.core.sense import cups

HOLD_S = cups.HOLD_US / 1e6


def dropped() -> tuple[Dish, float]:
    """A dish whose ball has just left the track, and when."""
    dish = Dish()
    dish.press(1.0)
    return dish, dish.throw(3.5) + 0.05


def after(hops: Any) -> list[Any]:
    """The facts of a coup whose ball hops so; the last one lasts."""
    dish, drop_s = dropped()
    dish.hops(drop_s, hops)
    return dish.play()


def test_a_number_needs_one_cup_dark_without_a_break() -> None:
    dish, drop_s = dropped()
    rest_s = dish.hops(drop_s, ((3, 0.06, 0.1), (12, 0.7, 0.2)))
    dish.cup(7, rest_s, REST_S)
    told = dish.play()
    assert decided(told) == [7]
    assert times_s(told, facts.Detected) == [pytest.approx(rest_s + HOLD_S)]


def test_a_ball_that_pauses_for_a_second_and_hops_out_gives_no_number() -> None:
    assert decided(after(((3, 1.0, 0.3), (12, 1.0, 0.5), (12, 1.0, 0.4), (8, REST_S, 0)))) == [8]


def test_a_ball_lifted_before_its_number_is_certain_is_lost() -> None:
    assert decided(after(((3, 0.06, 0.1), (7, HOLD_S - 0.1, 0)))) == ["ball_lost"]


def test_a_ball_that_no_cup_ever_sees_is_lost() -> None:
    assert decided(after(())) == ["ball_lost"]


def test_a_ball_that_rests_unseen_between_two_cups_is_lost() -> None:
    assert decided(after(((3, 0.06, 0.1), (12, 0.7, 0.2)))) == ["ball_lost"]


@pytest.mark.req("LU-37-1.chip")
@pytest.mark.parametrize(
    ("gap_s", "settled_s", "ending"),
    [(0.19, 0.0, "foreign_object"), (0.19, 2.0, 17), (0.30, 0.0, 17)],
)
def test_what_comes_to_a_cup_sooner_than_a_ball_from_the_last_one_is_none(
    gap_s: float, settled_s: float, ending: Any
) -> None:
    """Seed 15: a ball leapt out of the dish, and a chip fell into a cup across it. Of a ball that
    may have settled nobody asks that: recorded ones come to their last cup from anywhere."""
    dish, drop_s = dropped()
    at_s = drop_s
    for cup, lasts_s, after_s in ((1, 0.05, 0.16), (4, 0.06, 0.51), (8, 0.1, 0.0)):
        dish.cup(cup, at_s, lasts_s)
        at_s += lasts_s + after_s
    if settled_s:
        at_s = drop_s + settled_s
        dish.cup(8, at_s - 0.1, 0.1)
    dish.cup(17, at_s + gap_s, REST_S)
    told = dish.play()
    assert decided(told) == [ending]
    assert ("W41" in codes(told)) is (ending == "foreign_object")


@pytest.mark.parametrize("first", [4, 17])
def test_a_ball_that_rocks_on_the_ridge_between_two_cups_is_lost(first: int) -> None:
    rocking = ((first, 0.08, 0.02), ((first + 1) % 18, 0.09, 0.03)) * 40
    told = after(((3, 0.06, 0.1), *rocking))
    assert decided(told) == ["ball_lost"]
    assert times_s(told, facts.Void)[0] - times_s(told, facts.BallDropped)[0] < 6.0


def test_a_ball_that_rocks_and_then_settles_has_its_number() -> None:
    rocking = ((4, 0.08, 0.02), (5, 0.09, 0.03)) * 9
    assert decided(after((*rocking, (5, REST_S, 0)))) == [5]


def test_a_cup_that_only_flickers_proves_nothing() -> None:
    assert decided(after(((7, 0.4, 0.1),) * 30)) == ["sensors_disagree"]


# --- noise ------------------------------------------------------------------------------------
def test_gaps_shorter_than_a_hop_break_no_hold() -> None:
    dish, drop_s = dropped()
    for step in range(40):
        dish.cup(7, drop_s + step * 0.2, 0.195)
    told = dish.play()
    assert decided(told) == [7]
    assert times_s(told, facts.Detected) == [pytest.approx(drop_s + HOLD_S)]


@pytest.mark.req("UK-4.1.detected")
@pytest.mark.parametrize("wave_s", [1 / 100, 1 / 120])
def test_a_cup_dark_but_for_the_waves_of_a_lamp_holds_nothing(wave_s: float) -> None:
    """Campaign of seed 11, job 6980: the ball was stuck in the track."""
    dish, drop_s = dropped()
    for step in range(1000):
        dish.cup(7, drop_s + step * wave_s, wave_s * 0.9)
    assert decided(dish.play()) == ["ball_lost"]


def test_a_gap_in_which_the_ball_may_have_hopped_starts_the_hold_again() -> None:
    dish, drop_s = dropped()
    dish.hops(drop_s, ((7, 1.5, 0.05), (7, REST_S, 0)))
    assert times_s(dish.play(), facts.Detected) == [pytest.approx(drop_s + 1.55 + HOLD_S)]


def test_pulses_shorter_than_a_ball_makes_neither_start_nor_break_a_hold() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, REST_S)
    for step in range(60):
        dish.cup(step % 7, drop_s + step * 0.05, 0.004)
    told = dish.play()
    assert decided(told) == [7]
    assert times_s(told, facts.Detected) == [pytest.approx(drop_s + HOLD_S, abs=0.01)]


def test_a_number_is_never_given_in_the_middle_of_a_gap() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, HOLD_S - 0.001)  # the ball leaves just before its time is up
    dish.cup(9, drop_s + HOLD_S + 0.3, REST_S)
    assert decided(dish.play()) == [9]


def test_a_beam_that_sees_something_like_a_ball_starts_the_hold_again() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, REST_S)
    dish.pulse("rim1", drop_s + 2.0, 0.02)
    told = dish.play()
    assert decided(told) == [7]
    assert times_s(told, facts.Detected) == [pytest.approx(drop_s + 2.02 + HOLD_S)]


def test_a_beam_that_flickers_once_is_one_pulse() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, REST_S)
    dish.pulse("rim1", drop_s + 1.0, 0.02)
    dish.pulse("rim1", drop_s + 1.022, 0.02)
    assert decided(dish.play()) == [7]


def test_what_rocked_in_the_last_coup_says_nothing_of_this_one() -> None:
    dish, drop_s = dropped()
    at_s = dish.hops(drop_s, ((4, 0.08, 0.02), (5, 0.09, 0.03)) * 30)
    dish.coup(at_s + 1.9, 5, hops=((4, 0.1, 0.1), (5, 0.1, 0.1)))
    assert decided(dish.play()) == ["ball_lost", 5]


def test_stray_pulses_of_the_beams_delay_a_number_and_void_none() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, REST_S)
    for step in range(4):
        dish.pulse(f"rim{step * 2 % 3}", drop_s + 0.5 + step * 0.7, 0.004 + step * 0.01)
    assert decided(dish.play()) == [7]


# --- two things -------------------------------------------------------------------------------
@pytest.mark.parametrize("other", [8, 15])
@pytest.mark.parametrize("after_s", [-0.4, 0.0, 0.6, 2.4, 2.496])
def test_two_cups_that_hold_something_are_two_balls(other: int, after_s: float) -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s + 1.0, REST_S)
    dish.cup(other, drop_s + 1.0 + after_s, REST_S)
    told = dish.play()
    assert decided(told) == ["two_balls"]
    assert codes(told) == ["W42"]


def test_a_ball_that_touches_two_cups_while_it_rolls_over_is_one_ball() -> None:
    dish, drop_s = dropped()
    dish.cup(6, drop_s, 0.3)
    dish.cup(7, drop_s + 0.1, REST_S)
    assert decided(dish.play()) == [7]


def test_a_second_ball_that_passes_while_the_first_rests_is_seen() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, REST_S)
    dish.cup(12, drop_s + 2.0, 0.04)
    told = dish.play()
    assert decided(told) == ["two_balls"]
    assert "Cups 7 and 12 " in next(f.text for f in told if isinstance(f, facts.Fault))


def test_a_second_ball_that_runs_in_the_track_disproves_the_cup() -> None:
    dish, drop_s = dropped()
    dish.cup(7, drop_s, REST_S)
    dish.throw(drop_s + 0.5, turns=3.0)
    assert decided(dish.play())[0] == "two_balls"


@pytest.mark.parametrize("pause_s", [0.03, 1.0])
@pytest.mark.parametrize("travel_s", [0.05, 0.6])
def test_a_sensor_that_sticks_at_a_pass_never_gives_the_number(
    pause_s: float, travel_s: float
) -> None:
    dish, drop_s = dropped()
    dish.cup(12, drop_s, 30.0)
    dish.cup(7, drop_s + pause_s + travel_s, REST_S)
    assert decided(dish.play()) == ["two_balls"]


def test_a_sensor_that_sticks_is_found_out_by_one_pass_elsewhere() -> None:
    """The ball rests where nothing sees it; what passed meanwhile disproves the stuck sensor."""
    dish, drop_s = dropped()
    dish.cup(12, drop_s, 30.0)
    dish.cup(7, drop_s + 1.2, 0.03)
    assert decided(dish.play()) == ["two_balls"]


@pytest.mark.req("SD-34.no_spin_object")
def test_what_falls_into_a_cup_while_the_ball_runs_is_a_foreign_object() -> None:
    dish = Dish()
    dish.press(1.0)
    dish.throw(3.5)
    dish.cup(12, 6.0, 30.0)  # and nothing else sees the ball any more
    told = dish.play()
    assert decided(told) == ["foreign_object"]
    assert codes(told) == ["W41"]


def test_a_ball_left_behind_is_foreign_to_the_next_coup_and_the_throw_is_recorded() -> None:
    dish, drop_s = dropped()
    dish.cup(12, drop_s, 80.0)
    dish.cup(7, drop_s + 1.0, REST_S)
    at_s = dish.coup(drop_s + 12.0, 3, way=-1)
    dish.coup(at_s + 1.9, 3, way=-1)
    watched = dish.watch(at_s + 40.0)
    assert decided(watched.facts) == ["two_balls", "foreign_object", "foreign_object"]
    ways = [body["ball"] for kind, body in watched.durable if kind == "void"]
    assert ways == [1, -1, -1]


# --- anything at all --------------------------------------------------------------------------
steps = st.lists(
    st.tuples(st.integers(1, 900_000), st.integers(0, 8), st.integers(0, 1)), max_size=60
)


@given(steps)
def test_whatever_happens_a_cup_that_is_believed_has_been_dark_alone(steps: Any) -> None:
    """Held against a plain reading of the same edges."""
    watched = cups.Cups(9, ring_radius_mm=240)
    spans: list[list[Any]] = []  # [cup, from, to]
    at_us = 0
    for after_us, cup, level in steps:
        for now in _looks(watched, at_us, at_us + after_us):
            _check(watched, spans, now)
        at_us += after_us
        dark = next((span for span in spans if span[0] == cup and span[2] is None), None)
        if level and dark is None:
            spans.append([cup, at_us, None])
        elif not level and dark is not None:
            dark[2] = at_us
        watched.edge(at_us, cup, level)
        _check(watched, spans, at_us)
    for now in _looks(watched, at_us, at_us + 10_000_000):
        _check(watched, spans, now)


def _looks(watched: cups.Cups, from_us: int, to_us: int) -> Any:
    """Every time it asks to be looked at."""
    due_us = watched.due_us(from_us)
    while due_us is not None and due_us <= to_us:
        yield due_us
        due_us = watched.due_us(due_us)


def _check(watched: cups.Cups, spans: list[list[Any]], now: int) -> None:
    found = watched.judge(now)
    if found is None or found[0] != cups.HELD:
        return
    [cup] = found[1]
    begin = now - cups.HOLD_US
    for other, from_us, to_us in spans:
        end = now if to_us is None else to_us
        solid = end - from_us >= cups.PULSE_MIN_US
        assert other == cup or not solid or end <= begin, "something was seen elsewhere"
    own = [span for span in spans if span[0] == cup and (span[2] is None or span[2] > begin)]
    assert own[0][1] <= begin
    assert own[-1][2] is None
    for before, behind in itertools.pairwise(own):
        assert behind[1] - before[2] < cups.PULSE_MIN_US, "a gap as long as a hop"


def flickering(dark_us: int, bright_us: int) -> cups.Cups:
    """A cup under a lamp for two seconds."""
    watched = cups.Cups(18, ring_radius_mm=240)
    at_us = 1_000_000
    while at_us < 3_000_000:
        watched.edge(at_us, 7, 1)
        watched.edge(at_us + dark_us, 7, 0)
        at_us += dark_us + bright_us
        watched.settle(at_us - 1)
    return watched


@pytest.mark.req("UK-4.1.detected")
@pytest.mark.parametrize("dark_us", [6_000, 9_000])
def test_a_cup_that_flickers_is_dark_though_no_flash_is_as_long_as_a_ball(dark_us: int) -> None:
    """Lamps at 100 Hz: it would never be told, and a ball in that cup is known by it alone."""
    assert flickering(dark_us, 10_000 - dark_us).occupied() == [7]


def test_flashes_with_longer_gaps_are_noise() -> None:
    assert flickering(4_000, 6_000).occupied() == []
