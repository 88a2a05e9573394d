"""`cylindre config new`: a file to choose in; and `show` of the wheel that is meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import boards
from firmware.config import KEYS, survey
from firmware.config.this_wheel import Started, leave
from firmware.lib.errors import FAILED, OK
from firmware.services.configuring import effective
from tools import cli

# A real plate plays with its own layout alone: its file has to be given.
SOUND = [name for name in boards.WHEELS if name != "vingt_trois_pi4"]
HOLDS = "  # holds without it"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("board", SOUND)
def test_it_is_sound_as_it_is_and_says_what_holds(
    here: Path, capsys: pytest.CaptureFixture[str], board: str
) -> None:
    path = here / "table-3.toml"
    assert cli.main(["config", "new", "table-3.toml", "--board", board]) == OK
    assert cli.main(["config", "check", "table-3.toml"]) == OK
    capsys.readouterr()
    held = {row[:2]: row.value for row in effective.rows(survey(path).said)}
    # What it says to hold without it does: written out, nothing is another.
    lines = path.read_text().splitlines()
    path.write_text("\n".join(each.removeprefix("#") if HOLDS in each else each for each in lines))
    written = survey(path)
    assert written.mistakes == []
    assert {row[:2]: row.value for row in effective.rows(written.said)} == held
    assert len(written.said) > 8


def test_every_key_is_in_it_with_its_meaning_and_example(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["config", "new"]) == OK
    text = capsys.readouterr().out
    joined = " ".join(line.removeprefix("# ") for line in text.splitlines())
    section = ""
    found = []
    for line in text.splitlines():
        section = line.strip("[]") if line.startswith("[") else section
        if line.startswith("#") and not line.startswith("# "):
            found.append((section, line[1:].split(" = ")[0]))
    assert found == [(key.section, key.name) for key in KEYS]
    for key in KEYS:
        assert key.means in joined
        assert key.choices or key.wants in joined
    assert max(map(len, text.splitlines())) <= 100
    assert [*here.iterdir()] == []


def test_it_never_writes_over_a_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "table-3.toml").write_text("mine\n")
    assert cli.main(["config", "new", "table-3.toml"]) == FAILED
    assert "is there already, and is not overwritten" in capsys.readouterr().err
    assert (here / "table-3.toml").read_text() == "mine\n"


@pytest.mark.parametrize("folder", [".", "/"])
def test_a_path_without_a_name_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    assert cli.main(["config", "new", folder]) == FAILED
    assert capsys.readouterr().err == f"Cannot write {folder}: is a directory.\n"
    assert [*here.iterdir()] == []


def test_in_french_it_is_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--lang", "fr", "config", "new"]) == OK
    text = capsys.readouterr().out
    assert text.startswith("# Ce que choisit la maison. ")
    assert '#id = "wheel-1"  # vaut sans elle' in text
    assert "# un nombre de 0.05 à 5 (degrés)\n" in text  # the point that the file wants
    for english in ("holds without", "an example", "left out", "the wheel", "a number of"):
        assert english not in text


def test_show_says_which_file_it_is_of(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = here / "var" / "boule_ref"
    folder.mkdir(parents=True)
    table = here / "table.toml"
    table.write_text('[wheel]\nboard = "boule_ref"\nid = "table-3"\n')
    files = (folder / "journal.db", folder / "keys", folder / "people.jsonl", None)
    leave(Started("boule_ref", "table-3", table, *files), folder)
    assert cli.main(["config", "show"]) == OK
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"The configuration is {table}."
    assert f'wheel.id                     "table-3"          {table}:3' in lines
    assert cli.main(["config", "show", "--json"]) == OK
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["source"] for row in rows} == {str(table), "boule_ref", "default"}

    leave(Started("boule_ref", "table-3", None, *files), folder)
    assert cli.main(["config", "show"]) == OK
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "The wheel in var/boule_ref was started without a configuration."
    assert 'game.rules                   "boule_fr"         boule_ref' in lines
    assert cli.main(["--lang", "fr", "config", "show"]) == OK
    assert capsys.readouterr().out.startswith("Le cylindre dans var/boule_ref a été démarré sans")
