"""Every key of a configuration that names a file is given what is none, and a start ends with a
sentence.

They are found by walking the table of keys: a new one is walked too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from walking import TRAPS, called, trap, watched

from firmware.config import KEYS
from firmware.config.keys import Key
from firmware.lib.errors import CONFIGURATION, FAILED

BOARD = "roulette_ref"
FOLDERS = {("bus", "keys")}
# What a key wants beside it, to be regarded at all.
BESIDE = {
    ("stakes", "orphelins"): "minimum_cents = 500",
    ("cards", "dragon_odds"): '[game]\nrules = "punto_2000"',
}
BOARDS = {"cards": "baccarat_ref"}  # of a section, where a wheel has none
CASES = [
    pytest.param(key, kind, id=f"[{key.section}] {key.name} is {kind}")
    for key in KEYS
    if key.is_path
    for kind in TRAPS
    if not (kind == "folder" and (key.section, key.name) in FOLDERS)
]


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_key_that_names_no_file_ends_with_a_sentence(
    key: Key,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = trap(kind, tmp_path / "there")
    beside = BESIDE.get((key.section, key.name), "")
    board = BOARDS.get(key.section, BOARD)
    text = f'[{key.section}]\n{key.name} = "{path}"\n{beside}\n'
    (tmp_path / "wheel.toml").write_text(text)
    with watched(path, kind):
        checked = called(["config", "check", "wheel.toml", "--board", board])
        played = called(
            ["run", "--board", board, "--config", "wheel.toml", "--socket", "s", "--coups", "1"]
        )
    said = "".join(capsys.readouterr())
    assert played in (FAILED, CONFIGURATION)
    assert checked in (0, CONFIGURATION)
    assert str(path) in said or path.name in said
    assert "Traceback" not in said and "mistake in cylindre itself" not in said


def test_there_are_keys_that_name_files() -> None:
    assert {case.values[0].name for case in CASES} >= {"layout", "file", "journal", "keys"}
