"""The evidence names the gap that the simulated ball left in, and foretells as many as come."""

from __future__ import annotations

from math import pi, sqrt

import pytest

from firmware.config import Config
from firmware.config.game import choose
from firmware.core.call.gap_forecast import WHOLE_PPM
from firmware.core.facts import CCW, CW
from tools.virtual.simulate import Simulation

COUPS = 200


@pytest.mark.parametrize("preset", ["W1", "W2"])
def test_each_gap_is_the_simulators_and_comes_as_often_as_foretold(preset: str) -> None:
    config = Config()
    game = choose("roulette_ref", config)
    played = Simulation(game, preset=preset, seed=7, config=config)
    list(played.play(COUPS))
    geometry = game.board["geometry"]
    places = geometry["rim_deg"]
    # A beam sees the ball before its middle passes.
    early_deg = geometry["ball_mm"] / 2 / (2 * pi * geometry["track_radius_mm"]) * 360
    truths = {truth.coup: truth for truth in played.wheel.truths}
    bodies = [body for kind, body in played.store.records if kind == "evidence"]
    expected = [0.0] * len(places)
    spread = [0.0] * len(places)
    came = [0] * len(places)
    for said in bodies:
        truth = truths[said["coup"]]
        assert truth.drop_deg is not None
        left_deg = (truth.drop_deg + truth.launched_direction * early_deg) % 360
        gap = max(at for at, place in enumerate(places) if place <= left_deg)
        assert said["gap"] == gap, (said["coup"], truth.drop_deg)
        chances = [ppm / WHOLE_PPM for ppm in said.get("gaps_ppm", ())]
        for at, chance in enumerate(chances):
            expected[at] += chance
            spread[at] += chance * (1.0 - chance)
            came[at] += at == gap
    assert len(bodies) == COUPS
    assert sum(came) > COUPS - 10, "foretold, but for the first coups"
    for at in range(len(places)):
        assert abs(came[at] - expected[at]) < 4.0 * sqrt(spread[at])
    assert {truth.launched_direction for truth in truths.values()} == {CCW, CW}
