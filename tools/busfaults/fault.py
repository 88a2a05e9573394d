"""What a fault may do: it is given every frame that is said, and may add to every moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.busfaults.world import Delivery, World

SECOND_US = 1_000_000


class Fault:
    """A line without fault; the rows override what they spoil. One lives for one episode."""

    lasts_us = 3 * SECOND_US

    def __init__(self, world: World, episode: int) -> None:
        """`episode`: counts them in this row, so that each variant has its turn."""
        self.world = world
        self.episode = episode
        self.rng: Random = world.rng
        # That were at fault: altered or made up; lost, late or out of order, counted at each for
        # whom it was; or, where it is not for who hears it, at each of these.
        self.frames = 0

    def prepare(self) -> None:
        """Once, before the first frame."""

    def deliveries(self, source: int, framed: bytes, at_us: int) -> Iterable[Delivery]:
        """Who hears the frame that `source` said, when, as what."""
        return self.world.everybody(source, framed, at_us)

    def idle(self, now_us: int) -> Iterable[Delivery]:
        """What is heard besides, in the period that begins now."""
        return ()

    def end(self, now_us: int) -> Iterable[Delivery]:
        """Once, when it is over: what was still on its way."""
        return ()

    def check(self) -> Iterator[str]:
        """What went wrong that nobody could see lit, each as a sentence."""
        yield from ()


def beside(world: World, frames: list[bytes], at_us: int, source: int = -1) -> list[Delivery]:
    """All hear these frames one after the other, but not who said them."""
    return world.everybody(source, b"".join(frames), at_us)
