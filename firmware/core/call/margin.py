"""How far above the drop speed to call: what this wheel's own drops have shown of it.

Beams bracket each drop: the ball left between its last beam and the one that did not come. The
drop speed's mean and scatter are both unknown. Many scatters stand side by side, each with what
the brackets say of the mean if that scatter were true (a normal distribution, matched to each
bracket's two first moments), and with how well it has foretold the brackets. So a wheel with few
coups has the wide margin that few coups deserve, and no formula says how it shrinks. The means of
both directions are learned together: geometry makes them, so a drop of one direction tells the
other's to within APART. All speeds are turn/s.
"""

from math import exp, log, sqrt

from firmware.core.call import normal
from firmware.shims.typed import Any, Sequence

# Of the drop speed, .25 to 3 %: PHYSICS.md thinks of .3 to 2.5. So near each other that none is far
# from the true one: with half as many the lead at 1 % is 1.5 % longer.
SCATTERS: Sequence[float] = tuple(0.0025 * (0.03 / 0.0025) ** (step / 39) for step in range(40))
TRUST_MIN = -60.0  # such a scatter has no weight
# Any track of PHYSICS.md, of a slope of 15 to 28 deg: .42 to .62 turn/s. A first drop far off that
# is taken for a freak.
_MEAN = 0.52
_MEAN_VAR = 0.06 * 0.06
# Geometry lets both directions go at one speed. A flaw of the track may set them apart by some 1 %
# of it, one sd.
APART = 0.005
_FORGET = 1.0 / 2000.0  # a coup: how well a scatter foretold counts for some 2000 coups
_WALK = 0.00005 * 0.00005  # a coup: the mean wanders so far, squared
# One drop in a thousand is no drop of this kind (a beam missed at the wrong moment, a ball struck),
# and then any bracket is as likely as the next.
_FREAKS = 0.001
_FREAK = 0.001
_NOTHING = 1e-9  # a weight that adds nothing to a chance, beside a freak's
_SHRINKS_TO = 0.05  # of a variance, at most by one drop
_NEAR = 1e-5  # turn/s: a call speed is sought as nearly as this, .3 ms of a call
_TRIES = 40  # three or four suffice as a rule
_FAR = 7.5  # sd: a tail beyond it is less than a thousandth of any chance that is aimed at


