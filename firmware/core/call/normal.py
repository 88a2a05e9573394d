"""The normal distribution, as far as the call needs it. Good in single precision too: the tails are
taken from the side where they are small."""

from math import erfc, exp, pi, sqrt

_ROOT_2 = sqrt(2.0)
_PEAK = 1.0 / sqrt(2.0 * pi)
_FAR = 12.0  # from there the density is 0 in single precision


def below(z: float) -> float:
    """Returns the chance of a value below `z` standard deviations."""
    return 0.5 * erfc(-z / _ROOT_2)


def between(low: float, high: float) -> float:
    """Returns the chance of a value between two, in standard deviations; low <= high."""
    if low > 0.0:
        return below(-low) - below(-high)
    return below(high) - below(low)


def density(z: float) -> float:
    """Returns the density at `z` standard deviations."""
    return _PEAK * exp(-0.5 * z * z) if abs(z) < _FAR else 0.0
