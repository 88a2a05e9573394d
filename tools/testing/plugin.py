"""The plugin of pytest that all tests share: marks by folder, what the machine lacks, what it took.

`--part` chooses what is played: `test` (pure and smoke tests) or `all`. `--side` chooses of that
what computes or what waits: tests that wait have a run of their own, the longest files first, with
more workers than cores. A file that has nothing to play is not even imported. `--record FILE` keeps
the results, the seconds and what was wanting; `--but FILE` leaves out what passed in such a record.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tools.testing import durations, machine, marks, sizes
from tools.testing.marks import sources

_WANTING = "needs "  # how the reason of such a skip begins
_WORD = re.compile(r"[A-Za-z_][\w.-]*")
_GRAMMAR = {"and", "or", "not", "True", "False", "None"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the runs in tools/testing/runs.py."""
    group = parser.getgroup("cylindre")
    group.addoption("--part", choices=("test", "all"), default="all", help="what is played")
    group.addoption("--side", choices=("computing", "waiting", "both"), default="both",
                    help="of that, what computes or what waits")  # fmt: skip
    group.addoption("--record", metavar="FILE", type=Path, help="keep what was played")
    group.addoption("--but", metavar="FILE", type=Path, action="append", default=[],
                    help="leave out what passed there (may be repeated)")  # fmt: skip
    group.addoption("--within", metavar="FILE", type=Path,
                    help="only tests of the files that stand in it, a line each")  # fmt: skip


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Makes the marks known, and refuses an expression with one that is not."""
    for name, meaning in (marks.FOLDERS | marks.OTHERS).items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    known = {re.split(r"[:(]", line)[0].strip() for line in config.getini("markers")}
    asked = set(_WORD.findall(re.sub(r"\([^()]*=[^()]*\)", "", config.getoption("-m") or "")))
    if unknown := sorted(asked - known - _GRAMMAR):
        ours = ", ".join((*marks.FOLDERS, "smoke"))
        raise pytest.UsageError(f"no mark is named {', '.join(unknown)}: there are {ours}, req.")
    config.pluginmanager.register(_Played(config), "cylindre-played")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of which nothing would be played is not imported."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    if not _is_of_side(collection_path, config) or not _is_within(collection_path, config):
        return True
    if _is_named(collection_path, config) or config.getoption("--part") != "test":
        return None
    return not (marks.is_pure(collection_path) or marks.has_smoke(collection_path)) or None


def _is_of_side(path: Path, config: pytest.Config) -> bool:
    side = config.getoption("--side")
    return bool(side == "both" or marks.waits(path) == (side == "waiting"))


def _is_within(path: Path, config: pytest.Config) -> bool:
    """Whether it is one of the files that alone are to be played, where there are such."""
    file = config.getoption("--within")
    return file is None or str(path) in _lines(file)


@cache
def _lines(file: Path) -> frozenset[str]:
    return frozenset(file.read_text(encoding="utf-8").splitlines())


def _is_named(path: Path, config: pytest.Config) -> bool:
    return marks.is_named(path, [Path(config.rootpath, a.partition("::")[0]) for a in config.args])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Gives each test the marks of its folder; keeps what is to be played, the longest first."""
    part = config.getoption("--part")
    before = {name for file in config.getoption("--but") for name in _passed(file)}
    kept, left = [], []
    for item in items:
        for name in marks.of(item.path):
            item.add_marker(name)
        _check_needs(item)
        played = part == "all" or _is_quick(item) or _is_named(item.path, config)
        if item.get_closest_marker("soak") is not None and not sizes.is_soaking():
            played = False
        if played and item.nodeid not in before and _is_of_side(item.path, config):
            kept.append(item)
        else:
            left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    if config.getoption("--side") == "waiting":
        seconds = durations.by_file(durations.known())
        kept.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 0.0))
    items[:] = kept


