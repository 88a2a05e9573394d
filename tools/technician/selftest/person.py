"""Who stands at the wheel while it is tested or calibrated: what tools say to people, and ask."""

from __future__ import annotations

from typing import Protocol


class Person(Protocol):
    """Somebody, at a terminal or at the service page."""

    def tell(self, text: str) -> None:
        """Says what happens now."""
        ...

    def ask(self, text: str) -> bool:
        """Asks for a hand; True when it is there, False to leave that out."""
        ...


class Nobody:
    """Nobody lends a hand; what needs one is left out."""

    def __init__(self, tell: Person | None = None) -> None:
        """`tell`: who is told what happens."""
        self._told = tell

    def tell(self, text: str) -> None:
        """Passed on."""
        if self._told is not None:
            self._told.tell(text)

    def ask(self, text: str) -> bool:
        """No."""
        return False
