"""A button, or a key switch, whose contacts bounce."""

BOUNCE_US = 30_000  # contacts settle within 20 ms


class Button:
    """Knows a press from its contacts settling."""

    def __init__(self) -> None:
        self._edge_us = -BOUNCE_US

    def pressed(self, at_us: int, level: int) -> bool:
        """Takes an edge; True if it is a press."""
        quiet_us = at_us - self._edge_us
        self._edge_us = at_us
        return level == 1 and quiet_us >= BOUNCE_US
