"""In which gap between two beams the ball will leave the track, were all places of it alike.

Gap g lies between beam g and the next one counter-clockwise. A level wheel whose ball is thrown
evenly lets it go in like gaps, coup after coup: a drop is a sign of a tilt or a flaw only against
what the ball's own motion foretold at the call (firmware/core/health/drops.py).
"""

from firmware.core.call import kalman
from firmware.core.call.ball_tracker import BallState
from firmware.core.call.direction_model import DirectionModel
from firmware.core.facts import CCW
from firmware.shims.typed import Sequence

WHOLE_PPM = 1_000_000  # of all gaps together
_SLOWEST_TURN_S = 0.30  # no ball is in a track so slow: PHYSICS.md, .42 on a slope of 15 degrees
_FASTEST_TURN_S = 9.0  # as good as no limit: the ball may leave at once


def gap_of(beam: int, direction: int, beams: int) -> int:
    """Returns the gap that a ball runs into from that beam."""
    return beam if direction == CCW else (beam - 1) % beams


def foretell_gaps(
    known: BallState,
    model: DirectionModel,
    direction: int,
    *,
    beams_turn: Sequence[float],
    early_turn: float,
) -> list[int]:
    """Returns the chance of each gap in ppm, WHOLE_PPM in all.

    `known`: of a ball whose motion is known, at its last beam. `beams_turn`: the beams' places,
    ascending. `early_turn`: a beam sees the ball so far before its middle passes.
    """
    beams = len(beams_turn)
    curve, motion, noise = model.curve, known.motion, model.assumed_noise()
    chances = [0.0] * beams
    beam, at, before = known.crossing.beam, motion, _FASTEST_TURN_S
    early = early_turn
    while before >= _SLOWEST_TURN_S:
        ahead = (beam + direction) % beams
        way = (beams_turn[ahead] - beams_turn[beam]) * direction % 1.0 or 1.0
        _, speed = kalman.travel(curve, at, way - early)
        _, var = kalman.time_to(curve, motion, speed, noise=noise)
        chances[gap_of(beam, direction, beams)] += model.margin.chance(speed, before, var)
        at = kalman.MotionState(speed, motion.scale, 0.0, 0.0, 0.0)
        beam, before, early = ahead, speed, 0.0
    return _in_ppm(chances)


def _in_ppm(chances: Sequence[float]) -> list[int]:
    """Rounds shares of a whole so that their sum is whole."""
    total = sum(chances)
    found = []
    below, given = 0.0, 0
    for chance in chances:
        below += chance
        upto = round(below / total * WHOLE_PPM)
        found.append(upto - given)
        given = upto
    return found
