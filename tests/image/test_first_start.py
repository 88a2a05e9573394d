"""What a card does at its first start: the script itself, with its folders elsewhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools/image/root/usr/lib/cylindre-image/data"
GOOD = '[wheel]\nboard = "roulette_ref"\nid = "table-3"\n'

Card = Path


@pytest.fixture
def card(tmp_path: Path) -> Card:
    for name in ("data", "boot/firmware", "run", "etc/cylindre", "bin"):
        (tmp_path / name).mkdir(parents=True)
    program = tmp_path / "bin/cylindre"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tools.cli "$@"\n')
    # No user of ours is on this machine; and a file system is not told to write for a test.
    for name in ("getent", "sync"):
        (tmp_path / "bin" / name).write_text('#!/bin/sh\n[ "${0##*/}" = sync ]\n')
    for path in (tmp_path / "bin").iterdir():
        path.chmod(0o755)
    return tmp_path


def start(card: Card) -> subprocess.CompletedProcess[str]:
    text = SCRIPT.read_text()
    for folder in ("/data", "/boot/firmware", "/run/", "/etc/cylindre"):
        text = text.replace(f" {folder}", f" {card}{folder}").replace(
            f"={folder}", f"={card}{folder}"
        )
    path = f"{card / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", "-c", text], env=os.environ | {"PATH": path}, cwd=SCRIPT.parents[5],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def put(card: Card, text: str) -> Path:
    path = card / "boot/firmware/wheel.toml"
    path.write_text(text)
    return path


def test_a_new_wheel_takes_what_lies_on_its_card_once(card: Card) -> None:
    first = put(card, GOOD)
    done = start(card)
    assert (done.returncode, done.stderr) == (0, "")
    assert (card / "data/etc/wheel.toml").read_text() == GOOD
    assert not first.exists()
    assert first.with_name("wheel.taken.toml").read_text() == GOOD


def test_a_wheel_that_is_configured_leaves_a_later_one_alone(card: Card) -> None:
    (card / "data/etc").mkdir()
    (card / "data/etc/wheel.toml").write_text(GOOD)
    first = put(card, GOOD.replace("table-3", "table-4"))
    done = start(card)
    assert done.returncode == 0
    assert "The wheel is configured" in done.stderr
    assert "table-3" in (card / "data/etc/wheel.toml").read_text()
    assert first.exists()


def test_one_with_a_mistake_is_not_taken_and_says_why(card: Card) -> None:
    put(card, GOOD + 'idd = "x"\n')
    done = start(card)
    assert done.returncode == 0
    assert 'Did you mean "id"?' in done.stderr
    assert [path.name for path in (card / "data/etc").iterdir()] == []


def test_it_is_judged_beside_the_files_that_it_will_have(card: Card) -> None:
    """What the package or a house laid into conf.d counts, for the wheel will read it too."""
    (card / "data/etc/conf.d").mkdir(parents=True)
    (card / "data/etc/conf.d/10-house.toml").write_text("[wheel]\nidd = 1\n")
    put(card, GOOD)
    done = start(card)
    assert "10-house.toml:2" in done.stderr
    assert not (card / "data/etc/wheel.toml").exists()


def test_where_it_cannot_be_written_the_wheel_starts_all_the_same(card: Card) -> None:
    put(card, GOOD)
    failing = card / "bin/install"
    failing.write_text("#!/bin/sh\nexit 1\n")
    failing.chmod(0o755)
    assert start(card).returncode == 0
    assert not (card / "data/etc/wheel.toml").exists()
