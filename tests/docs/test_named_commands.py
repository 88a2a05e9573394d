"""Every command that a page names exists, with its options, and is run by a test.

Whoever names one more in a page has it typed (OTHERS in typed_pages.py), or says in played.txt
which test runs it.
"""

import importlib.util
import subprocess
from functools import cache
from pathlib import Path

import click
import pytest
from named_commands import PAGES, ROOT, Named, forms, found, named, split
from played_by import plays
from typed_page import lines
from typed_pages import OTHERS, PLAYED, TYPED

from firmware.lib import language
from firmware.lib.errors import Failure

NAMED = sorted({each for page in PAGES for each in named(page)})
COMMANDS = sorted({each.command for each in NAMED})
# What stands for something of the reader's own, where a plain word is not taken.
STANDS_FOR = {
    "A": "1",
    "BOARD": "roulette_ref",
    "COUP": "1",
    "N": "1",
    "S": "1",
    "NUMBER": "17",
    "TERMINAL": "1",
    "/media/card": "/",
}


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No wheel is here; the language is as it was afterwards."""
    monkeypatch.chdir(tmp_path)
    yield
    language.choose(None)


def wrong(each: Named) -> str | None:
    """What is wrong with a command as a page names it."""
    command, given = split(each.words)
    if command[0] == "make":
        return next(filter(None, map(wrong, recipe(each.words))), None)
    if command[0] == "python":
        return _wrong_of_module(command[-1], given)
    program = found(command)
    assert program is not None
    words = [STANDS_FOR.get(word, word) for word in given]
    if isinstance(program, click.Group) and not (words and words[0].startswith("-")):
        return f"No such command '{words[0]}'." if words else None
    try:
        program.make_context(command[-1], words)
    except (click.exceptions.Exit, Failure):  # it has been read by then
        return None
    except click.UsageError as error:
        lacks = isinstance(error, click.MissingParameter | click.BadOptionUsage) or (
            type(error) is click.UsageError and not words
        )
        return None if lacks and not each.is_whole else error.format_message()
    return None


def _wrong_of_module(module: str, given: tuple[str, ...]) -> str | None:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return f"No module {module}."
    origin = Path(spec.origin)
    files = origin.parent.glob("*.py") if spec.submodule_search_locations else [origin]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    missing = [word for word in given if word.startswith("--") and f'"{word}"' not in text]
    return f"No such option {missing}." if missing else None


@cache
def recipe(words: tuple[str, ...]) -> tuple[Named, ...]:
    """The commands of ours that a target of make runs. Fails where there is no such target."""
    said = subprocess.run(
        ["make", "-n", "-o", ".venv/.stamp", "-o", ".venv/share/.stamp", *words[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return tuple(
        Named(" ".join(words), form, is_whole=True)
        for line in said.stdout.splitlines()
        for form in forms(line.removeprefix("exec ").partition(" || ")[0])
    )


@cache
def typed() -> frozenset[str]:
    """The commands that test_typed_pages.py types."""
    texts = [line for page, how in TYPED.items() for line in lines(ROOT / "docs" / page, how)]
    return frozenset(" ".join(split(form)[0]) for line in (*texts, *OTHERS) for form in forms(line))


def unplayed(command: str) -> list[str]:
    """What no test runs of a command: itself, or what its target of make runs."""
    if command in PLAYED or command in typed():
        return []
    if command.startswith("make "):
        behind = [each.command for each in recipe(tuple(command.split()))]
        return [name for each in behind for name in unplayed(each)] if behind else [command]
    below = [each for each in typed() | set(PLAYED) if each.startswith(f"{command} ")]
    is_group = isinstance(found(tuple(command.split())), click.Group)
    return [] if is_group and below else [command]


@pytest.mark.parametrize("each", NAMED, ids=str)
def test_a_command_that_is_named_can_be_typed(each: Named) -> None:
    assert wrong(each) is None


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_named_is_run_by_a_test(command: str) -> None:
    assert unplayed(command) == [], (
        "type it in OTHERS of typed_pages.py, or say in played.txt who runs it"
    )


@pytest.mark.parametrize("command", PLAYED)
def test_the_test_that_runs_a_command_is_there_and_runs_it(command: str) -> None:
    assert plays(PLAYED[command], command)


def test_the_tables_name_nothing_that_no_page_names() -> None:
    behind = {
        each.command
        for name in COMMANDS
        if name[:5] == "make "
        for each in recipe(tuple(name.split()))
    }
    assert set(PLAYED) <= {*COMMANDS, *behind}
    assert set(PLAYED).isdisjoint(typed())


def of(line: str) -> str | None:
    """What is wrong with a line of its own."""
    (form,) = forms(line)
    return wrong(Named("a page", form, is_whole=True))


def test_what_does_not_exist_is_found() -> None:
    assert of("cylindre ruin --config table.toml") == "No such command 'ruin'."
    assert of("cylindre people ad anna") == "No such command 'ad'."
    assert "No such option '--confg'" in str(of("cylindre run --confg table.toml"))
    assert "Missing option '--role'" in str(of("cylindre people add anna"))
    assert "'sixty' is not a whole number" in str(of("cylindre run --coups sixty"))
    assert of("python -m tools.bench.pages") == "No module tools.bench.pages."
    assert of("python -m tools.fuzz --second 5") == "No such option ['--second']."
    assert "No such option" in str(of('make campaign ARGS="--coupes 3"'))
    with pytest.raises(AssertionError, match="No rule to make target"):
        of("make benhc")


def test_a_command_that_no_test_runs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(PLAYED, "cylindre safe")
    assert unplayed("cylindre safe") == ["cylindre safe"]
    there = "tests/device/realtime/test_safe_command.py::test_"
    said = "it_says_that_the_wheel_is_out_of_service_until_it_is_stopped"
    assert plays(there + said, "cylindre safe")
    assert not plays(there + said, "cylindre gateway")
    assert not plays(there + "nothing", "cylindre safe")
