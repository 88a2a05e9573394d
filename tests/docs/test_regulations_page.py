"""docs/regulations.md names code and tests that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "regulations.md").read_text(encoding="utf-8")
TESTS = re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE)
# A file of the code stands in the third column, below firmware/ or from the top.
CODE = re.findall(r"`([\w/]+\.py)`", PAGE)


@pytest.mark.parametrize(("file", "name"), TESTS)
def test_a_test_that_proves_an_article_exists(file: str, name: str) -> None:
    assert re.search(rf"^def {name}\(", (ROOT / "tests" / file).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("file", sorted(set(CODE)))
def test_code_that_does_what_an_article_asks_exists(file: str) -> None:
    assert (ROOT / file).exists() or (ROOT / "firmware" / file).exists()


def test_every_article_has_a_test() -> None:
    rows = [row for row in PAGE.splitlines() if row.startswith("| ") and "code | test" not in row]
    assert len(rows) == len(TESTS) > 30
