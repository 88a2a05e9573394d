"""Keeps account of kernel edges: what is missing, repeated or late becomes doubt, never a guess.

Pure: time is an argument. What the numbers mean is in the kernel's drivers/gpio/gpiolib-cdev.c:
each line numbers its edges from 1, and the request numbers all its lines' edges from 1 as they
are stamped; when the queue overflows the oldest are dropped, and the numbers show it. But the
level is read after the stamp, so that a pulse shorter than an interrupt reads as two equal levels.
"""

from collections.abc import Sequence

DOUBT = -1  # as in firmware.core.facts, which lies above this layer; a test holds them equal

# Longer than the kernel takes to bring a stamped edge to us: 9 ms was the 99th percentile on a
# loaded machine. After that what is missing is lost, and a level that differs has no edge coming.
HOLD_US = 20_000
# An edge that comes later than its successors, or than the time `promise` named, is moved to them;
# further than this it would be a guess. A pocket lasts 54 ms.
LATE_US = 5_000

Edge = tuple[int, int, int]  # at_us, line, level or DOUBT


class EdgeLedger:
    """Turns numbered edges of several lines into (at_us, line, level), in order of time."""

    def __init__(self, levels: Sequence[int], started_us: int) -> None:
        """`levels` are those of the lines at `started_us`."""
        self._levels: list[int | None] = list(levels)  # None: unknown since a loss
        self._started_us = started_us
        self._last_us = started_us
        self._expected: list[int | None] = [1] * len(levels)
        self._next = 1
        self._held: dict[int, tuple[int, int, int, int]] = {}
        self._held_since_us = 0
        self._odd_since_us: dict[int, int] = {}
        self._out: list[Edge] = []

    def add_edge(self, at_us: int, line: int, level: int, *, line_seqno: int, seqno: int) -> None:
        """Takes one edge as the kernel tells it."""
        self._held[seqno] = (at_us, line, level, line_seqno)

    def release(self, now_us: int) -> list[Edge]:
        """Returns doubts, and the edges that nothing can come before any more.

        After the doubt about a line comes its level, at once or when it is known again.
        """
        while self._held:
            edge = self._held.pop(self._next, None)
            if edge is not None:
                self._next += 1
                self._held_since_us = 0
                self._put(*edge)
            elif not self._held_since_us:
                self._held_since_us = now_us
                break
            elif now_us - self._held_since_us < HOLD_US:
                break
            else:
                self._give_up()
        out, self._out = self._out, []
        return out

    def check(self, now_us: int, levels: Sequence[int]) -> None:
        """Compares with the levels that the lines have, read after the queue was drained.

        The edge that explains a difference may still be on its way: doubt comes after HOLD_US.
        """
        for line, level in enumerate(levels):
            if level == self._levels[line] or self._held:
                self._odd_since_us.pop(line, None)
                continue
            known = self._levels[line] is not None
            since_us = self._odd_since_us.setdefault(line, now_us)
            if known and now_us - since_us < HOLD_US:
                continue
            del self._odd_since_us[line]
            self._expected[line] = None
            self._levels[line] = level
            self._last_us = max(self._last_us, now_us)
            if known:
                self._out.append((self._last_us, line, DOUBT))
            self._out.append((self._last_us, line, level))

    def promise(self, until_us: int) -> None:
        """Promises that nothing before `until_us` comes out any more."""
        self._last_us = max(self._last_us, until_us)

    def deadline_us(self) -> int | None:
        """Returns when to ask again although no edge came, or None."""
        waits = list(self._odd_since_us.values())
        if self._held_since_us:
            waits.append(self._held_since_us)
        return min(waits) + HOLD_US if waits else None

    def _put(self, at_us: int, line: int, level: int, line_seqno: int) -> None:
        doubt = self._expected[line] not in (None, line_seqno)
        self._expected[line] = line_seqno + 1
        if at_us <= self._started_us and not doubt:
            return  # the levels at the start contain it
        self._odd_since_us.pop(line, None)
        doubt = doubt or level == self._levels[line] or self._last_us - at_us > LATE_US
        self._levels[line] = level
        self._last_us = max(self._last_us, at_us)
        if doubt:
            self._out.append((self._last_us, line, DOUBT))
        self._out.append((self._last_us, line, level))

    def _give_up(self) -> None:
        """Numbers are missing for good, and they do not say whose: every line is in doubt."""
        self._next = min(self._held)
        self._held_since_us = 0
        at_us = max(self._last_us, self._held[self._next][0])
        self._last_us = at_us
        for line in range(len(self._levels)):
            self._expected[line] = None
            self._levels[line] = None
            self._out.append((at_us, line, DOUBT))
