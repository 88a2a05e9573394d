"""What runs when the coup's own ball does not: a second ball, a second throw, a throw too weak."""

from __future__ import annotations

import pytest
from harness.dish_by_hand import REST_S, Dish, decided

from firmware.core import facts


def begun(dish: Dish) -> int:
    """How many coups the core opened."""
    return sum(isinstance(fact, facts.CoupStarted) for fact in dish.play())


def test_a_fast_ball_thrown_after_a_slow_one_is_a_second_ball() -> None:
    dish = Dish()
    dish.press(1.0)
    drop_s = dish.throw(3.5, turns=6.4)
    dish.throw(drop_s - 1.4, turns=1.6, from_turn=0.25)  # more than twice as fast as the first
    dish.cup(7, drop_s + 0.05, REST_S)
    assert decided(dish.play()) == ["two_balls"]


@pytest.mark.parametrize("way", [1, -1])
def test_a_ball_that_runs_while_another_hops_from_cup_to_cup_is_a_second_ball(way: int) -> None:
    dish = Dish()
    dish.press(1.0)
    drop_s = dish.throw(3.5)
    dish.throw(drop_s - 0.9, way=way, turns=3.0)
    rest_s = dish.hops(drop_s + 0.05, ((3, 0.1, 0.1), (9, 0.25, 0.1), (4, 0.06, 0.1)))
    dish.cup(7, rest_s, REST_S)
    assert decided(dish.play()) == ["two_balls"]


def test_a_ball_thrown_again_after_one_was_lost_gives_no_number() -> None:
    dish = Dish()
    dish.press(1.0)
    lost_s = dish.hops(dish.throw(3.5) + 0.05, ((3, 0.1, 0.1), (9, 0.25, 0.1)))
    dish.cup(7, dish.throw(lost_s + 2.5) + 0.05, REST_S)
    assert decided(dish.play()) == ["two_balls"]


def test_a_ball_taken_from_the_track_and_thrown_again_gives_no_number() -> None:
    dish = Dish()
    dish.press(1.0)
    taken_s = dish.throw(3.5, turns=4.5)
    dish.cup(7, dish.throw(taken_s + 3.5) + 0.05, REST_S)
    assert decided(dish.play()) == ["two_balls"]


def test_a_second_ball_that_runs_on_after_the_void_opens_no_coup() -> None:
    dish = Dish()
    dish.press(1.0)
    drop_s = dish.throw(3.5)
    dish.throw(drop_s - 3.0, way=-1, turns=8.0, from_turn=0.25)
    dish.cup(7, drop_s + 0.05, REST_S)
    assert begun(dish) == 1


def test_four_beams_that_miss_the_ball_in_a_row_cost_no_coup() -> None:
    dish = Dish()
    dish.coup(1.0, 7)
    pulses = [seen for seen in sorted(dish.found) if dish.lines[seen[1]].startswith("rim")]
    for seen in pulses[12:20]:
        dish.found.remove(seen)
    assert decided(dish.play()) == [7]


def test_a_press_after_a_throw_that_no_beam_saw_begins_the_next_coup() -> None:
    """ "A coup not yet ended when the next begins is void then" (contracts/trace.md)."""
    dish = Dish()
    dish.press(1.0)
    dish.hops(3.5, ((4, 0.1, 0.1), (5, 6.0, 0.0)))
    dish.coup(10.1, 7)
    assert decided(dish.play()) == ["too_few_turns", 7]
