"""When to call *rien ne va plus*: as the ball is about to leave the track, and never after.

Article 37-1 (seeds 000) lets players bet while the ball's speed holds it in the track. The ball
leaves when its speed falls under w_c (PHYSICS.md); w_c differs from wheel to wheel and is learned
from this wheel's own coups, so a new wheel starts on a cautious speed and earns its margin.

What counts as the drop: leaving the zone of the rim beams. Sensors see that only as a beam that
no longer comes, so each coup brackets w_c between the speeds at its last and its missing beam.

The only floats of the core are here, on times relative to the coup's own crossings, in turns and
seconds.
"""

from math import sqrt

from firmware.core.ball import Crossing
from firmware.core.pocket import TURN
from firmware.shims.typed import Any, NamedTuple, Sequence

CAUTIOUS_TURN_S = 0.70  # 4.4 rad/s; the steepest track of PHYSICS.md (28 deg) lets go at 3.81
MARGIN_SIGMAS = 4.5  # of the learned scatter, which holds the bracket's own width too
MARGIN_FRESH = 10.0  # and that many more, divided by the coups learned
# Of w_c: what the bracket alone scatters, and what a few coups cannot have shown yet.
SIGMA_MIN = 0.012
SIGMA_FRESH = 0.02  # divided by the root of the coups learned
FAST_SHARE = 1.3  # of the speed at which to call: a second or more before the drop
GUARD_SHARE = 0.97  # of the shortest last lap seen
LAP_CREEP = 1.002  # that a coup: one freak of 10 % is forgotten after some fifty
GUARD_FRESH = 0.15  # and that much less, divided by the coups it was seen in
DECELERATION_TURN_S2 = 0.055  # W2 of PHYSICS.md near its drop; until the coup shows its own
DECELERATION_LIMITS = (0.010, 0.300)  # both wheels of PHYSICS.md at any speed, and then some

# What this wheel has taught, kept across restarts: coups, mean and summed squares of the speed at
# the drop (turn/s), and the shortest last lap (s).
Learned = NamedTuple(
    "Learned", [("coups", int), ("mean", float), ("squares", float), ("lap_min", float)]
)
FRESH = Learned(0, 0.0, 0.0, 0.0)


def restore(plain: Any) -> Learned:
    """Learned state from its stored list. Whatever is not one gives FRESH: a cautious start."""
    try:
        coups, mean, squares, lap_min = plain
        learned = Learned(int(coups), float(mean), float(squares), float(lap_min))
    except (TypeError, ValueError, OverflowError):
        return FRESH
    sane = 0 < learned.coups and 0.2 < learned.mean < 1.0 and 0.0 <= learned.squares < 1e6
    return learned if sane and 0.5 < learned.lap_min < 6.0 else FRESH


