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


class GapForecast:
    """Follows a ball ahead from beam to beam, one at a time: a slow board does more in between."""

    def __init__(
        self,
        known: BallState,
        model: DirectionModel,
        direction: int,
        *,
        beams_turn: Sequence[float],
        early_turn: float,
    ) -> None:
        """`known`: of a ball whose motion is known, at its last beam. `beams_turn`: the beams'
        places, ascending. `early_turn`: a beam sees the ball so far before its middle passes.
        """
        self._motion = known.motion
        self._model = model
        self._direction = direction
        self._beams_turn = beams_turn
        self._chances = [0.0] * len(beams_turn)
        self._beam = known.crossing.beam
        self._at = known.motion  # where the ball was followed to
        self._early_turn = early_turn
        self._before = _FASTEST_TURN_S

    def go_on(self) -> bool:
        """Follows the ball to the next beam. False: it has left before, for certain."""
        if self._before < _SLOWEST_TURN_S:
            return False
        beams = len(self._beams_turn)
        curve, motion = self._model.curve, self._motion
        ahead = (self._beam + self._direction) % beams
        way = (self._beams_turn[ahead] - self._beams_turn[self._beam]) * self._direction % 1.0
        _, speed = kalman.travel(curve, self._at, (way or 1.0) - self._early_turn)
        _, var = kalman.time_to(curve, motion, speed, noise=self._model.assumed_noise())
        chance = self._model.margin.chance(speed, self._before, var)
        self._chances[gap_of(self._beam, self._direction, beams)] += chance
        self._at = kalman.MotionState(speed, motion.scale, 0.0, 0.0, 0.0)
        self._beam, self._before, self._early_turn = ahead, speed, 0.0
        return True

    def gaps_ppm(self) -> list[int]:
        """Returns the chance of each gap in ppm, WHOLE_PPM in all, as far as it was followed."""
        return _in_ppm(self._chances)


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
