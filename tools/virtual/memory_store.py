"""A store that forgets: for virtual time, where everything must be durable at once."""

from collections import deque
from typing import Any

RECORDS_MAX = 1000  # for whoever wants to look; a simulation of any length fits in memory


class MemoryStore:
    """Keeps records in memory and says at once that they are durable. Deterministic."""

    def __init__(self) -> None:
        """An empty store. `records`: (kind, body) of the last RECORDS_MAX."""
        self.records: deque[tuple[str, Any]] = deque(maxlen=RECORDS_MAX)
        self._done: list[int] = []

    def put(self, ticket: int, kind: str, body: Any) -> None:
        """Takes a record; `done` names its ticket from now on."""
        self.records.append((kind, body))
        self._done.append(ticket)

    def done(self) -> tuple[int, ...]:
        """Returns the tickets taken since the last call."""
        if not self._done:
            return ()
        tickets = tuple(self._done)
        self._done.clear()
        return tickets

    def trouble(self) -> None:
        """Returns None: writing never fails."""
        return None
