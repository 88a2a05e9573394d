"""Keeps account of an expander's pins: what its readings say, and what nobody saw, is doubt.

Pure: time is an argument. A chip tells what changed first and what is now
(drivers/expander_mcp23017.py), so of a pulse between two readings the start is known, and its end
by the reading that finds it over.
"""

from collections.abc import Sequence
from typing import Any

from firmware.shims.edge_ledger import DOUBT, Edge


def stamp(edge: Edge) -> int:
    """Returns when it came: what edges are sorted by."""
    return edge[0]


class PinLedger:
    """What the readings of one chip mean for its lines. Knows no bus and no thread."""

    def __init__(self, pins: Sequence[tuple[int, int]]) -> None:
        """`pins`: (line, pin of the chip). Their levels are not yet known."""
        self._pins = tuple(pins)
        self._levels = 0
        self.known = False  # what the levels are
        self._doubted = False

    def edges_of(self, at_us: int, reading: Any, changed_us: int) -> list[Edge]:
        """Edges from a reading at `at_us` (drivers.expander_mcp23017.Reading).

        `changed_us`: when its first change came. Lines that were unknown or doubtful give their
        level. A pin that raised the interrupt without having changed went there and back unseen.
        """
        if self.known and not reading.flagged and reading.present == self._levels:
            return []  # as nearly every poll finds them
        found: list[Edge] = []
        for line, pin in self._pins:
            level, now = self._levels >> pin & 1, reading.present >> pin & 1
            if not self.known:
                found.append((at_us, line, now))
                continue
            if reading.flagged >> pin & 1:
                first = reading.captured >> pin & 1
                if first == level:
                    found += [(at_us, line, DOUBT), (at_us, line, now)]
                    continue
                found.append((changed_us, line, first))
                level = first
            if now != level:
                found.append((at_us, line, now))
        self._levels = reading.present
        self.known, self._doubted = True, False
        return sorted(found, key=stamp)

    def lose(self, at_us: int) -> list[Edge]:
        """Nobody sees the lines any more: a doubt about each, once."""
        if self._doubted:
            return []
        self.known, self._doubted = False, True
        return [(at_us, line, DOUBT) for line, _ in self._pins]
