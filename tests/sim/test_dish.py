"""The virtual boule dish as a whole: repeatable, causal, and telling the truth."""

from bisect import bisect_right
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from boards import boule_ref
from tools.sim.dish import PRESETS, VirtualDish

B1 = PRESETS["B1"]


def new_dish(seed=1, cups=18, **options):
    game = rules.load("boule_fr")
    game["layout"] = tuple(range(1, 10)) * (cups // 9)
    return VirtualDish(boule_ref.board(cups), game, "B1", seed, **options)


def play(dish, *, coups, step_us=1_000_000):
    edges = []
    while dish.finished < coups:
        edges += dish.advance(dish.now_us + step_us, 0)
    return edges


def pulses(dish, edges, name):
    """[(from_us, to_us, line)] of the lines whose names begin so, by their begin; none open."""
    since, found = {}, []
    for at_us, line, level in edges:
        if not dish.layout.names[line].startswith(name):
            continue
        if level:
            since[line] = at_us
        else:
            found.append((since.pop(line), at_us, line))
    return sorted(found)


def by_coup(dish, found):
    """The pulses of every coup, by its place in the truths."""
    starts = [truth.t_start_us for truth in dish.truths]
    coups = [[] for _ in starts]
    for pulse in found:
        coups[bisect_right(starts, pulse[0]) - 1].append(pulse)
    return coups


COUPS = {9: 300, 18: 1000, 36: 700}


@pytest.fixture(scope="module", params=[9, 18, 36])
def game(request):
    """A dish of so many cups after a long run, and its edges."""
    dish = new_dish(seed=7, cups=request.param)
    return dish, play(dish, coups=COUPS[request.param])


def chunked(dish, steps_us, *, total_us=150_000_000):
    edges, at = [], 0
    while dish.now_us < total_us:
        edges += dish.advance(min(total_us, dish.now_us + steps_us[at % len(steps_us)]), 0)
        at += 1
    return edges


def test_how_the_time_is_cut_into_calls_does_not_matter():
    cuts = [[1_000_000], [20_000], [3_137, 40_001, 977], [150_000_000]]
    dishes = [new_dish(seed=9) for _ in cuts]
    runs = [chunked(dish, steps) for dish, steps in zip(dishes, cuts, strict=True)]
    assert len(runs[0]) > 250
    assert all(run == runs[0] for run in runs)
    assert all(dish.truths == dishes[0].truths for dish in dishes)


def test_the_same_seed_gives_the_same_game_and_another_another():
    games = [play(new_dish(seed=seed), coups=2) for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_a_motor_and_a_hand_change_nothing():
    turned = new_dish(hand=True)
    assert turned.advance(40_000_000, 900) == new_dish().advance(40_000_000, 0)


def test_a_slow_croupier_does_not_change_the_next_ball():
    one, other = new_dish(), new_dish(parameters=B1.changed(lift_s_range=(12.0, 13.0)))
    play(one, coups=3)
    play(other, coups=3)
    assert one.truths[2].t_launch_us != other.truths[2].t_launch_us
    assert [c.compartment for c in one.truths[:3]] == [c.compartment for c in other.truths[:3]]


@settings(max_examples=15, deadline=None)
@given(steps=st.lists(st.integers(1, 3_000_000), min_size=1, max_size=60), seed=st.integers(0, 99))
def test_levels_alternate_in_order_of_time_within_the_call(steps, seed):
    dish = new_dish(seed)
    levels = dish.initial_levels()
    for step_us in steps:
        begun_us = previous_us = dish.now_us
        for at_us, line, level in dish.advance(begun_us + step_us, 0):
            assert max(begun_us + 1, previous_us) <= at_us <= begun_us + step_us
            assert level == 1 - levels[line]
            levels[line], previous_us = level, at_us


def test_every_edge_is_told_by_the_call_in_whose_time_it_falls():
    dish, told = new_dish(), 0
    while dish.finished < 2:
        begun_us = dish.now_us
        edges = dish.advance(begun_us + 50_000, 0)
        assert all(begun_us < at_us <= dish.now_us for at_us, _, _ in edges)
        told += len(edges)
    assert told > 80


def test_every_coup_goes_through_its_stations_in_order_and_takes_its_time(game):
    dish, _ = game
    for number, coup in enumerate(dish.truths[: dish.finished], 1):
        assert coup.coup == number
        assert coup.rotor == 0
        assert coup.launched_direction in (1, -1)
        assert 2e6 <= coup.t_launch_us - coup.t_start_us <= 4e6
        assert 4 < coup.laps < 10
        assert 4e6 < coup.t_drop_us - coup.t_launch_us < 13e6
        assert 2e6 < coup.t_rest_us - coup.t_drop_us < 11e6
        assert 8e6 <= coup.t_lift_us - coup.t_rest_us <= 12e6
        assert coup.number == coup.compartment % 9 + 1
    starts = [coup.t_start_us for coup in dish.truths]
    lifts = [coup.t_lift_us for coup in dish.truths[: dish.finished]]
    assert all(1e6 <= b - a <= 2e6 for a, b in zip(lifts, starts[1:], strict=False))


def test_what_has_not_happened_yet_is_none():
    dish = new_dish()
    seen = []
    while dish.finished < 1:
        dish.advance(dish.now_us + 50_000, 0)
        if dish.truths:
            coup = dish.truths[0]
            times = (coup.t_launch_us, coup.t_drop_us, coup.t_rest_us, coup.t_lift_us)
            assert all(at_us is None or at_us <= dish.now_us for at_us in times)
            assert (coup.compartment is None) == (coup.t_rest_us is None)
            seen.append(sum(at_us is not None for at_us in times))
    assert sorted(set(seen)) == [0, 1, 2, 3, 4]


def test_one_ball_is_before_one_cup_at_a_time(game):
    dish, edges = game
    cups = pulses(dish, edges, "cup")
    assert len(cups) > 1000
    assert all(
        until <= since + 500  # two stamps of one moment differ by their jitter
        for (_, until, _), (since, _, _) in pairwise(cups)
    )


def test_the_last_pulse_of_a_coup_is_the_cup_of_the_truth_until_the_lift(game):
    dish, edges = game
    for truth, found in zip(dish.truths, by_coup(dish, pulses(dish, edges, "cup")), strict=True):
        if truth.t_lift_us is None:
            continue
        since, until, line = found[-1]
        assert dish.layout.names[line] == f"cup{truth.compartment:02d}"
        assert since < truth.t_rest_us
        assert 0 <= until - truth.t_lift_us < 1_000
        assert all(since > truth.t_drop_us for since, _, _ in found)


def test_the_beams_see_the_ball_on_the_track_alone_and_in_its_direction(game):
    dish, edges = game
    for truth, found in zip(dish.truths, by_coup(dish, pulses(dish, edges, "rim")), strict=True):
        if truth.t_lift_us is None:
            continue
        assert all(truth.t_launch_us <= a and b < truth.t_drop_us + 20_000 for a, b, _ in found)
        assert abs(len(found) - 3 * truth.laps) <= 1.5
        beams = [line for _, _, line in found]
        steps = {(b - a) % 3 for a, b in pairwise(beams)}
        assert steps == {truth.launched_direction % 3}


def test_the_ball_leaves_the_track_ahead_of_the_last_beam_that_saw_it(game):
    dish, edges = game
    for truth, found in zip(dish.truths, by_coup(dish, pulses(dish, edges, "rim")), strict=True):
        if truth.t_lift_us is not None:
            ahead = truth.launched_direction * (truth.drop_deg - 120 * found[-1][2]) % 360
            assert (ahead + 2) % 360 < 124  # of the next beam, and half a ball


def test_a_beam_pulse_is_ball_width_over_speed(game):
    dish, edges = game
    for found in by_coup(dish, pulses(dish, edges, "rim"))[:30]:
        triples = zip(found, found[1:], found[2:], strict=False)
        for (a, _, _), (since, until, _), (b, _, _) in triples:
            speed_m_s = 2 / 3 * 6.2832 * 0.38 / ((b - a) * 1e-6)
            assert (until - since) * 1e-6 == pytest.approx(0.020 / speed_m_s, rel=0.12)


def test_a_croupier_alternates_or_throws_as_he_likes():
    dish = new_dish()
    play(dish, coups=8)
    thrown = [coup.launched_direction for coup in dish.truths[:8]]
    assert all(a == -b for a, b in pairwise(thrown))
    free = new_dish(parameters=B1.changed(alternates=False))
    play(free, coups=40)
    runs = Counter(
        a.launched_direction == b.launched_direction
        for a, b in zip(free.truths[:39], free.truths[1:40], strict=True)
    )
    assert min(runs[True], runs[False]) > 8


# Chi-square with 8, 17 and 35 degrees of freedom passes these once in ten thousand.
CHI_SQUARE = {9: 32.0, 18: 45.1, 36: 73.4}


@pytest.mark.req("UK-2.1.random")
def test_a_long_run_ends_every_coup_in_one_cup_and_every_cup_comes_as_often(game):
    dish, _ = game
    cups = dish.surface.cups
    coups = COUPS[cups]
    assert dish.finished == coups
    assert [truth.coup for truth in dish.truths] == list(range(1, len(dish.truths) + 1))
    came = Counter(truth.compartment for truth in dish.truths[:coups])
    assert set(came) == set(range(cups))
    expected = coups / cups
    chi_square = sum((count - expected) ** 2 / expected for count in came.values())
    assert chi_square < CHI_SQUARE[cups]


def test_balls_pause_in_cups_but_for_no_longer_than_a_second_and_hop_out_again(game):
    """Contract: at boule the ball may pause in a cup for up to a second. Seldom, it does."""
    dish, edges = game
    coups = by_coup(dish, pulses(dish, edges, "cup"))[: dish.finished]
    left = [until - since for found in coups for since, until, _ in found[:-1]]
    assert max(left) < 1_000_000
    assert sum(after_us > 250_000 for after_us in left) > 0.2 * len(coups)
    assert sum(20_000 < after_us < 150_000 for after_us in left) > 0.5 * len(left)
