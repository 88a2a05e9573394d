"""Writes JUnit XML, as Jenkins, GitLab and GitHub read it: names and order are the caller's."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import NamedTuple

TEXTS_MAX = 20  # of one case: what repeats tells nothing new


class Case(NamedTuple):
    """One test case."""

    kind: str  # its `classname`
    name: str
    wrong: Sequence[str] = ()  # a sentence each; none: it passed
    skipped: str = ""  # why it was not played
    spent_s: float | None = None
    properties: Sequence[tuple[str, str]] = ()


def suite(name: str, cases: Sequence[Case]) -> ET.Element:
    """Returns the element of a suite, with its counts."""
    root = ET.Element(
        "testsuite",
        name=name,
        tests=str(len(cases)),
        failures=str(sum(bool(each.wrong) for each in cases)),
        errors="0",
        skipped=str(sum(bool(each.skipped) for each in cases)),
    )
    spent = [each.spent_s for each in cases if each.spent_s is not None]
    if spent:
        root.set("time", f"{sum(spent):.1f}")
    root.extend(map(_element, cases))
    return root


def text(root: ET.Element) -> str:
    """Returns the file of it."""
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data.decode() + "\n"


def _element(case: Case) -> ET.Element:
    element = ET.Element("testcase", classname=case.kind, name=_printable(case.name))
    if case.spent_s is not None:
        element.set("time", f"{case.spent_s:.1f}")
    if case.properties:
        told = ET.SubElement(element, "properties")
        for name, value in case.properties:
            ET.SubElement(told, "property", name=name, value=value)
    if case.skipped:
        ET.SubElement(element, "skipped", message=_printable(case.skipped))
    if case.wrong:
        failure = ET.SubElement(element, "failure", message=_printable(case.wrong[0]))
        failure.text = _printable("\n".join(case.wrong[:TEXTS_MAX]))
    return element


def _printable(said: str) -> str:
    """Without what XML cannot carry."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in said)
