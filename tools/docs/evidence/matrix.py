"""The matrix: each requirement, who shows it, where, with what result, of which build.

As CSV, and as one page that needs nothing else, for whoever judges the device.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tools.docs.evidence.requirements import ELSEWHERE, HERE, LATER, UNMET, Read, Requirement
from tools.docs.evidence.results import BROKEN, NOT_RUN, PASSED, Result
from tools.hil.faults.entry import PLACES

SHOWN, FAILS, OPEN = "shown", "fails", "not shown"
_STATUS = {ELSEWHERE: "elsewhere", LATER: "not built yet", UNMET: "not met"}
_COLUMNS = (
    "requirement", "source", "text", "means", "state", "why",
    "kind", "shown by", "place", "result", "cases", "build",
)  # fmt: skip
_CSS = Path(__file__).with_name("matrix.css")
_CLASS = {
    SHOWN: "good", FAILS: "bad", OPEN: "bad", PASSED: "good", BROKEN: "bad", _STATUS[UNMET]: "bad",
}  # fmt: skip
_HEAD = (
    '<colgroup><col class="id"><col class="asks"><col class="state"><col></colgroup>'
    "<tr><th>clause<th>asks<th>state<th>shown by</tr>"
)


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


def as_page(matrix: Sequence[Row], read: Sequence[Read], build: str) -> str:
    """The whole page. `build`: the firmware's hash and the commit."""
    return "\n".join(_parts(matrix, read, build)) + "\n"


def _parts(matrix: Sequence[Row], read: Sequence[Read], build: str) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>Cylindre: requirements and evidence</title><style>{_CSS.read_text()}</style>"
    yield "</head><body><h1>Requirements and evidence</h1>"
    yield f'<p class="build">Build {escape(build)}. « So » are the words of the text itself.</p>'
    yield _totals(matrix)
    for source, rows in groupby(matrix, key=lambda row: row.requirement.source):
        yield f"<h2>{escape(source)}</h2><table>{_HEAD}"
        yield from (_row(row, build) for row in rows)
        yield "</table>"
    yield "<h2>Read, and no matter of the apparatus</h2><table>"
    for each in read:
        yield f"<tr><td>{escape(each.articles)}<td>{escape(each.why)}</tr>"
    yield "</table></body></html>"


def _totals(matrix: Sequence[Row]) -> str:
    counts = Counter(row.state for row in matrix)
    cells = [
        f'<div class="{_CLASS.get(state, "open")}"><b>{counts[state]}</b>{escape(state)}</div>'
        for state in sorted(counts, key=lambda state: -counts[state])
    ]
    return f'<div class="totals">{"".join(cells)}</div>'


def _row(row: Row, build: str) -> str:
    asked = row.requirement
    shown = "".join(_result(result, build) for result in row.results)
    evidence = f"<ul>{shown}</ul>" if shown else escape(asked.why)
    return (
        f'<tr id="{escape(asked.id)}"><td><code>{escape(asked.id)}</code>'
        f'<td>{escape(asked.text)}<div class="means">{escape(asked.means)}</div>'
        f'<td class="{_CLASS.get(row.state, "open")}">{escape(row.state)}<td>{evidence}</tr>'
    )


def _result(result: Result, build: str) -> str:
    """One line. The build is named only where it is another than the page's."""
    word = f'<span class="{_CLASS.get(result.result, "open")}">{escape(result.result)}</span>'
    if result.kind == "test":
        # A test's name is a sentence.
        file, _, name = result.name.removeprefix("tests/").partition("::")
        what, more = name.removeprefix("test_").replace("_", " "), [file]
        more += [f"in {result.place}"] if result.place in PLACES else []
    else:
        what = f"{result.kind} {result.name}"
        more = [f"in {result.place}"] if result.place else []
    if result.cases > 1:
        more.append(f"{result.cases} times")
    if result.build and result.build != build:
        more.append(f"build {result.build}")
    told = f' <span class="cases">{escape(", ".join(more))}</span>' if more else ""
    return f"<li>{word} {escape(what)}{told}</li>"
