"""A page for each role: what that person does first, then where everything is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ROLES = ("croupier", "technician", "manufacturer", "qa", "regulator", "developer")
LINK = re.compile(r"\]\(([^)#\s]+)")


def test_every_role_has_a_page_and_the_readme_leads_there() -> None:
    assert {path.stem for path in (DOCS / "roles").glob("*.md")} == set(ROLES)
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ")[0]
    led = [name for name in LINK.findall(first) if name.startswith("docs/roles/")]
    assert sorted(led) == sorted(f"docs/roles/{role}.md" for role in ROLES)


@pytest.mark.parametrize("role", ROLES)
def test_a_page_begins_with_what_is_done_first(role: str) -> None:
    """Below a title and a sentence: a heading that says it, and the command to type."""
    page = (DOCS / "roles" / f"{role}.md").read_text(encoding="utf-8")
    title, first, *others = page.split("\n## ")
    assert title.startswith("# For ")
    assert len(title.split()) < 60
    assert first.startswith("First: ")
    assert re.search(r"^    (cylindre|make) ", first, re.MULTILINE)
    assert others


def test_no_page_is_lost() -> None:
    """Each page of docs/ is named by the page of a role."""
    named = {
        (DOCS / "roles" / name).resolve()
        for role in ROLES
        for name in LINK.findall((DOCS / "roles" / f"{role}.md").read_text(encoding="utf-8"))
    }
    assert [page.name for page in sorted(DOCS.glob("*.md")) if page not in named] == []
