"""The bench's balls and its leading of the predictor against the full simulator and controller."""

from itertools import pairwise
from math import atan
from random import Random

import pytest

from firmware.config import Config
from firmware.config.choice import choose_game
from firmware.core.sense.beams import KEPT, Track
from tools.bench.call.ours import Ours
from tools.bench.call.spins import UNION, Chance, Eyes, Setting, Thrower, geometry, passings, spins
from tools.sim import parameters
from tools.sim.sensors import Rim
from tools.sim.streams import stream
from tools.sim.track import Drag, roll
from tools.virtual.simulate import Simulation

COUPS = 500  # issue 5
EXACT = Eyes(3, 0, 0.0)


@pytest.mark.parametrize("wheel", ["W1", "W2"])
def test_500_coups_are_called_as_the_full_simulator_and_controller_call_them(wheel, monkeypatch):
    """The same balls, from the same chance: each call is the same, but for the stamps' rounding."""
    exact = parameters.PRESETS[wheel].changed(latency_us=0.0, jitter_us=0.0)
    monkeypatch.setitem(parameters.PRESETS, wheel, exact)
    full = Simulation(choose_game("roulette_ref", Config()), preset=wheel, seed=5)
    for _ in full.play(COUPS):
        pass
    chance = stream(5, "track")
    thrower, ours = Thrower(exact, chance), Ours(3)
    off_us = []
    for truth, judged in zip(full.wheel.truths, full.score.judged, strict=False):
        start = chance.uniform(*exact.launch_angle_deg_range) / 360
        spin = thrower.throw(exact, direction=truth.launched_direction, start_turn=start)
        seen = passings(spin, EXACT, Chance(Random(0), len(spin.centres)))
        called = ours.coup(seen, spin.direction)
        assert abs(truth.t_drop_us - truth.t_launch_us - spin.drop_us) <= 1
        off_us.append(judged.lead_us - (spin.drop_us - called.at_us))
    assert len(off_us) == COUPS
    assert max(map(abs, off_us)) < 1_000


@pytest.mark.parametrize("beams", [1, 3, 8])
@pytest.mark.parametrize("direction", [1, -1])
def test_beams_of_the_union_see_what_the_same_beams_alone_see(beams, direction):
    """One roll for all beams is the roll with fewer: nothing of the physics hangs on them."""
    setting = Setting("W2", 0.01, 0.1)
    own = setting.parameters()
    places = geometry(beams)
    rim = Rim({"geometry": places, "inputs": [(f"rim{beam}", beam) for beam in range(beams)]})
    for seed in range(6):
        start = Random(seed).random()
        spin = Thrower(own, Random(seed)).throw(own, direction=direction, start_turn=start)
        seen = passings(spin, Eyes(beams, 0, 0.0), Chance(Random(0), len(spin.centres)))
        alone = roll(
            own,
            Drag(own.deceleration),
            Random(seed),
            direction=direction,
            start_turn=start,
            radius_m=rim.track_radius_m,
            beams=rim.beams(start, direction),
        )
        assert spin.drop_us == round(alone.duration_s * 1e6)
        rises, falls = alone.crossings[::2], alone.crossings[1::2]
        assert [one.crossing.beam for one in seen] == [line for _, line, _ in rises]
        for one, rise, fall in zip(seen, rises, falls, strict=True):
            assert one.crossing.at_us == pytest.approx((rise[0] + fall[0]) * 5e5, abs=1)
            assert one.known_us == pytest.approx(fall[0] * 1e6, abs=1)


def test_a_ball_is_back_at_its_beam_after_each_whole_turn():
    for spin in spins(Setting("W1", 0.01, 0.0), 4, "turns"):
        for beams in (1, 3, 8):
            seen = passings(spin, Eyes(beams, 0, 0.0), Chance(Random(0), len(spin.centres)))
            assert seen[0].crossing.turned_uturn == 0
            for before, after in zip(seen, seen[beams:], strict=False):
                assert after.crossing.beam == before.crossing.beam
                assert after.crossing.turned_uturn - before.crossing.turned_uturn == 1_000_000
            order = [one.crossing.beam for one in seen[:beams]]
            steps = {(b - a) % beams for a, b in pairwise(order)}
            assert steps <= {spin.direction % beams}


def test_crossings_are_those_that_the_controllers_own_track_keeps():
    for spin in spins(Setting("W2", 0.01, 0.0), 4, "kept"):
        seen = passings(spin, EXACT, Chance(Random(0), len(spin.centres)))
        track = Track(geometry(3))
        for known_us, (at_us, beam, _) in seen:
            track.edge(2 * at_us - known_us, beam, 1)
            track.edge(known_us, beam, 0)
        assert track.direction == spin.direction
        assert track.crossings == [one.crossing for one in seen][-KEPT:]


def test_jitter_and_missed_beams_are_as_many_as_asked_and_the_same_for_all_sensors():
    spin = next(spins(Setting("W1", 0.01, 0.0), 1, "chance"))
    drawn = Chance(Random(1), len(spin.centres))
    clean = passings(spin, Eyes(8, 0, 0.0), drawn)
    late = [
        a.crossing.at_us - b.crossing.at_us
        for a, b in zip(passings(spin, Eyes(8, 1_000, 0.0), drawn), clean, strict=True)
    ]
    assert 700 < (sum(shift * shift for shift in late) / len(late)) ** 0.5 < 1_300
    half = passings(spin, Eyes(8, 0, 0.5), drawn)
    assert len(clean) * 0.3 < len(half) < len(clean) * 0.7
    assert {one.crossing.at_us for one in half} < {one.crossing.at_us for one in clean}
    # A missed beam leaves a gap; it does not shift what comes after it.
    first = half[0].crossing
    for one in half:
        of_clean = next(c.crossing for c in clean if c.crossing.at_us == one.crossing.at_us)
        start = next(c.crossing for c in clean if c.crossing.at_us == first.at_us)
        assert one.crossing.turned_uturn == of_clean.turned_uturn - start.turned_uturn
    three = passings(spin, Eyes(3, 1_000, 0.0), drawn)
    shared = {one.crossing.at_us for one in three if one.crossing.beam == 0}
    assert shared <= {one.crossing.at_us for one in passings(spin, Eyes(8, 1_000, 0.0), drawn)}


def test_the_last_speeds_of_a_ball_are_its_own():
    calm = parameters.PRESETS["W2"].changed(
        exit_speed_scatter=0.0, deceleration_scatter=0.0, deceleration_flutter=0.0, tilt_deg=0.0
    )
    spin = Thrower(calm, Random(1)).throw(calm, direction=1, start_turn=0.3)
    slow = spin.slow()
    assert slow == sorted(slow) and len(slow) > UNION
    root = (0.25 / 0.006) ** 0.5  # w' = -(.006 w^2 + .25), solved
    for at_us, speed in slow:
        left_s = (atan(speed / root) - atan(3.8 / root)) / (0.006 * root)
        assert (spin.drop_us - at_us) / 1e6 == pytest.approx(left_s, abs=0.003)


def test_the_same_seed_gives_the_same_balls_and_another_gives_others():
    setting = Setting("W1", 0.003, 0.2)
    assert list(spins(setting, 3, 7)) == list(spins(setting, 3, 7))
    assert list(spins(setting, 3, 7)) != list(spins(setting, 3, 8))
    assert [spin.direction for spin in spins(setting, 4, 7)] == [-1, 1, -1, 1]
