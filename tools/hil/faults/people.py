"""Faults of people: buttons pressed when they should not be, the emergency stop."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from tools.hil.faults.input_fault import InputFault
from tools.hil.faults.world_fault import WorldFault
from tools.sim.sensors import Edge

if TYPE_CHECKING:
    from tools.hil.world import World

_TAP_US = 80_000  # how long a hurried finger stays on a button


class Pressed(InputFault):
    """Somebody presses `buttons` so often: `presses`, `gap_ms` apart; the last one to the end.

    What the croupier presses meanwhile is not felt, for the contact is closed already.
    """

    def __init__(self, world: World, parameters: dict[str, Any], rng: Random) -> None:
        super().__init__(world, parameters, rng)
        self._held = 0
        self._level = {line: world.levels[line] for line in self.lines}

    def names(self) -> tuple[str, ...]:
        """`btn_start`, `btn_void` or both."""
        both = ("btn_start", "btn_void")
        which = self.parameters["buttons"]
        return both if which == "both" else (which,)

    def begin(self, at_us: int) -> list[Edge]:
        """All but the last are short."""
        self._turns_us = [at_us]
        for _ in range(int(self.parameters["presses"]) - 1):
            let_go_us = self._turns_us[-1] + _TAP_US
            self._turns_us += [let_go_us, let_go_us + int(self.parameters["gap_ms"] * 1000)]
        return []

    def change(self, at_us: int, line: int, level: int) -> None:
        """The croupier's finger, beside another."""
        self._level[line] = level
        self.put(at_us, line, self._held | level)

    def fill(self, until_us: int) -> None:
        """The presses until then."""
        while self._turns_us and self._turns_us[0] <= until_us:
            at_us = self._turns_us.pop(0)
            self._held = 1 - self._held
            for line in self.lines:
                self.put(at_us, line, self._held | self._level[line])


class Safety(WorldFault):
    """The safety input `input` wants the motor off, for as long as this lasts."""

    def begin(self, at_us: int) -> list[Edge]:
        """No line of the core says so: the motor's driver reads it."""
        self.world.set_safety(self.parameters["input"], 1)
        return []

    def end(self, at_us: int) -> list[Edge]:
        """Released."""
        self.world.set_safety(self.parameters["input"], 0)
        return []
