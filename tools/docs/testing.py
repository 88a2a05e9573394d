"""The tables of docs/testing.md: what tests cost, what is large, what is wanted.

The figures are those of tests/durations.json and tests/soak.json, which runs wrote, not people.
"""

from __future__ import annotations

from tools.docs.part import Part
from tools.fuzz import targets
from tools.testing import durations, machine, soak
from tools.testing.marks import FOLDERS, PURE, WAITING
from tools.testing.sizes import SOAKS, Size, Soak


def _costs() -> str:
    kept = durations.kept()
    lines = ["| mark | what it is | played by | tests | seconds of a worker | CPU seconds |",
             "|---|---|---|---|---|---|"]  # fmt: skip
    for mark in (PURE, *FOLDERS):
        meaning = FOLDERS.get(mark, "all else: no mark")
        by = "`make test`" if mark == PURE else "`make test-all`; its smoke tests `make test` too"
        tests, seconds, cpu_s = kept.get("marks", {}).get(mark, ("", "", ""))
        aside = ", in the run of tests that wait" if mark in WAITING else ""
        lines.append(f"| `{mark}` | {meaning}{aside} | {by} | {tests} | {seconds} | {cpu_s} |")
    lines += [
        "",
        f"Played at {kept.get('commit', '(never)')}, on {kept.get('cores', 0)} cores.",
        "",
    ]
    lines += ["| the dearest files | tests | seconds | CPU seconds |", "|---|---|---|---|"]
    lines += [
        f"| `{file.removeprefix('tests/')}` | {tests} | {seconds} | {cpu_s} |"
        for file, (tests, seconds, cpu_s) in kept.get("dearest", {}).items()
    ]
    return "\n".join(lines)


def _large() -> str:
    lines = ["| soak | promise | in `make test-all` | in `make soak` | last green |",
             "|---|---|---|---|---|"]  # fmt: skip
    for each in SOAKS:
        when = _last_green(each)
        usual = _numbers(each.sizes, whole=False) or "not at all"
        whole = _numbers(each.sizes, whole=True) or "whole"
        lines.append(f"| `{each.name}` | {each.promise} | {usual} | {whole} | {when} |")
    return "\n".join(lines)


def _last_green(each: Soak) -> str:
    last = soak.green().get(each.name)
    if last is None:
        return "never yet"
    found = soak.counts_of(last.get("found", {}))
    said = f"{last['day']}, {last['commit']}: {last['tests']} tests in {last['minutes']} min"
    return f"{said}; {found}" if found else said


def _promises() -> str:
    lines = ["| shown by `make soak` | at | last green |", "|---|---|---|"]
    for each in SOAKS:
        whole = _numbers(each.sizes, whole=True) or "whole"
        lines.append(f"| {each.promise} | {whole} | {_last_green(each)} |")
    return "\n".join(lines)


def _numbers(sizes: tuple[Size, ...], *, whole: bool) -> str:
    return ", ".join(f"{each.whole if whole else each.usual:,} {each.name}" for each in sizes)


def _wanted() -> str:
    lines = ["| name | what it is | what brings it |", "|---|---|---|"]
    for name, want in machine.WANTS.items():
        brings = f"`apt install {' '.join(want.packages)}`" if want.packages else ""
        both = "; ".join(each for each in (brings, want.remedy) if each)
        what = ", ".join(f"`{each}`" for each in want.programs) or want.what
        lines.append(f"| `{name}` | {what} | {both} |")
    return "\n".join(lines)


def _targets() -> str:
    lines = ["| target | what reads, and what it promises |", "|---|---|"]
    lines += [f"| `{target.name}` | {target.what} |" for target in targets.TARGETS]
    return "\n".join(lines)


COSTS = Part("testing.md", "table of costs", "tests/durations.json", _costs)
LARGE = Part("testing.md", "table of sizes", "tools/testing/sizes.py and tests/soak.json", _large)
PROMISES = Part("../README.md", "table of soaks", "tests/soak.json", _promises)
TARGETS = Part("testing.md", "table of targets", "tools/fuzz/targets.py", _targets)
WANTED = Part("testing.md", "table of wants", "tools/testing/machine.py", _wanted)
