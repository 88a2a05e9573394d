"""The ball in the dish: energy goes one way, and decides where it ends."""

from math import cos, hypot, pi, sin, tau
from random import Random

import pytest

from tools.sim.dish_ball import InDish, Surface
from tools.sim.dish_parameters import PRESETS

B1 = PRESETS["B1"]


def surface_of(p=B1, cups=18):
    return Surface(p, cups=cups, ring_m=0.24, track_m=0.38, ball_m=0.02)


def at(surface, x, y):
    return surface.at(x, y, hypot(x, y))


def dropped(seed, p=B1, cups=18):
    chance = Random(seed)
    speed = chance.choice((1, -1)) * 1.37
    return InDish(p, surface_of(p, cups), chance, turn=chance.random(), speed_m_s=speed)


@pytest.mark.parametrize("cups", [9, 18, 36])
def test_energy_never_rises_after_the_throw(cups):
    for seed in range(12):
        ball = dropped(seed, cups=cups)
        energy = ball.energy_j_kg
        assert energy > 1.0
        while energy > B1.rest_j_kg:
            ball.step(energy)
            left = ball.energy_j_kg
            assert left <= energy * (1 + 1e-12)
            energy = left


def test_it_flies_and_rolls_above_the_surface_and_within_the_track():
    surface = surface_of()
    flew = 0.0
    for seed in range(12):
        ball = dropped(seed)
        while ball.energy_j_kg > B1.rest_j_kg:
            ball.step(ball.energy_j_kg)
            above = ball.z - at(surface, ball.x, ball.y)[0]
            flew = max(flew, above)
            assert above > -1e-9
            assert hypot(ball.x, ball.y) <= surface.wall_m + 1e-9
    assert flew > 0.02


def test_a_cup_holds_the_ball_from_the_moment_its_energy_is_below_the_rim():
    """What is left does not lift it over the rim: it is seen by no other cup from then on."""
    for seed in range(60):
        way = dropped(seed).settle()
        assert way.held_s < way.rest_s
        assert {cup for at, cup, _ in way.seen if at > way.held_s} <= {way.cup}
        assert way.seen[-1][1:] == (way.cup, 1)


def test_every_way_out_of_a_cup_leads_over_a_rim_of_the_same_height():
    for cups in (9, 18, 36):
        surface = surface_of(cups=cups)
        for k in range(cups):
            assert at(surface, *spot(surface, k, 0, 0.0))[0] == pytest.approx(0, abs=1e-12)
            for out in (-1.0, -0.5, 0.0, 0.5, 1.0):
                ridge = at(surface, *spot(surface, k + 0.5, 0, out))[0]
                assert ridge == pytest.approx(surface.depth_m)
            for out in (-1.0, 1.0):
                assert at(surface, *spot(surface, k, 0, out))[0] == pytest.approx(surface.depth_m)


def spot(surface, cup, aside, out):
    """A place `out` half widths off the ring's middle, at cup number `cup` (fractions between)."""
    angle = -tau * cup / surface.cups + aside
    r = surface.ring_m + out * surface.half_m * (1 - 1e-12)
    return r * cos(angle), r * sin(angle)


def test_the_slopes_are_those_of_the_height():
    surface, chance, tiny = surface_of(), Random(3), 1e-7
    for _ in range(400):
        r, angle = chance.uniform(0.01, 0.37), chance.uniform(-pi, pi)
        if min(abs(abs(r - 0.24) - surface.half_m), 1) < 1e-4:
            continue  # an edge has two slopes
        x, y = r * cos(angle), r * sin(angle)
        h, by_x, by_y, _ = at(surface, x, y)
        assert (at(surface, x + tiny, y)[0] - h) / tiny == pytest.approx(by_x, abs=1e-4)
        assert (at(surface, x, y + tiny)[0] - h) / tiny == pytest.approx(by_y, abs=1e-4)


def test_cup_k_lies_at_minus_k_times_360_over_the_cups():
    for cups in (9, 18, 36):
        surface = surface_of(cups=cups)
        for k in range(cups):
            assert at(surface, *spot(surface, k, 0.002, 0.1))[3] == k
            assert at(surface, *spot(surface, k + 0.5, 0, 0.0))[3] is None


def test_a_livelier_ball_takes_longer_to_settle():
    dull = B1.changed(bounce_range=(0.3, 0.4), cloth_friction=0.09)
    lively = B1.changed(cloth_friction=0.015)
    took = [sum(dropped(seed, p).settle().rest_s for seed in range(30)) for p in (dull, lively)]
    assert took[1] > 1.3 * took[0]


def test_a_dish_that_lets_balls_rest_on_ridges_leaves_some_there_between_two_cups():
    """The real game has it, rarely. Neither cup sees the ball, and the truth names no cup."""
    p = B1.changed(ridge_holds_chance=1.0, ridge_slow_m_s=0.3)
    ways = [dropped(seed, p).settle() for seed in range(200)]
    between = [way for way in ways if way.cup is None]
    assert 5 < len(between) < 200
    for way in between:
        levels = [level for _, _, level in way.seen]
        assert sum(levels) * 2 == len(levels)  # each that saw it sees it no more
    assert all(dropped(seed).settle().cup is not None for seed in range(200))
