"""The bench's figures as Markdown, in short for a terminal, and as a picture of the mean leads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median, median_low
from typing import Any

from tools.bench.call.changes import AFTER, LEARNED, TRACELESS, Changed
from tools.bench.call.grid import PROMISED
from tools.bench.call.new_wheels import FIRST, Newcomer
from tools.bench.call.promises import Promise, named, share, times
from tools.bench.call.run import LEARN, Leads, Outcome

REPORT = "call.md"
PART = "call-part.md"  # of a bench that was stopped
PICTURE = "call.svg"
_ABOUT = """\
A lead is the time from the call to the ball's true drop, in seconds; a call at the drop or after
it is late. "First" are the {learn} coups in which the new wheel of each row learns, the rest of a
row is after them. All callers of a row saw the same balls. Rivals are told by their mean leads.

- **ours**: the shipped `CallPredictor`, as shipped
- **hindsight**: the same predictor alone (without guard, call on silence and caution towards a
  strange ball), its call speed lowered by one constant share, the largest with which no coup of the
  row is late
- **threshold**: a sliding-lap threshold with as many beams, tuned in hindsight to no late call on
  the row's very coups
- **factory**: one such threshold for a fleet of wheels that differ in drop speed only, by 4 % (one
  sd of a normal distribution), tuned to no late call on as many coups of the fleet, one a wheel
- **oracle**: knows the mean and scatter of this wheel's drop speeds and at every moment the ball's
  true speed, and calls at mean + 4.753 sd: late once in a million coups on a level wheel, where
  drop speeds are normal; on a tilted one they also depend on the place

With missed beams a threshold has no lap where its beam was missed, now or a turn before.
"""
_RIVALS = ("hindsight", "threshold", "factory", "oracle")
_COLUMNS = (
    "tilt, deg", "beams", "jitter, us", "missed, %", "coups", "late", "late in first",
    "p5", "p50", "p95", "mean", *(f"{rival}, mean" for rival in _RIVALS),
    "ours : threshold", "hindsight : threshold", "ours : factory",
)  # fmt: skip
# The bars of the picture, from the earliest call to the latest.
_BARS = (
    ("factory", "factory"),
    ("threshold", "threshold"),
    ("ours", "ours"),
    ("ours in hindsight", "best"),
    ("oracle", "oracle"),
)
_CHANGED = (
    "", "coups", "late", "least lead, s", "noticed", "coup of notice, median", "at most",
    "lead then, s wider, median",
)  # fmt: skip
_ABOUT_CHANGES = """\
Each wheel has learned from {learned} coups, then it changes and plays {after} more. Noticed: on how
many of the wheels maintenance was told, and after which coup of those {after}. "Wider": the median
lead of the coups after the notice, less that before the change. Where only the drop speed changes,
no ball shows it before it leaves, and a late call cannot always be avoided: these are told, not
promised.
"""
_NEW_SCATTERS = (0.003, 0.006, 0.0125, 0.0251)
_NEW_COUPS = (1, 4, 7, 10, 20)  # of the first ones
_NEW_COLUMNS = (
    "", "wheels", "late in first", "late in all", "learned lead, s, median",
    "first : learned, median", *(f"coup {coup}" for coup in _NEW_COUPS),
)  # fmt: skip
_ABOUT_NEW = """\
Each wheel is drawn evenly in the ranges of PHYSICS.md. How early it calls in its first {first}
coups stands beside its own median lead after {learn} coups: the median over all wheels, of all of
these coups and of some.
"""
_SHORT = (
    ("", 18), ("late", 6), ("first", 7), ("p5", 8), ("p50", 7), ("p95", 7), ("mean", 7),
    ("hindsight", 11), ("threshold", 11), ("factory", 9), ("oracle", 8),
)  # fmt: skip


def markdown(
    outcomes: Sequence[Outcome],
    kept: Sequence[Promise],
    changed: Sequence[Changed] = (),
    newcomers: Sequence[Newcomer] = (),
    *,
    seed: int,
    part: str = "",
) -> str:
    """The whole report; `part`: how much of it, if it is not whole."""
    lines = ["# The call beside its rivals", "", f"`make bench-call`, seed {seed}.", ""]
    lines += [f"**Incomplete: {part}.**", ""] if part else []
    picture = [] if part else [f"![mean leads]({PICTURE})", ""]
    lines += [_ABOUT.format(learn=LEARN), *picture, "## Promises", ""]
    lines += _table(("", "measured", "at most", ""), [_promise(promise) for promise in kept])
    for name, rows in groupby(_sorted(outcomes), lambda row: row.setting[:2]):
        lines += ["", f"## {name[0]}, drop speed scatter {name[1] * 100:g} %", ""]
        lines += _table(_COLUMNS, [_row(row) for row in rows])
    return "\n".join([*lines, *_changes(changed), *_new(newcomers)]) + "\n"


def console(outcomes: Sequence[Outcome], kept: Sequence[Promise]) -> Iterator[str]:
    """Line by line: the rows of the promises' sensors, late calls of all others, the promises."""
    yield " " * 63 + "rivals are means".rjust(24)
    yield "lead, s".ljust(18) + "".join(name.rjust(width) for name, width in _SHORT[1:])
    for row in _sorted(outcomes):
        if row.eyes == PROMISED:
            yield _short(row)
    yield ""
    yield "Late calls, by what differs from 3 beams, jitter 100 us, none missed:"
    others = sorted({row.eyes for row in outcomes} - {PROMISED})
    for eyes in others:
        rows = [row for row in outcomes if row.eyes == eyes]
        late = sum(row.ours.late for row in rows)
        coups = sum(row.coups for row in rows)
        about = f"{eyes.beams} beams, {eyes.jitter_us} us, {eyes.missed * 100:g} % missed"
        yield f"  {about:<34}{late:>4} in {coups} coups"
    yield ""
    for promise in kept:
        name, value, limit, mark = _promise(promise)
        yield f"  {name:<54}{value:>8}   at most {limit:<6}{mark}"


