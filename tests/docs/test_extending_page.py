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


def items() -> list[str]:
    """Its numbered lines that name files of the code, each with what goes on below it."""
    found = re.findall(r"^\d\. (?:.*\n)(?:   .*\n)*", PAGE, re.MULTILINE)
    return [item for item in found if ".py`" in item or "/`" in item]


@pytest.mark.parametrize("item", items(), ids=lambda item: item.split("`")[1])
def test_names_of_the_code_stand_in_a_file_of_their_line(item: str) -> None:
    text = "".join(map(source, re.findall(r"`(\w+/[\w/.]*)`", item)))
    for name in re.findall(r"`([A-Za-z_]+(?:\.[a-z_]+)?)`", item):
        last = name.rpartition(".")[2]
        assert last == "NAME" or re.search(rf"\b{last}\b", text), name


def source(named: str) -> str:
    """A file's text; of a folder, or where the reader adds a file, that of all its files."""
    path = ROOT / named
    if path.is_file():
        return path.read_text(encoding="utf-8")
    folder = path if path.is_dir() else path.parent
    return "".join(each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.py")))


def test_the_page_names_every_kind_of_addition() -> None:
    headings = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert headings == [
        "A wheel",
        "A sensor",
        "A game",
        "A card game",
        "An apparatus",
        "A fault",
        "A command",
        "A language",
    ]
