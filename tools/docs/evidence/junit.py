"""What was played has found, as JUnit that `make evidence` reads (results.py)."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Protocol

from firmware.store.source_hash import firmware_hash
from tools.docs.evidence.requirements import BUILD, PLACE, PROPERTY, SCENARIO
from tools.testing import junit


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
    told = ((BUILD, firmware_hash().hex()), (PLACE, place))
    found = [
        junit.Case(
            SCENARIO,
            each.name,
            each.wrong,
            spent_s=each.spent_s,
            properties=(*told, *((PROPERTY, one) for one in each.requires)),
        )
        for each in cases
    ]
    root.append(junit.suite(suite, found))
    return junit.text(root)