def _sorted(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return sorted(outcomes, key=lambda row: (row.setting, row.eyes))


def _short(row: Outcome) -> str:
    ours = row.ours
    means = [figure.mean for figure in (ours, row.best, row.threshold, row.factory, row.oracle)]
    cells = [str(ours.late), str(row.first.late)]
    cells += [f"{value:.2f}" for value in (ours.p5, ours.p50, ours.p95, *means)]
    widths = [width for _, width in _SHORT[1:]]
    told = "".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return named(row.setting).ljust(18) + told


def _row(row: Outcome) -> list[str]:
    eyes, ours = row.eyes, row.ours
    cells = [f"{row.setting.tilt_deg:g}", str(eyes.beams), str(eyes.jitter_us)]
    cells += [f"{eyes.missed * 100:g}", str(row.coups), str(ours.late), str(row.first.late)]
    cells += [f"{value:.3f}" for value in (ours.p5, ours.p50, ours.p95, ours.mean)]
    cells += [_mean(rival) for rival in (row.best, row.threshold, row.factory, row.oracle)]
    cells.append(f"{share(ours.mean, row.threshold.mean):.2f}")
    cells.append(f"{share(row.best.mean, row.threshold.mean):.2f}")
    cells.append(f"{share(ours.mean, row.factory.mean):.2f}")
    return cells


def _changes(changed: Sequence[Changed]) -> list[str]:
    if not changed:
        return []
    lines = ["", "## Wheels that change", "", _ABOUT_CHANGES.format(learned=LEARNED, after=AFTER)]
    return lines + _table(_CHANGED, [_change(one) for one in changed])


def _change(one: Changed) -> list[str]:
    heard = [coup for coup in one.noticed if coup is not None]
    wider = [by for by in one.wider_s if by is not None]
    name = f"{named(one.setting)}: {one.change.name}"
    if one.change in TRACELESS:
        name += " (only that)"
    cells = [name, str(one.coups), str(one.late), f"{one.least_s:.3f}"]
    cells.append(f"{len(heard)} of {len(one.noticed)}")
    cells += [str(median_low(heard)), str(max(heard))] if heard else ["", ""]
    return [*cells, f"{median_low(wider):.2f}" if wider else ""]


def _new(newcomers: Sequence[Newcomer]) -> list[str]:
    if not newcomers:
        return []
    lines = ["", "## New wheels", "", _ABOUT_NEW.format(first=FIRST, learn=LEARN)]
    rows = [_newcomers("all", newcomers)]
    for low, high in pairwise(_NEW_SCATTERS):
        some = [one for one in newcomers if low <= one.scatter < high]
        rows += [_newcomers(f"scatter {low * 100:g} to {high * 100:g} %", some)] if some else []
    for beams in sorted({one.eyes.beams for one in newcomers}):
        some = [one for one in newcomers if one.eyes.beams == beams]
        rows.append(_newcomers(f"beams: {beams}", some))
    return lines + _table(_NEW_COLUMNS, rows)


def _newcomers(name: str, some: Sequence[Newcomer]) -> list[str]:
    cells = [name, str(len(some)), str(sum(one.late_first for one in some))]
    cells += [str(sum(one.late for one in some)), f"{median(one.learned_s for one in some):.2f}"]
    cells.append(f"{times(some):.2f}")
    return cells + [f"{median(one.times(at - 1) for one in some):.2f}" for at in _NEW_COUPS]


def _mean(rival: Leads) -> str:
    late = f" ({rival.late} late)" if rival.late else ""
    return f"{rival.mean:.3f}{late}"


def _promise(promise: Promise) -> list[str]:
    mark = "kept" if promise.kept else "MISSED"
    return [promise.name, _figure(promise.value), _figure(promise.limit), mark]


def _figure(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    rule = "|".join("---" if at == 0 else "--:" for at in range(len(head)))
    return [_line(head), f"|{rule}|", *[_line(row) for row in rows]]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def picture(outcomes: Sequence[Outcome]) -> bytes:
    """Mean leads of ours and its rivals, as an SVG. The same outcomes give the same bytes."""
    pygal = _pygal()
    rows = [row for row in outcomes if row.eyes == PROMISED and not row.setting.tilt_deg]
    rows.sort(key=lambda row: row.setting)
    chart = pygal.Bar(
        title="From the call to the drop, mean, s (3 beams, jitter 100 us, level)",
        style=pygal.style.CleanStyle(value_font_size=11, legend_font_size=13, label_font_size=12),
        width=1000,
        height=480,
        legend_at_bottom=True,
        legend_at_bottom_columns=len(_BARS),
        truncate_legend=-1,
        print_values=True,
        print_values_position="top",
        value_formatter=lambda seconds: f"{seconds:.2f}",
        js=(),
        no_prefix=True,  # else a random one
    )
    chart.add_xml_filter(_without_scripts)
    chart.x_labels = [named(row.setting) for row in rows]
    for title, name in _BARS:
        chart.add(title, [round(getattr(row, name).mean, 4) for row in rows])
    svg: bytes = chart.render()
    return svg


def _without_scripts(root: Any) -> Any:
    """They would show a bar's value under the mouse; it is written above the bar."""
    for parent in list(root.iter()):
        for script in parent.findall("script"):
            parent.remove(script)
    return root


def _pygal() -> Any:
    """The library, without the hook that importing it leaves in everybody's way.

    The hook is for maps, and of a kind that Python warns of at each later import. The one that
    importlib_metadata leaves has to stay: it alone finds packages from then on.
    """
    import pygal
    import pygal.style

    sys.meta_path[:] = [each for each in sys.meta_path if type(each).__module__ != pygal.__name__]
    return pygal
