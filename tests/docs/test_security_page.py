"""docs/security.md: each test it names is there, and what it fails at says why."""

import re
from pathlib import Path

import pytest

from tools.docs.evidence.marks import in_hil, in_tests
from tools.docs.evidence.requirements import HERE, UNMET, requirements
from tools.docs.tables import SECURITY, security_checklist

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
CLAUSES = [each for each in requirements().values() if each.id.startswith(SECURITY)]
# `api/test_roles.py::test_a_turn_is_within_its_limits_or_refused`
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def test_each_test_that_it_names_is_there() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) > 60
    missing = [
        f"{file}::{name}"
        for file, name in named
        if not re.search(rf"^(?:async )?def {name}\(", _text(file), re.MULTILINE)
    ]
    assert missing == []


def test_a_clause_is_shown_by_tests_or_says_why_it_is_not() -> None:
    shown = {each.requirement for each in (*in_tests(), *in_hil())}
    assert len(CLAUSES) >= 25
    assert [each.id for each in CLAUSES if each.status == HERE and each.id not in shown] == []
    fails = [each for each in CLAUSES if each.status == UNMET]
    assert fails and all(f"**Fails**: {each.why}" in security_checklist() for each in fails)


def test_each_line_of_what_holds_it_off_names_its_test() -> None:
    rows = _rows("What holds it off")
    assert len(rows) >= 25
    assert [row for row in rows if not NAMED.search(row)] == []


@pytest.mark.req("EN-5.2-1")
def test_it_says_how_to_report_a_hole() -> None:
    policy = " ".join(_section("Reporting a hole").split())
    for promise in ("maker", "in private", "within 5 working days", "90 days", "support bundle"):
        assert promise in policy
    assert "docs/security.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def _rows(title: str) -> list[str]:
    lines = [line for line in _section(title).splitlines() if line.startswith("|")]
    return [line for line in lines if not line.startswith(("|---", "| threat"))]


def _section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _text(file: str) -> str:
    path = ROOT / "tests" / file
    return path.read_text(encoding="utf-8") if path.exists() else ""
