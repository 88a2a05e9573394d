"""The talk of follower_script.py, line by line; MicroPython gives the same (`make micropython`)."""

import runpy
from pathlib import Path

HERE = Path(__file__).parent


def test_the_whole_talk_is_these_very_lines() -> None:
    lines = list(runpy.run_path(str(HERE / "follower_script.py"))["lines"]())
    assert lines == (HERE / "follower_script.txt").read_text(encoding="utf-8").splitlines()
