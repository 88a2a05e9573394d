"""docs/table.md and journal.md: their files are valid, their commands and options exist."""

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from firmware import config
from firmware.config import layout_file
from tools.commands.group import cylindre

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = "\n".join((DOCS / name).read_text(encoding="utf-8") for name in ("table.md", "journal.md"))
BLOCKS = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LAYOUTS = [block for block in BLOCKS if "apparatus" in tomllib.loads(block)]
CONFIGS = [block for block in BLOCKS if block not in LAYOUTS]
# On a line of its own, or within a sentence between backticks.
COMMANDS = re.findall(r"^    (cylindre .*)$|`(cylindre [^`]*)`", PAGE, re.MULTILINE)


def unknown(line: str) -> list[str]:
    """The words of a command line that name no command or option of ours."""
    context = click.Context(cylindre)
    command: click.Command = cylindre
    words = shlex.split(line)[1:]
    while words and isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        if found is None:
            return words[:1]
        command, words = found, words[1:]
    options = {name for param in command.params for name in param.opts + param.secondary_opts}
    return [word for word in words if word.startswith("-") and word not in options]


@pytest.mark.parametrize("text", CONFIGS)
def test_a_configuration_of_the_page_can_be_used(text: str) -> None:
    assert config.parse(text) != config.Config()


def test_the_layout_of_the_page_can_be_used(tmp_path: Path) -> None:
    assert len(CONFIGS) >= 5
    (text,) = LAYOUTS
    file = tmp_path / "cases.toml"
    file.write_text(text, encoding="utf-8")
    assert len(layout_file.load(file, "vingt_trois", 27)["layout"]) == 27


@pytest.mark.parametrize("line", sorted({own or within for own, within in COMMANDS}))
def test_every_command_and_option_of_the_page_exists(line: str) -> None:
    assert unknown(line) == []


def test_a_command_or_option_that_does_not_exist_is_found() -> None:
    assert len(COMMANDS) > 15
    assert unknown("cylindre ruin --config table.toml") == ["ruin"]
    assert unknown("cylindre people ad anna") == ["ad"]
    assert unknown("cylindre run --confg table.toml") == ["--confg"]
