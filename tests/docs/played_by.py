"""Whether a test plays a command: as its source says, and what that uses of the files beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from named_commands import ROOT


class _File(NamedTuple):
    """A file of tests. `defined`: by name; `imported`: what a name is, as `tools.bench.call`."""

    path: Path
    defined: dict[str, ast.stmt]
    imported: dict[str, str]


def plays(test: str, command: str) -> bool:
    """Whether `FILE::TEST` is there and runs the command; a file of another kind names it.

    That is seen by the command's words in a row, or by its module, which is imported or named. Of
    what is below a group the group may be named by a helper.
    """
    path, _, name = test.partition("::")
    if not name:
        return re.search(rf"\b{command}\b", (ROOT / path).read_text(encoding="utf-8")) is not None
    found = list(_used(_read(ROOT / path), name, set()))
    rows = [row for node, _ in found for row in _rows(node)]
    imported = {name for _, names in found for name in names}
    _, first, *rest = command.split()
    module = f"tools.commands.{first.replace('-', '_')}"
    if first == "-m":
        first, rest, module = rest[0], [], rest[0]
    if any(f"{each}.".startswith(f"{module}.") for each in imported):
        return not rest or any(_has(row, rest) for row in rows)
    if not rest:
        return any(row[:1] == [first] for row in rows)
    return any(first in row for row in rows) and any(_has(row, rest) for row in rows)


@cache
def _read(path: Path) -> _File:
    defined: dict[str, ast.stmt] = {}
    imported: dict[str, str] = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            imported |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            imported |= {a.asname or a.name: a.name for a in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined[node.name] = node
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                defined |= {e.id: node for e in ast.walk(target) if isinstance(e, ast.Name)}
    return _File(path, defined, imported)


def _used(
    file: _File, name: str, seen: set[tuple[Path, str]]
) -> Iterator[tuple[ast.stmt, set[str]]]:
    """What that name stands for in a file, and all that this uses: with what it imports of ours."""
    if (file.path, name) in seen:
        return
    seen.add((file.path, name))
    node = file.defined.get(name)
    if node is None:  # imported from a file beside it, or a fixture
        module, _, inner = file.imported.get(name, "").rpartition(".")
        beside = [folder / f"{module}.py" for folder in file.path.parents] if module else []
        fixtures = [folder / "conftest.py" for folder in file.path.parents]
        for path in filter(Path.is_file, [*beside, *fixtures]):
            if path.is_relative_to(ROOT / "tests") and path != file.path:
                yield from _used(_read(path), inner or name, seen)
        return
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    names |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    yield node, {file.imported[each] for each in names if each in file.imported}
    for each in sorted(names):
        yield from _used(file, each, seen)


def _rows(node: ast.stmt) -> Iterator[list[str | None]]:
    """The words that stand in a row: of a text, a tuple, a list or a call."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield [*each.value.split()]
        elif isinstance(each, ast.JoinedStr):
            texts = [v.value if isinstance(v, ast.Constant) else "{}" for v in each.values]
            yield [*"".join(map(str, texts)).split()]
        elif isinstance(each, ast.Tuple | ast.List | ast.Call):
            items = each.args if isinstance(each, ast.Call) else each.elts
            yield [e.value if isinstance(e, ast.Constant) else None for e in items]


def _has(row: list[str | None], words: list[str]) -> bool:
    return any(row[at : at + len(words)] == words for at in range(len(row)))
