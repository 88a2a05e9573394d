"""The call as a microcontroller works it out: firmware.core.call.predictor in single precision.

A copy of the modules of call/ is made that never holds a double: every literal is rounded to
float32, and so is what every operation and every function of `math` gives, each by itself, as
IEEE 754 has it. (For + - * / and square roots, rounding the double result once more is
exactly that.) Whole numbers stay whole, and are rounded where they meet a float.
"""

from __future__ import annotations

import ast
import builtins
import math
import operator
import struct
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_COPIED = ("firmware.core.call.predictor", "firmware.core.call")
_cell = array("f", [0.0])


def single(value: float) -> float:
    """The nearest float32."""
    _cell[0] = value
    return _cell[0]


def next_to(value: float, steps: int) -> float:
    """The float32 so many steps further from 0: as far off as a chip's library may be."""
    if not value or not math.isfinite(value):
        return value
    bits = struct.unpack("<i", struct.pack("<f", value))[0]
    return struct.unpack("<f", struct.pack("<i", bits + steps))[0]


def _rounding(operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def rounded(left: Any, right: Any) -> Any:
        if type(left) is not float:
            if type(right) is not float:
                return operate(left, right)
            left = single(left)
        elif type(right) is not float:
            right = single(right)
        _cell[0] = operate(left, right)
        return _cell[0]

    return rounded


def _quotient(above: Any, below: Any) -> float:
    return single(single(above) / single(below))  # of whole numbers too


def _sum(values: Iterable[Any]) -> Any:
    total: Any = 0
    for value in values:
        total = OPERATIONS["_add"](total, value)
    return total


OPERATIONS: dict[str, Callable[..., Any]] = {
    "_add": _rounding(operator.add),
    "_sub": _rounding(operator.sub),
    "_mult": _rounding(operator.mul),
    "_pow": _rounding(operator.pow),
    "_floordiv": _rounding(operator.floordiv),
    "_mod": _rounding(operator.mod),
    "_div": _quotient,
    "sum": _sum,
}


class _Rounded(ast.NodeTransformer):
    """Rewrites a module so."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(single(node.value)) if isinstance(node.value, float) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _call(node.op, node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        target = ast.parse(ast.unparse(node.target), mode="eval").body  # as it is read
        self.generic_visit(node)
        return ast.Assign([node.target], _call(node.op, self.visit(target), node.value))


def _call(operation: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
    name = ast.Name(f"_{type(operation).__name__.lower()}", ast.Load())
    return ast.Call(name, [left, right], [])


class _Math:
    """`math` in single precision."""

    def __init__(self, nudge: Callable[[float], float]) -> None:
        self._nudge = nudge

    def __getattr__(self, name: str) -> Any:
        found = getattr(math, name)
        if isinstance(found, float):
            return single(found)
        if name == "sqrt":  # exact by IEEE 754
            return lambda value: single(found(value))
        return lambda *args: self._nudge(single(found(*args)))


class SingleModules:
    """The copies. `drop` is that of firmware.core.call.predictor."""

    def __init__(self, nudge: Callable[[float], float] = lambda value: value) -> None:
        """`nudge`: what becomes of each result of exp, log, sin and the like."""
        self.copies: dict[str, ModuleType] = {}
        self._math = _Math(nudge)
        self.drop: Any = self._load("firmware.core.call.predictor")

    def _load(self, name: str) -> ModuleType:
        if name in self.copies:
            return self.copies[name]
        path = ROOT.joinpath(*name.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        tree = _Rounded().visit(ast.parse(path.read_text(encoding="utf-8")))
        copy = self.copies[name] = ModuleType(f"single.{name}")
        copy.__dict__["__builtins__"] = vars(builtins) | {"__import__": self._import}
        copy.__dict__.update(OPERATIONS)
        exec(compile(ast.fix_missing_locations(tree), str(path), "exec"), copy.__dict__)
        return copy

    def _import(self, name: str, *rest: Any) -> Any:
        if name == "math":
            return self._math
        if not name.startswith(_COPIED):
            return __import__(name, *rest)
        copy = self._load(name)
        for wanted in rest[2] or ():
            if not hasattr(copy, wanted):  # a module of the package
                setattr(copy, wanted, self._load(f"{name}.{wanted}"))
        return copy


def floats(found: Any, path: str = "", seen: Any = None) -> Iterator[tuple[str, float]]:
    """Every float that an object holds, with where. Two objects may hold each other."""
    seen = set() if seen is None else seen
    if isinstance(found, float):
        yield path, found
    elif isinstance(found, dict):
        for key, value in found.items():
            yield from floats(value, f"{path}.{key}", seen)
    elif isinstance(found, (list, tuple)):
        for at, value in enumerate(found):
            yield from floats(value, f"{path}[{at}]", seen)
    elif id(found) in seen or isinstance(found, type) or callable(found):
        return
    elif hasattr(found, "__dict__"):
        seen.add(id(found))
        yield from floats(vars(found), path, seen)
