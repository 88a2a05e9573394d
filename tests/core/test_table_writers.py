"""The table of a coup is written by its own methods alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
OWN = FIRMWARE / "core" / "coup" / "table.py"
# Who holds a Table, in all of the core.
NAMES = ("table", "_table")
CHANGES = ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update")


def is_table(node: ast.expr) -> bool:
    """Whether that is a name, or an attribute, of somebody who holds a Table."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
    return name in NAMES


def written(text: str) -> Iterator[str]:
    """The attributes of a Table that these lines write, or whose list they change."""
    for node in ast.walk(ast.parse(text)):
        held: ast.AST = node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in CHANGES:
                continue
            held = node.func.value
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            held = node.value
        elif not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
            continue
        if isinstance(held, ast.Attribute) and is_table(held.value):
            yield held.attr


def test_only_its_own_methods_write_a_table() -> None:
    found = {
        str(path.relative_to(FIRMWARE)): names
        for path in FIRMWARE.rglob("*.py")
        if path != OWN and (names := sorted(written(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "table.ball_direction = 1",
        "self.table.last_seq_given += 1",
        "before, self._table.rotor_direction = table.rotor_direction, way",
        "del table.last_outcome",
        "self.table.out.append(fact)",
        "table.corrections[0] = (1, 2)",
    ],
)
def test_such_a_line_is_found(line: str) -> None:
    assert len(list(written(line))) == 1


def test_reading_a_table_and_calling_its_methods_writes_nothing() -> None:
    assert list(written("table.launched(at_us, table.ball_direction)\nfound = [*table.out]")) == []
