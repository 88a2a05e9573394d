"""A station that never stops talking, and a line that is shorted, open, or stuck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tools.busfaults.fault import Fault

if TYPE_CHECKING:
    from tools.busfaults.world import Delivery, World

# Random bytes a period: some thirty times what the line carries, so that nobody hears a pause.
_BABBLE = 2048


class Babble(Fault):
    """Random bytes without pause: over all that is said, or around it."""

    def carry(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Two at once on a line: what is heard is neither. Else it is in the middle of noise."""
        self.frames += 1
        if self.episode % 2:
            noise = self.rng.randbytes(len(framed))
            mixed = bytes(mine & other for mine, other in zip(framed, noise, strict=True))
            return self.world.everybody(source, mixed, at_us)
        return self.world.everybody(source, framed, at_us)

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """The noise of this period; each 00 in it ends what may be a frame."""
        noise = self.rng.randbytes(_BABBLE)
        self.frames += noise.count(0)
        return [(place, now_us, noise) for place in range(len(self.world.screens) + 1)]


class Stuck(Fault):
    """A line on which every byte reads the same; None: on which nothing is heard at all."""

    level: int | None = None

    def carry(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """What a short leaves of it."""
        lost = self.world.everybody(source, framed, at_us)
        self.frames += len(lost)
        if self.level is None:
            return ()
        return [(place, when, bytes([self.level]) * len(data)) for place, when, data in lost]

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """A short reads as bytes even when nobody speaks: 57 in a period at 115200 baud."""
        if self.level is None:
            return ()
        same = bytes([self.level]) * 57
        self.frames += len(self.world.screens)
        return [(place, now_us, same) for place in range(len(self.world.screens) + 1)]


def stuck(world: World, episode: int) -> Fault:
    """Shorted (00), then open (nothing), then stuck at the other level (FF), in turn."""
    fault = Stuck(world, episode)
    fault.level = (0x00, None, 0xFF)[episode % 3]
    return fault
