"""Every link in the documents leads somewhere in this project."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# `docs/faults.md#w21`: what messages and docstrings of the code point to.
CITED = re.compile(r"docs/[\w/.-]+\.md(?:#[\w-]+)?")
# `firmware/core/coup`: where a page says that something stands.
STANDS = re.compile(r"`((?:firmware|boards|drivers|rules|tools|tests)/[\w/.-]+)`")
CODE = sorted(
    path
    for folder in ("firmware", "drivers", "rules", "boards", "tools")
    for path in (ROOT / folder).rglob("*.py")
)


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get, as the usual Markdown viewers name them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    names: set[str] = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.*)$", text, re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        names.add(words.replace(" ", "-"))
    return names


def dead(page: Path, link: str) -> bool:
    """Whether a link found in `page` leads nowhere. Links to other sites are not followed."""
    if re.match(r"[a-z]+:", link):
        return False
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists():
        return True
    return bool(anchor) and target.suffix == ".md" and anchor not in anchors(target)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_resolves(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    assert [link for link in LINK.findall(text) if dead(page, link)] == []


def test_every_page_that_the_code_names_exists() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: {cited}"
        for path in CODE
        for cited in CITED.findall(path.read_text(encoding="utf-8"))
        if dead(ROOT / "README.md", cited)
    ]
    assert missing == []


def test_a_link_to_a_missing_page_or_heading_is_dead(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One heading, twice\n\n```\n# not a heading\n```\n", encoding="utf-8")
    assert dead(page, "gone.md")
    assert dead(page, "#not-a-heading")
    assert not dead(page, "page.md#one-heading-twice")


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "adr"], ids=str)
def test_what_a_page_says_where_it_stands_is_there(page: Path) -> None:
    """Decisions are left out: they also say what was."""
    named = {
        name for name in STANDS.findall(page.read_text(encoding="utf-8")) if "NAME" not in name
    }
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
