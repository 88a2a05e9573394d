"""A place where nothing is played: every scenario has its verdict from its seed, at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.core.facts import Void
from tools.hil import places
from tools.hil.campaign.plan import Plan
from tools.hil.places import Ran
from tools.hil.scenario import Scenario
from tools.hil.verdict import Broken, Verdict
from tools.virtual.score import VOID, Judged

PLAN = Plan(3, 160, 48, ("beam_blind", "beam_jitters"), ("virtual",))


def verdict_of(scenario: Scenario) -> Verdict:
    """One void coup, whose time is the scenario's seed."""
    void = Void(scenario.seed, 1, 1, "encoder")
    coup = Judged(1, None, void, VOID, False, scenario.seed % 10_000_000, None, None)
    return Verdict((coup,), (), (), ())


def feign(
    monkeypatch: pytest.MonkeyPatch, verdict: Callable[[Scenario], Verdict] = verdict_of
) -> None:
    """Every place is this one, also in the workers: they are forked."""

    def run(scenario: Scenario, folder: Path | None = None) -> Ran:
        return Ran(verdict(scenario), 0, 1_000_000, 0.0)

    place = SimpleNamespace(check=lambda: None, run=run)
    monkeypatch.setattr(places, "load", lambda name: place)


def broken_if(found: Callable[[Scenario], bool]) -> Callable[[Scenario], Verdict]:
    """A verdict that breaks a rule for such scenarios."""

    def verdict(scenario: Scenario) -> Verdict:
        rules = (Broken("late_call", 1, "the call of coup 1 was late"),)
        return verdict_of(scenario)._replace(broken=rules if found(scenario) else ())

    return verdict


def dies(marker: Path, times: int) -> Callable[[Scenario], Verdict]:
    """The worker that plays the first job dies of it, so many times."""

    def verdict(scenario: Scenario) -> Verdict:
        deaths = len(marker.read_text()) if marker.exists() else 0
        if scenario.name == "job-000000" and deaths < times:
            marker.write_text("x" * (deaths + 1))
            os._exit(1)
        return verdict_of(scenario)

    return verdict


def by_job(rows: Any) -> list[dict[str, Any]]:
    """In order."""
    return sorted(rows, key=lambda row: int(row["job"]))
