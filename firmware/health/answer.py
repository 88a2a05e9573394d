"""The answer about a wheel's health for other programs, as contracts have it (docs/health.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware.core.health.facts import DEAD, GAIN, LOOSE, POCKET, SECTOR
from firmware.health.replay import GivenNotice

_AT_COMPARTMENT = (POCKET, SECTOR, DEAD, GAIN, LOOSE)


def place_of(kind: str, place: int | None, numbers: Sequence[int]) -> int | None:
    """Returns where a notice points to: a number in place of its compartment."""
    return numbers[place] if kind in _AT_COMPARTMENT and place is not None else place


def notice(given: GivenNotice, numbers: Sequence[int]) -> dict[str, Any]:
    """Returns a notice. `coup`: the line after which it was first given, 1-based."""
    kind, place, stream = given.notice
    return {
        "coup": given.line,
        "kind": kind,
        "place": place_of(kind, place, numbers),
        "stream": stream,
        "t_s": given.t_s,
    }
