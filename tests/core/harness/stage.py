"""A core of roulette brought to where a test wants it, and what is done to it there."""

from __future__ import annotations

from typing import Any

from firmware.core.coup import states as coup_states
from harness.places import LINES
from harness.playing import ROULETTE
from harness.sessions import Session
from harness.watched import Watched
from harness.wheel import WheelSession

BTN_START = LINES.index("btn_start")
BTN_VOID = LINES.index("btn_void")
OPEN = (
    coup_states.BETS_OPEN,
    coup_states.BALL_IN_TRACK,
    coup_states.NO_MORE_BETS,
    coup_states.BALL_DROPPED,
    coup_states.DETECTED,
)


def session_of(coups: int = 1, seed: int = 3) -> WheelSession:
    """Clean coups without a press."""
    session = WheelSession(seed)
    for _ in range(coups):
        plan = session.plan()
        plan.start_button_s = None
        plan.settled_s = 14.0
        session.play(plan)
    return session


def stopped_in(state: str, *, session: Session | None = None, **options: Any) -> Watched:
    """A core that has just come to that state, in a clean coup."""
    return brought(Watched(ROULETTE.controller(**options)), session or session_of(), state)


def brought(watched: Watched, session: Session, *states: str) -> Watched:
    """Plays a session until the core has just come to one of these states."""
    came = watched.play(session, lambda: watched.core.state in states and watched.facts)
    assert came, f"never {states}"
    return watched


def goes_on(watched: Watched, session: Session) -> None:
    """The rest of the session."""
    for edge in session.edges():
        if edge[0] > watched.at_us:
            watched.edge(*edge)


def press(watched: Watched, line: int) -> None:
    """A finger on a button, now."""
    watched.edge(watched.at_us + 1_000, line, 1)
    watched.edge(watched.at_us + 100_000, line, 0)
