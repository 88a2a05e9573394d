"""Repetition: a day that somebody recorded on the line is played again, with every byte sound.

Beside the living controller or in its place, fast or at its own pace, also to a display that has
been switched off and on since, also after the controller was started again.
"""

from __future__ import annotations

from collections.abc import Iterable

from tools.busfaults.world import SECOND_US, Delivery, Fault, World

# Of the day: as long as some hundred coups last here.
DAY_US = 240 * SECOND_US
_BATCH = 40
# The first restarts bring another signing key.
_ROTATIONS = 2


class Recorder(Fault):
    """Spoils nothing, and writes down who said what, and when."""

    def __init__(self, world: World, episode: int) -> None:
        super().__init__(world, episode)
        self.day: list[tuple[int, int, bytes]] = []

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """As it is."""
        self.day.append((at_us, source, framed))
        return self.world.everybody(source, framed, at_us)


def capture(world: World, duration_us: int) -> list[tuple[int, int, bytes]]:
    """What is said in so long a time: when, by whom, what."""
    recorder = Recorder(world, 0)
    world.fault = recorder
    world.run(duration_us)
    world.fault = None
    return recorder.day


class Repetition(Fault):
    """Plays the day again, to everybody or, at each power-on, from its first frame."""

    def prepare(self) -> None:
        """Records the day once; chooses the variant, and switches off what it says."""
        world, variant = self.world, self.episode
        if "day" not in world.notes:
            world.notes["day"] = self.record_day()
            world.notes["at"] = 0
        self._day: list[tuple[int, int, bytes]] = world.notes["day"]
        self._alone = bool(variant & 1)
        self._from_the_start = False
        if variant & 2:
            self._from_the_start = True
            for screen in world.screens:
                screen.power(screen.place, world.house.keys[screen.place])
        if variant & 4:
            if len(world.house.rotations) < _ROTATIONS:
                world.house.rotate()
            world.house.start()
        self._paced = variant % 8 >= 6 or variant % 3 == 2
        self._at = 0 if self._from_the_start else world.notes["at"]
        self._begun_us = world.now_us
        self._first_us = self._day[self._at % len(self._day)][0]

    def record_day(self) -> list[tuple[int, int, bytes]]:
        """What was said, from the displays' first moment on: their first challenges are in it."""
        for screen in self.world.screens:
            screen.power(screen.place, self.world.house.keys[screen.place])
        return capture(self.world, DAY_US)

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """The living: heard, or cut off. A display cut off still hears the recording."""
        return () if self._alone else self.world.everybody(source, framed, at_us)

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """The next frames of the day."""
        heard: list[Delivery] = []
        for _ in range(_BATCH):
            at_us, source, framed = self._day[self._at % len(self._day)]
            if self._paced and 0 <= at_us - self._first_us > now_us - self._begun_us:
                break
            heard += self.world.everybody(source, framed, now_us)
            self._at += 1
            self.frames += 1
        return heard

    def end(self, now_us: int) -> Iterable[Delivery]:
        """The next variant goes on from here."""
        if not self._from_the_start:
            self.world.notes["at"] = self._at % len(self._day)
        return ()
