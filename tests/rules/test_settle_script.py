"""settle_script.py tells the whole of every game; `make micropython` compares its lines."""

import runpy
from pathlib import Path

import rules

HERE = Path(__file__).parent


def test_the_script_settles_every_game_and_refuses_what_is_bad() -> None:
    script = runpy.run_path(str(HERE / "settle_script.py"))
    lines = list(script["lines"]())
    for game in rules.WHEEL_GAMES:
        told = [line for line in lines if line.startswith(game + " ")]
        assert sum(" refused: " in line for line in told) >= len(script["BAD"]) - 1
        assert sum(line.startswith(f"{game} ('p") for line in told) > 90
    assert "vingt_trois_fr 7 None" in lines
