"""Stations that are not what the line takes them for.

Displays at addresses that are not theirs, two changed about or two at one; and an old controller
that somebody put back on the line, with this wheel's keys and an older journal.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware.bus.slots import wire_us
from tools.busfaults.house import BAUD, Day, House
from tools.busfaults.wire import Station, frames_of
from tools.busfaults.world import SECOND_US, Delivery, Fault

FIRST, SECOND = 1, 2


class Misplaced(Fault):
    """Counts each frame that a misplaced display hears, or that others hear of it."""

    lasts_us = 8 * SECOND_US
    misplaced: tuple[int, ...] = ()

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
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

    def prepare(self) -> None:
        """Sets the addresses."""
        keys = self.world.house.keys
        for mine, other in ((FIRST, SECOND), (SECOND, FIRST)):
            key = keys[other if self.episode % 2 else mine]
            self.world.screens[mine - 1].power(other, key)


class Duplicate(Misplaced):
    """The second display has the first one's address, and its key or its own."""

    misplaced = (SECOND,)

    def prepare(self) -> None:
        """Sets the address."""
        keys = self.world.house.keys
        self.world.screens[SECOND - 1].power(FIRST, keys[SECOND if self.episode % 2 else FIRST])


_OLD_COUPS = 12


class Replaced(Fault):
    """It plays its own day beside ours, polls the displays and answers their challenges.

    Every code and signature of its is right. A display that hears ours follows ours, and else may
    follow it in what is going on; but it has believed the newer epoch, so it never shows a number
    of the older.
    """

    lasts_us = 10 * SECOND_US

    def prepare(self) -> None:
        """Wires it up."""
        world, house = self.world, self.world.house
        old = House(self.rng, range(0), wheel=house.wheel, epoch=house.epoch - 1)
        old.keys, old.signer, old.root = house.keys, house.first_signer, house.root
        for _ in range(_OLD_COUPS):
            old.coup += 1
            old.set_view(old.confirm(self.rng.randrange(37)))
        old.start()
        self._old, self._day = old, Day(self.rng, old)
        self._station = Station()
        self._inbox = b""
        self._free_us = 0
        self._deaf = self.episode % 2 == 1
        for screen in world.screens:
            screen.observation.captive = self._deaf

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """The old one hears it too. In every other episode ours cannot be heard."""
        self._inbox += framed
        heard = self.world.everybody(source, framed, at_us)
        return () if self._deaf and source == 0 else heard

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """What the old one says."""
        self._day.step(now_us)
        self._station.is_told(self._inbox)
        self._inbox = b""
        said = b"".join(self._old.exchange(self._station.hears(), now_us))
        heard: list[Delivery] = []
        for framed in frames_of(self._station.says(said)) if said else ():
            self._free_us = max(self._free_us, now_us) + wire_us(len(framed), BAUD)
            heard += self.world.everybody(-1, framed, self._free_us)
        self.frames += len(heard)
        return heard

    def end(self, now_us: int) -> Iterable[Delivery]:
        """Takes it off the line."""
        self._station.close()
        return ()
