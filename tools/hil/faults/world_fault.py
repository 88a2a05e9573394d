"""What a fault of the wheel, its sensors or its people is to the world it happens in."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from tools.sim.sensors import Edge

if TYPE_CHECKING:
    from tools.hil.world import World


class WorldFault:
    """One fault at work. It changes nothing by itself; the makers override what they spoil.

    `begin` and `end` are called once each, at the time they happen; while it lasts, `drive` sees
    every duty on its way to the motor, and `edges` every edge on its way to the controller.
    Chance comes from `rng` alone.
    """

    of_sensor = False  # it spoils what a sensor says, not what is before it

    def __init__(self, world: World, parameters: dict[str, Any], rng: Random) -> None:
        self.world = world
        self.parameters = parameters
        self.rng = rng
        self.over = False  # it has ended by itself: the croupier put it right
        self.idle = False  # its whole work is to change edges or a drive, and it has changed none

    def cover(self, levels: list[int]) -> None:
        """Darkens, of the lines' levels, what it stands before."""

    def begin(self, at_us: int) -> list[Edge]:
        """It begins. The edges that this makes by itself, at `at_us` or later."""
        return []

    def end(self, at_us: int) -> list[Edge]:
        """It is over. The edges that bring the lines back to what the table says."""
        return []

    def drive(self, permille: int, now_us: int) -> int:
        """What of the motor's duty reaches the rotor."""
        return permille

    def edges(self, found: list[Edge], until_us: int) -> list[Edge]:
        """What of the table's edges, up to `until_us`, the controller sees; and what it sees
        besides. In order of time, none later than `until_us`."""
        return found
