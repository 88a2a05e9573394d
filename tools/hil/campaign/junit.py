"""A campaign as JUnit XML: a test case for each fault at each apparatus and place."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from tools.hil.campaign.failures import command
from tools.hil.campaign.summary import RULES, Total
from tools.hil.faults import catalogue

TEXTS_MAX = 20  # of one case: what repeats tells nothing new


def render(total: Total, folder: Path) -> str:
    """The file's text: each failure with the command that repeats it. `folder`: the campaign's."""
    why: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    alone: dict[str, list[str]] = defaultdict(list)
    for row in total.failed():
        for each in row["broken"]:
            text = f"job {row['job']}: {each['text']} ({command(folder, row)})"
            if each["fault"] is None:
                alone[each["rule"]].append(text)
            else:
                why[each["fault"], row["apparatus"], row["place"]].append(text)
    suite = ElementTree.Element("testsuite", name="cylindre hil campaign")
    for (fault, apparatus, place), _ in sorted(total.cells().items()):
        layer = catalogue.find(fault).layer
        _case(suite, f"{place}.{layer}", f"{fault} [{apparatus}]", why[fault, apparatus, place])
    for rule, words in RULES:
        _case(suite, "campaign", f"no {words} without a fault", alone[rule])
    voids = sum(total.clean_voids.values())
    said = []
    if voids > total.clean_voids_allowed:
        said = [
            f"{voids} of {total.clean} clean coups are void; {total.clean_voids_allowed} may be"
        ]
    _case(suite, "campaign", "clean coups are not void", said)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=False) + "\n"


def _case(suite: ElementTree.Element, kind: str, name: str, why: list[str]) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=kind, name=name)
    if why:
        failure = ElementTree.SubElement(case, "failure", message=_printable(why[0]))
        failure.text = _printable("\n".join(why[:TEXTS_MAX]))


def _printable(text: str) -> str:
    """Without what XML cannot carry."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)
