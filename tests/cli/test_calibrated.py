"""A wheel that was measured: its calibration is signed by the wheel, kept whole, heeded at the next
start, and refused when it is another's."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from firmware.api.sessions import Person
from firmware.api.values import Refused
from firmware.config import Config
from firmware.config.choice import choose_game
from firmware.config.game import Game
from firmware.keys.folder import ensure_wheel
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.run.calibration import by_wheel, calibration_signer, path_beside, with_calibration

WEBER = Person("weber", "supervisor")
VALUES: dict[str, Any] = {
    "board": "roulette_ref",
    "pocket_mdeg": [60_400, 179_900, 300_100],
    "pocket_sd_mdeg": 40,
    "index_mdeg": 900,
    "index_sd_mdeg": 50,
    "ball_pockets": [0, 9],
    "turns": 20,
    "level_zero_mdeg": [120, -80],
}


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    ensure_wheel(tmp_path / "keys")
    return tmp_path / "keys"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def game() -> Game:
    return choose_game("roulette_ref", Config())


def keep(journal: Path, keys: Path, **other: Any) -> str:
    return calibration_signer(path_beside(journal), keys, game().board)(VALUES | other, WEBER)


def test_without_a_calibration_the_drawing_holds(journal: Path, keys: Path) -> None:
    here, config = game(), Config()
    assert with_calibration(here, config, journal=journal, keys=keys) == (here, config)


def test_a_calibration_holds_from_the_next_start(journal: Path, keys: Path) -> None:
    keep(journal, keys)
    found, config = with_calibration(game(), Config(), journal=journal, keys=keys)
    assert found.board["geometry"]["pocket_mdeg"] == (61_300, 180_800, 301_000)
    assert found.board["geometry"]["pocket_deg"] == (60, 180, 300)
    assert (config.level_zero_x_mdeg, config.level_zero_y_mdeg) == (120, -80)


def test_it_says_who_made_it_and_its_hash_is_that_of_the_file(journal: Path, keys: Path) -> None:
    digest = keep(journal, keys)
    path = path_beside(journal)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    found = by_wheel(path, keys)
    assert (found.who, found.role) == ("weber", "supervisor")


@pytest.mark.req("IEC-CR-3.4")
@pytest.mark.parametrize("at", [0, 40, -1])
def test_one_that_was_altered_is_refused_and_play_does_not_begin(
    journal: Path, keys: Path, at: int
) -> None:
    keep(journal, keys)
    path = path_beside(journal)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(Failure) as refused:
        with_calibration(game(), Config(), journal=journal, keys=keys)
    assert refused.value.exit_code == CONFIGURATION
    assert "cylindre calibrate" in refused.value.sentence


def test_that_of_another_wheel_is_refused(journal: Path, keys: Path, tmp_path: Path) -> None:
    ensure_wheel(tmp_path / "others")
    keep(journal, tmp_path / "others")
    with pytest.raises(Failure, match="another key"):
        with_calibration(game(), Config(), journal=journal, keys=keys)


def test_that_of_another_board_is_refused(journal: Path, keys: Path) -> None:
    keep(journal, keys)
    with pytest.raises(Failure, match="calibrate this wheel"):
        with_calibration(
            choose_game("vingt_trois_ref", Config()), Config(), journal=journal, keys=keys
        )


@pytest.mark.parametrize(
    "other",
    [
        {"board": "pi4"},
        {"pocket_mdeg": [1, 2, 360_000]},
        {"turns": 0},
        {"colour": "red"},
        {"pocket_mdeg": [60_400, 179_900]},
        {"pocket_mdeg": [70_000, 179_900, 300_100]},
        {"rim_mdeg": [0, 120_000], "rim_sd_mdeg": 1, "laps": 9},
    ],
)
def test_values_that_are_none_are_refused_and_the_last_good_ones_stay(
    journal: Path, keys: Path, other: dict[str, Any]
) -> None:
    keep(journal, keys)
    before = path_beside(journal).read_bytes()
    with pytest.raises(Refused):
        keep(journal, keys, **other)
    assert path_beside(journal).read_bytes() == before


def test_where_it_cannot_be_kept_that_is_one_sentence(journal: Path, keys: Path) -> None:
    with pytest.raises(Refused) as refused:
        keep(journal.parent / "gone" / "journal.db", keys)
    assert refused.value.error["remedy"] == "Free or replace the storage."
