"""A level wheel whose balls are thrown evenly is no tilted one, and a tilted one is told.

Evenly thrown balls leave a level track at like places: by the places alone the watch would send
somebody to level a wheel that is level.
"""

from __future__ import annotations

import pytest
from even_launcher import Drop, drops

from firmware.core.health import budget
from firmware.core.health.drops import Drops
from firmware.core.health.facts import TILT
from tools.testing.sizes import size

BEAMS_DEG = (0.0, 120.0, 240.0)
LINE = 4_000.0  # evidence that is told: a share of .25 of one false notice in a thousand years
TILT_DEG = 0.05
LOW_DEG = 210  # of tools.sim.parameters
TOLD_BY = 3_000  # coups


class Judge:
    """What the watch makes of drops. `blind`: whatever was foretold, all gaps are alike to it."""

    def __init__(self, *, blind: bool = False) -> None:
        self.drops = Drops(BEAMS_DEG)
        self.drops.start_over(budget.Grants().grant(0))
        self.blind = blind
        self.most = 0.0

    def add(self, drop: Drop) -> None:
        chances = [1.0 / len(BEAMS_DEG)] * len(BEAMS_DEG) if self.blind else drop.chances
        seen = (drop.direction, drop.gap, chances)
        self.drops.add(seen, budget.a_coup(budget.YEAR_COUPS))
        self.most = max(self.most, self.drops.total)


def test_a_level_wheel_with_an_even_launcher_is_not_told_to_be_tilted() -> None:
    coups = size("coups of an even launcher")
    judge, blind = Judge(), Judge(blind=True)
    judged = 0
    for drop in drops(coups, tilt_deg=0.0, seed=1):
        judge.add(drop)
        blind.add(drop)
        judged += 1
    print(f"even launcher: {judged} drops of {coups} coups, evidence {judge.most:.2f} at most")
    assert judged > 0.97 * coups
    assert judge.most < LINE
    assert blind.most > LINE, "the places alone would have sent somebody"


@pytest.mark.parametrize("seed", range(1, size("tilted even launchers") + 1))
def test_a_twentieth_of_a_degree_is_told_within_three_thousand_coups(seed: int) -> None:
    judge = Judge()
    for coup, drop in enumerate(drops(TOLD_BY, tilt_deg=TILT_DEG, seed=seed), 1):
        judge.add(drop)
        if judge.most >= LINE:
            kind, place, _ = judge.drops.strongest()
            print(f"tilt of {TILT_DEG} degrees: told at coup {coup}, low side {place}")
            assert kind == TILT
            assert abs((place - LOW_DEG + 180) % 360 - 180) <= 45
            return
    raise AssertionError(f"evidence {judge.most:.1f} after {TOLD_BY} coups")
