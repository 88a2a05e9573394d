"""Who names which requirement: tests by their marks, catalogue entries and scenarios by `requires`.

Tests are read, not run: their sources say it, so that nothing has to be installed for the answer.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.hil.faults import catalogue

ROOT = Path(__file__).resolve().parents[3]
TESTS = ROOT / "tests"
SCENARIOS = ROOT / "tools" / "hil" / "scenarios"


class Named(NamedTuple):
    """One place that names a requirement."""

    requirement: str
    kind: str  # "test", "fault" or "scenario"
    name: str  # FILE::TEST below the root, or the name


def in_tests(folder: Path = TESTS) -> list[Named]:
    """Of every test below the folder."""
    found = []
    for path in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # A module's or a class's mark is refused by the plugin: each test names its own.
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                where = f"{path.relative_to(folder.parent).as_posix()}::{node.name}"
                found += [Named(each, "test", where) for each in _ids(node)]
    return found


def in_hil(scenarios: Path = SCENARIOS) -> list[Named]:
    """Of every entry of the fault catalogue, and every scenario file."""
    found = [
        Named(each, "fault", fault.name) for fault in catalogue.FAULTS for each in fault.requires
    ]
    for path in sorted(scenarios.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        found += [Named(each, "scenario", path.stem) for each in data.get("requires", ())]
    return found


def _ids(test: ast.FunctionDef) -> Iterator[str]:
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.req":
            for argument in decorator.args:
                yield ast.literal_eval(argument)
