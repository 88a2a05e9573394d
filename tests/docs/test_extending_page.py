"""docs/extending.md names files and tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
# A path from the root, with the test that it names; NAME stands for what the reader adds.
PATHS = sorted(
    set(re.findall(r"`((?:boards|docs|drivers|firmware|rules|tests|tools)/[^`]*)`", PAGE))
)
THERE = [path for path in PATHS if "NAME" not in path]


@pytest.mark.parametrize("named", THERE)
def test_every_path_of_the_page_is_there(named: str) -> None:
    path, _, test = named.partition("::")
    assert (ROOT / path).exists()
    assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("named", sorted(set(PATHS) - set(THERE)))
def test_what_the_reader_adds_has_a_folder(named: str) -> None:
    assert (ROOT / named).parent.is_dir()


def test_the_page_names_every_kind_of_addition() -> None:
    headings = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert headings == [
        "A wheel",
        "A sensor",
        "A game",
        "An apparatus",
        "A fault",
        "A command",
        "A language",
    ]
