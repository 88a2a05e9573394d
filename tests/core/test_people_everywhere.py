"""Confirmation, manual mode and pace at every apparatus: what people may is the same at each."""

from __future__ import annotations

import random
from typing import Any

import pytest
from bench_plate import PlateSession
from boule_stage import Dish
from core_bench import ENDS, Watched
from core_stage import session_of
from test_controller_soup import DELAYS_US, anything

import boards
import rules
from firmware.core import coup, facts
from firmware.core.controller import HOUSE, Controller
from firmware.core.manual import MANUAL_US

BOARDS = ("roulette_ref", "vingt_trois_ref", "boule_ref")
CALLED = (coup.NO_MORE_BETS, coup.BALL_DROPPED)
PACE_US = 600_000_000


def two_coups(board: str) -> tuple[Any, Any]:
    """Levels and edges of two clean coups."""
    if board == "roulette_ref":
        session = session_of(2)
        return session.levels(), session.edges()
    if board == "boule_ref":
        dish = Dish()
        dish.coup(dish.coup(1.0, 4) + 3, 7, way=-1)
        dish.line("btn_void", 90.0, 0)
        return dish.levels, dish.edges()
    session = PlateSession(3)
    for _ in range(2):
        plan = session.plan()
        plan.settled_s = 20.0
        session.play(plan)
    return session.levels(), session.edges()


class Wheel(Watched):
    """A core of any apparatus, and two coups to play on it."""

    def __init__(self, board: str, **house: Any) -> None:
        data = boards.load(board)
        self.rules = rules.load(data["rules"])
        self.lines = [name for name, _ in data["inputs"]]
        super().__init__(Controller(data, self.rules, house=HOUSE._replace(**house)))
        self._levels, edges = two_coups(board)
        self._left = list(edges)
        self.start(self._levels)

    def until_state(self, *states: str) -> None:
        """Plays on until the open coup is in one of these states."""
        while self._left:
            due_us = self.core.deadline_us
            if due_us is not None and due_us < self._left[0][0]:
                self.until(due_us)
            else:
                self.edge(*self._left.pop(0))
            if self.core.state in states and self.facts:
                return
        raise AssertionError(f"never {states}")

    def play_on(self) -> None:
        """What is left of the two coups, and time to decide it."""
        while self._left:
            self.edge(*self._left.pop(0))
        self.until(self.at_us + 5_000_000)

    def press(self, button: str) -> None:
        line = self.lines.index(button)
        self.edge(self.at_us + 1_000, line, 1)
        self.edge(self.at_us + 100_000, line, 0)

    def kinds(self) -> list[type]:
        return [type(fact) for fact in self.facts if isinstance(fact, ENDS)]

    def bodies(self) -> list[Any]:
        return [body for kind, body in self.durable if kind in ("result", "void")]

    def enter(self, number: int) -> None:
        colour = sorted(
            its
            for its, here in zip(self.rules["colours"], self.rules["layout"], strict=True)
            if here == number
        )[0]
        self.event(facts.ManualEntered(self.at_us, number, colour, "anna", "weber", "dark"))


@pytest.mark.parametrize("board", BOARDS)
def test_both_coups_are_clean_unless_people_meddle(board: str) -> None:
    wheel = Wheel(board)
    wheel.play_on()
    assert wheel.kinds() == [facts.Result, facts.Result]
    assert all(body["verified"] for body in wheel.bodies())


@pytest.mark.parametrize("by_button", [True, False])
@pytest.mark.parametrize("board", BOARDS)
def test_the_croupier_confirms_and_the_record_says_so(board: str, by_button: bool) -> None:
    """Luxembourg art. 37-1 and France art. 46: the croupier verifies the detected number."""
    wheel = Wheel(board, confirm="croupier")
    wheel.until_state(coup.DETECTED)
    assert wheel.core.view().number is None
    wheel.until(wheel.at_us + 500_000)
    assert not wheel.kinds()
    if by_button:
        wheel.press("btn_start")
    else:
        wheel.event(facts.ConfirmAsked(wheel.at_us, "anna"))
    assert wheel.kinds() == [facts.Result]
    (body,) = wheel.bodies()
    assert (body["who"], body["verified"]) == ("croupier" if by_button else "anna", True)
    assert wheel.core.view().number == body["number"]
    assert [type(fact) for fact in wheel.facts].count(facts.CoupStarted) == 1


@pytest.mark.parametrize("state", CALLED)
@pytest.mark.parametrize("board", BOARDS)
def test_people_enter_a_number_and_play_goes_on(board: str, state: str) -> None:
    """French arrêté of 14 May 2007, art. 67-5: alternation, record and broadcast go on."""
    wheel = Wheel(board)
    wheel.until_state(state)
    while board != "boule_ref" and facts.RotorMoving not in map(type, wheel.facts):
        wheel.edge(*wheel._left.pop(0))  # vingt-trois is called for before it is set in motion
    wheel.enter(7)
    assert wheel.core.view().number == 7
    (body,) = wheel.bodies()
    assert (body["manual"], body["who"], body["manager"]) == (True, "anna", "weber")
    several = list(wheel.rules["layout"]).count(7) > 1
    assert (body["compartment"] is None) == (several and board == "boule_ref")
    wheel.play_on()
    assert wheel.kinds() == [facts.Result, facts.Result]
    assert wheel.bodies()[1]["verified"]