def _is_quick(item: pytest.Item) -> bool:
    """Whether `make test` plays it."""
    return marks.is_pure(item.path) or item.get_closest_marker("smoke") is not None


def _passed(file: Path) -> set[str]:
    """What passed in the run that `file` records. Raises UsageError if it is no such record."""
    try:
        played = json.loads(file.read_text(encoding="utf-8"))["tests"]
        return {name for name, (result, *_) in played.items() if result == "passed"}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise pytest.UsageError(f"{file} is no record of a run ({error}): make test") from None


def _check_needs(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        if unknown := [name for name in mark.args if name not in machine.WANTS]:
            raise pytest.UsageError(
                f"{item.nodeid} needs {unknown}: tools/testing/machine.py has no such name."
            )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that the machine lacks something for, naming it."""
    want(*(name for mark in item.iter_markers("needs") for name in mark.args))


@pytest.fixture(scope="session")
def needs() -> Callable[..., None]:
    """Asks for what a fixture wants of the machine: the test is skipped without it."""
    return want


def want(*names: str) -> None:
    """Skips the test if the machine lacks one of `names`; where neither mark nor fixture reach."""
    if lacking := machine.lacking(names):
        pytest.skip(_WANTING + ", ".join(dict.fromkeys(lacking)))


@pytest.fixture
def counted(request: pytest.FixtureRequest) -> Callable[[str, int], None]:
    """Notes what a test has counted, by name: `make soak` tells it."""
    return lambda name, count: request.node.user_properties.append((name, count))


def _times_s() -> float:
    """CPU seconds of this process and of what it waited for."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Each report says how much CPU time the worker had used: differences are the tests' own."""
    report = yield
    report.cpu_s = _times_s()
    return report


class _Played:
    """What was played, where the reports come together, and what is said of it at the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._tests: dict[str, list[Any]] = {}
        self._wanting: Counter[str] = Counter()
        self._cpu_s: dict[str, float] = {}  # by worker, at its last report
        self._start_s = time.monotonic()
        in_worker = hasattr(config, "workerinput")
        self._file: Path | None = None if in_worker else config.getoption("--record")
        self._sources = sources() if self._file else ""  # as they were when it began

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Sums up the three phases of a test."""
        worker = getattr(report, "worker_id", "")
        cpu_s = getattr(report, "cpu_s", 0.0)  # a worker that died tells nothing
        used_s = cpu_s - self._cpu_s.get(worker, cpu_s)
        self._cpu_s[worker] = cpu_s
        test = self._tests.setdefault(report.nodeid, ["passed", 0.0, 0.0])
        test[1] += report.duration
        test[2] += max(0.0, used_s)
        if report.outcome != "passed":
            test[0] = report.outcome
        if report.skipped and isinstance(report.longrepr, tuple):
            reason = report.longrepr[2].removeprefix("Skipped: ")
            if reason.startswith(marks.STALLED):
                test[0] = "stalled"
            if reason.startswith(_WANTING):
                test[0] = "wanting"
                self._wanting.update(reason.removeprefix(_WANTING).split(", "))

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be read is a failure too."""
        if report.failed:
            self._tests[report.nodeid] = ["failed", 0.0, 0.0]

    def pytest_sessionfinish(self) -> None:
        """Keeps the record, where one is asked for."""
        file = self._file
        if file is None:
            return
        told = {
            "tests": {
                name: [result, round(s, 3), round(cpu_s, 3)]
                for name, (result, s, cpu_s) in sorted(self._tests.items())
            },
            "sources": self._sources,
            "wanting": dict(sorted(self._wanting.items())),
            "seconds": round(time.monotonic() - self._start_s, 1),
        }
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(told, indent=0), encoding="utf-8")
        part.replace(file)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Says what was skipped for want of what, unless a run of several does."""
        count = sum(result == "wanting" for result, *_ in self._tests.values())
        if count and self._file is None:
            terminalreporter.write_line(machine.told_wanting(count, self._wanting))
