"""Displays at addresses that are not theirs: two changed about, or two at one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tools.busfaults.fault import SECOND_US, Fault

if TYPE_CHECKING:
    from tools.busfaults.world import Delivery

FIRST, SECOND = 1, 2


class Misplaced(Fault):
    """Counts each frame that a misplaced display hears, or that others hear of it."""

    lasts_us = 8 * SECOND_US
    misplaced: tuple[int, ...] = ()

    def carry(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """As it is."""
        heard = self.world.everybody(source, framed, at_us)
        self.frames += len(heard) if source in self.misplaced else len(self.misplaced)
        return heard

    def end(self, now_us: int) -> Iterable[Delivery]:
        """Every display is put right."""
        for place in self.misplaced:
            self.world.screens[place - 1].power(place, self.world.house.keys[place])
        return ()


class Swapped(Misplaced):
    """Two displays change addresses: their keys stay where they are, or go along."""

    misplaced = (FIRST, SECOND)

    def begin(self) -> None:
        """Sets the addresses."""
        keys = self.world.house.keys
        for mine, other in ((FIRST, SECOND), (SECOND, FIRST)):
            key = keys[other if self.episode % 2 else mine]
            self.world.screens[mine - 1].power(other, key)


class Duplicate(Misplaced):
    """The second display has the first one's address, and its key or its own."""

    misplaced = (SECOND,)

    def begin(self) -> None:
        """Sets the address."""
        keys = self.world.house.keys
        self.world.screens[SECOND - 1].power(FIRST, keys[SECOND if self.episode % 2 else FIRST])
