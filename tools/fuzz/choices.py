"""What a fuzzer's bytes decide, one choice after the other.

Past the end every choice is the least: a shorter input is a simpler run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")


class Choices:
    """Reads bytes from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def more(self) -> bool:
        """Returns whether anything is left to choose by."""
        return self._at < len(self._data)

    def run(self, size: int) -> bytes:
        """Returns the next bytes, zeros behind the last."""
        found = self._data[self._at : self._at + size]
        self._at += size
        return found + bytes(size - len(found))

    def number(self, size: int) -> int:
        """Returns the number that the next bytes are."""
        return int.from_bytes(self.run(size), "little")

    def below(self, count: int) -> int:
        """Returns a number below `count`, 256 at most, by one byte."""
        return self.number(1) % count

    def one(self, items: Sequence[_Item]) -> _Item:
        """Returns one of 256 at most."""
        return items[self.below(len(items))]

    def rest(self) -> bytes:
        """Returns all that is left."""
        found = self._data[self._at :]
        self._at = len(self._data)
        return found
