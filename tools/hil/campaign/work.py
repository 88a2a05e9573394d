"""Plays one job of a campaign: what a worker does, wherever it is.

A row of results has nothing in it that depends on the machine: no wall time, no path.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from firmware.lib.errors import FAILED, Failure, cause
from firmware.store.source_hash import firmware_hash
from tools.hil import places
from tools.hil.campaign.plan import Job, Plan, job
from tools.hil.scenario import Scenario
from tools.hil.verdict import CRASHED, Broken, Noticed, Verdict, crash_text
from tools.virtual.score import VOID, Judged

_TOOLS = Path(__file__).resolve().parents[2]
_LOADED = ("", "sim/", "hil/**/", "busfaults/", "virtual/", "journal/")  # folders of it


def source_files() -> list[Path]:
    """All of tools/ that a job may load, and more; and what its kernel is built from."""
    loaded = [path for folder in _LOADED for path in _TOOLS.glob(f"{folder}*.py")]
    return loaded + [path for path in _TOOLS.glob("hil/kernel/recipe/**/*") if path.is_file()]


@cache
def sources() -> str:
    """Of all that decides a campaign's results: firmware, simulator, catalogue. A hash."""
    total = hashlib.sha256(firmware_hash())
    for path in sorted(source_files(), key=lambda path: path.relative_to(_TOOLS).as_posix()):
        total.update(path.relative_to(_TOOLS).as_posix().encode() + b" ")
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


def play(plan: Plan, index: int, folder: Path | None = None) -> dict[str, Any]:
    """The row of that job. `folder`: where a place of real time keeps what it leaves behind.

    Raises Failure if no job can be played: what broke then tells of the disk, or of the place.
    """
    todo = job(plan, index)
    kept = None
    if folder is not None and todo.place != "virtual":
        kept = folder / todo.scenario.name
        try:
            kept.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritten(kept, error) from None
    keeps = False
    try:
        row = row_of(todo, kept)
        if kept is not None and row["broken"] and (failure := no_room(kept)) is not None:
            raise failure
        keeps = bool(row["broken"])
    finally:
        if kept is not None and not keeps:
            shutil.rmtree(kept, ignore_errors=True)
    return row


def row_of(todo: Job, folder: Path | None = None) -> dict[str, Any]:
    """Plays it and tells, also of an exception: that breaks a rule like any other.

    Raises Failure if the place cannot be used.
    """
    scenario = todo.scenario
    row: dict[str, Any] = {
        "job": todo.number,
        "place": todo.place,
        "kind": todo.kind,
        "apparatus": scenario.apparatus,
        "wheel": scenario.wheel,
        "hand": scenario.hand,
        "learned": scenario.learned,
    }
    try:
        ran = places.load(todo.place).run(scenario, folder)
    except Exception as error:
        # Why no scenario can be played there tells nothing of this one: no row is kept of it.
        if isinstance(error, Failure) and not isinstance(error, places.Unplayed):
            raise
        return row | crashed(scenario, crash_text(error))
    return row | _told(scenario, ran.verdict) | {"wheel_s": ran.wheel_us // 1_000_000}


def crashed(scenario: Scenario, text: str) -> dict[str, Any]:
    """What is told of a job that came to no verdict."""
    uses = [
        {
            "fault": use.fault,
            "code": None,
            "after_ms": None,
            "how": None,
            "verdict": None,
            "idle": False,
        }
        for use in scenario.faults
    ]
    return {
        "coups": 0, "right": 0, "void": 0, "late": 0, "late_void": 0, "clean": 0, "clean_voids": {},
        "voids": {}, "lead_ms": [], "rest_ms": [], "uses": uses,
        "broken": [{"rule": CRASHED, "coup": None, "fault": None, "text": text}], "wheel_s": 0,
    }  # fmt: skip


def _told(scenario: Scenario, verdict: Verdict) -> dict[str, Any]:
    coups, clean = verdict.coups, set(verdict.clean)
    voids = [coup for coup in coups if coup.verdict == VOID]
    return {
        "coups": len(coups),
        "right": sum(coup.verdict == "right" for coup in coups),
        "void": len(voids),
        "late": sum(coup.late and coup.verdict != VOID for coup in coups),
        "late_void": len(verdict.late_void),
        "clean": len(clean),
        "clean_voids": _reasons(coup for coup in voids if coup.coup in clean),
        "voids": _reasons(coup for coup in voids if coup.coup not in clean),
        # A void coup pays nobody, so its call matters to nobody.
        "lead_ms": [
            coup.lead_us // 1000
            for coup in coups
            if coup.lead_us is not None and coup.verdict != VOID
        ],
        "rest_ms": [coup.verified_us // 1000 for coup in coups if coup.verified_us is not None],
        "uses": [_use(scenario, verdict, index) for index in range(len(scenario.faults))],
        "broken": [
            {"rule": each.rule, "coup": each.coup, "fault": _blamed(scenario, verdict, each),
             "text": each.text}
            for each in verdict.broken
        ],
    }  # fmt: skip


def _reasons(voids: Any) -> dict[str, int]:
    return dict(sorted(Counter(str(coup.decision.reason) for coup in voids).items()))


def _use(scenario: Scenario, verdict: Verdict, index: int) -> dict[str, Any]:
    """One fault: how it was noticed, and what became of the coup in which it began."""
    told: dict[str, Any] = {
        "fault": scenario.faults[index].fault, "code": None, "after_ms": None, "how": None,
        "verdict": None, "idle": False,
    }  # fmt: skip
    for noticed in verdict.noticed:
        if noticed.use == index:
            told["code"], told["how"], told["idle"] = noticed.code, noticed.how, noticed.idle
            if noticed.at_us is not None:
                told["after_ms"] = (noticed.at_us - noticed.begin_us) // 1000
            coup = _coup_at(verdict.coups, noticed.begin_us)
            told["verdict"] = "none" if coup is None else coup.verdict
    return told


def _coup_at(coups: Sequence[Judged], at_us: int) -> Judged | None:
    """The coup that was played then."""
    found = None
    for coup in coups:
        if coup.truth is not None and coup.truth.t_start_us <= at_us:
            found = coup
    return found


def _blamed(scenario: Scenario, verdict: Verdict, broken: Broken) -> str | None:
    """The fault that broke it: the one it names, else the last that began before the coup ended."""
    if broken.use is not None:
        return scenario.faults[broken.use].fault
    blamed: Noticed | None = None
    end_us = next((each.decision.at_us for each in verdict.coups if each.coup == broken.coup), None)
    for noticed in verdict.noticed:
        if end_us is None or noticed.begin_us <= end_us:
            blamed = noticed
    return None if blamed is None else blamed.fault


# A job in real time leaves less: its journal, its trace, all that was told.
LEAST_BYTES = 4_000_000


def unwritten(path: Path, error: OSError) -> Failure:
    """The campaign cannot go on: `path` cannot be written."""
    return _stopped(path, cause(error))


def no_room(folder: Path) -> Failure | None:
    """What to say if there is hardly room left in `folder`."""
    try:
        there = os.statvfs(folder)
    except OSError as error:
        return unwritten(folder, error)
    full = there.f_bavail * there.f_frsize < LEAST_BYTES
    return _stopped(folder, "no space left on device") if full else None


def _stopped(path: Path, why: str) -> Failure:
    return Failure(
        FAILED,
        f"{path}: {why}. What was written before is kept: once that is mended,"
        " the same command goes on from there.",
    )
