"""What is kept of each failure: its scenario, the smallest that still fails, its trace."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from tools.hil import places, scenario_file
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.plan import Job, job
from tools.hil.campaign.summary import Total
from tools.hil.campaign.work import row_of
from tools.hil.faults import catalogue
from tools.hil.scenario import US, FaultInjection, Scenario, as_dict
from tools.hil.scenario_check import check

TRIES_MAX = 60  # a coup takes 20 ms: half a minute at the most
# Another coup is another throw: whether it breaks the rule too is a matter of luck.
SEEDS = 20


def shrink(scenario: Scenario, breaks: Callable[[Scenario], bool]) -> Scenario:
    """The smallest found. `breaks`: whether it still breaks the rule; it does for `scenario`."""
    scenario = next(filter(breaks, _shortest(scenario)), scenario)
    tries, seen = 0, {scenario}
    found = True
    while found and tries < TRIES_MAX:
        found = False
        for smaller in _smaller(scenario):
            if smaller in seen or check(as_dict(smaller)):
                continue
            seen.add(smaller)
            tries += 1
            if breaks(smaller):
                scenario, found = smaller, True
                break
            if tries == TRIES_MAX:
                break
    return scenario


def _shortest(scenario: Scenario) -> Iterator[Scenario]:
    """What began in one coup, and nothing else, in the first coup of one: with several seeds."""
    by_coup = groupby(sorted(scenario.faults, key=lambda use: use.coup), lambda use: use.coup)
    groups = [tuple(use._replace(coup=1) for use in uses) for _, uses in by_coup]
    for seed in range(scenario.seed, scenario.seed + SEEDS):
        for uses in groups or [()]:
            shortest = scenario._replace(coups=1, seed=seed, faults=uses)
            if shortest != scenario and not check(as_dict(shortest)):
                yield shortest


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Those one step smaller, the boldest step first."""
    uses = scenario.faults
    last = max((use.coup for use in uses), default=1)
    for coups in range(last, min(last + 4, scenario.coups)):
        yield scenario._replace(coups=coups)
    if len(uses) > 1:
        for use in uses:
            yield scenario._replace(faults=(use,))
    for index in range(len(uses)):
        yield scenario._replace(faults=uses[:index] + uses[index + 1 :])
    early = min((use.coup for use in uses), default=1) - 1
    for steps in dict.fromkeys((early, 1)):
        if 0 < steps <= early:
            moved = tuple(use._replace(coup=use.coup - steps) for use in uses)
            yield scenario._replace(faults=moved, coups=scenario.coups - steps)
    yield from _plainer(scenario)
    for index, use in enumerate(uses):
        for plainer in _plainer_use(use):
            yield scenario._replace(faults=(*uses[:index], plainer, *uses[index + 1 :]))


def _plainer(scenario: Scenario) -> Iterator[Scenario]:
    default = Scenario("", "", "", 0)
    for key in ("displays", "confirm", "hand", "learned", "wheel"):
        if getattr(scenario, key) != getattr(default, key):
            yield scenario._replace(**{key: getattr(default, key)})


def _plainer_use(use: FaultInjection) -> Iterator[FaultInjection]:
    """Within what the entry says of it: what is too short to be noticed breaks a rule too."""
    entry = catalogue.find(use.fault)
    after_us = round(entry.after_s[0] * US)
    if after_us < use.after_us:
        yield use._replace(after_us=after_us)
    if use.lasts_us is not None and entry.lasts_s is not None:
        for lasts_us in (use.lasts_us // 2, use.lasts_us // US * US):
            if round(entry.lasts_s[0] * US) <= lasts_us < use.lasts_us:
                yield use._replace(lasts_us=lasts_us // 1000 * 1000)
    for name, value in use.parameters:
        default = next(each.default for each in entry.parameters if each.name == name)
        if default not in (None, value):
            rest = tuple(each for each in use.parameters if each[0] != name)
            yield use._replace(parameters=rest)


SHRUNK_MAX = 12  # one of a kind each: a minute for each at the most


def command(folder: Path, row: dict[str, Any]) -> str:
    """What repeats that row of the campaign in `folder`, wherever it is typed on this machine."""
    scenario = folder.absolute() / f"failures/job-{row['job']:06}.toml"
    return f"cylindre hil run {shlex.quote(str(scenario))} --place {row['place']}"


def files(folder: Path, row: dict[str, Any]) -> dict[str, str]:
    """What is kept of that row, by what it is, from the campaign's folder on: what is there."""
    name = f"failures/job-{row['job']:06}"
    found = {"scenario": f"{name}.toml", "smallest": f"{name}-small.toml"}
    traces = [f"{name}-small.vcd", f"{name}.vcd"]
    traces += sorted(str(each.relative_to(folder)) for each in (folder / name).glob("*.vcd"))
    found["trace"] = next((each for each in traces if (folder / each).is_file()), "")
    found["all that was told"] = f"{name}/" if (folder / name).is_dir() else ""
    return {what: path for what, path in found.items() if path and (folder / path).exists()}


def keep(folder: Folder, total: Total, note: Callable[[str], None]) -> None:
    """Writes failures/ for every row that broke a rule. What is there already is left alone.

    What failed in real time is not made smaller: each try would take minutes, and may not fail.
    """
    shrunk: set[tuple[str, str | None]] = set()
    for row in total.failed():
        todo = job(folder.plan, row["job"])
        name = f"failures/{todo.scenario.name}"
        kinds = {(each["rule"], each["fault"]) for each in row["broken"]}
        new = kinds - shrunk and len(shrunk) < SHRUNK_MAX
        shrunk |= kinds
        if (folder.path / f"{name}.toml").exists():
            continue
        title = f"{todo.scenario.title[:-1]}: {row['broken'][0]['text']}"
        whole = todo.scenario._replace(title=title.replace("\n", " "))
        if todo.place == "virtual":
            note(f"Looking for the smallest scenario that fails as job {row['job']} does")
            small = _shrunk(todo, row["broken"][0], whole) if new else None
            if small is not None:
                folder.write(f"{name}-small.toml", scenario_file.write(small))
            _trace(folder, small or whole)
        folder.write(f"{name}.toml", scenario_file.write(whole))


def _shrunk(todo: Job, broken: dict[str, Any], whole: Scenario) -> Scenario | None:
    """The smallest that breaks the same rule by the same fault; None if it breaks none again."""

    def breaks(scenario: Scenario) -> bool:
        row = row_of(todo._replace(scenario=scenario))
        return any(
            (each["rule"], each["fault"]) == (broken["rule"], broken["fault"])
            for each in row["broken"]
        )

    if not breaks(whole):
        return None
    return shrink(whole, breaks)._replace(name=f"{whole.name}-small")


def _trace(folder: Folder, scenario: Scenario) -> None:
    """Its edges, as a VCD that PulseView opens. Of one that crashes there may be a part."""
    path = folder.path / "failures"
    path.mkdir(exist_ok=True)
    with contextlib.suppress(Exception):
        places.load("virtual").run(scenario, path)
