"""All transfers of one visit to an expander. Knows no lines; waits for the bus."""

import errno
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

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
