"""Whether each mutant still fits the sources: `make check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tools.mutants.catalogue import Mutant
from tools.mutants.source import Unfit, functions, mutated


def unfit(mutants: Sequence[Mutant], root: Path) -> list[str]:
    """What is wrong, a sentence each; none: every mutant can be played."""
    found = []
    for what, counted in (
        ("name", Counter(mutant.name for mutant in mutants)),
        ("function", Counter(mutant.place for mutant in mutants)),
    ):
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
