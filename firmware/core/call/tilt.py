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
_PAST_LOW = _PLACES // 4  # in the ball's direction: a quarter turn
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
    ccw_ratios, cw_ratios = _ratios(beams_turn, ccw), _ratios(beams_turn, cw)
    tilted, low = _evidence(ccw_ratios, cw_ratios, _PAST_LOW)
    flawed, place = _evidence(ccw_ratios, cw_ratios, 0)
    if tilted > log(STRONG) and tilted > flawed + log(_CLEARER):
        return TILTED, low
    if flawed > log(STRONG) and flawed > tilted + log(_CLEARER):
        return FLAWED, place
    return None


def _ratios(beams_turn: Sequence[float], counts: Sequence[int]) -> list[list[float]]:
    """Works out, by place and strength, how much likelier the counts are if drops lean to that
    place than if any is as likely. Logarithms."""
    gaps = []
    for gap in range(len(counts)):
        ends = beams_turn[gap + 1] if gap + 1 < len(counts) else beams_turn[0] + 1.0
        if counts[gap]:
            gaps.append((beams_turn[gap], ends, counts[gap]))
    found = []
    for point in range(_PLACES):
        at = point / _PLACES
        ratios = [0.0] * len(_STRENGTHS)
        for begins, ends, count in gaps:
            lean = (sin(2.0 * pi * (ends - at)) - sin(2.0 * pi * (begins - at))) / pi
            lean /= ends - begins
            for place in range(len(_STRENGTHS)):
                ratios[place] += count * log(1.0 + _STRENGTHS[place] * lean)
        found.append(ratios)
    return found


def _evidence(ccw: list[list[float]], cw: list[list[float]], past: int) -> tuple[float, int]:
    """Logarithm of the evidence for drops that lean `past` a point in the ball's direction, of
    _PLACES; and that point in degrees, as the evidence weighs it."""
    found = []
    for point in range(_PLACES):
        there, back = ccw[(point + past) % _PLACES], cw[point - past]
        for place in range(len(_STRENGTHS)):
            found.append((there[place] + back[place], point / _PLACES))
    best = max([ratio for ratio, _ in found])
    total = east = north = 0.0
    for ratio, at in found:
        weight = exp(max(ratio - best, -_LOG_MAX))
        total += weight
        east += weight * cos(2.0 * pi * at)
        north += weight * sin(2.0 * pi * at)
    degrees = round(atan2(north, east) * 36.0 / pi) * 5 % 360
    return best + log(total / len(found)), degrees
