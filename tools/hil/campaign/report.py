"""A campaign as one HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from typing import Any

from boards import apparatus
from tools.hil.campaign import failures
from tools.hil.campaign.charts import histogram, shares
from tools.hil.campaign.plan import Plan, unmade
from tools.hil.campaign.summary import ALWAYS_SAID, RULES, Cell, Total
from tools.hil.faults import catalogue
from tools.hil.faults.entry import APPARATUS, LAYERS
from tools.virtual.score import percentile

_STYLE = Path(__file__).with_name("report.css")
SLOWEST = 10
FAILURES_MAX = 200  # rows of the table; results.jsonl has all


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
            _failures(total, folder),
        )
    )
    style = _STYLE.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Cylindre campaign, seed {plan.seed}</title>\n<style>\n{style}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
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
            f"<tr><th>{escape(reason)}</th><td>{what}</td><td class='number'>{count:,}</td>"
            f'<td style="width:50%"><div class="meter" style="width:{100 * count / top:.1f}%">'
            "</div></td></tr>"
            for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        )

    body = rows(total.clean_voids, "clean") + rows(total.voids, "touched by a fault")
    if not body:
        return '<h2>Voids by reason</h2><p class="none">No coup was void.</p>'
    return (
        '<h2>Voids by reason</h2><div class="scroll"><table><thead><tr><th>Reason</th><th>Coup</th>'
        f'<th class="number">Coups</th><th></th></tr></thead><tbody>{body}</tbody></table></div>'
    )


def _slowest(total: Total) -> str:
    def top(key: str, *, least: bool) -> list[tuple[int, dict[str, Any]]]:
        found = [(value, row) for row in total.rows for value in row[key]]
        return sorted(found, key=lambda item: (item[0] if least else -item[0], item[1]["job"]))

    slow = [("number, after rest", *each) for each in top("rest_ms", least=False)[:SLOWEST]]
    short = [("call, before the drop", *each) for each in top("lead_ms", least=True)[:SLOWEST]]
    rows = "".join(
        f'<tr><td>{what}</td><td class="number">{value / 1000:.3f} s</td><td>{row["job"]}</td>'
        f"<td>{apparatus.of(row['apparatus']).title} {escape(str(row['wheel']))},"
        f" {escape(row['place'])}</td>"
        f"<td>{escape(', '.join(dict.fromkeys(use['fault'] for use in row['uses'])))}</td></tr>"
        for what, value, row in (*slow, *short)
    )
    return (
        '<h2>The slowest numbers and the shortest calls</h2><div class="scroll"><table><thead><tr>'
        '<th></th><th class="number">Time</th><th>Job</th><th>Table</th><th>Faults in the job</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _failures(total: Total, folder: Path) -> str:
    said = [(row, each) for row in total.failed() for each in row["broken"]]
    if not said:
        return '<h2>Failures</h2><p class="none">None.</p>'
    rows = "".join(
        f"<tr><td>{row['job']}</td><td>{escape(each['rule'])}</td><td>{escape(each['text'])}<br>"
        f"<code>{escape(failures.command(folder, row))}</code></td></tr>"
        for row, each in said[:FAILURES_MAX]
    )
    more = f"<p>{len(said) - FAILURES_MAX} more.</p>" if len(said) > FAILURES_MAX else ""
    return (
        "<h2>Failures</h2><p>Each as a scenario, the smallest that still fails (-small) and its"
        " trace (.vcd, for PulseView) in the folder failures/. What failed in real time is not made"
        " smaller; trace and all that was told (.jsonl) lie in a folder of its name. The commands"
        " work in any folder of this machine, while that of the campaign is where it was."
        '</p><div class="scroll"><table>'
        f"<thead><tr><th>Job</th><th>Rule</th><th>What, and how to repeat it</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>{more}"
    )
