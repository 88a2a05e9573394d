"""What some clean coups of bench_wheel.py teach about the call, as a wheel records it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from bench_wheel import Session
from core_bench import BOARD, Watched, controller

from firmware.core.call import learned
from firmware.core.controller import FRESH, Memory
from firmware.core.drop import RECORDED_EACH

GEOMETRY = BOARD["geometry"]
COUPS = 3 * RECORDED_EACH  # enough of both directions to have earned their margins


def rows(watched: Watched) -> list[list[int]]:
    """All that was recorded of it, in order."""
    return [body["learned"] for kind, body in watched.durable if kind == "learned"]


def played(coups: int) -> Session:
    """So many clean coups of the wheel that core_stage.session_of() has, and that teaches here."""
    session = Session(5, wheel="W1")
    for _ in range(coups):
        session.play(session.plan())
    return session


@functools.cache
def _recorded(coups: int) -> tuple[int, ...]:
    watched = Watched(controller())
    watched.run(played(coups))
    caller = watched.core.game.caller
    assert caller.learned.coups == coups
    return tuple(caller.plain())


def recorded(coups: int = COUPS) -> list[int]:
    """The row after so many coups."""
    return list(_recorded(coups))


def remembering(
    coups: int = COUPS, change: Callable[[learned.Learned], Any] = lambda one: None
) -> Memory:
    """The memory of a wheel that has learned from so many, changed as a test wants it."""
    found, refusal = learned.restore(recorded(coups), GEOMETRY)
    assert refusal is None
    change(found)
    return FRESH._replace(coup=coups, seq=coups, learned=learned.plain(found, GEOMETRY))
