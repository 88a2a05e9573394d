"""A campaign as one HTML page that needs nothing else: no other file, no network.

Its one script sorts and filters (report.js); without it all is there and stands as it is. No other
can run, whatever a row says: the page's policy names ours by its hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from boards import apparatus
from tools.hil.campaign import failures
from tools.hil.campaign.charts import histogram, shares
from tools.hil.campaign.plan import Plan, unmade
from tools.hil.campaign.summary import ALWAYS_SAID, RULES, Cell, Total
from tools.hil.faults import catalogue
from tools.hil.faults.entry import APPARATUS, LAYERS
from tools.virtual.score import percentile

_STYLE = Path(__file__).with_name("report.css")
_SCRIPT = Path(__file__).with_name("report.js")
SLOWEST = 10
JOBS_MAX = 2_000  # rows of the table, those that broke a rule first; results.jsonl has all
BROKEN = "broken"  # the verdict of a job in which any rule is


def render(total: Total, *, plan: Plan, jobs: int, commit: str, folder: Path) -> str:
    """The page. The same rows give the same bytes. `jobs`: how many the whole campaign has."""
    body = "\n".join(
        (
            _head(total, plan, jobs, commit),
            _tiles(total),
            _pictures(total),
            _matrix(total),
            _unmade(plan),
            _voids(total),
            _slowest(total),
            _jobs(total, folder),
        )
    )
    style = _STYLE.read_text(encoding="utf-8")
    script = f"\n{_SCRIPT.read_text(encoding='utf-8')}"
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Cylindre campaign, seed {plan.seed}</title>\n<style>\n{style}</style></head>\n"
        f"<body>\n{body}\n<script>{script}</script></body></html>\n"
    )


def _head(total: Total, plan: Plan, jobs: int, commit: str) -> str:
    done = len(total.rows)
    part = "" if done == jobs else f" <strong>Not finished: {done} of {jobs} jobs.</strong>"
    bad = "" if total.good else " bad"
    hours = total.wheel_s / 3600
    kinds = len(plan.faults) - len(unmade(plan))
    return (
        "<h1>Cylindre: a campaign of faults</h1>"
        f'<p class="of">Commit <code>{escape(commit)}</code>, seed {plan.seed},'
        f" {kinds} kinds of faults, places {escape(', '.join(plan.places))};"
        f" {hours:,.0f} hours of play.{part}</p>"
        f'<p class="sentence{bad}">{escape(total.sentence())}</p>'
        f"<p>{escape(total.bounds_sentence())}</p>"
    )


def _tiles(total: Total) -> str:
    tiles = [
        _tile(total.coups, "coups", False),
        _tile(total.paired, "of them with pairs", False),
        _tile(total.uses, "faults made", False),
    ]
    for rule, words in RULES:
        count = total.broken[rule]
        if count or rule in ALWAYS_SAID:
            tiles.append(_tile(count, words, count > 0))
    tiles.append(_tile(total.late_void, "called late, and void", False))
    tiles.append(_tile(total.due, f"of {total.uses:,} uses had to be told", False))
    tiles.append(_tile(total.idle, "of the faults idle", False))
    tiles.append(_tile(total.masked, "hidden by another", False))
    tiles.append(_tile(total.not_due, "over before their deadline", False))
    voids = sum(total.clean_voids.values())
    bad = voids > total.clean_voids_allowed
    tiles.append(_tile(voids, f"of {total.clean:,} clean coups void", bad))
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _tile(count: int, words: str, bad: bool) -> str:
    return f'<div class="tile{" bad" if bad else ""}"><b>{count:,}</b>{escape(words)}</div>'


def _pictures(total: Total) -> str:
    lead = histogram(
        total.lead_ms,
        "From the call to the ball leaving the track, s (coups with a number)",
        limit_ms=0,
    )
    rest = histogram(total.rest_ms, "From the ball at rest to its number, s")
    return f'<h2>The call, and the number</h2><div class="pictures">{lead}{rest}</div>'


def _matrix(total: Total) -> str:
    cells = total.cells()
    columns = sorted(
        {(place, apparatus) for _, apparatus, place in cells},
        key=lambda each: (each[0] != "virtual", each[0], APPARATUS.index(each[1])),
    )
    if not columns:
        return '<h2>Faults</h2><p class="none">None was made.</p>'
    head = "".join(
        f"<th>{apparatus.of(a).title}<small>{escape(p)}</small></th>" for p, a in columns
    )
    rows = []
    for layer in LAYERS:
        names = [name for name in _made(cells) if catalogue.find(name).layer == layer]
        if names:
            rows.append(f'<tr class="layer"><th colspan="{len(columns) + 1}">{layer}</th></tr>')
        for name in names:
            entry = catalogue.find(name)
            found = "".join(_cell(cells.get((name, a, p)), entry.expect.codes) for p, a in columns)
            rows.append(
                f"<tr><th>{escape(name)}<small>{escape(entry.title)}</small></th>{found}</tr>"
            )
    return (
        "<h2>Faults</h2>"
        '<p class="key"><span>How often it was made, and noticed by its code; what became of the'
        " coup in which it began. One not told began too late in its play to have to be, or is a"
        " failure. Idle: nothing came that it could change, as no ball to a cup's sensor; it shows"
        ' nothing.</span> <span><i style="background:var(--right)"></i>right</span>'
        '<span><i style="background:var(--void)"></i>void</span></p>'
        f'<div class="scroll"><table><thead><tr><th>Fault</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _unmade(plan: Plan) -> str:
    """The faults of the plan that none of its jobs can have."""
    names = ", ".join(unmade(plan))
    if unmade(plan) == tuple(plan.faults):
        return "<p>No fault is made in this campaign.</p>"
    return f"<p>Made in no job of this campaign: {names}.</p>" if names else ""


def _made(cells: dict[tuple[str, str, str], Cell]) -> list[str]:
    """The faults that were made, as the catalogue has them."""
    made = {fault for fault, _, _ in cells}
    return [fault.name for fault in catalogue.FAULTS if fault.name in made]


def _cell(cell: Cell | None, codes: tuple[str, ...]) -> str:
    if cell is None:
        return '<td class="none">–</td>'
    told = f"{cell.noticed} of {cell.uses} told" if codes else f"{cell.uses} made"
    if cell.idle:
        told += f", {cell.idle} idle"
    broken = f' <span class="told">{cell.broken} broken</span>' if cell.broken else ""
    tip = f"right {cell.right}, void {cell.void}"
    if cell.after_ms:
        tip += f"; told after {(percentile(cell.after_ms, 0.5) or 0) / 1000:.1f} s in the middle"
        tip += f", {max(cell.after_ms) / 1000:.1f} s at the latest"
    kind = ' class="bad"' if cell.broken else ""
    return f'<td{kind} title="{tip}">{told}{broken}{shares(cell.right, cell.void, cell.uses)}</td>'


def _voids(total: Total) -> str:
    def rows(counts: Counter[str], what: str) -> str:
        top = max(counts.values(), default=1)
        return "".join(
            f"<tr><th>{escape(reason)}</th><td>{what}</td>"
            f"<td class='number' data-sort='{count}'>{count:,}</td>"
            f'<td style="width:50%"><div class="meter" style="width:{100 * count / top:.1f}%">'
            "</div></td></tr>"
            for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        )

    body = rows(total.clean_voids, "clean") + rows(total.voids, "touched by a fault")
    if not body:
        return '<h2>Voids by reason</h2><p class="none">No coup was void.</p>'
    return (
        '<h2>Voids by reason</h2><div class="scroll"><table class="sortable"><thead><tr>'
        '<th scope="col">Reason</th><th scope="col">Coup</th><th scope="col" class="number">Coups'
        f"</th><td></td></tr></thead><tbody>{body}</tbody></table></div>"
    )


def _slowest(total: Total) -> str:
    def top(key: str, *, least: bool) -> list[tuple[int, dict[str, Any]]]:
        found = [(value, row) for row in total.rows for value in row[key]]
        return sorted(found, key=lambda item: (item[0] if least else -item[0], item[1]["job"]))

    slow = [("number, after rest", *each) for each in top("rest_ms", least=False)[:SLOWEST]]
    short = [("call, before the drop", *each) for each in top("lead_ms", least=True)[:SLOWEST]]
    shown = {row["job"] for row in _shown(total)}
    rows = "".join(
        f'<tr><td>{what}</td><td class="number" data-sort="{value}">{value / 1000:.3f} s</td>'
        f'<td data-sort="{row["job"]}">{_job(row, shown)}</td><td>{escape(_table(row))}</td>'
        f"<td>{escape(', '.join(_faults(row)))}</td></tr>"
        for what, value, row in (*slow, *short)
    )
    return (
        '<h2>The slowest numbers and the shortest calls</h2><div class="scroll">'
        '<table id="slowest" class="sortable"><thead><tr><th scope="col">Which</th>'
        '<th scope="col" class="number">Time</th><th scope="col">Job</th><th scope="col">Table</th>'
        f'<th scope="col">Faults in the job</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _job(row: dict[str, Any], shown: set[int]) -> str:
    """Its number, as a link where it stands among the jobs."""
    number = row["job"]
    return f'<a href="#job-{number}">{number}</a>' if number in shown else str(number)


def _table(row: dict[str, Any]) -> str:
    return f"{apparatus.of(row['apparatus']).title} {row['wheel']}, {row['place']}"


def _faults(row: dict[str, Any]) -> list[str]:
    return [*dict.fromkeys(use["fault"] for use in row["uses"])] or ["none"]


def _verdicts(row: dict[str, Any]) -> list[str]:
    """The rules that it broke, or whether any of its coups was void."""
    rules = [*dict.fromkeys(each["rule"] for each in row["broken"])]
    return [BROKEN, *rules] if rules else ["void" if row["void"] else "right"]


def _shown(total: Total) -> list[dict[str, Any]]:
    """The rows of the table of jobs."""
    return sorted(total.rows, key=lambda row: not row["broken"])[:JOBS_MAX]


_FILTERS = (("table", "Table"), ("fault", "Fault"), ("verdict", "Verdict"))
_HEADS = ("Job", "Table", "Faults", "Coups", "Right", "Void", "Verdict",
          "What is broken, and how to repeat it")  # fmt: skip
_FIGURES = ("Job", "Coups", "Right", "Void")


def _jobs(total: Total, folder: Path) -> str:
    shown = _shown(total)
    if not shown:
        return '<h2>Jobs</h2><p class="none">None was played.</p>'
    left = len(total.rows) - len(shown)
    more = f"<p>{left:,} more jobs are not listed: results.jsonl has all.</p>" if left else ""
    found = [_values(row) for row in shown]
    filters = "".join(
        f'<label>{words} <select name="{name}"><option value="">all</option>'
        f"{_options(each for values in found for each in values[name])}</select></label>"
        for name, words in _FILTERS
    )
    heads = "".join(f'<th scope="col"{_number(words in _FIGURES)}>{words}</th>' for words in _HEADS)
    rows = "\n".join(_job_row(row, folder) for row in shown)
    return (
        f"<h2>Jobs</h2><p>{len(total.failed()):,} of {len(total.rows):,} broke a rule; those stand"
        " first. Of each there is its scenario, the smallest that still fails and its trace (.vcd,"
        " for PulseView) in the folder failures/. What failed in real time is not made smaller;"
        " trace and all that was told (.jsonl) lie in a folder of its name. The links need that"
        " folder beside this page. The commands work in any folder of this machine, while that of"
        f' the campaign is where it was.</p><form id="filters" hidden>{filters}'
        '<button type="button">Show all</button><output aria-live="polite"></output></form>'
        f'<div class="scroll"><table id="jobs" class="sortable"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}"
    )


def _values(row: dict[str, Any]) -> dict[str, list[str]]:
    """By what a job is found."""
    return {"table": [_table(row)], "fault": _faults(row), "verdict": _verdicts(row)}


def _options(values: Iterable[str]) -> str:
    return "".join(f"<option>{escape(each)}</option>" for each in sorted(set(values)))


def _number(is_number: bool) -> str:
    return ' class="number"' if is_number else ""


def _job_row(row: dict[str, Any], folder: Path) -> str:
    number, values = row["job"], _values(row)
    data = "".join(f' data-{name}="{escape("|".join(found))}"' for name, found in values.items())
    told = ""
    if row["broken"]:
        lines = [escape(each["text"]) for each in row["broken"]]
        lines.append(f"<code>{escape(failures.command(folder, row))}</code>")
        lines.append(
            ", ".join(
                f'<a href="{escape(quote(path))}" aria-label="{words} of job {number}">{words}</a>'
                for words, path in failures.files(folder, row).items()
            )
        )
        told = "<br>".join(filter(None, lines))
    cells = "".join(
        f"<td{_number(isinstance(each, int))}>{each}</td>"
        for each in (
            number,
            escape(_table(row)),
            escape(", ".join(values["fault"])),
            row["coups"],
            row["right"],
            row["void"],
            escape(", ".join(each for each in values["verdict"] if each != BROKEN)),
            told,
        )
    )
    bad = ' class="bad"' if row["broken"] else ""
    return f'<tr id="job-{number}"{data}{bad}>{cells}</tr>'
