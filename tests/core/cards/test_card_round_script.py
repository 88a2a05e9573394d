"""card_round_script.py plays the four games through; `make micropython` compares its lines."""

import runpy
from pathlib import Path

HERE = Path(__file__).parent


def test_the_script_plays_every_game_to_results_and_pays_them() -> None:
    script = runpy.run_path(str(HERE / "card_round_script.py"))
    lines = list(script["lines"]())
    for game in script["STAKES"]:
        told = [line.split() for line in lines if line.startswith(game + " ")]
        kinds = [words[1] for words in told]
        ends = kinds.count("RoundResult") + kinds.count("RoundVoid")
        assert ends == script["ROUNDS"]
        assert kinds.count("RoundResult") >= 3
        assert kinds.count("paid") >= 2 * ends - 2
    assert sum(" Engaged " in line for line in lines) > 10
    assert sum(" HoleTurned " in line for line in lines) > 2
    assert any("card_engagement" in line and "double" in line for line in lines)
