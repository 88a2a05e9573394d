"""What is not ours is what it says it is; what is ours loads nothing from elsewhere."""

import hashlib
import re
from pathlib import Path

import pytest

from firmware.services.page import server

STATIC = Path(server.__file__).parent / "static"
VENDOR = STATIC / "vendor"
OURS = sorted(path for path in STATIC.rglob("*") if path.is_file() and VENDOR not in path.parents)


def sums() -> dict[str, str]:
    rows = re.findall(r"\| `(\S+)` \|.*\| `([0-9a-f]{64})` \|", (VENDOR / "README.md").read_text())
    return dict(rows)


def test_every_file_of_others_has_its_sum() -> None:
    there = {path.name for path in VENDOR.iterdir()} - {"README.md"}
    assert set(sums()) == there


@pytest.mark.parametrize("name", sums())
def test_it_is_unchanged(name: str) -> None:
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == sums()[name]


def test_it_is_the_version_that_stands_there() -> None:
    (version,) = set(re.findall(r"`uplot` (\S+?),", (VENDOR / "README.md").read_text()))
    assert f"(v{version})" in (VENDOR / "uPlot.esm.js").read_text()


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_our_files_ask_for_nothing_outside_and_have_no_styles_or_handlers_in_markup(
    path: Path,
) -> None:
    text = path.read_text()
    addresses = re.findall(r"https?://[^\s\"')]+", text)
    assert set(addresses) <= {"http://www.w3.org/2000/svg"}  # a name, not a place
    assert "innerHTML" not in text
    assert "eval(" not in text
    if path.suffix == ".html":
        assert not re.search(r"\son\w+=|<style|style=", text)
