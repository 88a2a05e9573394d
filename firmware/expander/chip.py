"""One expander's chip: the transfers of a visit, and what its readings mean for its lines.

`Visitor` waits for the bus and knows no lines. `PinLedger` is pure: time is an argument. A chip
tells what changed first and what is now (drivers/expander_mcp23017.py), so of a pulse between two
readings the start is known, and its end by the reading that finds it over. What nobody saw is
doubt.
"""

import errno
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from firmware.shims.edge_ledger import DOUBT, Edge

READS_MAX = 4  # a pin that chatters must not keep the bus


class Visit(NamedTuple):
    """What one visit to a chip brought: readings with their times, and how it ended."""

    readings: Sequence[tuple[int, Any]]
    reset: bool  # the chip had lost its set-up
    failed: bool


class Visitor:
    """Sets one chip up where that is needed, and reads it."""

    def __init__(self, driver: Any) -> None:
        """`driver`: drivers.expander_mcp23017. Transfers nothing yet."""
        self._driver = driver
        self._running = False

    def visit(self, now_us: Callable[[], int], *, polled: bool) -> Visit:
        """Reads until nothing is flagged. A poll, and a line that rose for nothing, ask whether the
        chip still has its set-up; readings from before it was set up again are left out."""
        readings: list[tuple[int, Any]] = []
        reset = False
        for attempt in range(2):
            try:
                self._read(readings, now_us)
                # A chip that was reset lets its line rise: an idle INT is high by default.
                if (polled or not readings[0][1].flagged) and not self._driver.check():
                    reset, self._running = True, False
                    readings.clear()
                    self._read(readings, now_us)
                return Visit(readings, reset, False)
            except OSError as error:
                # A chip that does not acknowledge has given nothing away: ask again. What else
                # goes wrong may have ended an interrupt whose pulse nobody will see now.
                if attempt or error.errno != errno.ENODEV:
                    break
        self._running = False
        return Visit(readings, reset, True)

    def _read(self, readings: list[tuple[int, Any]], now_us: Callable[[], int]) -> None:
        if not self._running:
            self._driver.start()
            self._running = True
        # A change between two bytes of a transfer may raise no new edge: read again.
        for _ in range(READS_MAX):
            reading = self._driver.read()
            readings.append((now_us(), reading))
            if not reading.flagged:
                break


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
        """Takes that nobody sees the lines any more: a doubt about each, once."""
        if self._doubted:
            return []
        self.known, self._doubted = False, True
        return [(at_us, line, DOUBT) for line, _ in self._pins]
