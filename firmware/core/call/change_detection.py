"""Is this still the wheel that was learned? Another ball, a polished track, a foot that has sunk.

Each coup is asked how much likelier it would be had something changed: the ball slows more or less
than any did (its scale), its steps come out worse than they did (its noise), it leaves faster or
slower (its bracket). Such ratios have the mean 1 while nothing has changed, so their running sums
(Shiryaev-Roberts) exceed a limit L by chance no sooner than after L coups on average, whenever one
looks: the test is valid at any time.

Within a coup the same ratios say, before the call, that this ball moves unlike those learned.
"""

from math import exp, log

from firmware.core.call.kalman import MotionState
from firmware.core.call.margin import Margin
from firmware.shims.typed import Sequence

ALARM = 10_000.0  # coups until a false alarm, at least, were the ratios exact
STRANGE = 10_000.0  # within a coup: the ratio from which a ball is one
# A single coup proves nothing: a ball can be struck, a sleeve can hide a beam.
_RATIO_MAX = 300.0
_SCALES = (-4.0, -2.0, 2.0, 4.0)  # shifts, in sd from coup to coup
_NOISES = (3.0, 10.0)  # times the variance
_DROPS = (-0.04, -0.015, 0.015, 0.04)  # shifts of the drop speed, of itself
TESTS: int = len(_SCALES) + len(_NOISES) + len(_DROPS) + 1
SUM_MAX = 1e9
_UNKNOWN = Margin()  # of a wheel that has shown nothing
STEPS_MAX = 12  # the last ones of a coup are judged
# Of one lap. The track shakes the ball for .3 s at a time (PHYSICS.md): more beams than these see
# the same shaking twice.
_STEPS_APART = 3


def scale_ratios(scale: float, var: float, spread: float) -> list[float]:
    """Judges the ball's scale, known with the variance `var`. `spread`: sd among balls."""
    z = (scale - 1.0) / (spread * spread + var) ** 0.5
    return [exp(min(shift * z - shift * shift / 2.0, 20.0)) for shift in _SCALES]


def step_ratios(surprises: Sequence[float], beams: int) -> list[float]:
    """Judges the squares of the last steps' errors, each in units of its variance."""
    apart = min(1.0, _STEPS_APART / beams) / 2.0
    total = apart * sum(surprises[-STEPS_MAX:])
    count = apart * min(len(surprises), STEPS_MAX)
    return [exp(min(total * (1.0 - 1.0 / times) - count * log(times), 20.0)) for times in _NOISES]


def drop_ratios(margin: Margin, low: float, high: float, var: float) -> list[float]:
    """Judges the bracket of the drop speed, as in Margin.learn.

    The last one is that of a wheel about which nothing is known.
    """
    usual = margin.chance(low, high, var)
    speed = margin.mean()
    found = [margin.chance(low, high, var, shift=shift * speed) / usual for shift in _DROPS]
    found.append(_UNKNOWN.chance(low, high, var) / usual)
    return found


def motion_ratios(
    moved: MotionState, spread: float, surprises: Sequence[float], beams: int
) -> list[float]:
    """Judges how a ball has moved so far, by its state and the errors of its steps."""
    return scale_ratios(moved.scale, moved.scale_var, spread) + step_ratios(surprises, beams)


def is_strange(ratios: Sequence[float]) -> bool:
    """Returns whether a ball of such a motion moves unlike those learned."""
    return max(ratios) > STRANGE


class ChangeDetector:
    """Watches coup after coup, of both directions: a ball is changed for both."""

    def __init__(self) -> None:
        """Begins with no change seen."""
        self.sums = [0.0] * TESTS

    def add(self, ratios: Sequence[float]) -> str | None:
        """Adds a coup's motion and drop ratios. Returns what has changed, in words, or None."""
        for test in range(TESTS):
            grown = (self.sums[test] + 1.0) * min(ratios[test], _RATIO_MAX)
            self.sums[test] = min(grown, SUM_MAX)
        if sum(self.sums) / TESTS <= ALARM:
            return None
        loudest = max(range(TESTS), key=lambda test: self.sums[test])
        self.sums = [0.0] * TESTS
        return _words(loudest)


def _words(test: int) -> str:
    if test < len(_SCALES):
        return "it slows {} than it did".format("less" if _SCALES[test] < 0.0 else "more")
    test -= len(_SCALES)
    if test < len(_NOISES):
        return "its speed sways as it did not"
    test -= len(_NOISES)
    if test == len(_DROPS):
        return "it leaves the track at another speed than it did"
    return "it leaves the track {} than it did".format("faster" if _DROPS[test] > 0.0 else "slower")
