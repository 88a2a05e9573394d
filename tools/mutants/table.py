"""What became of the mutants, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from tools.mutants.catalogue import Mutant
from tools.mutants.results import RED, SEEN, TEST, Result

_HEAD = ("mutant", "kind", "", "by", "seen by")


def lines(mutants: Sequence[Mutant], results: Sequence[Result | None]) -> list[str]:
    """The table, and the count under it; None: that one was not played."""
    rows = [_HEAD]
    for mutant, result in zip(mutants, results, strict=True):
        told = ("not played", "", "") if result is None else (result.word, result.by, result.detail)
        rows.append((mutant.name, mutant.kind, *told))
    wide = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    table = ["  ".join(f"{cell:<{size}}" for cell, size in zip(row, wide, strict=True)).rstrip()
             for row in rows]  # fmt: skip
    return [*table, "", count(results)]


def count(results: Sequence[Result | None]) -> str:
    """How many were seen, and how many of those under `make test`."""
    seen = [result for result in results if result is not None and result.word in SEEN]
    under = sum(result.by == TEST for result in seen)
    return f"{len(seen)} of {len(results)} {RED}, {under} of them under {TEST}."
