"""The talk of shoe_script.py, line by line; MicroPython gives the same (`make micropython`)."""

import runpy
from pathlib import Path

HERE = Path(__file__).parent


def test_the_whole_talk_is_these_very_lines() -> None:
    script = runpy.run_path(str(HERE / "shoe_script.py"))
    lines = [*script["lines"](script["KEY"]), *script["lines"](None), *script["other_lines"]()]
    assert lines == (HERE / "shoe_script.txt").read_text(encoding="ascii").splitlines()
