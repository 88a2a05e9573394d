"""What some clean coups of roulette teach about the call, as a wheel records it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from firmware.core.call import learned
from firmware.core.call.predictor import RECORDED_EACH
from firmware.core.coup.restart_state import FRESH, RestartState
from harness.playing import ROULETTE
from harness.watched import Watched
from harness.wheel import WheelSession

GEOMETRY = ROULETTE.board["geometry"]
COUPS = 3 * RECORDED_EACH  # enough of both directions to have earned their margins
VALUES = 413  # of the row after so many: tests are counted by it before anything is played


def rows(watched: Watched) -> list[list[int]]:
    """All that was recorded of it, in order."""
    return [body["learned"] for kind, body in watched.durable if kind == "learned"]


def played(coups: int) -> WheelSession:
    """So many clean coups of the wheel that stage.session_of() has, and that teaches here."""
    session = WheelSession(5, wheel="W1")
    for _ in range(coups):
        session.play(session.plan())
    return session


@functools.cache
def _recorded(coups: int) -> tuple[int, ...]:
    watched = Watched(ROULETTE.controller())
    watched.run(played(coups))
    call_predictor = watched.core.game.predictor
    assert call_predictor.learned.coups == coups
    return tuple(call_predictor.plain())


def recorded(coups: int = COUPS) -> list[int]:
    """The row after so many coups."""
    return list(_recorded(coups))


def remembering(
    coups: int = COUPS, change: Callable[[learned.Learned], Any] = lambda one: None
) -> RestartState:
    """The restart state of a wheel that has learned from so many, changed as a test wants it."""
    found, refusal = learned.restore(recorded(coups), GEOMETRY)
    assert refusal is None
    change(found)
    return FRESH._replace(coup=coups, seq=coups, learned=learned.plain(found, GEOMETRY))
