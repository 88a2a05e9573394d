"""Every built-in wheel plays: what stands in boards/ and rules/ about it fits together."""

import pytest

import boards
from boards import check
from firmware.config import Config
from firmware.config.game import choose
from rules import layouts
from tools.sim.table import presets
from tools.virtual.score import RIGHT
from tools.virtual.simulate import Simulation

COUPS = 10
WHEELS = [name for name in boards.WHEELS if boards.load(name)["provider"] == "virtual"]


@pytest.mark.parametrize("board", WHEELS)
def test_a_wheel_and_its_layout_are_sound(board: str) -> None:
    game = choose(board, Config())
    assert check.problems(game.board) == ()
    played = game.rules
    assert layouts.problems(played["apparatus"], played["layout"], played["colours"]) == []


@pytest.mark.parametrize(
    ("board", "specimen", "hand"),
    [
        (board, specimen, hand)
        for board in WHEELS
        for specimen in presets(boards.load(board)["apparatus"])
        for hand in (False, True)
    ],
)
def test_every_coup_of_a_wheel_ends_with_the_right_number(
    board: str, specimen: str, hand: bool
) -> None:
    played = Simulation(choose(board, Config()), preset=specimen, seed=6, hand=hand)
    list(played.play(COUPS))
    assert [coup.verdict for coup in played.score.judged] == [RIGHT] * COUPS
    assert not any(coup.late for coup in played.score.judged)
