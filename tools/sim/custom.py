"""What the house has its croupier do, besides the game itself: confirm numbers, keep a pace."""

from typing import NamedTuple

SLACK_S = 0.5  # he rather waits too long: a press before its time begins nothing


class Custom(NamedTuple):
    """One house's custom. As it stands here: no confirmation, no pace."""

    confirms: bool = False  # he presses once while the ball lies at rest, then lifts it
    pace_s: float = 0.0  # least time between the beginnings of two coups

    def not_before(self, due: float, begun: float | None) -> float:
        """When (s) he begins a coup that was due at `due`, if the last was seen to begin then."""
        if not self.pace_s or begun is None:
            return due
        return max(due, begun + self.pace_s + SLACK_S)


FREE = Custom()
