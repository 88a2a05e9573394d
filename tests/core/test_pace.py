"""The floor under the time between two coups (UK casino technical requirements 1.1)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from harness.playing import ROULETTE
from harness.stage import BTN_START, press, session_of
from harness.watched import Watched
from harness.wheel import WheelSession

from firmware.core import facts
from firmware.core.controller import Controller
from firmware.core.coup.pace import Pace
from firmware.core.coup.restart_state import FRESH, RestartState
from firmware.core.facts import CW, UNKNOWN
from firmware.core.house import HOUSE

GAME_US = 72_000_000  # 50 games an hour
LAST = FRESH._replace(coup=5, seq=5, rotor=CW)


@pytest.mark.req("UK-1.1.pace")
def test_fifty_games_an_hour_are_one_each_72_seconds() -> None:
    """UK casino technical requirements 1.1: at most 50 games an hour when fully automatic."""
    pace = Pace(GAME_US)
    begun_us = 0
    coups = 0
    for at_us in range(0, 3_600_000_000, 100_000):  # somebody who never lets go of the button
        if pace.wait_us(at_us) == 0:
            pace.begun(at_us)
            assert coups == 0 or at_us - begun_us == GAME_US
            begun_us = at_us
            coups += 1
    assert coups == 50


def restarted(restart_state: RestartState = LAST, **options: object) -> Watched:
    watched = Watched(
        ROULETTE.controller(restart_state=restart_state, driven=True, pace_us=GAME_US, **options)
    )
    watched.start(None)
    return watched


@pytest.mark.req("UK-1.1.pace")
def test_a_press_before_its_time_starts_nothing_and_says_how_long_to_wait() -> None:
    watched = restarted()
    watched.until(50_500_000)
    press(watched, BTN_START)
    watched.until(GAME_US + 30_000_000)
    assert not watched.drives
    assert not watched.durable
    assert watched.codes == ["P11"]
    assert "may begin in 22 s" in watched.facts[0].text


def test_after_a_restart_the_pace_counts_from_the_start_of_the_controller() -> None:
    watched = restarted()
    watched.until(GAME_US - 1_001)
    press(watched, BTN_START)
    assert not watched.drives
    watched.until(GAME_US)
    watched.until(watched.at_us + 1_000_000)
    press(watched, BTN_START)
    assert watched.drives == [-CW]


def test_the_last_microsecond_counts() -> None:
    for at_us, started in ((GAME_US - 1, False), (GAME_US, True)):
        watched = restarted()
        watched.edge(at_us, BTN_START, 1)
        assert bool(watched.drives) == started


def test_the_first_coup_of_a_wheel_waits_for_nothing() -> None:
    watched = restarted(RestartState(0, 0, UNKNOWN, UNKNOWN, 0, None, None, ()))
    press(watched, BTN_START)
    assert len(watched.drives) == 1


def test_a_coup_that_a_restart_interrupted_counts_too() -> None:
    restart_state = LAST._replace(coup=0, seq=0, open_coup=1)
    watched = Watched(
        ROULETTE.controller(restart_state=restart_state, driven=True, pace_us=GAME_US), open_coup=1
    )
    watched.start(None)
    press(watched, BTN_START)
    assert not watched.drives
    assert watched.codes == ["P11"]


def test_without_a_pace_nothing_waits() -> None:
    watched = Watched(ROULETTE.controller(restart_state=LAST, driven=True))
    watched.start(None)
    press(watched, BTN_START)
    assert len(watched.drives) == 1
    assert not watched.codes


def test_a_hand_that_is_too_early_has_its_coup_and_is_told() -> None:
    """Nobody can stop a hand."""
    session = session_of(3)
    watched = Watched(ROULETTE.controller(pace_us=GAME_US))
    watched.run(session)
    assert [type(end) for end in watched.ends] == [facts.Result] * 3
    begun = [fact.at_us for fact in watched.facts if isinstance(fact, facts.CoupStarted)]
    early = [1 for one, next_ in pairwise(begun) if next_ - one < GAME_US]
    assert len(early) == 2
    assert watched.codes == ["P11"] * len(early)


def test_where_a_hand_turns_the_rotor_the_button_is_never_too_early() -> None:
    """It only says that what moves, or moved just now, is a coup (contracts/trace.md)."""
    session = WheelSession(5)
    for _ in range(2):
        plan = session.plan()
        plan.start_button_s = 0.5
        session.play(plan)
    watched = Watched(ROULETTE.controller(pace_us=GAME_US))
    watched.run(session)
    assert len(watched.ends) == 2
    assert watched.codes == ["P11"]


def test_a_press_that_was_ignored_does_not_linger_as_a_start() -> None:
    """The rotor that moves two seconds later was not announced: the ball of the last coup lies in
    it still, so that it begins nothing (contracts/trace.md)."""
    session = session_of()
    core = Controller(
        ROULETTE.board, ROULETTE.rules, house=HOUSE._replace(driven=True, pace_us=10 * GAME_US)
    )
    watched = Watched(core)
    watched.play(session)
    press(watched, BTN_START)
    assert watched.codes == ["P11"]
    assert core.game._start_us is None


@pytest.mark.parametrize("state", ["CONFIRMED", "VOID"])
def test_a_press_that_confirms_is_never_too_early(state: str) -> None:
    session = session_of()
    watched = Watched(ROULETTE.controller(confirm="croupier", driven=True, pace_us=GAME_US))
    watched.play(session, lambda: watched.core.state == "DETECTED")
    press(watched, BTN_START if state == "CONFIRMED" else BTN_START + 1)
    assert watched.core.state == state
    assert not watched.codes