class Margin:
    """Learns the drop speeds of one direction, and the speed at which the call must be over."""

    def __init__(self) -> None:
        """Knows nothing yet."""
        self.means = [_MEAN] * len(SCATTERS)
        self.vars = [_MEAN_VAR] * len(SCATTERS)
        self.both = [_MEAN_VAR - APART * APART / 2.0] * len(SCATTERS)  # covariance, twin's
        # Logarithms, the best is 0. Before any drop a wide scatter is the likelier: with few coups
        # a narrow one would be believed by luck.
        self.trust = [log(scatter / SCATTERS[-1]) / 2.0 for scatter in SCATTERS]
        self._twin: Any = None
        self.weigh()

    def weigh(self) -> None:
        """Makes weights of the trust, which is then 0 for the best, and the twin's. Both have the
        same weights."""
        best = max(self.trust)
        self.trust = [max(trust - best, TRUST_MIN) for trust in self.trust]
        both = self.trust
        if self._twin is not None:
            both = [self.trust[place] + self._twin.trust[place] for place in range(len(SCATTERS))]
        best = max(both)
        weights = [exp(max(trust - best, TRUST_MIN)) for trust in both]
        total = sum(weights)
        weights = [weight / total for weight in weights]
        self._take(weights)
        if self._twin is not None:
            self._twin._take(weights)

    def _take(self, weights: list[float]) -> None:
        self.weights = weights
        self._mean = sum([weights[place] * self.means[place] for place in range(len(SCATTERS))])

    def chance(self, low: float, high: float, var: float, *, shift: float = 0.0) -> float:
        """Returns the chance of a bracket, were all drop speeds higher by `shift`."""
        found = 0.0
        for place in range(len(SCATTERS)):
            if self.weights[place] < _NOTHING:
                continue
            root = self._root(place, var)
            mean = self.means[place] + shift
            inside = normal.between((low - mean) / root, (high - mean) / root)
            found += self.weights[place] * inside
        return (1.0 - _FREAKS) * found + _FREAKS * _FREAK

    def learn(self, low: float, high: float, var: float) -> None:
        """Learns that a ball left between two speeds, known with the variance `var`."""
        for place in range(len(SCATTERS)):
            own = self.vars[place] + _WALK
            root = self._root(place, var + _WALK)
            first = (low - self.means[place]) / root
            last = (high - self.means[place]) / root
            likely = (1.0 - _FREAKS) * normal.between(first, last) + _FREAKS * _FREAK
            rise, fall = normal.density(first), normal.density(last)
            moved = (1.0 - _FREAKS) * (rise - fall) / likely
            spread = (1.0 - _FREAKS) * (first * rise - last * fall) / likely
            share = own / (root * root)
            self.trust[place] = self.trust[place] * (1.0 - _FORGET) + log(likely)
            self._move(place, own, share * root * moved, share * (spread - moved * moved))
        self.weigh()

    def _move(self, place: int, own: float, by: float, grown: float) -> None:
        """Moves a mean, whose variance was `own` and grows by the share `grown` (less than 0: it
        shrinks); the twin's as far as both go together."""
        grown = max(grown, _SHRINKS_TO - 1.0)
        self.means[place] += by
        self.vars[place] = own * (1.0 + grown)
        if self._twin is not None:
            together = self.both[place] / own
            self.both[place] *= 1.0 + grown
            self._twin.means[place] += together * by
            self._twin.vars[place] += together * together * own * grown

    def call_speed(self, target: float, var: float) -> float:
        """Returns the speed a ball leaves above with the chance `target`; `var` as in learn."""
        # A scatter that weighs less than this can add nothing to the chance.
        least = target / 1000.0
        held = []
        low = high = self.mean()
        for place in range(len(SCATTERS)):
            weight, mean = self.weights[place], self.means[place]
            if weight > least:
                root = self._root(place, var)
                held.append((weight, mean, root))
                # The tail beyond z is less than exp(-z*z/2)/2: each adds less than its part there.
                part = min(2.0 * target / (len(SCATTERS) * weight), 1.0)
                high = max(high, mean + root * sqrt(-2.0 * log(part)))
                low = min(low, mean)
        at = high
        for _ in range(_TRIES):
            late = falls = 0.0
            for weight, mean, root in held:
                z = (mean - at) / root
                if z > -_FAR:
                    late += weight * normal.below(z)
                    falls += weight * normal.density(z) / root
            if late > target:
                low = at
            else:
                high = at
            if falls > 0.0:  # Newton's step, of the tail's logarithm
                step = log(late / target) * late / falls
                at += step
                if abs(step) < _NEAR:
                    return at + _NEAR
            if not low < at < high:  # between two scatters the tail bends: then by halves
                at = (low + high) / 2.0
        return high

    def mean(self) -> float:
        """Returns the mean of the drop speed."""
        return self._mean

    def scatter(self) -> float:
        """Returns the scatter of the drop speed, as a share of itself."""
        return sum([self.weights[place] * SCATTERS[place] for place in range(len(SCATTERS))])

    def _root(self, place: int, var: float) -> float:
        scatter = SCATTERS[place] * self.means[place]
        return sqrt(self.vars[place] + scatter * scatter + var)


def pair(one: Margin, other: Margin) -> None:
    """Lets two directions share what they know: ball and track are the same.

    They are new, or as they were recorded.
    """
    one._twin, other._twin = other, one
    other.both = one.both
    one.weigh()
    other.weigh()


def may_be_pair(one: Margin, other: Margin) -> bool:
    """Returns whether what both have in common is no more than either is unsure of."""
    return all(
        one.both[place] * one.both[place] <= one.vars[place] * other.vars[place]
        for place in range(len(SCATTERS))
    )
