"""What the README shows of a command is what the command says."""

import re
from pathlib import Path

import pytest

from tools import cli

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_coup_of_the_first_screen_is_the_one_that_is_simulated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same seed gives the same bytes, and the README shows some of them."""
    shown = re.search(r"\$ cylindre (sim .*)\n((?:    .*\n|\n)+?)    \.\.\.\n", README.read_text())
    assert shown is not None
    assert cli.main(shown[1].split()) == 0
    said = capsys.readouterr().out.splitlines()
    lines = [line.removeprefix("    ").rstrip() for line in shown[2].splitlines()]
    assert lines == [line.rstrip() for line in said[: len(lines)]]
