"""A campaign as JUnit XML: a test case for each fault at each apparatus and place."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tools.hil.campaign.failures import command
from tools.hil.campaign.summary import RULES, Total
from tools.hil.faults import catalogue
from tools.testing.junit import Case, suite, text


def render(total: Total, folder: Path) -> str:
    """The file's text: each failure with the command that repeats it. `folder`: the campaign's."""
    why: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    alone: dict[str, list[str]] = defaultdict(list)
    for row in total.failed():
        for each in row["broken"]:
            said = f"job {row['job']}: {each['text']} ({command(folder, row)})"
            if each["fault"] is None:
                alone[each["rule"]].append(said)
            else:
                why[each["fault"], row["apparatus"], row["place"]].append(said)
    cases = []
    for (fault, apparatus, place), _ in sorted(total.cells().items()):
        layer = catalogue.find(fault).layer
        broken = why[fault, apparatus, place]
        cases.append(Case(f"{place}.{layer}", f"{fault} [{apparatus}]", broken))
    for rule, words in RULES:
        cases.append(Case("campaign", f"no {words} without a fault", alone[rule]))
    voids = sum(total.clean_voids.values())
    many = []
    if voids > total.clean_voids_allowed:
        many = [
            f"{voids} of {total.clean} clean coups are void; {total.clean_voids_allowed} may be"
        ]
    cases.append(Case("campaign", "clean coups are not void", many))
    return text(suite("cylindre hil campaign", cases))