class Caller:
    """Decides when to call no more bets. Knows nothing of who is betting."""

    def __init__(self, learned: Learned, *, call_us: int) -> None:
        """`call_us`: how long the call itself takes; it is over before the ball may leave."""
        self.learned = learned
        self._call_us = call_us
        self._speeds: Any = None  # the last estimate: (at_us, turn/s, turn/s2)
        self._lap_s = 0.0

    def call_speed(self) -> float:
        """The ball's speed, turn/s, at which the call must be over."""
        learned = self.learned
        if not learned.coups:
            return CAUTIOUS_TURN_S
        scatter = sqrt(learned.squares / learned.coups)
        least = SIGMA_MIN + SIGMA_FRESH / sqrt(learned.coups)
        scatter = max(scatter, least * learned.mean)
        margin = (MARGIN_SIGMAS + MARGIN_FRESH / learned.coups) * scatter
        return min(CAUTIOUS_TURN_S, learned.mean + margin)

    def guard_lap(self) -> float:
        """The lap, in seconds, that makes the guard speak whatever the prediction says."""
        learned = self.learned
        if not learned.coups:
            return 1.0 / CAUTIOUS_TURN_S
        lap_s = learned.lap_min * (GUARD_SHARE - GUARD_FRESH / learned.coups)
        return max(lap_s, 1.0 / CAUTIOUS_TURN_S)

    def crossed(self, crossings: Sequence[Crossing]) -> Any:
        """At every crossing: the time (us) at which to call, unless a later crossing moves it.

        A time not after the crossing means: now. None: the ball's speed is not known yet.
        """
        self._estimate(crossings)
        if self._speeds is None:
            return None
        at_us, speed, deceleration = self._speeds
        if self.guarded():
            return at_us
        left = (speed - self.call_speed()) / deceleration
        return at_us + int(left * 1e6) - self._call_us

    def guarded(self) -> bool:
        """True if the last lap makes the guard speak."""
        return self._lap_s >= self.guard_lap()

    def explain(self, why: str) -> Any:
        """What a call made now went by, for evidence.py, in whole micro-turns and microseconds.

        `drop_us`: when the ball is expected to leave, from what earlier coups have taught.
        """
        said = {"why": why, "call_us": self._call_us, "learned": self.learned.coups}
        if self._speeds is None:
            return said
        at_us, speed, deceleration = self._speeds
        said["lap_us"] = int(self._lap_s * 1e6)
        said["guard_lap_us"] = int(self.guard_lap() * 1e6)
        said["speed_uturn_s"] = int(speed * 1e6)
        said["slowing_uturn_s2"] = int(deceleration * 1e6)
        said["call_speed_uturn_s"] = int(self.call_speed() * 1e6)
        if self.learned.coups:
            said["drop_speed_uturn_s"] = int(self.learned.mean * 1e6)
            said["drop_us"] = at_us + int((speed - self.learned.mean) / deceleration * 1e6)
        return said

    def fast(self, lap_us: int) -> bool:
        """True if a ball with such a lap is too fast to leave, whatever beams are silent."""
        return lap_us * FAST_SHARE * self.call_speed() < 1e6

    def left(self, missing_us: int) -> None:
        """The ball has left the track: its beam at `missing_us` did not come. Learns w_c."""
        if self._speeds is None:
            return
        at_us, speed, deceleration = self._speeds
        after = speed - deceleration * (missing_us - at_us) / 1e6
        middle = (speed + max(after, 0.0)) / 2
        if middle > CAUTIOUS_TURN_S:
            return  # no ball leaves so fast: it was stopped or taken
        learned = self.learned
        coups = learned.coups + 1
        off = middle - learned.mean
        mean = learned.mean + off / coups
        lap_min = self._lap_s
        if learned.coups:
            lap_min = min(learned.lap_min * LAP_CREEP, lap_min)
        self.learned = Learned(coups, mean, learned.squares + off * (middle - mean), lap_min)

    def forget_coup(self) -> None:
        """A new throw: its speed is not known yet."""
        self._speeds = None
        self._lap_s = 0.0

    def _estimate(self, crossings: Sequence[Crossing]) -> None:
        now = _lap(crossings, len(crossings) - 1)
        if now is None:
            return
        middle_us, speed, self._lap_s = now
        deceleration = DECELERATION_TURN_S2
        before = _lap(crossings, len(crossings) - 2)
        if before is not None:
            gap_s = (middle_us - before[0]) / 1e6
            deceleration = (before[1] - speed) / gap_s
        low, high = DECELERATION_LIMITS
        deceleration = min(max(deceleration, low), high)
        at_us = crossings[-1].at_us
        self._speeds = (at_us, speed - deceleration * (at_us - middle_us) / 1e6, deceleration)


def _lap(crossings: Sequence[Crossing], last: int) -> Any:
    """The lap that ends at crossings[last]: (its middle, us; mean speed, turn/s; time a turn, s).

    Taken over whole turns where beams allow, so that a beam's own angle error cancels.
    """
    end = crossings[last]
    first = last - 1
    while first >= 0 and end.turned_uturn - crossings[first].turned_uturn < TURN:
        first -= 1
    if first < 0:
        return None
    start = crossings[first]
    turned = (end.turned_uturn - start.turned_uturn) / TURN
    seconds = (end.at_us - start.at_us) / 1e6
    return (start.at_us + end.at_us) // 2, turned / seconds, seconds / turned
