"""The inspector's script has the product's odds of the numbers, to the last bit."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from coup_files import HEADER, act, text, written
from coup_journal import CoupJournal

from firmware.core.health.watch import HealthWatch
from firmware.health.coup_file import CoupFile
from firmware.health.items import Recorded
from firmware.health.journal_coups import JournalCoups
from firmware.health.replay import Replay
from firmware.lib.errors import OK
from tools import cli

SCRIPT = Path(__file__).resolve().parents[2] / "tools/health/inspector.py"
ACTS = ("frets", "levelled", "cleaned", "note", "ball", "rotor")
Fields = dict[str, Any]


def inspected(path: Path, source: str, each: int = 1) -> dict[int, str]:
    """What the script, alone in a folder, prints: of each line the bits of its odds."""
    script = path.with_name("inspector.py")
    script.write_text(source)
    printed = subprocess.run(
        [sys.executable, "-I", str(script), path.name, str(each)],
        cwd=path.parent, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    found = {}
    for line in printed.splitlines():
        head, odds = line.removesuffix(", uneven").split(": E = ")
        number, bits = odds.split(", ")
        assert float(number) == pytest.approx(float.fromhex(bits), rel=1e-5)
        assert line.endswith(", uneven") == (float.fromhex(bits) >= 4_000)
        found[int(head.removeprefix("line "))] = bits
    return found


def judged(recorded: Recorded) -> dict[int, str]:
    """The product's, by its own replay."""
    replay = Replay(recorded, lambda: HealthWatch(recorded.wheel))
    found = {}
    for item in replay.run():
        numbers = replay.watch.stream("numbers")
        assert numbers is not None
        found[item.line] = numbers.judge.total.hex()
    return found


def drawn(path: Path, seed: int, compartments: int = 37, count: int = 200) -> Path:
    """A file of a wheel that favours a number, with acts and corrections in it."""

    def change(number: int, draw: random.Random, fields: Fields) -> None:
        fields["number"] = draw.randrange(compartments)
        fields["launch_place"] = -1
        if draw.random() < 0.6:
            fields["number"] = 7

    draw = random.Random(f"acts {seed}")
    order = draw.sample(range(compartments), compartments)
    names, *given = text(count, seed, change)[1:]
    lines = ["# " + json.dumps(HEADER | {"pockets": compartments, "order": order}), names]
    coups = []  # their lines
    for number, coup in enumerate(given, 1):
        lines.append(coup)
        coups.append(len(lines))
        if draw.random() < 0.02:
            lines.append(act(number, draw.choice(ACTS)))
        if draw.random() < 0.02:
            which = draw.choice([None, *range(compartments)])
            lines.append(act(number, "corrected", line=draw.choice(coups), number=which))
    return written(path, lines)


@pytest.mark.parametrize("seed", range(3))
def test_the_inspector_has_the_same_bits_after_every_line(tmp_path: Path, seed: int) -> None:
    path = drawn(tmp_path / "coups.txt", seed)
    found = inspected(path, SCRIPT.read_text())
    assert found == judged(CoupFile(path))
    assert max(float.fromhex(bits) for bits in found.values()) > 100


def test_of_a_wheels_journal_the_inspector_has_what_the_wheel_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def favoured(_coup: int, draw: random.Random, told: Fields, _said: Fields) -> None:
        if draw.random() < 0.5:
            told["place"] = 8

    journal = CoupJournal(tmp_path / "journal.db", "inspected", favoured)
    journal.play(60)
    journal.void()
    journal.act("cleaned")
    journal.play(40)
    journal.correct(30, 5)
    journal.correct(90, None)
    journal.play(5)
    journal.close()
    assert cli.main(["journal", "export", str(journal.path), "--format", "health"]) == OK
    path = tmp_path / "coups.txt"
    path.write_text(capsys.readouterr().out)
    found = inspected(path, SCRIPT.read_text())
    assert found == judged(JournalCoups(journal.path))
    assert len(found) == 60 + 1 + 40 + 2 + 5


@pytest.mark.parametrize("compartments", [36, 27, 18, 9])
def test_dishes_and_cylinders_have_the_same_bits(tmp_path: Path, compartments: int) -> None:
    path = drawn(tmp_path / "coups.txt", 7, compartments)
    assert inspected(path, SCRIPT.read_text()) == judged(CoupFile(path))


def test_acts_of_another_year_grant_anew(tmp_path: Path) -> None:
    path = drawn(tmp_path / "coups.txt", 8)
    long = judged(CoupFile(path))
    lines = path.read_text().splitlines()
    header = json.loads(lines[0][1:]) | {"coups_a_year": 60}
    written(path, ["# " + json.dumps(header), *lines[1:]])
    short = judged(CoupFile(path))
    assert inspected(path, SCRIPT.read_text()) == short != long


def test_no_sum_grows_without_end(tmp_path: Path) -> None:
    lines = text(700, 1, lambda _number, _draw, fields: fields.update(number=7))
    path = written(tmp_path / "stuck.txt", lines)
    found = inspected(path, SCRIPT.read_text(), each=100)
    assert sorted(found) == [*range(100, 701, 100), 702]
    whole = judged(CoupFile(path))
    assert found == {line: whole[line] for line in found}
    assert float.fromhex(found[702]) > 1e30


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[int, str]]:
    """The lines of a file, and the product's odds after each."""
    path = drawn(tmp_path_factory.mktemp("whole") / "coups.txt", 0)
    return path.read_text().splitlines(), judged(CoupFile(path))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(0.1, 0.2, 0.4)", "(0.1, 0.2, 0.41)"),
        ("(1.0 - ANY) * grant", "0.91 * grant"),
        ("0.5 / year", "0.51 / year"),
        ('"rotor")', '"levelled")'),
        ("            judged, done = odds(m, year, items), 0\n", ""),
        ("(3_000.0,", "(3_001.0,"),
    ],
)
def test_another_factor_grant_or_replay_has_other_bits(
    tmp_path: Path, whole: tuple[list[str], dict[int, str]], old: str, new: str
) -> None:
    lines, wanted = whole
    source = SCRIPT.read_text()
    assert source.count(old) == 1
    path = written(tmp_path / "coups.txt", lines)
    assert inspected(path, source.replace(old, new)) != wanted


def test_the_script_is_short_and_needs_python_alone() -> None:
    lines = SCRIPT.read_text().splitlines()
    assert len(lines) <= 60
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
