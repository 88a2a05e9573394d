"""What can go wrong with the ball and the croupier's hands, the same for every simulated table."""

from __future__ import annotations

from typing import Any, Protocol

from tools.sim.truth import CoupTruth


class Mishaps(Protocol):
    """A table whose ball somebody plays tricks with. All happen now, at the table's time.

    What makes no sense where the ball is (it is to leap out of a hand) does nothing, and is False.
    """

    parameters: Any  # a frozen dataclass of tools.sim

    @property
    def truths(self) -> list[CoupTruth]:
        """As of tools.sim.table.Table."""
        ...

    @property
    def now_us(self) -> int:
        """As of tools.sim.table.Table."""
        ...

    def use(self, parameters: Any) -> None:
        """Another track or another throw, from the next throw on."""
        ...

    def keep_ball(self, keeps: bool) -> None:
        """Whether the croupier keeps the ball in his hand; at vingt-trois the plate flings none."""
        ...

    def stick_ball(self) -> bool:
        """A ball on the track stays there, till the croupier has seen that and takes it."""
        ...

    def lose_ball(self) -> bool:
        """The ball leaps out, after it has left the track and before it rests."""
        ...

    def knock_ball(self) -> None:
        """The ball leaves the track."""
        ...

    def move_ball(self, places: int) -> None:
        """A ball at rest is thrown so many compartments on."""
        ...

    def take_ball(self) -> None:
        """The croupier takes the ball, wherever it is."""
        ...
