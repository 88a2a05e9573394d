"""A key is defined in one place: its row of Config, from which all the others are made."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from config_bench import ROOT, environment

from firmware.config import KEYS, Config, parse
from firmware.config.keys import MANY, Key, fits, kept
from firmware.lib.errors import OK
from firmware.services.configuring.effective import default, shown

HINTS = get_type_hints(Config)
NAMES = [f"{key.section}.{key.name}" for key in KEYS]
# The unit that ends a field's name, and what a file's value is multiplied by.
SCALES = {"us": 1_000_000, "mdeg": 1_000, "ppb": 1_000}


@pytest.mark.parametrize("key", KEYS, ids=NAMES)
def test_the_type_of_a_field_is_what_its_key_keeps(key: Key) -> None:
    here = int if key.scale != 1 else key.kind[0]
    if key.section in MANY:
        kept_there = dict[str, int] | dict[str, bool] | dict[str, bool | int]
        of_each, nothing = get_args(HINTS[key.field])
        assert of_each in get_args(kept_there)
        assert nothing is type(None)
        values = get_args(of_each)[1]
        assert here in (get_args(values) or (values,))
        return
    held = getattr(Config(), key.field)
    kinds = get_args(HINTS[key.field]) or (HINTS[key.field],)
    assert here in kinds
    assert type(held) in kinds
    assert set(kinds) <= {here, type(None)}


@pytest.mark.parametrize("key", KEYS, ids=NAMES)
def test_what_a_row_says_fits_its_own_check(key: Key) -> None:
    assert fits(key, key.example)
    assert SCALES.get(key.field.rpartition("_")[2], 1) == key.scale
    if key.default is not None:
        assert fits(key, key.default)
        assert getattr(Config(), key.field) == kept(key, key.default)
    if key.unit and not key.choices:
        assert f"of {key.unit} from {key.low} to {key.high}" in key.wants


@pytest.mark.parametrize("key", KEYS, ids=NAMES)
def test_the_example_of_a_key_is_taken(key: Key) -> None:
    parse(f"[{key.section}]\n{key.name} = {shown(key.example)}")


def test_every_field_has_a_key_and_no_key_stands_twice() -> None:
    assert {key.field for key in KEYS} == set(HINTS)
    assert len({key[:2] for key in KEYS}) == len(KEYS)


@pytest.mark.parametrize("key", KEYS, ids=NAMES)
def test_who_decides_by_a_key_names_its_field(key: Key) -> None:
    used = ROOT / key.used_by
    sources = used.rglob("*.py") if used.is_dir() else [used]
    assert any(re.search(rf"\.{key.field}\b", source.read_text()) for source in sources)


ROW = """
    dolls: int | None = _number(
        "rotor", "dolls", (2, 5), "dolls", "how many stand beside the wheel", _APP, 3)
"""
SHOW = """
import json, sys
from pathlib import Path
from tools import cli
from tools.docs.tables import CONFIGURATION_KEYS
from firmware.config import Config, load
from firmware.services.page.queries import config_keys
said, sound = map(Path, sys.argv[1:])
assert cli.main(["config", "check", str(said)]) == 4
assert cli.main(["config", "show", str(sound)]) == 0
assert cli.main(["run", "--help"]) == 0
print("PAGE", CONFIGURATION_KEYS.render())
print("LISTED", json.dumps([each for each in config_keys() if each["key"] == "dolls"]))
print("KEPT", load(sound).dolls, Config().dolls)
"""


def test_a_key_added_to_the_table_alone_appears_everywhere(tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copytree(ROOT / "firmware", program / "firmware", ignore=shutil.ignore_patterns("*.pyc"))
    for name in ("boards", "rules", "drivers", "tools"):
        (program / name).symlink_to(ROOT / name)
    table = program / "firmware/config/keys.py"
    text = table.read_text()
    row = "    port: str | None = "
    assert text.count(row) == 1
    table.write_text(text.replace(row, ROW[1:] + row))
    wrong, sound = tmp_path / "wrong.toml", tmp_path / "sound.toml"
    wrong.write_text('[wheel]\nboard = "roulette_ref"\n[rotor]\ndolls = 9\n')
    sound.write_text('[wheel]\nboard = "roulette_ref"\n[rotor]\ndolls = 4\n')
    done = subprocess.run(
        [sys.executable, "-c", SHOW, str(wrong), str(sound)],
        env=environment() | {"PYTHONPATH": str(program)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == OK, done.stderr
    wants = "a whole number of dolls from 2 to 5"
    assert f"{wrong}:4: dolls must be {wants}, not 9." in done.stderr
    shown_row, helped, page, listed = (
        re.search(pattern, done.stdout, re.MULTILINE)
        for pattern in (
            r"^rotor\.dolls +4 +.*sound\.toml:4$",
            r"^    dolls = 3 +how many stand beside the wheel",
            rf"^\| `dolls` \| {wants} \| `3` \| how many stand beside the wheel \|",
            r"^LISTED (.*)$",
        )
    )
    assert shown_row and helped and page and listed, done.stdout
    (key,) = json.loads(listed[1])
    assert (key["section"], key["note"], key["default"]) == ("rotor", wants, 3)
    assert done.stdout.rstrip().endswith("KEPT 4 3")


def test_what_holds_without_a_key_is_what_its_row_says() -> None:
    assert {key.name: default(key) for key in KEYS if default(key) is not None} == {
        "id": "wheel-1",
        "late_per_million": 1.0,
        "mode": "auto",
        "coup_s": 0.0,
        "baud": 115_200,
        "warn_deg": 0.1,
        "zero_x_deg": 0.0,
        "zero_y_deg": 0.0,
        "gain": "tell",
        "coups_a_year": 150_000,
        "reader": "shoe",
        "bets_s": 20.0,
        "decision_s": 15.0,
        "insurance_s": 10.0,
        "card_s": 30.0,
        "burned": 6,
        "croupiers": False,
        "timeout_s": 0,
    }
