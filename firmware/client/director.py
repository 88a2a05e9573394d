"""A director's signature under the limits of a table, asked of a running controller."""

from __future__ import annotations

from typing import Any

from firmware.api.values import WHY_MAX
from firmware.config import table_limits
from firmware.config.table_limits import LimitsChange
from firmware.lib.language import Message


def request(change: LimitsChange, name: str, pin: str) -> dict[str, Any]:
    """Returns what a controller is asked, so that it writes down that `name` has signed."""
    return {
        "do": table_limits.ACT,
        "sha256": change.sha256,
        "why": change.summary[:WHY_MAX].strip(),
        "director": {"name": name, "pin": pin},
    }


def unsigned(change: LimitsChange) -> Message:
    """Returns why limits are refused that nobody signs."""
    return Message(
        "[stakes] {law}the limits of the table change, and no director signs them.", law=change.law
    )
