"""What silence of the track's beams means: one of them missed the ball, or it has left."""

from firmware.core.sense.beams import BallTrack
from firmware.core.units import TURN
from firmware.shims.typed import Any, Callable

# In tenths of the time from beam to beam: one missing beam was missed, two are a ball that left.
SILENT_BEAMS = 24
ONE_BEAM = 11
FAST_BEAMS = 30  # so many more while the ball is too fast to leave at all
RING_BEAMS = 13  # past one beam's time already, if the ring sees the ball
STEADY_STEPS = 3  # without a missed beam before the drop, or it teaches nothing


class DropDetector:
    """Follows the time that the ball takes from beam to beam. Knows nothing of calls and coups."""

    def __init__(self) -> None:
        self.forget_coup()

    def forget_coup(self) -> None:
        """Forgets the ball: another one comes."""
        self.beam_us: Any = None  # what the ball took from beam to beam
        self.gone_us = 0  # a ball that the ring sees from then on has left the track
        self._last: Any = None  # the last beams.Crossing, while it ran
        self._steady = 0  # steps from beam to beam with none missed

    def crossed(self, track: BallTrack, *, is_fast: Callable[[int], bool]) -> int | None:
        """Takes that a beam saw the ball. Returns when silence means that it has left, or None.

        `is_fast`: tells of the time of a lap whether the ball is too fast to leave.
        """
        if len(track.crossings) < 2:
            return None
        last, before = track.crossings[-1], track.crossings[-2]
        travel = max(last.turned_uturn - before.turned_uturn, 1)
        beams = len(track.counts)
        self.beam_us = track.beam_us()
        blind = sum(not count for count in track.counts)  # silent every time
        missed = travel * beams * 2 > TURN * (3 + 2 * blind)
        self._steady = 0 if missed else self._steady + 1
        self._last = last
        late = 10 * blind
        if is_fast(self.beam_us * beams):
            late += FAST_BEAMS
        self.gone_us = last.at_us + self.beam_us * (RING_BEAMS + late) // 10
        return self.longest_us(last.at_us, late)

    def longest_us(self, at_us: int, late: int = 0) -> int:
        """Returns until when silence may be one missed beam. `late`: tenths of a beam more."""
        return int(at_us + self.beam_us * (SILENT_BEAMS + late) // 10)

    def last_beam(self, track: BallTrack) -> int | None:
        """Returns the beam that a ball which has left passed last; None where beams missed it.

        None too of a ball that a beam has seen since: it had not left.
        """
        if self._steady < STEADY_STEPS or 0 in track.counts or track.crossings[-1] != self._last:
            return None
        beam: int = self._last.beam
        return beam

    def left_us(self, track: BallTrack, blind: int) -> int | None:
        """Returns when a ball left, for what that teaches; None where beams missed it.

        `blind`: how many beams have not seen it at all.
        """
        if blind > 1 or self._steady < STEADY_STEPS:
            return None
        left_us: int = track.crossings[-1].at_us + self.beam_us * ONE_BEAM * (1 + blind) // 10
        return left_us
