"""A plugin of pytest's: tells `make evidence` which tests there are, and each that is over.

A line each, to the file descriptor named in the environment: "there ID" or "over ID". pytest's own
dots are left out: nobody reads them as they come.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from typing import Any

import pytest

FD = "CYLINDRE_TELL_FD"
THERE, OVER = "there", "over"


def pytest_configure(config: pytest.Config) -> None:
    """In the process that gives out the tests, not in its workers."""
    if FD in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Telling(int(os.environ[FD])))


class _Telling:
    def __init__(self, fd: int) -> None:
        self._out = os.fdopen(fd, "w", buffering=1)
        self._told = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        if not self._told:  # all workers have the same
            self._told = True
            for each in ids:
                self._tell(THERE, each)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self._tell(OVER, report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(
        self,
    ) -> Generator[None, tuple[str, str, Any], tuple[str, str, Any]]:
        category, _, word = yield
        return category, "", word

    def _tell(self, what: str, nodeid: str) -> None:
        print(what, nodeid.replace("\n", " "), file=self._out)
