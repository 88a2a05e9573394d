"""The portable part keeps to what MicroPython has: no construct or name that it lacks.

`make micropython` runs the real interpreter; this says at once, and in words, what went wrong.
"""

import ast
from collections.abc import Iterator

import pytest

from tools.micropython import portable

# Modules of CPython that a MicroPython device lacks. What it has in another form is here too.
MISSING = frozenset(
    "__future__ abc contextlib dataclasses datetime decimal enum fractions functools inspect io "
    "itertools logging operator pathlib re secrets statistics string subprocess typing uuid".split()
)
# The sans-IO part has no clock, no I/O and no randomness either (import-linter says so too).
SANS_IO = frozenset("time random os threading asyncio serial smbus2 machine".split())
# Methods of built-in types that MicroPython lacks.
METHODS = frozenset(
    "as_integer_ratio bit_count casefold expandtabs format_map is_integer isascii "
    "isidentifier isprintable istitle ljust maketrans removeprefix removesuffix rjust swapcase "
    "title translate zfill".split()
)
TYPED = "firmware/shims/typed.py"  # the one place that tries `typing` first


def complaints(source: str) -> Iterator[str]:
    """What MicroPython could not run in a source text."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Match():
                what = "match"
            case ast.Raise(cause=cause) if cause is not None:
                what = "raise ... from"
            case ast.Dict(keys=keys) if None in keys:
                what = "{**d}"
            case ast.List(ctx=ast.Load(), elts=elts) | ast.Tuple(ctx=ast.Load(), elts=elts) if any(
                isinstance(element, ast.Starred) for element in elts
            ):
                what = "[*a]"
            case ast.Import(names=names):
                what = next((n.name for n in names if n.name.split(".")[0] in MISSING), "")
            case ast.ImportFrom(module=str(module)):
                what = module if module.split(".")[0] in MISSING else ""
                what = module if module == "collections.abc" else what
            # Called, or of the type itself: a record may have a field of that name.
            case (
                ast.Call(func=ast.Attribute(attr=attr))
                | ast.Attribute(value=ast.Name(id="str" | "int"), attr=attr)
            ):
                what = f".{attr}" if attr in METHODS else ""
            case ast.arguments(posonlyargs=[_, *_]):
                what = "positional-only parameters"
            case ast.ClassDef(bases=bases) if any(
                isinstance(base, ast.Name) and base.id == "NamedTuple" for base in bases
            ):
                what = "class ...(NamedTuple)"
            case _:
                what = ""
        if what:
            yield f"line {getattr(node, 'lineno', '?')}: {what}"


def sans_io_imports(source: str) -> list[str]:
    """Imports of clocks, I/O or randomness."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return [name for name in names if name.split(".")[0] in SANS_IO]


@pytest.mark.parametrize("path", [path for path in portable.files() if str(path) != TYPED], ids=str)
def test_a_portable_file_has_nothing_that_micropython_lacks(path: object) -> None:
    source = (portable.ROOT / str(path)).read_text(encoding="utf-8")
    assert list(complaints(source)) == []


@pytest.mark.parametrize(
    "path",
    [path for path in portable.files() if not str(path).startswith("firmware/shims")],
    ids=str,
)
def test_a_portable_file_imports_neither_clock_nor_machine(path: object) -> None:
    source = (portable.ROOT / str(path)).read_text(encoding="utf-8")
    assert sans_io_imports(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "match a:\n    case _: pass",
        "raise A from b",
        "a = {**b}",
        "a = [*b]",
        "a = (*b, 1)",
        "from __future__ import annotations",
        "import dataclasses",
        "from typing import Any",
        "from collections.abc import Sequence",
        "a.bit_count()",
        "a.removeprefix(b)",
        "map(str.title, a)",
        "def f(a, /): pass",
        "class A(NamedTuple):\n    a: int",
    ],
)
def test_each_forbidden_construct_is_found(source: str) -> None:
    assert len(list(complaints(source))) == 1


def test_what_micropython_has_is_not_complained_about() -> None:
    source = "import json\n*a, b = c\nf(*a, **b)\nraise A\nd = {1: 2}\n'x'.join(a)\na.title\n"
    assert list(complaints(source)) == []


def test_the_portable_part_is_found_whole() -> None:
    names = portable.modules()
    assert {"firmware.core.coup", "boards.roulette_ref", "rules.roulette_lu"} <= set(names)
    assert {"firmware", "firmware.core", "drivers", "firmware.shims.typed"} <= set(names)
    assert "firmware.shims.virtual" not in names
    assert "firmware.loop" not in names
