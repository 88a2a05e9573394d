"""The commands at the bench tell how they are used, down to each subcommand."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from tools.commands.group import Lazy, cylindre

# What a technician has at the bench, and who keeps the lists of the house.
OURS = (
    "selftest", "calibrate", "config", "doctor", "pinout", "support-bundle", "support", "image",
    "flash", "update", "orders", "safe", "verify-install", "hand", "page", "people", "orphelins",
)  # fmt: skip
# Those that can say what they would write.
WRITES = (
    "selftest", "calibrate", "config apply", "config settle", "pinout", "support-bundle",
    "support read", "image build", "flash", "update make", "update keys", "update install",
    "update rollback", "orders",
)  # fmt: skip


def found(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """A command and those below it that people are told of."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command
    if not isinstance(command, click.Group):
        return
    for below, each in command.commands.items():
        if not each.hidden:
            yield from found(f"{name} {below}", each)


def commands() -> list[tuple[str, click.Command]]:
    context = click.Context(cylindre)
    assert isinstance(cylindre, Lazy)
    named = [(name, cylindre.get_command(context, name)) for name in OURS]
    return [each for name, top in named if top is not None for each in found(name, top)]


@pytest.mark.parametrize(("name", "command"), commands())
def test_each_has_examples_and_speaks_json(name: str, command: click.Command) -> None:
    assert f"cylindre {name}" in (command.epilog or "").split("Examples:")[1]
    options = {option for parameter in command.params for option in parameter.opts}
    assert ("--json" in options) == (name != "config new")  # that prints a file, TOML
    assert ("--dry-run" in options) == (name in WRITES)
