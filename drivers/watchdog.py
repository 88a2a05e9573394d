"""The hardware watchdog, fed only by progress from end to end.

A loop that turns while the edges, the core or the store stand still is no sign of life.
"""

from firmware.shims.typed import Any

PARTIES = ("edges", "core", "store")


class ProgressWatchdog:
    """Feeds when every party has got somewhere since the last feed."""

    def __init__(self, wdt: Any, parties: tuple[str, ...] = PARTIES) -> None:
        """Takes a running machine WDT."""
        self._wdt = wdt
        self._parties = parties
        self._seen = [False] * len(parties)

    def progress(self, party: str) -> None:
        """A party did its work, or found none to do. Raises ValueError for a stranger."""
        self._seen[self._parties.index(party)] = True

    def poll(self) -> bool:
        """Feeds if all have reported; returns whether it did."""
        if not all(self._seen):
            return False
        self._seen = [False] * len(self._parties)
        self._wdt.feed()
        return True

    def missing(self) -> tuple[str, ...]:
        """Returns who has not reported since the last feed."""
        return tuple([p for i, p in enumerate(self._parties) if not self._seen[i]])
