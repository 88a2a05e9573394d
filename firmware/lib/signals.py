"""Signals while something is under way that has to be put back."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def handled(handler: Any, *numbers: int) -> Iterator[None]:
    """Sends these signals to `handler` meanwhile. In the main thread alone."""
    before: list[tuple[int, Any]] = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, handler_before in before:
            signal.signal(number, handler_before)


def as_ctrl_c() -> contextlib.AbstractContextManager[None]:
    """Makes SIGHUP and SIGTERM raise what Ctrl-C raises, so that what was begun is put back."""
    return handled(_interrupted, signal.SIGTERM, signal.SIGHUP)


def _interrupted(number: int, frame: object) -> None:
    raise KeyboardInterrupt
