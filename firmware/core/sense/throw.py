"""The throw of a boule ball, by the beams of the track: when it began, and when it must be over."""

from firmware.core.sense import beams as beam_track
from firmware.core.units import TURN
from firmware.shims.typed import Any, Sequence

PULSE_MIN_US = 3_000  # a 20 mm ball at 6.7 m/s, 2.8 turns a second: rubber does not run so fast
UNFOLLOWED_US = 1_500_000  # a ball just thrown passes a beam every .4 s, even if one misses it
DARK_US = 1_000_000  # a beam dark for longer is not a ball
# In tenths of the time from beam to beam. Cups tell of a drop at once; silence alone waits for as
# many missed beams as a ball may pass in a row.
SILENT_BEAMS = 58
CUP_BEAMS = 13  # past one beam's time already, if a cup sees the ball


class Throw:
    """Follows the ball of one throw after the other. Knows nothing of cups and coups."""

    def __init__(self, geometry: dict[str, Any]) -> None:
        """`geometry` as beams.BallTrack takes it."""
        self._track = beam_track.BallTrack(geometry, pulse_min_us=PULSE_MIN_US)
        self.crossed_us: Any = None  # a beam last saw the ball that is followed
        self.passed_us: Any = None  # a beam last saw something like a ball
        self._left = False
        # Follows what runs while a ball is known to have left the track.
        self._other = beam_track.BallTrack(geometry, pulse_min_us=PULSE_MIN_US)
        self.reset()

    def reset(self) -> None:
        """Waits for the first beam of the next throw."""
        self._track.reset()
        self._other.reset()
        self.gone_us = 0  # a ball that a cup sees from then on has left the track

    @property
    def direction(self) -> int:
        """Returns the direction of the ball, as soon as its beams prove it."""
        return self._track.direction

    @property
    def second_ball(self) -> bool:
        """Returns whether one ball does not explain what the beams saw."""
        return self._track.second_ball

    def pulse_began(self, at_us: int, beam: int, level: int) -> int | None:
        """Returns when the pulse began that this edge ends, if it is as long as a ball makes it."""
        rise_us = self._track.rises[beam]
        if level or rise_us is None:
            return None
        return rise_us if PULSE_MIN_US <= at_us - rise_us <= beam_track.PULSE_MAX_US else None

    @property
    def runs_on(self) -> bool:
        """Returns whether the beams prove a ball in the track after one has left it."""
        return self._other.direction != 0

    def passing(self, at_us: int, *, left: bool) -> None:
        """Takes that a ball's pulse is about to end. `left`: after one has left the track."""
        before_us, self.passed_us = self.passed_us, at_us
        before, self._left = self._left, left
        if left != before or before_us is None or at_us - before_us > UNFOLLOWED_US:
            self._other.reset()

    def edge(self, at_us: int, beam: int, level: int) -> bool:
        """Takes an edge; True if it ended a pulse of the ball that is followed."""
        followed = self._track.edge(at_us, beam, level)
        if followed and not self._left:
            self._other.rises[beam] = None
        self._other.edge(at_us, beam, level)
        if not followed:
            return False
        self.crossed_us = at_us
        return True

    def silent_us(self, at_us: int) -> int:
        """Returns until when the next beam must have seen the ball, after one just did."""
        crossings = self._track.crossings
        if not self.direction or len(crossings) < 2:
            self.gone_us = at_us + DARK_US
            return at_us + UNFOLLOWED_US
        last, before = crossings[-1], crossings[-2]
        beams = len(self._track.counts)
        travel = max(last.turned_uturn - before.turned_uturn, 1)
        beam_us = (last.at_us - before.at_us) * (TURN // beams) // travel
        self.gone_us = last.at_us + beam_us * CUP_BEAMS // 10
        return int(last.at_us + beam_us * SILENT_BEAMS // 10)

    def turned(self, turns: int) -> bool:
        """Returns whether the beams prove so many turns."""
        return self.direction != 0 and self.turns_uturn >= turns * TURN

    @property
    def turns_uturn(self) -> int:
        """Returns the travel in the track that the beams prove."""
        return self._track.turns_uturn()

    @property
    def beams(self) -> Sequence[int]:
        """Returns how often each beam has seen the ball."""
        return list(self._track.counts)

    def dark(self, at_us: int) -> Sequence[int]:
        """Returns the beams that something stays in front of."""
        return [
            beam
            for beam, rise_us in enumerate(self._track.rises)
            if rise_us is not None and at_us - rise_us > DARK_US
        ]
