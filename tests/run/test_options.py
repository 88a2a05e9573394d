"""What a controller plays with: typed before configured before default, as it was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware.api.sessions import Person
from firmware.keys.folder import ensure_wheel
from firmware.lib.errors import CONFIGURATION, USAGE, Failure
from firmware.lib.places import STATE_FOLDER
from firmware.run.calibration import keeper, path_beside
from firmware.run.options import Typed, choose
from firmware.run.parts import Choices

NOTHING = Typed(*[None] * len(Typed._fields))
MEASURED: dict[str, Any] = {
    "board": "roulette_ref",
    "pocket_mdeg": [60_400, 179_900, 300_100],
    "pocket_sd_mdeg": 40,
    "index_mdeg": 900,
    "index_sd_mdeg": 50,
    "ball_pockets": [0, 9],
    "turns": 20,
    "level_zero_mdeg": [120, -80],
}


def chosen(typed: Typed) -> Choices:
    def opened(choices: Any, stack: Any) -> Any:
        raise AssertionError("nothing is opened here")

    return choose(
        typed, virtual=lambda game: opened, recorder=None, line=lambda fact: None, started_us=0
    )


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "wheel.toml"
    path.write_text(
        '[wheel]\nboard = "roulette_ref"\n[bus]\nport = "configured"\nkeys = "configured"\n'
        '[store]\njournal = "configured.db"\nfram = "configured.fram"\n'
    )
    return path


def test_without_a_word_the_places_of_the_board_hold() -> None:
    found = chosen(NOTHING._replace(board="roulette_ref"))
    folder = STATE_FOLDER / "roulette_ref"
    assert (found.journal, found.keys, found.sockets) == (
        folder / "journal.db",
        folder / "keys",
        folder,
    )
    assert (found.own_keys, found.port, found.fram) == (True, None, None)


def test_the_configuration_goes_before_what_holds_by_itself(config: Path) -> None:
    found = chosen(NOTHING._replace(config=config))
    assert found.game.board["name"] == "roulette_ref"
    assert found.port == "configured"
    assert found.journal == config.parent / "configured.db"
    assert (found.keys, found.own_keys) == (config.parent / "configured", False)
    assert found.fram == config.parent / "configured.fram"


def test_what_was_typed_goes_before_the_configuration(config: Path) -> None:
    typed = NOTHING._replace(
        config=config,
        board="boule_ref",
        port="typed",
        journal=Path("typed.db"),
        keys=Path("typed"),
        fram=Path("typed.fram"),
    )
    found = chosen(typed)
    assert found.game.board["name"] == "boule_ref"
    assert (found.port, found.journal, found.keys, found.fram) == (
        "typed",
        Path("typed.db"),
        Path("typed"),
        Path("typed.fram"),
    )
    assert found.people == Path("people.jsonl")


def test_without_any_board_it_asks_for_one() -> None:
    with pytest.raises(Failure) as refused:
        chosen(NOTHING)
    assert refused.value.exit_code == USAGE


def test_a_wheel_that_was_measured_plays_as_it_was_measured(tmp_path: Path) -> None:
    """What names a number is chosen below firmware/run, which the hash of records covers."""
    keys, journal = tmp_path / "keys", tmp_path / "journal.db"
    ensure_wheel(keys)
    typed = NOTHING._replace(board="roulette_ref", keys=keys, journal=journal)
    drawn = chosen(typed).game.board
    keeper(path_beside(journal), keys, drawn)(MEASURED, Person("weber", "supervisor"))
    assert chosen(typed).game.board["geometry"]["pocket_mdeg"] == (61_300, 180_800, 301_000)
    path_beside(journal).write_bytes(b"no calibration")
    with pytest.raises(Failure) as refused:
        chosen(typed)
    assert refused.value.exit_code == CONFIGURATION
