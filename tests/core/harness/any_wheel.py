"""A core of any apparatus, with two clean coups to play on it."""

from __future__ import annotations

from typing import Any

from firmware.core import facts
from firmware.core.coup.restart_state import FRESH, RestartState
from harness.dish_by_hand import Dish
from harness.plate import PlateSession
from harness.playing import BY_BOARD
from harness.stage import press, session_of
from harness.watched import Watched

BOARDS = tuple(BY_BOARD)


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

    def __init__(
        self,
        board: str,
        restart_state: RestartState = FRESH,
        *,
        after: Wheel | None = None,
        **house: Any,
    ) -> None:
        """`after`: the wheel whose controller restarts here; its edges go on."""
        apparatus = BY_BOARD[board]
        self.rules = apparatus.rules
        self.lines = [name for name, _ in apparatus.board["inputs"]]
        core = apparatus.controller(restart_state=restart_state, **house)
        super().__init__(core, open_coup=restart_state.open_coup or None)
        levels, edges = two_coups(board)
        self._levels, self._left = list(levels), list(edges)
        if after is not None:
            self.at_us = after.at_us
            while len(self._left) > len(after._left):
                _, line, level = self._left.pop(0)
                self._levels[line] = level
        self.start(self._levels)

    def until_state(self, *states: str) -> None:
        """Plays on until the open coup is in one of these states."""
        while self._left:
            due_us = self.core.timers.due_us
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
        press(self, self.lines.index(button))

    def kinds(self) -> list[type]:
        return [type(end) for end in self.ends]

    def bodies(self) -> list[Any]:
        return [body for kind, body in self.durable if kind in ("result", "void")]

    def enter(self, number: int) -> None:
        colour = sorted(
            its
            for its, here in zip(self.rules["colours"], self.rules["layout"], strict=True)
            if here == number
        )[0]
        self.event(facts.ManualEntered(self.at_us, number, colour, "anna", "weber", "dark"))
