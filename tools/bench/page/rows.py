"""The page's bench as a table: with the page, without, and what it should be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import NamedTuple

from tools.bench.page.table import CALL, EDGE, FAULT, LATE, VOIDED, Watched

FPS_MIN = 20.0
# The frames of a coup are counted by when the first and the last one came to the viewer: each may
# be 20 ms late of some 10 s.
FPS_ODD = 0.05
CORE_PERCENT_MAX = 10.0
NEAR_US = 1_000_000  # so near a stand-still of the machine it may be what went wrong
_NAMES = (
    (EDGE, "edges lost"), (CALL, "calls lost"), (LATE, "calls late"), (FAULT, "faults told"),
    (VOIDED, "coups void"),
)  # fmt: skip


class Row(NamedTuple):
    """One line. `kept`: None where nothing is promised."""

    name: str
    page: str
    alone: str = ""
    target: str = ""
    kept: bool | None = None


def rows(watched: Sequence[Watched]) -> list[Row]:
    """The table; only what happens where somebody looks can break a promise."""
    pages = [one for one in watched if one.page is not None]
    alone = [one for one in watched if one.page is None]

    def both(count: Callable[[Watched], int]) -> tuple[int, int]:
        return sum(map(count, pages)), sum(map(count, alone))

    def row(name: str, count: Callable[[Watched], int]) -> Row:
        here, there = both(count)
        return Row(name, str(here), str(there))

    def none(name: str, count: Callable[[Watched], int]) -> Row:
        here, there = both(count)
        return Row(name, str(here), str(there), "0", not here)

    found = [
        Row("", "with the page", "without"),
        row("coups", lambda one: one.coups),
        row("edges compared", lambda one: one.edges),
        row("calls due", lambda one: one.due),
        *[none(name, partial(_own, what)) for what, name in _NAMES],
        none("wrong numbers", lambda one: one.wrong),
        none("anything else broken", lambda one: len(one.broken)),
    ]
    if any(one.stills for one in watched):
        found += [
            Row("machine stood still, ms at most", _longest(pages), _longest(alone)),
            row("  times", lambda one: len(one.stills)),
            row("  coups then", lambda one: len(_touched(one.spans, one.stills))),
            *[row(f"  {name} then", partial(_others, what)) for what, name in _NAMES],
        ]
    found += [
        Row("call to drop, s, least / median", _lead(pages), _lead(alone)),
        Row("controller, % of a core, median / most", _core(pages), _core(alone)),
        Row("controller, MB resident, most", _memory(pages), _memory(alone)),
    ]
    return [*found, *_page_rows(pages)] if pages else found


def _page_rows(watched: Sequence[Watched]) -> list[Row]:
    told = [one.page for one in watched if one.page is not None]
    lost = sum(len(tape.amiss_us) for tape in told)
    dropped = sum(sum(one.looked["lost"]) for one in watched)
    untold = sum(not one.looked["alike"] for one in watched)
    rates = [viewer for one in watched for viewer in one.looked["moving"] if viewer]
    core = [one.looked["core_percent"][one.page_pid] for one in watched]
    busiest = max(one.looked["core_percent_most"][one.page_pid] for one in watched)
    memory = max(one.looked["resident_mb"][one.page_pid] for one in watched)
    gap = max(gap for one in watched for gap in one.looked["longest_gap_ms"])
    least = min((min(viewer) for viewer in rates), default=0.0)
    usual = min((median(viewer) for viewer in rates), default=0.0)  # at the worst viewer
    is_even = usual >= FPS_MIN - FPS_ODD
    return [
        Row("edges told to a viewer", str(sum(tape.made for tape in told))),
        Row("  missed, or told otherwise than made", str(lost)),
        Row("  given up by the oscilloscope", str(dropped), "", "0", not dropped),
        Row("tables whose viewers were told unlike", str(untold), "", "0", not untold),
        Row(
            "frames a second, least / median at any viewer",
            f"{least:.2f} / {usual:.2f}", "", "20", is_even,
        ),
        Row("longest between two frames, ms", str(gap)),
        Row(
            "page, % of a core, median / most",
            f"{median(core):.1f} / {max(core):.1f}", "", "under 10", max(core) < CORE_PERCENT_MAX,
        ),
        Row("page, % of a core in its busiest 10 s", f"{busiest:.1f}"),
        Row("page, MB resident, most", f"{memory:.0f}"),
    ]  # fmt: skip


def _own(what: str, one: Watched) -> int:
    """How often that went wrong, but for when the machine stood still or had just done so."""
    found = [(each.from_us, each.to_us) for each in one.amiss if each.what == what]
    return len(found) - len(_touched(found, one.stills))


def _others(what: str, one: Watched) -> int:
    """And how often then."""
    return sum(each.what == what for each in one.amiss) - _own(what, one)


def _touched(spans: Sequence[tuple[int, int]], stills: Sequence[tuple[int, int]]) -> set[int]:
    """Which of them lie near a stand-still."""
    return {
        at
        for at, (from_us, to_us) in enumerate(spans)
        if any(begin - NEAR_US <= to_us and from_us <= end + NEAR_US for begin, end in stills)
    }


def _longest(tables: Sequence[Watched]) -> str:
    lasted_us = [end - begin for one in tables for begin, end in one.stills]
    return f"{max(lasted_us, default=0) / 1000:.0f}"


def _lead(tables: Sequence[Watched]) -> str:
    leads = [lead for one in tables for lead in one.lead_s]
    return f"{min(leads):.2f} / {median(leads):.2f}" if leads else ""


def _core(tables: Sequence[Watched]) -> str:
    used = [one.looked["core_percent"][one.controller_pid] for one in tables]
    return f"{median(used):.1f} / {max(used):.1f}" if used else ""


def _memory(tables: Sequence[Watched]) -> str:
    used = [one.looked["resident_mb"][one.controller_pid] for one in tables]
    return f"{max(used):.1f}" if used else ""
