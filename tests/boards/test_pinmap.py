"""What `cylindre boards` says of a board's pins."""

import pytest

import boards
from boards.pin_map import PinUse, pin_map


def test_a_cup_is_found_at_the_pin_of_its_expander() -> None:
    uses = pin_map(boards.load("boule_pi4"))
    assert PinUse("cup06", "GPA6", "in, expander 0x20 on sensors") in uses
    assert PinUse("cup07", "GPB0", "in, expander 0x20 on sensors") in uses
    assert PinUse("cup17", "GPB1", "in, expander 0x21 on sensors") in uses
    assert PinUse("int_expander1", 8, "in, interrupt") in uses


@pytest.mark.parametrize("name", boards.NAMES)
def test_every_board_has_a_pin_map_that_names_each_line_once(name: str) -> None:
    board = boards.load(name)
    signals = [use.signal for use in pin_map(board)]
    assert len(signals) == len(set(signals))
    assert set(dict(board["inputs"])) <= set(signals)
