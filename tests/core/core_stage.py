"""A core brought to where a test wants it, what is done to it there, and what it said."""

from __future__ import annotations

from typing import Any

from bench_wheel import LINES, Session
from core_bench import ENDS, Watched, controller

from firmware.core import coup, facts

BTN_START = LINES.index("btn_start")
BTN_VOID = LINES.index("btn_void")
OPEN = (coup.BETS_OPEN, coup.BALL_IN_TRACK, coup.NO_MORE_BETS, coup.BALL_DROPPED, coup.DETECTED)


def session_of(coups: int = 1, seed: int = 3) -> Session:
    session = Session(seed)
    for _ in range(coups):
        plan = session.plan()
        plan.start_button_s = None
        plan.settled_s = 14.0
        session.play(plan)
    return session


def stopped_in(state: str, *, session: Session | None = None, **options: Any) -> Watched:
    """A core that has just come to that state, in a clean coup."""
    session = session or session_of()
    watched = Watched(controller(**options))
    watched.start(session.levels())
    for edge in session.edges():
        watched.edge(*edge)
        if watched.core.state == state and watched.facts:
            return watched
    raise AssertionError(f"never {state}")


def goes_on(watched: Watched, session: Session) -> None:
    """The rest of the session."""
    for edge in session.edges():
        if edge[0] > watched.at_us:
            watched.edge(*edge)


def press(watched: Watched, line: int) -> None:
    watched.edge(watched.at_us + 1_000, line, 1)
    watched.edge(watched.at_us + 100_000, line, 0)


def ends(watched: Watched) -> list[Any]:
    return [fact for fact in watched.facts if isinstance(fact, ENDS)]


def codes(watched: Watched) -> list[str]:
    return [fact.code for fact in watched.facts if isinstance(fact, facts.Fault)]


def drives(watched: Watched) -> list[int]:
    return [order.rotor for order in watched.orders if isinstance(order, facts.Drive)]
