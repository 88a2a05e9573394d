"""What was played has found, as JUnit that `make evidence` reads (results.py)."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Protocol

from firmware.store.source_hash import firmware_hash
from tools.docs.evidence.requirements import BUILD, PLACE, PROPERTY, SCENARIO


class Case(Protocol):
    """What one case has found."""

    @property
    def name(self) -> str:
        """As the file has it."""
        ...

    @property
    def wrong(self) -> tuple[str, ...]:
        """What is not as it should be, a sentence each."""
        ...

    @property
    def spent_s(self) -> float:
        """Of our time, in seconds."""
        ...

    @property
    def requires(self) -> tuple[str, ...]:
        """The requirements that it shows."""
        ...


def text(
    suite: str, cases: Sequence[Case], *, tests: ET.Element | None = None, place: str = "kernel"
) -> str:
    """The file. `tests`: a root of pytest's own, whose suites stand before this one."""
    root = ET.Element("testsuites")
    if tests is not None:
        root.extend(tests.iter("testsuite"))
    wrong = str(sum(bool(each.wrong) for each in cases))
    found = ET.SubElement(root, "testsuite", name=suite, tests=str(len(cases)), failures=wrong)
    for each in cases:
        seconds = f"{each.spent_s:.1f}"
        case = ET.SubElement(found, "testcase", classname=SCENARIO, name=each.name, time=seconds)
        told = ET.SubElement(case, "properties")
        values = [(BUILD, firmware_hash().hex()), (PLACE, place)]
        for name, value in [*values, *((PROPERTY, one) for one in each.requires)]:
            ET.SubElement(told, "property", name=name, value=value)
        if each.wrong:
            ET.SubElement(case, "failure", message=each.wrong[0]).text = "\n".join(each.wrong)
    return ET.tostring(root, encoding="unicode", xml_declaration=True)
