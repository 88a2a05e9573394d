"""Public names that the glossary bans (docs/glossary.md), and where they stand: `make check`.

A stranger guesses the field's word; a word of our own tale leads nobody anywhere. The table in the
glossary says which names the code does not use, and what it says in their place. A command's
function bears the command's name, which is an interface, and is let alone.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
PACKAGES = ("boards", "drivers", "firmware", "rules", "tools")
HEADING = "## Names the code does not use"
_ROW = re.compile(r"^\| `(\w+)` \| (.+) \|$")


class Use(NamedTuple):
    """A banned name where it is defined."""

    path: Path
    line: int
    name: str


def banned(page: str) -> dict[str, str]:
    """Returns what to say instead, by the banned name in lower case.

    Raises ValueError for a page without the table.
    """
    _, heading, rest = page.partition(f"{HEADING}\n")
    section = rest.partition("\n## ")[0]
    found = {row[1].lower(): row[2] for line in section.splitlines() if (row := _ROW.match(line))}
    if not heading or not found:
        raise ValueError(f"the glossary has no table below `{HEADING}`")
    return found


def public_names(path: Path) -> Iterator[Use]:
    """Yields the module itself, and every public class, function and method that it defines."""
    yield Use(path, 1, path.parent.name if path.name == "__init__.py" else path.stem)
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                if node.name.startswith("_") or _is_command(node):
                    continue
                yield Use(path, node.lineno, node.name)
                if isinstance(node, ast.ClassDef):
                    waiting.append(node)
            elif isinstance(node, ast.If | ast.Try):
                waiting.append(node)


def _is_command(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tells whether click makes a command of it: `@command.command(...)`."""
    calls = (each.func for each in node.decorator_list if isinstance(each, ast.Call))
    return any(isinstance(call, ast.Attribute) and call.attr == "command" for call in calls)


def uses(root: Path, names: dict[str, str]) -> list[Use]:
    """Returns every public name below `root` that is banned, by path and line."""
    paths = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    return [use for path in paths for use in public_names(path) if use.name.lower() in names]


def main() -> int:
    """Names each use; the exit status."""
    names = banned(GLOSSARY.read_text(encoding="utf-8"))
    found = uses(ROOT, names)
    for use in found:
        place = use.path.relative_to(ROOT)
        print(f"{place}:{use.line}: {use.name}: say {names[use.name.lower()]}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
