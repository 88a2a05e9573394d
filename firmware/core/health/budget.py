"""How much evidence may begin for nothing: so that false notices are as seldom as was chosen.

An alternative to a sound wheel may become true at any coup. Each coup therefore begins it anew
with a little evidence, each service act with more: a Shiryaev-Roberts sum with a budget. The mean
of all evidence about a sound wheel is what was begun with, 1 a year: half of it by coups, half by
acts. By Doob's inequality evidence of 1 / alpha comes by chance in fewer than alpha of all years,
whenever and however often one looks.
"""

from firmware.shims.typed import Iterator

YEAR_COUPS = 150_000  # of a table with a croupier: 430 a day
_BY_COUPS = 0.5  # of a year's
_FIRST_ACT = 0.25  # each later one of that year has half of the one before
_ACTS_MAX = 1_100  # of a year: half so often, nothing is left


def a_coup(coups_a_year: int) -> float:
    """Returns what evidence begins with at each coup."""
    return _BY_COUPS / coups_a_year


class Grants:
    """What evidence begins with at acts."""

    def __init__(self) -> None:
        """Has granted nothing."""
        self._year = 0
        self._acts = 0  # of this year

    def grant(self, year: int) -> float:
        """Returns what evidence begins with at an act of that year of coups."""
        if year != self._year:
            self._year, self._acts = year, 0
        granted = _FIRST_ACT
        for _ in range(self._acts):
            granted /= 2.0
        self._acts = min(self._acts + 1, _ACTS_MAX)
        return granted

    def save(self, into: list[float]) -> None:
        """Adds what is known to a state."""
        into += [float(self._year), float(self._acts)]

    def restore(self, state: Iterator[float]) -> None:
        """Takes what `save` added."""
        self._year = int(next(state))
        self._acts = int(next(state))
