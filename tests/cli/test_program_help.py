"""`cylindre --help` and `--version`: every command once, in its group, in both languages."""

import importlib
import platform
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from firmware.lib import language
from firmware.lib.errors import OK
from firmware.store.source_hash import firmware_hash
from tools import cli
from tools.commands import group

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"^(\w.*?) ?:$", re.MULTILINE)
ENTRY = re.compile(r"^  ([a-z][\w-]*) {2,}\S", re.MULTILINE)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What `cylindre` prints on standard output, in a terminal so wide."""

    def tell(*line: str, columns: int = 80) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert cli.main(list(line)) == OK
        return capsys.readouterr().out

    return tell


def modules() -> set[str]:
    """The names of what stands in tools/commands and is a command."""
    found = set()
    for path in (ROOT / "tools" / "commands").glob("*.py"):
        module = importlib.import_module(f"tools.commands.{path.stem}")
        if isinstance(getattr(module, "command", None), click.Command):
            found.add(path.stem.replace("_", "-"))
    return found


def test_every_command_is_in_exactly_one_group() -> None:
    grouped = [name for _, commands in group.GROUPS for name, _ in commands]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) == modules()


@pytest.mark.parametrize("chosen", language.LANGUAGES)
def test_help_is_one_table_by_who_wants_what(told: Callable[..., str], chosen: str) -> None:
    text = told("--lang", chosen, "--help")
    assert ENTRY.findall(text) == [name for name, _ in group.COMMANDS]
    entries = [line for line in text.splitlines() if ENTRY.match(line)]
    assert len({line.index(line.split(None, 1)[1]) for line in entries}) == 1
    titles = [language.translated(title, chosen) for title, _ in group.GROUPS]
    assert HEADING.findall(text) == ["Options", *titles]


def test_help_in_french_has_no_english_left(told: Callable[..., str]) -> None:
    english, french = (
        {line.strip() for line in told("--lang", chosen, "--help").splitlines()}
        for chosen in language.LANGUAGES
    )
    same = {line for line in english & french if line and not line.startswith("cylindre ")}
    assert same == set()


@pytest.mark.parametrize("chosen", language.LANGUAGES)
@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_help_is_as_wide_as_the_terminal_and_no_wider_than_is_read(
    told: Callable[..., str], columns: int, chosen: str
) -> None:
    lines = told("--lang", chosen, "--help", columns=columns).splitlines()
    own = [line for line in lines if not line.startswith("    cylindre ")]  # examples stay whole
    assert max(map(len, own)) <= min(columns, 100)
    if columns >= 80:  # a line each
        entries = [place for place, line in enumerate(lines) if ENTRY.match(line)]
        assert entries[-1] - entries[0] == len(entries) - 1 + 2 * (len(group.GROUPS) - 1)


def test_version_names_the_release_the_firmware_and_python(told: Callable[..., str]) -> None:
    text = told("--version")
    assert text.startswith("cylindre 0.")
    assert f"firmware {firmware_hash().hex()}" in text
    assert text.endswith(f"Python {platform.python_version()}\n")
    assert text.count("\n") == 1


@pytest.mark.parametrize("checkout", [True, False])
def test_version_names_the_commit_of_a_checkout_alone(
    told: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    checkout: bool,
) -> None:
    commit = None
    if checkout:
        git = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "One."], check=True)
        done = subprocess.run(
            [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
        )
        commit = done.stdout[:12]
    monkeypatch.setattr(group, "ROOT", tmp_path)
    found = re.search(r", commit (\w+)", told("--version"))
    assert (found and found[1]) == commit
