"""The matrix as one page that needs nothing else: for whoever judges the device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from tools.docs.evidence.matrix import FAILS, OPEN, SHOWN, Row
from tools.docs.evidence.requirements import Read
from tools.docs.evidence.results import BROKEN, PASSED, Result
from tools.hil.faults.entry import PLACES

_CSS = Path(__file__).with_name("page.css")
_CLASS = {SHOWN: "good", FAILS: "bad", OPEN: "bad", PASSED: "good", BROKEN: "bad"}
_COLUMNS = (
    '<colgroup><col class="id"><col class="asks"><col class="state"><col></colgroup>'
    "<tr><th>clause<th>asks<th>state<th>shown by</tr>"
)


def render(matrix: Sequence[Row], read: Sequence[Read], build: str) -> str:
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
        yield f"<h2>{escape(source)}</h2><table>{_COLUMNS}"
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
