"""The matrix: each requirement, who shows it, where, with what result, of which build."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from tools.docs.evidence.requirements import ELSEWHERE, HERE, LATER, Requirement
from tools.docs.evidence.results import BROKEN, NOT_RUN, PASSED, Result

SHOWN, FAILS, OPEN = "shown", "fails", "not shown"
_STATUS = {ELSEWHERE: "elsewhere", LATER: "not built yet"}
_COLUMNS = (
    "requirement", "source", "text", "means", "state", "why",
    "kind", "shown by", "place", "result", "cases", "build",
)  # fmt: skip


class Row(NamedTuple):
    """One requirement, and all that was found of it."""

    requirement: Requirement
    results: tuple[Result, ...]

    @property
    def state(self) -> str:
        """SHOWN: something passed and nothing failed. A test that was not run is no failure."""
        if self.requirement.status != HERE:
            return _STATUS[self.requirement.status]
        words = {result.result for result in self.results}
        if BROKEN in words:
            return FAILS
        return SHOWN if PASSED in words else OPEN


def rows(requirements: Sequence[Requirement], results: Sequence[Result]) -> list[Row]:
    """Every requirement in its order, with its results: what ran before what did not."""
    by_id: dict[str, list[Result]] = {}
    for result in sorted(results, key=lambda each: (each.result == NOT_RUN, each.kind != "test")):
        by_id.setdefault(result.requirement, []).append(result)
    return [Row(each, tuple(by_id.get(each.id, ()))) for each in requirements]


def is_whole(matrix: Sequence[Row]) -> bool:
    """Whether every requirement that is met here was shown, and none fails."""
    return all(row.state not in (FAILS, OPEN) for row in matrix)


def as_csv(matrix: Sequence[Row]) -> str:
    """One line a result; a requirement without any has one too."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    for row in matrix:
        asked = row.requirement
        head = (asked.id, asked.source, asked.text, asked.means, row.state, asked.why)
        for result in row.results or (Result(asked.id, "", "", "", ""),):
            writer.writerow([_tame(cell) for cell in (*head, *result[1:])])
    return file.getvalue()


def _tame(cell: object) -> object:
    """A spreadsheet must not take a text for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell
