"""The roads of baccarat: who won since the shoe began, as the displays of the trade draw it.

The bead road has each round in its place, six to a column. The big road has a column for each run
of one winner, which turns right at its sixth, or where another lies; a tie is counted on the one
before.
"""

from collections.abc import Iterable
from typing import NamedTuple

from firmware.bus.card_record import BANKER, PLAYER, TIE

ROWS = 6
_KEPT_MAX = 300  # rounds: a shoe of eight decks has some 80

# One place of the big road: its column and row, from 0; who won, None where ties began the shoe;
# how many ties followed.
Run = NamedTuple("Run", [("column", int), ("row", int), ("winner", str | None), ("ties", int)])
# `bead`: winners, oldest first. `is_whole`: they begin with the shoe.
Roads = NamedTuple(
    "Roads",
    [
        ("bead", tuple[str, ...]),
        ("big", tuple[Run, ...]),
        ("player", int),
        ("banker", int),
        ("tie", int),
        ("is_whole", bool),
    ],
)
# Epoch and round name an end, also after a correction.
Key = tuple[int, int]


class RoadBook:
    """The ends of rounds that were seen, of which a display holds the last alone."""

    def __init__(self) -> None:
        self._winners: dict[Key, str | None] = {}

    def add_ends(self, told: Iterable[tuple[Key, str | None]]) -> None:
        """Takes winners, None for a void; what was told of one before is replaced."""
        self._winners.update(told)
        if len(self._winners) > _KEPT_MAX:
            for key in sorted(self._winners)[:-_KEPT_MAX]:
                del self._winners[key]

    def roads(self, epoch: int, first: int, *, has_ended: bool = True) -> Roads:
        """Returns the roads from the round `first` on, as far back as no round is missing.

        `first` 0: no round of this shoe has begun; `has_ended` False: that first one goes on.
        """
        if not first:
            return Roads((), (), 0, 0, 0, True)
        found: list[str] = []
        begun: int | None = None  # the oldest round of which all later ones are known
        for key in sorted(self._winners, reverse=True):
            if key[0] != epoch or key[1] < first or begun not in (None, key[1] + 1):
                break
            begun = key[1]
            winner = self._winners[key]
            if winner is not None:
                found.insert(0, winner)
        player, banker, tie = (found.count(each) for each in (PLAYER, BANKER, TIE))
        is_whole = begun == first or (begun is None and not has_ended)
        return Roads(tuple(found), big_road(found), player, banker, tie, is_whole)


def big_road(winners: Iterable[str]) -> tuple[Run, ...]:
    """Returns the places of the big road, in the order in which they were taken."""
    found: list[Run] = []
    taken: set[tuple[int, int]] = set()
    head = -1  # the column in which the run began
    for winner in winners:
        last = found[-1] if found else None
        if winner == TIE:
            if last is None:
                found.append(Run(0, 0, None, 1))
            else:
                found[-1] = last._replace(ties=last.ties + 1)
            continue
        if last is not None and last.winner is None:  # ties began the shoe: theirs is its place
            found[-1] = last._replace(winner=winner)
            taken, head = {(0, 0)}, 0
            continue
        if last is None or last.winner != winner:
            head += 1
            while (head, 0) in taken:
                head += 1
            column, row = head, 0
        else:
            column, row = last.column, last.row + 1
            if row == ROWS or (column, row) in taken or _has_turned(found):
                column, row = last.column + 1, last.row
        taken.add((column, row))
        found.append(Run(column, row, winner, 0))
    return tuple(found)


def _has_turned(found: list[Run]) -> bool:
    """Returns whether the run of the last place goes to the right already."""
    if len(found) < 2:
        return False
    before, last = found[-2:]
    return before.winner == last.winner and before.row == last.row
