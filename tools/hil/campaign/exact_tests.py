"""How probable it is that two counts differ so by chance alone: exact, for counts however small."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

# Tables that are as probable as the one seen but for rounding, as R's fisher.test has it.
_ALIKE = 1 + 1e-7


def fisher(first: int, of: int, second: int, of_second: int) -> float:
    """Returns the p of Fisher's exact test, two-sided, that `first` of `of` and `second` differ.

    R. A. Fisher, The Design of Experiments (1935), ch. II: with both sums given, the count is
    hypergeometric. Two-sided: all counts no more probable than the one seen.
    """
    seen = first + second
    low, high = max(0, seen - of_second), min(seen, of)
    # From the mode on either side, each from its neighbour: nothing is ever too large.
    mode = min(max((seen + 1) * (of + 1) // (of + of_second + 2), low), high)
    weights = {mode: 1.0}
    for count in range(mode, high):
        more = (seen - count) * (of - count) / ((count + 1) * (of_second - seen + count + 1))
        weights[count + 1] = weights[count] * more
    for count in range(mode, low, -1):
        fewer = count * (of_second - seen + count) / ((seen - count + 1) * (of - count + 1))
        weights[count - 1] = weights[count] * fewer
    limit = weights[first] * _ALIKE
    rare = sum(weight for weight in weights.values() if weight <= limit)
    return rare / sum(weights.values())


def sign(first: int, second: int) -> float:
    """Returns the p, two-sided, that of so many changes so few, or fewer, went one way.

    The exact form of McNemar's test, Psychometrika 12 (1947): a change goes either way by one in
    two. For the same jobs played twice, where `fisher` would take them for different ones.
    """
    changes = first + second
    fewer: int = sum(comb(changes, count) for count in range(min(first, second) + 1))
    return min(1.0, 2 * fewer / (1 << changes))


def holm(values: Sequence[float]) -> list[float]:
    """Returns each p as it counts beside the others: with so many tests some are small by chance.

    S. Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted = [1.0] * len(values)
    highest = 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=lambda at: values[at])):
        highest = max(highest, min(1.0, (len(values) - rank) * values[at]))
        adjusted[at] = highest
    return adjusted
