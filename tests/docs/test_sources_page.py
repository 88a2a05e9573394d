"""What the code cites and the repository does not hold is told in docs/sources.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
FILES = sorted(
    path
    for folder in ("firmware", "drivers", "rules", "boards", "tools", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(__file__)
)
# What is given with the project: its design, pages of figures and of the field, fixed contracts.
GIVEN = re.compile(
    r"\b(DESIGN|PHYSICS|contracts/\w+\.md|(?:FIELD|HOUSE|STYLE|HEALTH|CARDS|FLEET)\.md)"
)


def cited(pattern: re.Pattern[str]) -> set[str]:
    """What of it stands in the code."""
    found: set[str] = set()
    for path in FILES:
        found.update(pattern.findall(path.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("name", sorted(cited(GIVEN)))
def test_what_is_cited_has_its_row(name: str) -> None:
    assert any(line.startswith(f"| {name}") for line in PAGE.splitlines()), name


def test_sections_of_the_design_are_told() -> None:
    sections = cited(re.compile(r"\bDESIGN (?:section )?(\d)"))
    assert sections
    told = set(re.findall(r"^Section (\d),", PAGE, re.MULTILINE))
    assert sections <= told


def test_the_reader_of_a_citation_finds_the_page() -> None:
    for page in ("README.md", "docs/architecture.md"):
        assert "sources.md" in (ROOT / page).read_text(encoding="utf-8"), page
