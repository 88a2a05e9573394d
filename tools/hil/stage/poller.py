"""Waits for whatever is said on a stage, and hands it to who takes it."""

from __future__ import annotations

import json
import selectors
from collections.abc import Callable
from typing import Any

from tools.hil.stage.child_process import ChildProcess


class Poller:
    """File descriptors, each with who takes what comes there."""

    def __init__(self) -> None:
        """Nothing is listened to."""
        self._selector = selectors.DefaultSelector()

    def listen(self, handle: int, take: Callable[[Any], None], who: Any) -> None:
        """`take(who)` when something comes."""
        self._selector.register(handle, selectors.EVENT_READ, (take, who))

    def add(self, process: ChildProcess, take: Callable[..., None], *who: Any) -> ChildProcess:
        """`take(process, object, *who)` for each JSON line of its standard output; the process."""
        self.listen(process.out, self._from_process, (process, take, who))
        return process

    def wait(self, wait_us: int) -> None:
        """Takes what comes, waiting no longer than that."""
        for key, _ in self._selector.select(max(0, wait_us) / 1e6):
            take, who = key.data
            take(who)

    def drop(self, process: ChildProcess) -> None:
        """Ends it; what it still says is not heard."""
        if not process.has_hushed:
            self._selector.unregister(process.out)
        process.close()

    def read_all(self) -> None:
        """Takes what has come from everybody."""
        for key in list(self._selector.get_map().values()):
            take, who = key.data
            take(who)

    def close(self) -> None:
        """Listens no more."""
        self._selector.close()

    def _from_process(self, who: tuple[ChildProcess, Callable[..., None], tuple[Any, ...]]) -> None:
        process, take, more = who
        for line in process.read():
            take(process, json.loads(line), *more)
        if process.has_hushed:
            self._selector.unregister(process.out)
