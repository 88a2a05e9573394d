"""How the ball slows at each speed: a table that this wheel's own laps fill.

Two whole laps, the second a beam later, tell the deceleration between them, whatever the beams'
angles. Real tracks have a knee (PHYSICS.md), so no formula is fitted. Speeds in turn/s.
"""

from firmware.shims.typed import Sequence

LOW_TURN_S = 0.32  # the table's first speed; below it, its first value holds
STEP_TURN_S = 0.04
BINS = 24  # up to 1.24 turn/s: faster balls are far from leaving
PRIOR_TURN_S2 = 0.055  # W2 of PHYSICS.md near its drop; W1's is nearer to .025
LIMITS_TURN_S2 = (0.005, 0.400)  # both wheels of PHYSICS.md at any speed, and then some
TRUSTED = 1.0  # lessons: a speed with fewer borrows from the nearest that has them
KNOWN_COUPS = 4  # until so many have taught it, it may be far off
MEMORY = 200.0  # lessons: older ones fade, as a track wears and is polished
# No lap's mean is as slow as its end: below the slowest speed that has lessons the table runs on
# half as steep as just above it (tracks flatten there: PHYSICS.md), to a share of the last value.
_RUN_OUT_STEEP = 0.5
_RUN_OUT_SHARE = 0.6
RELEARN = 5.0  # what older lessons count for once the ball or the track has changed


class Curve:
    """Deceleration (turn/s2) by speed (turn/s), by straight lines between the table's places."""

    def __init__(self) -> None:
        """Knows nothing yet: one deceleration at all speeds."""
        self.values = [PRIOR_TURN_S2] * BINS
        self.lessons = [0.0] * BINS
        self.coups = 0  # that taught it, up to KNOWN_COUPS
        self._table = list(self.values)
        self._stale = False  # a place has lessons of its own since the table was filled

    def at(self, speed: float) -> float:
        """Returns the deceleration at a speed."""
        place = (speed - LOW_TURN_S) / STEP_TURN_S
        if place <= 0.0:
            return self._table[0]
        step = int(place)
        if step >= BINS - 1:
            return self._table[BINS - 1]
        low = self._table[step]
        return low + (self._table[step + 1] - low) * (place - step)

    def learn(self, lessons: Sequence[tuple[float, float]]) -> None:
        """Takes the (speed, deceleration) that one coup has shown."""
        for speed, deceleration in lessons:
            self._lesson(speed, deceleration)
        self.coups = min(self.coups + 1, KNOWN_COUPS)
        self.fill()

    def fade(self) -> None:
        """Lets what comes now count for more: the ball or the track has changed."""
        self.lessons = [min(count, RELEARN) for count in self.lessons]
        self.coups = 0

    def known(self) -> bool:
        """Returns whether so many coups have taught it that a ball can be judged by it."""
        return self.coups >= KNOWN_COUPS

    def fill(self) -> None:
        """Lets each place without lessons of its own have the nearest learned value.

        Or what it runs out to, below all that are learned.
        """
        self._stale = False
        known = [place for place in range(BINS) if self.lessons[place] >= TRUSTED]
        if not known:
            return
        table = []
        at = 0
        for place in range(BINS):
            while at + 1 < len(known) and known[at + 1] - place < place - known[at]:
                at += 1
            table.append(self.values[known[at]])
        first = known[0]
        if first + 1 in known:
            slope = (self.values[first + 1] - self.values[first]) * _RUN_OUT_STEEP
            least = self.values[first] * _RUN_OUT_SHARE
            most = self.values[first] / _RUN_OUT_SHARE
            for place in range(first):
                run_out = self.values[first] - slope * (first - place)
                table[place] = min(max(run_out, least), most)
        self._table = table

    def _lesson(self, speed: float, deceleration: float) -> None:
        low, high = LIMITS_TURN_S2
        place = (speed - LOW_TURN_S) / STEP_TURN_S
        step = int(place)
        if place < 0.0 or step >= BINS - 1 or not low <= deceleration <= high:
            return
        if self._stale:
            self.fill()
        off = deceleration - self.at(speed)
        upper = place - step
        for here, weight in ((step, 1.0 - upper), (step + 1, upper)):
            if weight <= 0.0:
                continue  # it was exactly at the other place
            before = self.lessons[here]
            count = self.lessons[here] = min(before + weight, MEMORY)
            if before < TRUSTED:  # the table there is its neighbour's, not its own yet
                own = deceleration - self.values[here]
                self.values[here] += weight / count * own
                self._stale = self._stale or count >= TRUSTED
            else:
                self.values[here] += weight / (count + 1.0) * off
            # What is wrong between two places may push one of them too far.
            self.values[here] = min(max(self.values[here], low), high)
