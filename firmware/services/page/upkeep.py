"""What should be looked at before it fails: read from the last coups and from how the call stands.

A notice is a kind with a severity and what it is about; the page has its words (words.py). A thing
that is well gives none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from firmware.core.faults import NOTICE, find
from firmware.services.page.history import medians

SOON, NOW = "soon", "now"
RECURS = 3  # times among the last coups: once is chance, twice a bad day
OFTEN = 10
# Half of what one of three sensors may stand off before its sights are no votes: 35 % of a pitch of
# 9.7 degrees is 3.4 (DESIGN section 3).
ASIDE_DEG = 1.0
ASIDE_COUPS = 20  # whose mean says something
RECENT = 30  # coups that are compared with those before
SLOWER = 1.25  # rest to number: a sensor's votes fail more and more often
VOIDS = 0.1  # of the recent coups
SLIPS = 0.2
# Codes that say what a person did, not what a part does.
_NOT_PARTS = ("P10", "P11", "P12", "P14")


def notices(
    history: Sequence[dict[str, Any]],
    faults: Sequence[dict[str, Any]],
    status: dict[str, Any] | None,
    *,
    expired: bool = False,
) -> list[dict[str, Any]]:
    """Returns the notices, the most urgent first; `history` oldest first, see history.py.

    `status`: None where nothing may be said of the call. `expired`: the page's own certificate has.
    """
    found = [*_recurring(faults), *_sensors(history), *_pace(history), *_call(status)]
    if expired:
        found.append({"kind": "certificate", "severity": NOW})
    return sorted(found, key=lambda notice: notice["severity"] != NOW)


def _recurring(faults: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    told = Counter((fault["code"], fault["detail"]) for fault in faults)
    found = []
    for (code, detail), times in told.most_common():
        if times >= RECURS and find(code).grade == NOTICE and code not in _NOT_PARTS:
            severity = NOW if times >= OFTEN else SOON
            more = {"code": code, "detail": detail, "times": times}
            found.append({"kind": "recurs", "severity": severity} | more)
    return found


def _sensors(history: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ring sensors that see the ball beside where the others do: loose, or moved."""
    seen: dict[str, list[float]] = {}
    for coup in history:
        for sensor, degrees in coup["sensors"].items():
            seen.setdefault(sensor, []).append(degrees)
    found: list[dict[str, Any]] = []
    for sensor, all_degrees in sorted(seen.items()):
        degrees = all_degrees[-ASIDE_COUPS:]
        mean = sum(degrees) / len(degrees)
        if len(degrees) == ASIDE_COUPS and abs(mean) >= ASIDE_DEG:
            severity = NOW if abs(mean) >= 2 * ASIDE_DEG else SOON
            told = {"sensor": sensor, "degrees": round(mean, 2)}
            found.append({"kind": "aside", "severity": severity, **told})
    return found


def _pace(history: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns what has become slower or rarer than it was."""
    found: list[dict[str, Any]] = []
    recent, before = history[-RECENT:], history[:-RECENT]
    if len(recent) == RECENT:
        voids = sum(coup["reason"] is not None for coup in recent)
        if voids > VOIDS * RECENT:
            found.append({"kind": "voids", "severity": SOON, "times": voids, "of": RECENT})
        slips = sum(bool(coup["slips"]) for coup in recent)
        if slips > SLIPS * RECENT:
            found.append({"kind": "slips", "severity": SOON, "times": slips, "of": RECENT})
    now_s, then_s = medians(recent, "rest_s"), medians(before, "rest_s")
    if len(before) >= RECENT and now_s and then_s and now_s > then_s * SLOWER:
        times = {"now_s": round(now_s, 2), "then_s": round(then_s, 2)}
        found.append({"kind": "slower", "severity": SOON, **times})
    return found


def _call(status: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Returns how the call stands, where that is not well."""
    why = ((status or {}).get("call") or {}).get("why")
    if why in ("relearning", "refused"):
        return [{"kind": f"call_{why}", "severity": SOON}]
    return []
