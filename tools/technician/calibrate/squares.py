"""Least squares, of some ten unknowns and hundred equations at most. No I/O."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

_ALIKE = 1e-9  # of a column: what is left of it, if the others say the same


def fitted(
    rows: Sequence[Sequence[float]], values: Sequence[float]
) -> tuple[list[float], list[float]]:
    """What solves `rows` x = `values` best, and the standard deviation of each.

    Raises ValueError if there are too few equations, or they leave an unknown open.
    """
    count = len(rows[0]) if rows else 0
    if len(rows) <= count:
        raise ValueError("too few equations")
    normal = [[sum(row[i] * row[j] for row in rows) for j in range(count)] for i in range(count)]
    right = [sum(row[i] * value for row, value in zip(rows, values, strict=True))
             for i in range(count)]  # fmt: skip
    inverse = _inverse(normal)
    found = [sum(a * b for a, b in zip(line, right, strict=True)) for line in inverse]
    left = [
        value - sum(a * b for a, b in zip(row, found, strict=True))
        for row, value in zip(rows, values, strict=True)
    ]
    variance = sum(each * each for each in left) / (len(rows) - count)
    return found, [sqrt(variance * max(0.0, inverse[i][i])) for i in range(count)]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Of a matrix that is symmetric, and positive definite but for rounding (Gauss and Jordan)."""
    count = len(matrix)
    work = [[*row, *(float(i == j) for j in range(count))] for i, row in enumerate(matrix)]
    for at in range(count):
        pivot = work[at][at]
        if pivot <= _ALIKE * matrix[at][at]:
            raise ValueError("the equations leave an unknown open")
        work[at] = [each / pivot for each in work[at]]
        for other in range(count):
            factor = work[other][at]
            if other != at and factor:
                work[other] = [a - factor * b for a, b in zip(work[other], work[at], strict=True)]
    return [row[count:] for row in work]
