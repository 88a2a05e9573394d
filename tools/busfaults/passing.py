"""Frames that are sound but lost, late, or in another order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from tools.busfaults.world import SECOND_US, Delivery, Fault, World

DELAY_MAX_US = 60 * SECOND_US
_DELAY_MIN_US = 2_000
_WINDOW_US = (20_000, 900_000)


class Loss(Fault):
    """Each listener misses each frame with a chance of its own."""

    lasts_us = 12 * SECOND_US
    percent = 0

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Those who hear it."""
        heard = []
        for delivery in self.world.everybody(source, framed, at_us):
            if self.rng.randrange(100) < self.percent:
                self.frames += self.world.concerns(delivery[0], source, framed)
            else:
                heard.append(delivery)
        return heard


def loss(percent: int) -> Callable[[World, int], Fault]:
    """A line that loses so many frames of a hundred."""

    def make(world: World, episode: int) -> Fault:
        fault = Loss(world, episode)
        fault.percent = percent
        return fault

    return make


class Disorder(Fault):
    """Holds frames for a moment, and lets them go in any order, some to each listener."""

    def prepare(self) -> None:
        """Chooses how long it holds them."""
        self._window_us = self.rng.randrange(*_WINDOW_US)
        self._held: list[tuple[Delivery, bool]] = []  # and whether it is for that listener
        self._since_us = 0

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Nothing yet."""
        if not self._held:
            self._since_us = at_us
        for delivery in self.world.everybody(source, framed, at_us):
            self._held.append((delivery, self.world.concerns(delivery[0], source, framed)))
        return ()

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """All that was held, when the moment is over."""
        if not self._held or now_us < self._since_us + self._window_us:
            return ()
        return self._let_go(now_us)

    def end(self, now_us: int) -> Iterable[Delivery]:
        """What is held still."""
        return self._let_go(now_us)

    def _let_go(self, now_us: int) -> list[Delivery]:
        held = self._held
        order = list(range(len(held)))
        self.rng.shuffle(order)
        self.frames += sum(at != place and held[place][1] for at, place in enumerate(order))
        self._held = []
        return [(held[place][0][0], now_us, held[place][0][2]) for place in order]


class Delay(Fault):
    """Lets everything through, later: by one time, or by a jittering one; one way or both."""

    def prepare(self) -> None:
        """Chooses the delay: the longest, then any, short ones as often as long ones."""
        span = math.log(DELAY_MAX_US / _DELAY_MIN_US)
        self._most_us = DELAY_MAX_US
        if self.episode:
            self._most_us = int(_DELAY_MIN_US * math.exp(self.rng.random() * span))
        self.lasts_us = 3 * SECOND_US + self._most_us
        self._downwards_only = self.episode % 3 == 2
        self._last_us: dict[int, int] = {}

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Takes it on its way."""
        if source and self._downwards_only:
            return self.world.everybody(source, framed, at_us)
        late = self.world.everybody(source, framed, at_us)
        self.frames += sum(self.world.concerns(place, source, framed) for place, _, _ in late)
        return [(place, self.comes_us(place, at_us), data) for place, _, data in late]

    def comes_us(self, place: int, at_us: int) -> int:
        """When what would come at `at_us` comes."""
        return at_us + self._most_us

    def end(self, now_us: int) -> Iterable[Delivery]:
        """All that is on its way comes at once, in its order."""
        return [(place, now_us, data) for _, place, data in self.world.take_back()]


class Jitter(Delay):
    """A delay that is another for each frame; in their order, or overtaking each other."""

    def comes_us(self, place: int, at_us: int) -> int:
        """When what would come at `at_us` comes."""
        come_us = at_us + self.rng.randrange(self._most_us)
        if self.episode % 2:
            come_us = max(come_us, self._last_us.get(place, 0))
            self._last_us[place] = come_us
        return come_us
