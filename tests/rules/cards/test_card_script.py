"""card_script.py plays every card game; `make micropython` compares its lines."""

import runpy
from pathlib import Path

import rules

HERE = Path(__file__).parent


def test_the_script_plays_rounds_of_every_card_game_and_refuses_what_is_bad() -> None:
    script = runpy.run_path(str(HERE / "card_script.py"))
    lines = list(script["lines"]())
    for game in rules.CARD_GAMES:
        told = [line for line in lines if line.startswith(game + " ")]
        assert sum(" refused: " in line for line in told) >= 6
        assert sum(" ('p" in line for line in told) > script["ROUNDS"]
        assert sum("too many." in line for line in told) == script["ROUNDS"]
    assert any("s4.2" in line for line in lines)
    assert any("'insurance_behind'" in line for line in lines)
