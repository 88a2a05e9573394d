"""A wheel that leaps looks at its level as often as any, however rarely its loop asks."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.config import Config
from firmware.core.facts import Trouble
from firmware.shims.virtual import VirtualMachine
from tools.hil.places.virtual import LevelWatch, level_board

SECOND = 1_000_000
STEADY_S, TOLD_S = 3, 11  # two means of 256 readings, 20 ms each, and the loop


@pytest.mark.req("MD-23.level")
@pytest.mark.parametrize("step_us", [20_000, 50_000, 500_000])
def test_a_tilt_is_told_within_two_means(step_us: int) -> None:
    data = level_board("boule")
    machine = VirtualMachine()
    world: Any = SimpleNamespace(now_us=0, tilt_mdeg=(0, 0), board=data)
    watch = LevelWatch(machine, world, Config(), seed=1)
    told: list[Trouble] = []
    while world.now_us < (STEADY_S + TOLD_S) * SECOND:
        world.now_us += step_us
        if world.now_us >= STEADY_S * SECOND:
            world.tilt_mdeg = (300, 0)
        told += watch.take_events()
    assert [trouble.code for trouble in told] == ["L10"]
