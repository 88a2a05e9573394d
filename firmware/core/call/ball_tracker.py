"""Follows one ball from crossing to crossing, and keeps what its coup will teach."""

from firmware.core.call import kalman
from firmware.core.call.direction_model import DirectionModel
from firmware.core.sense.beams import Crossing
from firmware.core.units import TURN
from firmware.shims.typed import Any, NamedTuple, Sequence

# Faster balls are far from leaving, and may still skid (PHYSICS.md): each lap starts anew.
FOLLOWED_TURN_S = 1.2
SEEN_MAX = 24  # steps and laps remembered: three laps of eight beams
LESSONS_MAX = 96
SURPRISE_MAX = 16.0  # a step 4 sd off; further off is a stamp gone wrong, not a wheel
_NEXT = 1.5  # of a beam's share of the turn: a shorter step missed none

# A step between two beams: to which (None: some were missed), the speed after it (turn/s), by how
# much of its time it was longer than expected, and that squared in units of what is usual.
BeamStep = NamedTuple(
    "BeamStep", [("beam", "int | None"), ("speed", float), ("late", float), ("surprise", float)]
)
# A whole lap: when it ended, how long it took.
Lap = NamedTuple("Lap", [("at_us", int), ("lap_s", float)])
# All that is known at a crossing; motion: a kalman.MotionState. Both are None before the first lap,
# when nobody reads them. lessons: (speed, deceleration) from lap to lap, a beam later.
BallState = NamedTuple(
    "BallState",
    [
        ("crossing", Any),
        ("motion", Any),
        ("seen", "tuple[BeamStep, ...]"),
        ("laps", "tuple[Lap, ...]"),
        ("lessons", "tuple[tuple[float, float], ...]"),
    ],
)
_NOTHING = BallState(None, None, (), (), ())


class BallTracker:
    """Follows one ball in one direction. Takes back a crossing that the track has judged anew."""

    def __init__(self, model: DirectionModel) -> None:
        """`model`: what its direction has taught."""
        self.model = model
        self.known = _NOTHING
        self._before = _NOTHING

    def update(self, crossings: Sequence[Crossing]) -> None:
        """Takes the ball's crossings as beams.BallTrack keeps them; the last one is new."""
        end = crossings[-1]
        if end == self.known.crossing:
            return
        before = crossings[-2] if len(crossings) > 1 else None
        if before is not None and before == self._before.crossing:
            self.known = self._before  # the last one flickered, and comes once more
        self._before = self.known
        lap = _lap(crossings)
        laps, lessons = self.known.laps, self.known.lessons
        if lap is not None:
            laps = (laps + (Lap(end.at_us, 1.0 / lap),))[-SEEN_MAX:]
            lessons = (lessons + _lesson(crossings))[-LESSONS_MAX:]
        follows = self.known.motion is not None and before == self.known.crossing
        if lap is not None and (not follows or lap > FOLLOWED_TURN_S):
            begun = kalman.start(self.model.curve, lap, spread=self.model.assumed_spread())
            self.known = BallState(end, begun, (), laps, lessons)
        elif follows and before is not None:
            moved, seen = self._step(before, end)
            self.known = BallState(
                end, moved, (self.known.seen + (seen,))[-SEEN_MAX:], laps, lessons
            )
        # else: what was followed was something else; until a lap of this is known, better an old
        # estimate than none

    def _step(self, before: Crossing, end: Crossing) -> tuple[kalman.MotionState, BeamStep]:
        turned = end.turned_uturn - before.turned_uturn
        took_s = (end.at_us - before.at_us) / 1e6
        beams = len(self.model.offsets)
        single = turned * beams < TURN * _NEXT
        if single:
            took_s *= 1.0 - self.model.offsets[end.beam]
        noise = self.model.assumed_noise()
        moved, step = kalman.step(
            self.model.curve, self.known.motion, turned / TURN, took_s, noise=noise
        )
        surprise = min(step.off_s * step.off_s / step.var * noise / self.model.noise, SURPRISE_MAX)
        beam = end.beam if single else None
        return moved, BeamStep(beam, moved.speed, step.off_s / step.expected_s, surprise)


def followed_again(model: DirectionModel, crossings: Sequence[Crossing]) -> BallState:
    """Follows the last two laps of a ball by what its direction has learned since."""
    tracker = BallTracker(model)
    first = max(len(crossings) - 2 * len(model.offsets) - 1, 0)
    for end in range(first + 1, len(crossings) + 1):
        tracker.update(crossings[first:end])
    return tracker.known


def _lap(crossings: Sequence[Crossing]) -> float | None:
    """Mean speed (turn/s) of the lap that ends now, over a whole turn where beams allow: then a
    beam's own angle error cancels. None: not a lap yet."""
    end = crossings[-1]
    first = _turns_before(crossings, TURN)
    if first is None:
        return None
    turned = end.turned_uturn - first.turned_uturn
    mean: float = turned / (end.at_us - first.at_us)  # micro-turns a microsecond are turns a second
    return mean


def _lesson(crossings: Sequence[Crossing]) -> tuple[tuple[float, float], ...]:
    """((speed, deceleration),) from the lap that ended at the last beam to the one that ends now.

    () unless both are exactly whole.
    """
    now, before = _whole_lap(crossings), _whole_lap(crossings[:-1])
    if now is None or before is None:
        return ()
    seconds = (now[0] - before[0]) / 1e6
    return (((before[1] + now[1]) / 2.0, (before[1] - now[1]) / seconds),)


def _whole_lap(crossings: Sequence[Crossing]) -> tuple[int, float] | None:
    """(its middle in us, mean speed) of the lap that ends with the last crossing, or None."""
    if not crossings:
        return None
    end, first = crossings[-1], _turns_before(crossings, TURN)
    if first is None or end.turned_uturn - first.turned_uturn != TURN:
        return None
    return (first.at_us + end.at_us) // 2, TURN / (end.at_us - first.at_us)


def _turns_before(crossings: Sequence[Crossing], turns_uturn: int) -> Crossing | None:
    """Returns the last crossing at least so far before the newest, or None."""
    end = crossings[-1].turned_uturn
    for last in range(len(crossings) - 2, -1, -1):
        if end - crossings[last].turned_uturn >= turns_uturn:
            return crossings[last]
    return None
