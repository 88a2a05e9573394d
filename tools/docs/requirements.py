"""The tables of docs/requirements.md, from tools/docs/evidence: each clause, and who shows it."""

from __future__ import annotations

from itertools import groupby

from tools.docs.evidence.marks import Named, in_hil, in_tests
from tools.docs.evidence.requirements import HERE, LATER, Requirement, read, requirements
from tools.docs.part import Part


def render() -> str:
    """All of it."""
    shown: dict[str, list[Named]] = {}
    for named in (*in_tests(), *in_hil()):
        shown.setdefault(named.requirement, []).append(named)
    parts = []
    for source, clauses in groupby(requirements().values(), key=lambda each: each.source):
        rows = [_row(each, shown.get(each.id, [])) for each in clauses]
        parts.append(f"## {source}\n\n| clause | asks | here | shown by |\n|---|---|---|---|\n")
        parts[-1] += "\n".join(rows)
    rows = [f"| {each.articles} | {each.why} |" for each in read()]
    parts.append(
        "## Read, and no matter of the apparatus\n\n| articles | what they are about |\n|---|---|\n"
        + "\n".join(rows)
    )
    return "\n\n".join(parts)


def _row(requirement: Requirement, shown: list[Named]) -> str:
    if requirement.status != HERE:
        word = "**Not yet**" if requirement.status == LATER else "**Not ours**"
        evidence = f"{word}: {requirement.why}"
    else:
        evidence = "<br>".join(_words(named) for named in shown)
    return f"| `{requirement.id}` | {requirement.text} | {requirement.means} | {evidence} |"


def _words(named: Named) -> str:
    if named.kind == "test":
        return f"`{named.name.removeprefix('tests/')}`"
    return f"{named.kind} `{named.name}`"


PART = Part("requirements.md", "requirements", "tools/docs/evidence and the tests", render)
