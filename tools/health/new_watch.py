"""The watch for a long record: quick where numpy is, to the same bits where it is not."""

from __future__ import annotations

import importlib.util

from firmware.core.health.facts import Wheel
from firmware.core.health.watch import HealthWatch


def new_watch(wheel: Wheel) -> HealthWatch:
    """Makes a watch over that wheel that knows nothing."""
    if importlib.util.find_spec("numpy") is None:
        return HealthWatch(wheel)
    from tools.health.quick_bank import quick_watch

    return quick_watch(wheel)
