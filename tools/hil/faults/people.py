"""What people do that they should not: buttons at the wrong moment, the emergency stop."""

from __future__ import annotations

from random import Random
from typing import Any

from tools.hil.faults.entry import EITHER, MOMENTS, NUMBER, TURNING, VOID, Expect, Fault, Parameter
from tools.hil.faults.world_fault import FaultyWorld, InputFault, WorldFault
from tools.sim.sensors import Edge

_TAP_US = 80_000  # how long a hurried finger stays on a button


class Pressed(InputFault):
    """Somebody presses `buttons` so often: `presses`, `gap_ms` apart; the last one to the end.

    What the croupier presses meanwhile is not felt, for the contact is closed already.
    """

    def __init__(self, world: FaultyWorld, parameters: dict[str, Any], rng: Random) -> None:
        super().__init__(world, parameters, rng)
        self._held = 0
        self._level = {line: world.levels[line] for line in self.lines}

    def names(self) -> tuple[str, ...]:
        """`btn_start`, `btn_void` or both."""
        both = ("btn_start", "btn_void")
        which = self.parameters["buttons"]
        return both if which == "both" else (which,)

    def begin_fault(self, at_us: int) -> list[Edge]:
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

    def begin_fault(self, at_us: int) -> list[Edge]:
        """No line of the core says so: the motor's driver reads it."""
        self.world.set_safety(self.parameters["input"], 1)
        return []

    def end_fault(self, at_us: int) -> list[Edge]:
        """Released."""
        self.world.set_safety(self.parameters["input"], 0)
        return []


_START = Parameter("buttons", "choice", ("btn_start",), "btn_start")
_VOID = Parameter("buttons", "choice", ("btn_void",), "btn_void")
_BOTH = Parameter("buttons", "choice", ("both",), "both")
_ONCE = Parameter("presses", "number", (1, 1), 1)
_OFTEN = Parameter("presses", "number", (2, 4), 2)
_GAP = Parameter("gap_ms", "number", (5, 1_500), 150)
_TAP_S = (0.04, 0.4)
_ESTOP = Parameter("input", "choice", ("estop",), "estop")
_CURRENT = Parameter("input", "choice", ("overcurrent",), "overcurrent")
_RUNS = ("launch", "drop")
_BETWEEN = ("start", "rest", "lift")
_LOCKED = ("UK-4.1.locked", "ON-21.1.9.disabled", "UK-4.1.detected")

# fmt: off
FAULTS: tuple[Fault, ...] = (
    Fault("start_tapped", "people", "btn_start is pressed at a moment that is not for it.",
          Pressed, Expect(NUMBER),
          parameters=(_START, _ONCE, _GAP), moments=MOMENTS, lasts_s=_TAP_S,
          requires=("UK-3.2.inputs",)),
    Fault("start_hammered", "people", "btn_start is pressed twice or more instead of once.",
          Pressed, Expect(NUMBER),
          parameters=(_START, _OFTEN, _GAP), moments=MOMENTS,
          lasts_s=(1.5, 8.0), requires=("UK-3.2.inputs",)),
    Fault("start_held", "people", "btn_start is held, or a chip lies on it.",
          Pressed, Expect(settles_coups=1),
          parameters=(_START, _ONCE, _GAP), moments=MOMENTS,
          lasts_s=(2.0, 60.0), requires=("UK-3.2.inputs",)),
    Fault("void_tapped", "people", "btn_void is pressed while the ball runs.",
          Pressed, Expect(VOID, ("croupier",), by_s=0.2),
          parameters=(_VOID, _ONCE, _GAP), moments=("launch", "drop"),
          after_s=(0.1, 1.5), lasts_s=_TAP_S, requires=("UK-3.2.inputs", "UK-4.1.detected")),
    Fault("void_late", "people", "btn_void is pressed when it is too late, or too early.",
          Pressed, Expect(settles_coups=1),
          parameters=(_VOID, _ONCE, _GAP), moments=("start", "rest", "lift"),
          after_s=(0.0, 8.0), lasts_s=_TAP_S, requires=("UK-3.2.inputs", "IL-660b.no_second")),
    Fault("void_held", "people", "btn_void is held, or a chip lies on it.",
          Pressed, Expect(VOID, ("croupier",), by_s=0.2),
          parameters=(_VOID, _ONCE, _GAP), moments=("launch", "drop"),
          after_s=(0.1, 1.5), lasts_s=(2.0, 60.0), requires=("UK-3.2.inputs", "UK-4.1.detected")),
    Fault("both_pressed", "people", "Both buttons are pressed at once while the ball runs.",
          Pressed, Expect(VOID, ("croupier",), by_s=0.2, settles_coups=1),
          parameters=(_BOTH, _ONCE, _GAP), moments=_RUNS, after_s=(0.1, 1.5),
          lasts_s=(0.04, 12.0), requires=("UK-3.2.inputs", "UK-4.1.detected")),
    Fault("both_pressed_between", "people", "Both buttons are pressed before a coup or after it.",
          Pressed, Expect(settles_coups=1),
          parameters=(_BOTH, _ONCE, _GAP), moments=_BETWEEN,
          lasts_s=(0.04, 12.0), requires=("UK-3.2.inputs",)),
    Fault("emergency_stop", "people", "Somebody presses the emergency stop, and releases it.",
          Safety, Expect(VOID, ("M12",), by_s=0.1, settles_coups=1),
          parameters=(_ESTOP,), apparatus=TURNING, moments=_RUNS, after_s=(0.1, 1.5),
          lasts_s=(0.2, 30.0), requires=_LOCKED),
    Fault("emergency_stop_between", "people", "The emergency stop, before a coup or after it.",
          Safety, Expect(EITHER, ("M12",), by_s=0.1, settles_coups=1),
          parameters=(_ESTOP,), apparatus=TURNING, moments=_BETWEEN,
          lasts_s=(0.2, 30.0), requires=_LOCKED),
    Fault("overcurrent", "people", "The motor's current limit speaks.",
          Safety, Expect(VOID, ("M13",), by_s=0.1, settles_coups=1),
          parameters=(_CURRENT,), apparatus=TURNING, moments=_RUNS, after_s=(0.1, 1.5),
          lasts_s=(0.05, 30.0), requires=_LOCKED),
    Fault("overcurrent_between", "people", "The motor's current limit, before a coup or after it.",
          Safety, Expect(EITHER, ("M13",), by_s=0.1, settles_coups=1),
          parameters=(_CURRENT,), apparatus=TURNING, moments=_BETWEEN,
          lasts_s=(0.05, 30.0), requires=_LOCKED),
)
# fmt: on
