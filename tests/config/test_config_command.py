"""`cylindre config check` and `show`, as people run them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from config_bench import ROOT, Run, environment

from firmware.config import KEYS, Config, parse
from firmware.config.keys import MANY
from firmware.lib.errors import CONFIGURATION, OK, USAGE
from tools.docs.tables import CONFIGURATION_KEYS

SOUND = """format = 1
[wheel]
board = "roulette_ref"
[stakes]
minimum_cents = 500
season = "2026-27"
season_from = "2026-10-01"
season_to = "2027-09-30"
[maxima]
plein = 20
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "wheel.toml"
    path.write_text(SOUND)
    return path


def test_a_sound_one_is_one_line(run: Run, file: Path) -> None:
    done = run("check", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (OK, f"{file}: no mistakes.\n", "")


def test_mistakes_are_lines_and_exit_4(run: Run, file: Path) -> None:
    file.write_text(SOUND + 'rouge = "x"\n[boule]\ncups = 9\n')
    done = run("check", str(file))
    assert (done.returncode, done.stdout) == (CONFIGURATION, "")
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [
        f"{file}:11",
        f"{file}:13",
    ]


def test_as_json_it_is_one_object(run: Run, file: Path) -> None:
    file.write_text(SOUND + "[boule]\ncups = 9\n")
    done = run("check", str(file), "--json")
    assert (done.returncode, done.stderr) == (CONFIGURATION, "")
    (line,) = done.stdout.splitlines()
    told = json.loads(line)
    text = "cups: roulette_ref is no boule board. Leave the key out."
    assert told["mistakes"] == [{"file": str(file), "line": 12, "text": text}]
    assert (told["ok"], told["notices"]) == (False, [])


def test_a_file_that_is_not_there_is_one_sentence(run: Run, tmp_path: Path) -> None:
    done = run("check", str(tmp_path / "none.toml"))
    assert done.returncode == CONFIGURATION
    assert len(done.stderr.splitlines()) == 1


def test_an_unknown_board_is_usage(run: Run, file: Path) -> None:
    assert run("check", str(file), "--board", "pi44").returncode == USAGE


@pytest.mark.req("IEC-CR-7.6")
def test_every_key_is_shown_with_who_says_it(run: Run, file: Path) -> None:
    (file.parent / "conf.d").mkdir()
    beside = file.parent / "conf.d" / "10-call.toml"
    beside.write_text("[call]\ncall_s = 0.5\n")
    done = run("show", str(file), "--json")
    rows = {(row["section"], row["key"]): row for row in map(json.loads, done.stdout.splitlines())}
    assert set(rows) == {
        (key.section, key.name) for key in KEYS if key.section not in MANY or key.name == "plein"
    }

    def told(section: str, key: str) -> tuple[object, str, object]:
        row = rows[section, key]
        return row["value"], row["source"], row["line"]

    assert told("call", "call_s") == (0.5, str(beside), 2)
    assert told("stakes", "minimum_cents") == (500, str(file), 5)
    assert told("game", "rules") == ("roulette_lu", "roulette_ref", None)
    assert told("level", "warn_deg") == (0.1, "default", None)
    assert told("pace", "coup_s") == (0, "default", None)
    assert told("store", "fram") == (None, "default", None)


def test_as_text_a_key_is_a_line(run: Run, file: Path) -> None:
    lines = run("show", str(file)).stdout.splitlines()
    assert f'wheel.board                  "roulette_ref"     {file}:3' in lines
    assert "bus.baud                     115200             default" in lines


def test_a_check_waits_for_nothing_that_is_slow_to_import(file: Path) -> None:
    """The issue: "`config check` under 100 ms". No test is timed: tools.bench measures it."""
    code = (
        "import sys; from tools import cli;"
        "assert cli.main(['config', 'check', sys.argv[1]]) == 0;"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        env=environment(),
        check=True,
        capture_output=True,
        text=True,
    )
    slow = {"cryptography", "nacl", "sqlite3", "difflib", "asyncio", "serial", "firmware.run.app"}
    slow |= {"firmware.bus", "firmware.core.facts", "firmware.keys.people", "firmware.api"}
    assert slow & set(done.stdout.split()) == set()


def test_help_has_examples_of_every_command(run: Run) -> None:
    for name in ("new", "check", "show", "apply", "settle"):
        assert f"cylindre config {name}" in run(name, "--help").stdout


def test_the_page_of_the_configuration_is_what_the_code_says() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert CONFIGURATION_KEYS.written(page) == page
    for key in KEYS:
        assert f"`{key.name}`" in page
    (example,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert parse(example) != Config()
