"""Where time jumps, polls are left out that would change nothing; then nothing is changed."""

from typing import Any

import pytest

from firmware.config import Config
from firmware.config.game import choose
from firmware.run import app
from tools.virtual.simulate import Simulation

COUPS = 3


def told(board: str) -> list[Any]:
    simulation = Simulation(choose(board, Config()), seed=4)
    return [*simulation.play(COUPS), simulation.wheel.truths]


@pytest.mark.parametrize("board", ["roulette_ref", "vingt_trois_ref", "boule_ref"])
def test_facts_and_truths_are_those_of_a_loop_that_polls_each_period(
    board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaping = told(board)
    build = app.build
    polls = []

    def stepwise(**parts: Any) -> app.Wheel:
        polls.append(parts.pop("leaps"))
        return build(**parts)

    monkeypatch.setattr(app, "build", stepwise)
    assert told(board) == leaping
    assert polls == [True]
