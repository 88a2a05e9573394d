"""The mark `req` of pytest: which requirements a test shows.

`@pytest.mark.req("LU-37-1.reversed", ...)` on a test. An id that no requirement has stops the run.
The ids go into the JUnit file as properties of the test, where tools.docs.evidence finds them
again, with the hash of the firmware: the file outlives it.
"""

from __future__ import annotations

import os

import pytest

from firmware.store.source_hash import firmware_hash
from tools.docs.evidence.requirements import BUILD, PLACE, PROPERTY, WHERE, unknown


def pytest_configure(config: pytest.Config) -> None:
    """Makes the mark known: marks are strict here."""
    config.addinivalue_line("markers", "req(*ids): the requirements that this test shows")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Checks every id, and gives each test its own as properties."""
    wrong: list[str] = []
    told = [(BUILD, firmware_hash().hex())]
    if place := os.environ.get(WHERE):
        told.append((PLACE, place))
    for item in items:
        for mark in item.iter_markers("req"):
            if mark not in item.own_markers:
                wrong.append(f"{item.nodeid}: each test names its requirements itself")
            wrong += [f"{item.nodeid}: there is no requirement {id}" for id in unknown(mark.args)]
            item.user_properties += [(PROPERTY, each) for each in mark.args]
            item.user_properties += told
    if wrong:
        raise pytest.UsageError("\n".join(sorted(set(wrong))))
