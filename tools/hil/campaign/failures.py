"""What is kept of each failure: its scenario, the smallest that still fails, its trace."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.hil import places, scenario_file
from tools.hil.campaign.folder import Folder
from tools.hil.campaign.plan import Job, job
from tools.hil.campaign.shrink import shrink
from tools.hil.campaign.summary import Total
from tools.hil.campaign.work import row_of
from tools.hil.scenario import Scenario

SHRUNK_MAX = 12  # one of a kind each: a minute for each at the most


def command(folder: Path, row: dict[str, Any]) -> str:
    """What repeats that row of the campaign in `folder`, wherever it is typed on this machine."""
    scenario = folder.absolute() / f"failures/job-{row['job']:06}.toml"
    return f"cylindre hil run {shlex.quote(str(scenario))} --place {row['place']}"


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
