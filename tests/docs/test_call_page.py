"""docs/call.md: its limits are those of the code, its commands exist."""

import importlib
import re
from pathlib import Path

import click
import pytest

from tools.commands.group import cylindre

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "call.md").read_text(encoding="utf-8")
LIMITS = re.findall(r"^\|[^|]*\| ([\d.]+) \| `(\w+)\.(\w+)` \|$", PAGE, re.MULTILINE)
COMMANDS = sorted(set(re.findall(r"`cylindre ([a-z][a-z ]*[a-z])", PAGE)))
MODULES = re.findall(r"`python -m (tools\.[\w.]+)", PAGE)


@pytest.mark.parametrize(("value", "module", "name"), LIMITS)
def test_a_limit_of_the_page_is_that_of_the_code(value, module, name):
    found = importlib.import_module(f"firmware.core.call.{module}")
    assert getattr(found, name) == float(value)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_exists(line):
    context, command = click.Context(cylindre), cylindre
    for word in line.split():
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
        assert command is not None


def test_the_page_names_limits_commands_and_tools():
    assert len(LIMITS) > 8
    assert COMMANDS == ["call status", "explain"]
    assert [importlib.import_module(module).__name__ for module in MODULES] == [
        "tools.bench.realspins"
    ]
