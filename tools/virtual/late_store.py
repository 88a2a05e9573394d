"""A store in memory that writes in its own time: what is not durable is lost with its power."""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any, NamedTuple

WRITES_US = (3_000, 60_000)


class Row(NamedTuple):
    """A durable record."""

    at_us: int  # when it became so
    kind: str
    body: Any


class LateStore:
    """Keeps records in their order. `rows`: those that are durable."""

    def __init__(self, rng: Random) -> None:
        self.rows: list[Row] = []
        self.slow_us = 0  # so much longer for each
        self._rng = rng
        self._waiting: deque[tuple[int, int, str, Any]] = deque()

    @property
    def due_us(self) -> int | None:
        """When the next record is durable; None: all are."""
        return self._waiting[0][0] if self._waiting else None

    def put(self, ticket: int, kind: str, body: Any, now_us: int) -> None:
        """Takes a record."""
        done_us = now_us + self._rng.randint(*WRITES_US) + self.slow_us
        if self._waiting:
            done_us = max(done_us, self._waiting[-1][0])
        # As it stands now: what is changed later is another record.
        self._waiting.append((done_us, ticket, kind, dict(body)))

    def done(self, now_us: int) -> list[int]:
        """Gives the tickets of what has become durable."""
        found = []
        while self._waiting and self._waiting[0][0] <= now_us:
            done_us, ticket, kind, body = self._waiting.popleft()
            self.rows.append(Row(done_us, kind, body))
            found.append(ticket)
        return found

    def lose(self, now_us: int) -> None:
        """The power goes: of what waits the first few are written, and the others never."""
        for _ in range(self._rng.randint(0, len(self._waiting))):
            _, _, kind, body = self._waiting.popleft()
            self.rows.append(Row(now_us, kind, body))
        self._waiting.clear()
