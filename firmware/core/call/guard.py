"""The guard: a sliding-lap threshold, as other wheels call by, tuned by this wheel's own drops.

It stands by in case the prediction has gone wrong, so it asks nothing of it: the last whole lap has
become so long. It would call every second coup in time by itself; in the others the prediction is
to be later than any threshold can. Seconds.
"""

SHORTEST_S = 0.5
LONGEST_S = 6.0
_SHARE = 0.5  # of the last laps before the drop that are shorter: those it would miss
_STEP = 0.02  # by which it follows a coup, of itself
FIRST = 8  # coups of which it takes the shortest, before it follows


class Guard:
    """Keeps the lap at which the guard speaks, in one direction."""

    def __init__(self) -> None:
        """Knows nothing yet."""
        self.coups = 0
        self.lap_s = LONGEST_S

    def learn(self, lap_s: float) -> None:
        """Learns from the last lap that ended early enough to call after it."""
        if self.coups < FIRST:
            self.lap_s = min(self.lap_s, max(lap_s, SHORTEST_S))
        elif lap_s < self.lap_s:
            self.lap_s *= 1.0 - _STEP * (1.0 - _SHARE)
        else:
            self.lap_s *= 1.0 + _STEP * _SHARE
        self.coups = min(self.coups + 1, FIRST)
        self.lap_s = min(max(self.lap_s, SHORTEST_S), LONGEST_S)
