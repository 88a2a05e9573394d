"""Which tests reach what was changed: through imports, and through the commands they start.

The imports of our packages are read by grimp, those of tests from their sources. A module's name
in a test's text, `"tools.cli"` in the arguments of a process say, counts as an import; the command
line reaches all its commands. What is not Python reaches the tests beside it, and those that name
it.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import grimp

from firmware.lib.errors import USAGE, Failure
from tools.testing import marks
from tools.testing.marks import ROOT, TESTS

PACKAGES = ("firmware", "boards", "drivers", "rules", "tools")
# Who imports by a name that is put together: importer, and the package of what it imports.
_BY_NAME = (
    ("tools.commands.group", "tools.commands"),
    ("rules", "rules"),
    ("boards", "boards"),
    ("tools.hil.places", "tools.hil.places"),
)
# Played by the kernel rig alone.
_GUESTS = TESTS / "hil" / "kernel" / "inside"
# What decides of everything: whoever alters it alters what all tests see.
_EVERYTHING = ("requirements.lock", "pyproject.toml", "Makefile")
_MODULE = re.compile(rf"\b(?:{'|'.join(PACKAGES)})(?:\.\w+)+")


class Selection(NamedTuple):
    """What was changed, the files of tests that reach it, and how many do not."""

    changed: tuple[str, ...]
    tests: tuple[Path, ...]
    all_tests: int

    def summary(self) -> list[str]:
        """What is said before they are played."""
        if not self.changed:
            return ["Nothing is changed: nothing to play. --since COMMIT looks further back."]
        left = self.all_tests - len(self.tests)
        return [
            f"{len(self.changed)} files are changed: {len(self.tests)} of {self.all_tests} files of"
            f" tests reach them, {left} are left out."
        ]


def select(since: str) -> Selection:
    """The tests that reach what was changed since a commit. Raises Failure if there is none."""
    files, everything = changed_files(since), list(marks.files())
    return Selection(tuple(files), tuple(tests_of(files) if files else ()), len(everything))


def changed_files(since: str) -> list[str]:
    """Files that differ from that commit, and new ones. Raises Failure if there is no such."""
    found: set[str] = set()
    for command in (["diff", "--name-only", since, "--"], ["ls-files", "-o", "--exclude-standard"]):
        done = subprocess.run(
            ["git", "-C", str(ROOT), *command], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Failure(USAGE, f"{since} is no commit of this checkout: --since names one.")
        found.update(done.stdout.split())
    return sorted(found)


def tests_of(files: Iterable[str]) -> list[Path]:
    """The files of tests that reach one of these files of the checkout."""
    files, graph, sources = list(files), _graph(), _sources()
    if set(files) & {*_EVERYTHING, "tests/conftest.py"}:
        return [path for path in marks.files() if _GUESTS not in path.parents]
    touched, paths = set(), set()
    for file in files:
        modules = _modules(file, graph)
        for module in modules:
            touched |= {module, *graph.find_downstream_modules(module)}
        if not modules:
            paths.add(file)
    hit = {path for path, source in sources.items() if source.modules & touched}
    # What all tests share has our plugins: that they import something reaches no test.
    hit.discard(TESTS / "conftest.py")
    hit |= {path for path, source in sources.items() if _concerns(path, source.text, paths)}
    # A helper that reaches it brings along whoever imports the helper; a conftest, all beside it.
    importers: dict[str, set[Path]] = defaultdict(set)
    for path, source in sources.items():
        for name in source.helpers:
            importers[name].add(path)
    waiting = list(hit)
    while waiting:
        path = waiting.pop()
        more = set(importers[path.stem])
        if path.name == "conftest.py":
            more |= {each for each in sources if path.parent in each.parents}
        waiting += more - hit
        hit |= more
    return sorted(
        path for path in hit if path.name.startswith("test_") and _GUESTS not in path.parents
    )


@cache
def _graph() -> grimp.ImportGraph:
    """Who imports whom of our packages."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=str(ROOT / ".cache" / "grimp"))
    for importer, package in _BY_NAME:
        for module in graph.find_children(package):
            graph.add_import(importer=importer, imported=module)
    return graph


class _Source(NamedTuple):
    """What a file of the tests imports or names: our modules, and by their last name any others."""

    modules: frozenset[str]
    helpers: frozenset[str]
    text: str


@cache
def _sources() -> dict[Path, _Source]:
    """All of the tests."""
    known = _graph().modules
    return {path: _read(path, known) for path in sorted(TESTS.rglob("*.py"))}


def _read(path: Path, known: set[str]) -> _Source:
    text = path.read_text(encoding="utf-8")
    named = set(_MODULE.findall(text))
    helpers = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            named |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
            helpers.add(node.module.rpartition(".")[2])
        elif isinstance(node, ast.Import):
            named |= {each.name for each in node.names}
            helpers |= {each.name.rpartition(".")[2] for each in node.names}
    return _Source(frozenset(named & known), frozenset(helpers), text)


def _modules(file: str, graph: grimp.ImportGraph) -> set[str]:
    """The module of a source of ours; of what lies below a package, all modules of that package."""
    path = Path(file)
    if path.parts[0] not in PACKAGES:
        return set()
    name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    if path.suffix == ".py":
        return {name} & graph.modules
    while name not in graph.modules:
        name = name.rpartition(".")[0]
    return {name, *graph.find_children(name)}


def _concerns(path: Path, text: str, files: set[str]) -> bool:
    here = path.relative_to(ROOT)
    return any(
        str(here) == file or here.parent in Path(file).parents[:2] or Path(file).name in text
        if file.startswith("tests/") and not file.endswith(".py")
        else str(here) == file or Path(file).name in text
        for file in files
    )
