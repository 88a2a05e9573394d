"""Boards of card tables: sound, and what is wrong with one that is not."""

import copy
from typing import Any

import pytest

import boards
import boards.apparatus
import rules
from boards import card_tables, check
from boards.pin_map import pin_map


def changed(name: str = "blackjack_pi4", **keys: Any) -> dict[str, Any]:
    board = copy.deepcopy(boards.load(name))
    return board | keys


@pytest.mark.parametrize("name", boards.CARD_TABLES)
def test_every_board_of_a_card_table_is_sound(name: str) -> None:
    board = boards.load(name)
    assert check.problems(board) == ()
    assert board["name"] == name
    assert rules.load(board["rules"])["family"] == board["apparatus"]


def test_codes_stand_beside_those_of_wheels() -> None:
    codes = [each.code for each in (*boards.apparatus.ALL, *card_tables.ALL)]
    assert codes == [1, 2, 3, 4, 5]
    assert {each.reference for each in card_tables.ALL} < set(boards.CARD_TABLES)
    assert {each.carrier for each in card_tables.ALL} < set(boards.CARD_TABLES)


def test_a_board_on_a_pi_has_a_shoe_displays_and_a_clock() -> None:
    uses = {use.signal: use.pin for use in pin_map(boards.load("baccarat_pi4"))}
    assert (uses["shoe tx"], uses["shoe rx"]) == (4, 5)
    assert {"displays tx", "sensors sda", "key_croupier", "key_management", "card_release"} <= set(
        uses
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"apparatus": "poker"}, "The key apparatus must be roulette, vingt_trois, boule,"),
        ({"rotor": "driven"}, "The key rotor must be none."),
        ({"inputs": (("key_croupier", 10),)}, "The line key_management is missing from inputs."),
        ({"outputs": ()}, "The line card_release is missing from outputs."),
        ({"geometry": {"cups": 9}}, "The geometry's key cups is unknown."),
        ({"buses": {"shoe": ("uart", 9)}}, "A pi4 has no uart 9 (shoe)."),
    ],
)
def test_what_is_wrong_is_one_sentence(change: dict[str, Any], sentence: str) -> None:
    assert any(said.startswith(sentence) for said in check.problems(changed(**change)))
