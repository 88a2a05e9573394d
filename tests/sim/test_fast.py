"""Coups without edges are those of the whole simulator."""

import pytest

import boards
import rules
from tools.sim.causes import set_from
from tools.sim.fast import FastWheel
from tools.sim.parameters import PRESETS

BOARD, RULES = boards.load("roulette_ref"), rules.load("roulette_lu")
CAUSES = (
    "pocket.3.wider_mm=2", "pocket.9.floor_slope_deg=3", "pocket.12.capture_speed_m_s=.1",
    "fret.17.loose=.3@10-20", "fret.20.higher_mm=-1", "rotor_wobble_deg=.5",
    "deflector.2.moved_deg=10", "track_flaw_rise=.05", "slowing=1.1@1-30", "croupier.1.coups=3",
    "croupier.2.coups=4", "croupier.2.launch_angle_deg_range=170:180",
)  # fmt: skip


@pytest.mark.parametrize(("preset", "changes"), [("W1", ()), ("W2", ()), ("W1", CAUSES)])
def test_the_same_seed_gives_the_same_coups_as_the_whole_simulator(preset, changes, wheel_of):
    parameters = PRESETS[preset]
    for change in changes:
        parameters = set_from(parameters, change)
    fast = list(FastWheel(BOARD, RULES, preset, 6, parameters=parameters).coups(60))
    whole = wheel_of(preset, 6, True, parameters=parameters)
    rotor, drops = whole.rotor, {}
    while whole.finished < 60:
        whole.advance(whole.now_us + 10_000, 0)
        truth = whole.truths[-1] if whole.truths else None
        if truth is not None and truth.t_drop_us and truth.coup not in drops:
            drops[truth.coup] = rotor.speed_at(whole.now_us * 1e-6)
    assert [rolled.truth for rolled in fast] == whole.truths[:60]
    for rolled in fast:
        assert rolled.rotor_turn_s == pytest.approx(drops[rolled.truth.coup], abs=1e-3)
        assert rolled.settled_us == rolled.truth.t_rest_us - rolled.truth.t_drop_us


def test_the_launch_place_is_what_passed_the_first_beam_with_the_ball(wheel_of, decoder_of):
    fast = list(FastWheel(BOARD, RULES, "W1", 6).coups(12))
    whole = wheel_of("W1", 6, True)
    edges = []
    while whole.finished < 12:
        edges += whole.advance(whole.now_us + 20_000, 0)
    decoder, beam = decoder_of(whole, edges), whole.layout.line["rim0"]
    for rolled in fast:
        launched_us = rolled.truth.t_launch_us
        seen = [at for at, line, _ in edges if line == beam and at > launched_us][:2]
        middle_us = sum(seen) / 2
        phi = (decoder.count_at(middle_us) - decoder.zero_before(middle_us)) / 144
        assert (rolled.launch_place - phi * 37 + 18.5) % 37 - 18.5 == pytest.approx(0, abs=0.6)


def test_coups_may_be_asked_for_in_parts():
    whole = list(FastWheel(BOARD, RULES, "W1", 2).coups(8))
    wheel = FastWheel(BOARD, RULES, "W1", 2)
    assert [*wheel.coups(3), *wheel.coups(5)] == whole
