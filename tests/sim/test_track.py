"""The ball on the track against the equations of PHYSICS."""

from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, tau
from random import Random

import pytest

from tools.sim.parameters import PRESETS
from tools.sim.track import Drag, roll

RADIUS_M = 0.38
BEAM_HALF_TURN = 0.010 / RADIUS_M / tau
CALM = {
    "exit_speed_scatter": 0.0,
    "deceleration_scatter": 0.0,
    "deceleration_flutter": 0.0,
    "tilt_deg": 0.0,
    "skid_loss_range": (0.0, 0.0),
}


def calm(preset, **values):
    return PRESETS[preset].changed(**{**CALM, **values})


def beams(start, direction):
    ahead = []
    for line, place in enumerate((0, 1 / 3, 2 / 3)):
        way = direction * (place - start)
        ahead += [((way - BEAM_HALF_TURN) % 1, line, 1), ((way + BEAM_HALF_TURN) % 1, line, 0)]
    return sorted(ahead)


def thrown(parameters, seed=0, direction=1, start=0.5):
    return roll(
        parameters,
        Drag(parameters.deceleration),
        Random(seed),
        direction=direction,
        start_turn=start,
        radius_m=RADIUS_M,
        beams=beams(start, direction),
    )


def between(knots, w):
    for (w_0, d_0), (w_1, d_1) in pairwise(knots):
        if w_0 <= w <= w_1:
            return d_0 + (d_1 - d_0) * (w - w_0) / (w_1 - w_0)
    raise AssertionError(w)


def integral(knots, low, high, power):
    """Of w^power dw / D(w), by the midpoint rule."""
    steps = 20_000
    size = (high - low) / steps
    mids = (low + (at + 0.5) * size for at in range(steps))
    return sum(w**power / between(knots, w) for w in mids) * size


@pytest.mark.parametrize("preset", ["W1", "W2"])
def test_the_time_on_the_track_is_the_integral_of_dw_over_d(preset):
    p = calm(preset, launch_speed_rad_s_range=(9.0, 9.0))
    track = thrown(p)
    knots, leaves = p.deceleration, p.exit_speed_rad_s
    assert track.duration_s == pytest.approx(integral(knots, leaves, 9.0, 0), abs=0.002)
    assert track.laps == pytest.approx(integral(knots, leaves, 9.0, 1) / tau, abs=0.002)


@pytest.mark.parametrize("preset", ["W1", "W2"])
def test_on_a_level_track_the_ball_leaves_at_the_exit_speed(preset):
    p = calm(preset)
    track = thrown(p, seed=4)
    assert track.end_speed_rad_s == pytest.approx(p.exit_speed_rad_s, rel=1e-4)


def test_the_exit_speed_scatters_by_one_percent_from_coup_to_coup():
    p = calm("W2", exit_speed_scatter=0.01, launch_speed_rad_s_range=(5.0, 5.0))
    ends = [thrown(p, seed).end_speed_rad_s / p.exit_speed_rad_s - 1 for seed in range(300)]
    mean = sum(ends) / len(ends)
    spread = (sum((end - mean) ** 2 for end in ends) / len(ends)) ** 0.5
    assert abs(mean) < 0.002
    assert spread == pytest.approx(0.01, rel=0.15)


def test_a_finer_step_hardly_moves_the_drop():
    tilted = {"tilt_deg": 0.3, "launch_speed_rad_s_range": (9.5, 9.5)}
    coarse, fine = (thrown(calm("W1", track_step_s=step, **tilted)) for step in (0.01, 0.005))
    assert coarse.duration_s == pytest.approx(fine.duration_s, abs=0.001)


def test_w2_is_the_law_of_the_physics_page():
    drag = Drag(PRESETS["W2"].deceleration)
    for w in (3.8, 5.03, 7.77, 11.2):
        assert drag.at(w) == pytest.approx(0.006 * w * w + 0.25, abs=7e-5)


def test_w1_goes_through_the_knots_and_is_level_beyond():
    drag = Drag(PRESETS["W1"].deceleration)
    for w, d in ((2.6, 0.13), (3.37, 0.191), (5.75, 1.15), (14.0, 0.85), (17.0, 0.85), (2.0, 0.13)):
        assert drag.at(w) == pytest.approx(d, abs=1e-6)
    assert drag.at(5.5) == pytest.approx((1.08 + 1.15) / 2, abs=1e-6)


@pytest.mark.parametrize("direction", [1, -1])
def test_tilt_drops_the_ball_a_quarter_turn_past_the_low_point_and_mirrors(direction):
    """PHYSICS: the mean drop angle lies about 90 deg past the low point in the ball's direction."""
    p = PRESETS["W1"].changed(tilt_deg=0.5, tilt_low_point_deg=50.0)
    ends = [thrown(p, seed, direction).end_turn * tau for seed in range(150)]
    x, y = sum(map(cos, ends)) / 150, sum(map(sin, ends)) / 150
    past_low = direction * (degrees(atan2(y, x)) - 50.0)
    assert abs((past_low - 90 + 180) % 360 - 180) < 35
    assert 0.4 < hypot(x, y) < 0.85  # PHYSICS: .49-.78 at .5 deg


def test_a_tilted_ball_leaves_where_the_force_balance_says():
    p = calm("W2", tilt_deg=0.5, tilt_low_point_deg=50.0)
    track = thrown(p, seed=3)
    g_r = 9.81 / RADIUS_M
    lip = p.exit_speed_rad_s**2 / g_r
    theta = track.end_turn * tau - radians(50.0)
    bound = g_r * (lip - radians(0.5) * (1 + lip * lip) * cos(theta))
    assert track.end_speed_rad_s**2 == pytest.approx(bound, rel=2e-3)


@pytest.mark.parametrize("direction", [1, -1])
def test_beams_go_dark_for_the_balls_width_and_in_the_balls_order(direction):
    p = calm("W2")
    track = thrown(p, seed=8, direction=direction)
    rises = [(at, line) for at, line, level in track.crossings if level]
    falls = [(at, line) for at, line, level in track.crossings if not level]
    assert len(rises) == len(falls) > 15
    lines = [line for _, line in rises]
    following = [(line + direction) % 3 for line in lines[:-1]]
    assert lines[1:] == following
    # Near the end the ball takes 20 mm / (w_c x 380 mm) for a beam.
    width = falls[-1][0] - rises[-1][0]
    assert width == pytest.approx(0.020 / (p.exit_speed_rad_s * RADIUS_M), rel=0.08)
    assert rises[-1][0] <= track.duration_s


def test_skidding_costs_the_first_laps_speed():
    rolling = thrown(calm("W1", launch_speed_rad_s_range=(10.0, 10.0)))
    losing = {"skid_loss_range": (0.1, 0.1), "launch_speed_rad_s_range": (10.0, 10.0)}
    skidding = thrown(calm("W1", **losing))
    slower = integral(PRESETS["W1"].deceleration, 9.0, 10.0, 0)
    assert skidding.duration_s < rolling.duration_s - 0.5 * slower
