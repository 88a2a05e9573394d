"""What each apparatus is: every table of classes and boards agrees with its record."""

from typing import Any

import pytest

import boards
import rules
from boards import apparatus, check
from firmware.core import controller
from rules import layouts
from tools.sim.table import presets


@pytest.mark.parametrize("kind", apparatus.ALL, ids=apparatus.NAMES)
def test_its_boards_and_rules_are_of_it(kind: Any) -> None:
    for name in (kind.reference, kind.carrier):
        board = boards.load(name)
        assert (board["apparatus"], board["rules"]) == (kind.name, kind.rules)
        assert check.problems(board) == ()
    assert boards.load(kind.reference)["provider"] == "virtual"
    assert boards.load(kind.carrier)["model"] == "pi4"
    game = rules.load(kind.rules)
    assert game["apparatus"] == kind.name
    assert len(game["layout"]) in kind.compartments
    assert (min(game["layout"]), max(game["layout"])) == kind.numbers


def test_the_tables_that_stay_know_every_apparatus() -> None:
    assert sorted(name for name, _ in controller._GAMES) == sorted(apparatus.NAMES)
    assert sorted(layouts._CHECKS) == sorted(apparatus.NAMES)
    for name in apparatus.NAMES:
        assert presets(name)


def test_each_has_a_code_of_its_own() -> None:
    assert len({kind.code for kind in apparatus.ALL}) == len(apparatus.ALL)


def test_what_turns_is_not_told_from_what_has_a_rotor() -> None:
    for kind in apparatus.ALL:
        assert kind.turns is (kind.rotors != ("none",)) is not kind.cups


def test_there_is_no_other() -> None:
    with pytest.raises(KeyError):
        apparatus.of("whist")


def test_choices_are_said_in_words() -> None:
    assert apparatus.either((37,)) == "37"
    assert apparatus.either((9, 18, 36)) == "9, 18 or 36"
