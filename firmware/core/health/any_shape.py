"""Do the numbers come evenly, whatever else the shape? A companion of the bank.

Before the first coup each compartment's chance is thought to be about its share, as if an even
wheel had been watched for some coups (a Dirichlet prior). The factor of a coup is how likely that
made it, with all coups since the last act, over its share.
"""

from firmware.core.health.bank import SUM_MAX
from firmware.shims.typed import Iterator

PRIORS = (3_000.0, 30_000.0)  # coups


class AnyShape:
    """The evidence of two priors, and how often each compartment came."""

    def __init__(self, compartments: int) -> None:
        """Begins without evidence."""
        self._m = compartments
        self.start_over(0.0)

    def start_over(self, grant: float) -> None:
        """Forgets all coups, and begins each prior with its part of `grant`."""
        self.counts = [0] * self._m
        self._coups = 0
        self._values = [grant / len(PRIORS)] * len(PRIORS)
        self._sum()

    def add(self, place: int) -> None:
        """Takes the compartment of a coup."""
        seen = self.counts[place]
        self._values = [
            min(value * ((prior + self._m * seen) / (prior + self._coups)), SUM_MAX)
            for value, prior in zip(self._values, PRIORS)
        ]
        self.counts[place] = seen + 1
        self._coups += 1
        self._sum()

    def _sum(self) -> None:
        self.total = self._values[0] + self._values[1]

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        into += self._values
        into += [float(count) for count in self.counts]

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._values = [next(state) for _ in PRIORS]
        self.counts = [int(next(state)) for _ in range(self._m)]
        self._coups = sum(self.counts)
        self._sum()