@pytest.mark.parametrize("board", BOARDS)
def test_people_are_asked_where_the_sensors_gave_up(board: str) -> None:
    wheel = Wheel(board, undetected="manual")
    wheel.until_state(coup.BALL_DROPPED)
    wheel.core.table.void("sensors_disagree")
    wheel.take(wheel.at_us, wheel.core.table.take())
    begun_us = wheel.at_us
    wheel.until_state(coup.MANUAL)
    wheel.until(begun_us + 5_000_000)
    wheel.press("btn_start")
    assert wheel.core.state == coup.MANUAL
    wheel.enter(7)
    assert wheel.kinds() == [facts.Result]
    assert wheel.bodies()[0]["undetected"] == "sensors_disagree"


@pytest.mark.parametrize("board", BOARDS)
def test_nobody_came_to_enter_it(board: str) -> None:
    wheel = Wheel(board, undetected="manual")
    wheel.until_state(coup.BALL_DROPPED)
    wheel.core.table.void("timeout")
    wheel.take(wheel.at_us, wheel.core.table.take())
    since_us = wheel.at_us
    wheel.until(since_us + MANUAL_US)
    (end,) = [fact for fact in wheel.facts if isinstance(fact, facts.Void)]
    assert (end.reason, end.at_us) == ("timeout", since_us + MANUAL_US)


@pytest.mark.parametrize("board", BOARDS)
def test_what_people_enter_before_the_call_is_called_for_first(board: str) -> None:
    wheel = Wheel(board)
    wheel.until_state(coup.BETS_OPEN, coup.NO_MORE_BETS)
    wheel.enter(7)
    kinds = [type(fact) for fact in wheel.facts]
    assert kinds.count(facts.NoMoreBets) == 1
    assert kinds.index(facts.NoMoreBets) < kinds.index(facts.Result)


@pytest.mark.parametrize("board", BOARDS)
def test_a_coup_is_recorded_as_it_begins_before_anything_else_of_it(board: str) -> None:
    """Ontario 3.2.3: an interrupted game is preserved. At boule nothing is actuated to tell it."""
    wheel = Wheel(board)
    wheel.play_on()
    begun = [body["coup"] for kind, body in wheel.durable if kind == "begun"]
    assert begun == [1, 2]
    for coup_now in begun:
        kinds = [kind for kind, body in wheel.durable if body.get("coup") == coup_now]
        assert kinds[0] == "begun"


@pytest.mark.parametrize("driven", [True, False])
@pytest.mark.parametrize("board", BOARDS[1:])
def test_a_press_before_the_pace_allows_begins_no_coup(board: str, driven: bool) -> None:
    """UK casino technical requirements 1.1. Here the button begins the coup."""
    wheel = Wheel(board, pace_us=PACE_US, driven=driven and board != "boule_ref")
    wheel.until_state(coup.NO_MORE_BETS)
    wheel.event(facts.VoidAsked(wheel.at_us, "anna"))
    wheel.until(wheel.at_us + 20_000_000)
    for _ in range(3):
        wheel.press("btn_start")
        wheel.until(wheel.at_us + 10_000_000)
    kinds = [type(fact) for fact in wheel.facts]
    assert kinds.count(facts.CoupStarted) == 1
    assert {fact.code for fact in wheel.facts if isinstance(fact, facts.Fault)} == {"P11"}
    wheel.until(PACE_US + 20_000_000)
    wheel.press("btn_start")
    wheel.until(wheel.at_us + 3_000_000)
    assert [type(fact) for fact in wheel.facts].count(facts.CoupStarted) == 2


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("board", BOARDS[1:])
def test_people_who_are_asked_among_edges_at_random_break_nothing(board: str, seed: int) -> None:
    """Held by core_bench.Watched: order of coups and records, views, one end a coup."""
    r = random.Random(seed)
    wheel = Wheel(
        board,
        undetected="manual",
        confirm=r.choice(("auto", "croupier")),
        driven=r.random() < 0.5 and board != "boule_ref",
        pace_us=r.choice((0, 30_000_000)),
    )
    wheel.delay_us = DELAYS_US[seed % 4]
    at_us = 0
    for _ in range(1_500):
        at_us += r.randrange(r.choice((2_000, 60_000, 600_000)))
        level = -1 if r.random() < 0.01 else r.randrange(2)
        wheel.edge(at_us, r.randrange(len(wheel.lines)), level)
        if r.random() < 0.03:
            wheel.event(anything(r, wheel.at_us))
        at_us = wheel.at_us
    wheel.end()
    started = [fact.coup for fact in wheel.facts if isinstance(fact, facts.CoupStarted)]
    assert [fact.coup for fact in wheel.facts if isinstance(fact, ENDS)] == started


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("board", BOARDS)
def test_people_who_are_asked_among_clean_coups_break_nothing(board: str, seed: int) -> None:
    r = random.Random(seed)
    wheel = Wheel(board, undetected="manual", confirm=r.choice(("auto", "croupier")))
    reasons = ("sensors_disagree", "encoder", "timeout", "ball_lost")
    for edge in tuple(wheel._left):
        wheel.edge(*edge)
        if r.random() < 0.003:
            wheel.core.table.void(r.choice(reasons))
            wheel.take(wheel.at_us, wheel.core.table.take())
        if r.random() < 0.002:
            wheel.event(anything(r, wheel.at_us))
    wheel.end()
    started = [fact.coup for fact in wheel.facts if isinstance(fact, facts.CoupStarted)]
    assert [fact.coup for fact in wheel.facts if isinstance(fact, ENDS)] == started
