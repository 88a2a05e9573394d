"""Where the ball leaves the track: a tilt shows there long before it shows in the numbers.

On a wheel that stands level every place is as likely. Tilted, the ball leaves on its climb to the
high side, some 90 degrees past the low point in its own direction (PHYSICS.md): so the place
mirrors when the direction reverses. A flaw of the track stays where it is. Counted is between which
two beams the ball left, per direction; with one beam there is nothing to count.

The evidence is a mean of likelihood ratios over places and strengths, each against the level wheel;
by chance it exceeds E no oftener than once in E wheels, whenever one looks.
"""

from math import atan2, cos, exp, log, pi, sin

from firmware.shims.typed import Sequence

STRONG = 10_000.0
_CLEARER = 10.0  # times likelier than the other explanation
COUPS_MAX = 2_000  # then all counts are halved: what was long ago fades
_STRENGTHS = (0.1, 0.2, 0.4)  # vector strength of the drop angles; PHYSICS.md: .05 to .5 deg
_PLACES = 24
_PAST_LOW = 0.25  # turns, in the ball's direction
_LOG_MAX = 60.0

TILTED = "tilted"
FLAWED = "flawed"


def judge(
    beams_turn: Sequence[float], ccw: Sequence[int], cw: Sequence[int]
) -> tuple[str, int] | None:
    """Returns (TILTED, low side in degrees) or (FLAWED, place in degrees); None: weak evidence.

    `beams_turn`: the beams' places, ascending; counts: drops between each beam and the next ccw.
    """
    if len(beams_turn) < 2 or sum(ccw) + sum(cw) == 0:
        return None
    tilted, low = _evidence(beams_turn, ccw, cw, _PAST_LOW)
    flawed, place = _evidence(beams_turn, ccw, cw, None)
    if tilted > log(STRONG) and tilted > flawed + log(_CLEARER):
        return TILTED, low
    if flawed > log(STRONG) and flawed > tilted + log(_CLEARER):
        return FLAWED, place
    return None


def _evidence(
    beams_turn: Sequence[float], ccw: Sequence[int], cw: Sequence[int], past: float | None
) -> tuple[float, int]:
    """Logarithm of the evidence for places `past` a low point each way (None: for one place).

    And that point, as the evidence weighs it.
    """
    found = []
    for point in range(_PLACES):
        at = point / _PLACES
        there, back = (at, at) if past is None else (at + past, at - past)
        for strength in _STRENGTHS:
            ratio = _log_ratio(beams_turn, ccw, there, strength)
            found.append((ratio + _log_ratio(beams_turn, cw, back, strength), at))
    best = max([ratio for ratio, _ in found])
    total = east = north = 0.0
    for ratio, at in found:
        weight = exp(max(ratio - best, -_LOG_MAX))
        total += weight
        east += weight * cos(2.0 * pi * at)
        north += weight * sin(2.0 * pi * at)
    degrees = round(atan2(north, east) * 36.0 / pi) * 5 % 360
    return best + log(total / len(found)), degrees


def _log_ratio(
    beams_turn: Sequence[float], counts: Sequence[int], at: float, strength: float
) -> float:
    """Of the counts, for drops that lean to `at` (turns) against drops anywhere."""
    found = 0.0
    for gap in range(len(counts)):
        if counts[gap]:
            begin = beams_turn[gap]
            end = beams_turn[gap + 1] if gap + 1 < len(counts) else beams_turn[0] + 1.0
            lean = (sin(2.0 * pi * (end - at)) - sin(2.0 * pi * (begin - at))) / pi
            found += counts[gap] * log(1.0 + strength * lean / (end - begin))
    return found
