"""What was found: results of tests from a JUnit file, of faults from a campaign's folder."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from firmware.lib.errors import FAILED, Failure, cause
from tools.docs.evidence.marks import Named, in_hil
from tools.docs.evidence.requirements import BUILD, PLACE, PROPERTY, SCENARIO
from tools.hil.campaign.plan import Plan, count
from tools.hil.verdict import NO_CODE, TOLD

PASSED, BROKEN, SKIPPED, NOT_RUN = "passed", "failed", "skipped", "not run"
OTHER_BUILD = "other build"  # whatever it was: it shows nothing of this one
# Of a test's many parameters, the first of these that occurs.
_WORST = (OTHER_BUILD, BROKEN, SKIPPED, PASSED)
_Shower = tuple[str, str, str]  # kind, name, place


class Build(NamedTuple):
    """Of whom something was shown."""

    firmware: str  # its hash, in hexadecimal: what decides which build it is
    commit: str  # what a person finds it by

    def __str__(self) -> str:
        return f"{self.firmware} ({self.commit})"


class Result(NamedTuple):
    """What one test, fault or scenario showed of one requirement, at one place."""

    requirement: str
    kind: str
    name: str
    place: str
    result: str
    cases: int = 0  # of a test; uses of a fault
    build: str = ""  # of whom it was shown: hash of the firmware and commit


def of_tests(junits: Sequence[Path], build: Build) -> list[Result]:
    """Of every test that names a requirement, its cases taken together.

    Of a case that is in more than one file, the last counts that was played: a skip takes no result
    back. Raises Failure if a file is none that pytest wrote.
    """
    cases: dict[tuple[str | None, ...], ET.Element] = {}
    for junit in junits:
        for case in _cases(junit):
            place = _properties(case).get(PLACE)
            key = (case.get("classname"), case.get("name"), place)
            if key not in cases or _result(case) != SKIPPED:
                cases[key] = case
    found: dict[tuple[str, _Shower], Counter[str]] = {}
    others: dict[_Shower, str] = {}
    for case in cases.values():
        told = _properties(case)
        shower = (*named(case), told.get(PLACE, "test"))
        of = told.get(BUILD, "unknown")
        word = _result(case)
        if of != build.firmware:
            word, others[shower] = OTHER_BUILD, of
        for each in case.iter("property"):
            if each.get("name") == PROPERTY:
                found.setdefault((each.get("value", ""), shower), Counter())[word] += 1
    return [
        Result(requirement, *shower, _worst(counts), counts.total(), others.get(shower, str(build)))
        for (requirement, shower), counts in found.items()
    ]


def _cases(junit: Path) -> Iterator[ET.Element]:
    try:
        return ET.parse(junit).getroot().iter("testcase")
    except (OSError, ET.ParseError) as error:
        sentence = f"{junit} is no JUnit file of the tests ({_why(error)}):"
        raise Failure(FAILED, f'{sentence} make test ARGS="--junitxml=FILE" writes one.') from None


def _properties(case: ET.Element) -> dict[str, str]:
    return {each.get("name", ""): each.get("value", "") for each in case.iter("property")}


def named(case: ET.Element) -> tuple[str, str]:
    """Kind and name of who shows it. What stands in brackets are a test's parameters."""
    name = case.get("name", "").partition("[")[0]
    if case.get("classname") == SCENARIO:
        return SCENARIO, name
    return "test", f"{case.get('classname', '').replace('.', '/')}.py::{name}"


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return cause(error)
    return f"{type(error).__name__}: {error}"


def _result(case: ET.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return BROKEN
    return SKIPPED if case.find("skipped") is not None else PASSED


def _worst(counts: Counter[str]) -> str:
    return next(word for word in _WORST if counts[word])


def of_campaign(folder: Path, build: Build) -> list[Result]:
    """Of every fault of the catalogue that names a requirement, at each place it was used.

    Raises Failure if the folder is none of a campaign that was played to its end.
    """
    try:
        told = json.loads((folder / "campaign.json").read_text(encoding="utf-8"))
        lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        jobs, done = count(Plan(**told["plan"])), len({row["job"] for row in rows})
        of = Build(told["firmware"], told["commit"])
        uses, broken = _counted(rows)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sentence = f"{folder} is no folder of a campaign that ran ({_why(error)}):"
        raise Failure(FAILED, f"{sentence} cylindre hil campaign DIR makes one.") from None
    if done < jobs:
        sentence = f"{folder}: only {done} of {jobs} jobs are played: go on with that campaign."
        raise Failure(FAILED, sentence)

    def word(key: tuple[str, str]) -> str:
        if of.firmware != build.firmware:
            return OTHER_BUILD
        return BROKEN if broken[key] else PASSED

    return [
        Result(named.requirement, named.kind, named.name, key[1], word(key), uses[key], str(of))
        for named in in_hil()
        for key in sorted({*uses, *broken})
        if named.kind == "fault" and named.name == key[0]
    ]


def _counted(rows: list[dict[str, Any]]) -> tuple[Counter[Any], Counter[Any]]:
    """By fault and place: how often it showed something, how often a rule was broken with it."""
    uses: Counter[tuple[str, str]] = Counter()
    broken: Counter[tuple[str, str]] = Counter()
    for row in rows:
        names = [use["fault"] for use in row["uses"]]
        uses.update((use["fault"], row["place"]) for use in row["uses"] if _shows(use))
        for each in row["broken"]:
            # What cannot be laid at one fault's door is held against all that were there.
            blamed = names if each["fault"] is None else [each["fault"]]
            broken.update((name, row["place"]) for name in blamed)
    return uses, broken


def _shows(use: dict[str, Any]) -> bool:
    """Whether it was at work, and was told if its entry names a code.

    One that never began has no verdict; one that changed nothing, one that another hid and one
    whose deadline did not come show nothing either.
    """
    return bool(use["verdict"]) and not use["idle"] and use["how"] in (TOLD, NO_CODE)


def not_run(named: list[Named], results: list[Result]) -> list[Result]:
    """Whoever names a requirement and has no result."""
    there = {(result.requirement, result.kind, result.name) for result in results}
    return [
        Result(each.requirement, each.kind, each.name, "", NOT_RUN)
        for each in named
        if tuple(each) not in there
    ]


def results_there(
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
    shown = of_tests(used, build)
    for path in campaigns:
        told = path / "campaign.json"
        if not told.exists():
            continue
        try:
            if json.loads(told.read_text(encoding="utf-8"))["firmware"] != build.firmware:
                say(f"{path}, of {_when(told)}: not used, it is of another build.")
                continue
            shown += of_campaign(path, build)
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
