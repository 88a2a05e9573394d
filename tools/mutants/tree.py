"""A copy of the checkout, as it stands, in which a mutant is put in and taken out again.

`unfit` says, without a copy, whether each mutant still fits the sources: `make check`.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from firmware.lib.errors import FAILED, Failure
from tools.mutants.catalogue import Mutant

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Unfit(ValueError):
    """A mutant that cannot be put in; the text says why, to stand after its name."""


def mutated(text: str, function: str, old: str, new: str) -> str:
    """The module's text with `old` replaced in that function. Raises Unfit.

    `function`: as its __qualname__, without "<locals>"; empty: in the whole module.
    """
    begin, end = 0, len(text)
    if function:
        found = [node for name, node in functions(text) if name == function]
        if len(found) != 1:
            raise Unfit(
                f"there is no function {function}" if not found else f"{function} is there twice"
            )
        begin, end = _span(text, found[0])
    function = function or "the module"
    body = text[begin:end]
    if (times := body.count(old)) != 1:
        raise Unfit(f"{function} has {old!r} {times} times, not once")
    altered = text[:begin] + body.replace(old, new) + text[end:]
    try:
        compile(altered, function, "exec")
    except SyntaxError as error:
        raise Unfit(f"{new!r} makes no Python in {function}: {error.msg}") from None
    if ast.dump(ast.parse(altered)) == ast.dump(ast.parse(text)):
        raise Unfit(f"{new!r} changes nothing in {function}")
    return altered


def functions(text: str) -> list[tuple[str, ast.stmt]]:
    """Every function of a module, with its qualified name."""
    found: list[tuple[str, ast.stmt]] = []

    def walk(node: ast.AST, within: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                name = within + child.name
                if isinstance(child, _FUNCTIONS):
                    found.append((name, child))
                walk(child, f"{name}.")
            else:
                walk(child, within)

    walk(ast.parse(text), "")
    return found


def _span(text: str, node: ast.stmt) -> tuple[int, int]:
    """From where to where it stands, its decorators left out."""
    lines = [f"{line}\n" for line in text.split("\n")]
    begin = sum(len(line) for line in lines[: node.lineno - 1])
    return begin, begin + sum(len(line) for line in lines[node.lineno - 1 : node.end_lineno])


def files(root: Path) -> list[str]:
    """All that git keeps or would keep: what is not committed, too. Raises Failure."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        told = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise Failure(FAILED, f"{root} is no checkout of git: mutants are played in one.") from None
    return sorted({name for name in told.decode().split("\0") if (root / name).is_file()})


class Tree:
    """One copy. One mutant at a time."""

    def __init__(self, root: Path, folder: Path) -> None:
        """Copies `root` into `folder`, which is made."""
        self.folder = folder
        for name in files(root):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)

    @contextlib.contextmanager
    def holding(self, mutant: Mutant) -> Iterator[None]:
        """The mistake is in the copy, and out of it afterwards."""
        path = self.folder / mutant.path
        text, stat = path.read_text(encoding="utf-8"), path.stat()
        self._put(path, mutated(text, mutant.function, mutant.old, mutant.new))
        try:
            yield
        finally:
            self._put(path, text)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _put(self, path: Path, text: str) -> None:
        # Byte code is told by size and second alone: two mutants may have both.
        for cached in Path(importlib.util.cache_from_source(str(path))).parent.glob(
            f"{path.stem}.*.pyc"
        ):
            cached.unlink()
        path.write_text(text, encoding="utf-8")


def unfit(mutants: Sequence[Mutant], root: Path, *, spread: bool = True) -> list[str]:
    """What is wrong, a sentence each; none: every mutant can be played.

    `spread`: no function has two.
    """
    found = []
    names = ("name", Counter(mutant.name for mutant in mutants))
    places = ("function", Counter(mutant.place for mutant in mutants))
    for what, counted in (names, places) if spread else (names,):
        found += [f"{each}: two mutants in one {what}." for each, n in counted.items() if n > 1]
    for mutant in mutants:
        found += [f"{mutant.name}: {why}." for why in _reasons(mutant, root)]
    return found


def _reasons(mutant: Mutant, root: Path) -> list[str]:
    found = []
    try:
        text = (root / mutant.path).read_text(encoding="utf-8")
        mutated(text, mutant.function, mutant.old, mutant.new)
    except OSError:
        found.append(f"there is no {mutant.path}")
    except Unfit as error:
        found.append(f"in {mutant.path} {error}")
    if not mutant.tests:
        found.append("it names no test")
    for test in mutant.tests:
        found += _missing(test, root)
    return found


def _missing(test: str, root: Path) -> list[str]:
    """That there is no such test, if so: it is a file, or a function of one."""
    path, _, name = test.partition("::")
    if not (root / path).is_file():
        return [f"there is no {path}"]
    wanted = name.partition("[")[0]
    if wanted and wanted not in dict(functions((root / path).read_text(encoding="utf-8"))):
        return [f"there is no test {wanted} in {path}"]
    return []
