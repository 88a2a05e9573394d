"""The results that are there already: what `make evidence ARGS=--quick` makes the matrix of."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from firmware.lib.errors import Failure
from tools.docs.evidence import results
from tools.docs.evidence.requirements import BUILD
from tools.docs.evidence.results import Build, Result


def found(
    folders: Sequence[Path],
    campaigns: tuple[Path, ...],
    build: Build,
    say: Callable[[str], None],
) -> list[Result]:
    """Of this build's JUnit files in `folders`, and its campaigns; says which, and from when."""
    used = []
    files = [path for folder in folders for path in folder.glob("*.xml")]
    for path in sorted(files, key=lambda path: path.stat().st_mtime):
        builds = _builds(path)
        if builds == {build.firmware}:
            say(f"{path}, of {_when(path)}.")
            used.append(path)
        else:
            why = "it is of another build" if builds else "it has no result of a build"
            say(f"{path}, of {_when(path)}: not used, {why}.")
    shown = results.of_tests(used, build)
    for path in campaigns:
        told = path / "campaign.json"
        if not told.exists():
            continue
        try:
            if json.loads(told.read_text(encoding="utf-8"))["firmware"] != build.firmware:
                say(f"{path}, of {_when(told)}: not used, it is of another build.")
                continue
            shown += results.of_campaign(path, build)
            say(f"{path}, of {_when(told)}.")
        except Failure as failure:
            say(f"Not used: {failure.sentence}")
        except (OSError, ValueError, KeyError, TypeError):
            say(f"{path}: not used, it is no folder of a campaign.")
    return shown


def _builds(path: Path) -> set[str]:
    """Of all that was run for that file."""
    try:
        properties = ET.parse(path).getroot().iter("property")
    except (OSError, ET.ParseError):
        return set()
    return {each.get("value", "") for each in properties if each.get("name") == BUILD}


def _when(path: Path) -> str:
    return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
