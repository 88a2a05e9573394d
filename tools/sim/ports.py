"""A simulated table behind the port `Edges`, in jumping time and in real time.

Both carry the motor's outputs from the machine's pins to the rotor, as the board's bridge would:
the enable must have toggled within PUMP_US, or its charge pump has let go and the motor is off.
"""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from firmware.shims.virtual import VirtualMachine
from tools.sim.table import Table

PUMP_US = 60_000  # a few periods of the enable's 50 Hz: what a charge pump's capacitor holds
_PAUSE_US = 2 * PUMP_US  # so long behind the clock, nobody has moved the enable meanwhile
SLOT_US = 10_000  # as finely as the loop of a real wheel answers
_NO_PIN = -1  # of a board without a motor


class Bridge:
    """The motor's bridge: reads the output pins, says how hard the motor drives."""

    def __init__(self, board: dict[str, Any], machine: VirtualMachine, leap_us: int = 0) -> None:
        """Takes the pins motor_pwm, motor_dir and motor_enable of the board; a dish has none.

        `leap_us`: for so long a loop whose time jumps leaves out the polls that move the enable.
        """
        self._pump_us = PUMP_US + leap_us
        pins = dict(board["outputs"])
        self._pwm = self._direction = self._enable = _NO_PIN
        if "motor_enable" in pins:
            self._pwm = pins["motor_pwm"]
            self._direction = pins["motor_dir"]
            self._enable = pins["motor_enable"]
        self._levels = machine.lines.level
        self._waves = machine.lines.wave
        self._level = 0
        self._toggled_us = -self._pump_us - 1

    def permille(self, now_us: int) -> int:
        """The drive at `now_us`, -1000..1000, ccw positive."""
        level = self._levels[self._enable]
        if level != self._level:
            self._level = level
            self._toggled_us = now_us
        elif now_us - self._toggled_us > self._pump_us:
            return 0
        wave = self._waves.get(self._pwm)
        if wave is None:
            return 0
        duty = wave[1] * 1000 // 65535
        return duty if self._levels[self._direction] else -duty


class JumpingWheel:
    """Time jumps to whatever is waited for: deterministic, and as fast as the processor."""

    def __init__(
        self, wheel: Table, bridge: Bridge, flowing: Collection[int] | None = None
    ) -> None:
        """The clock starts with the wheel's.

        `flowing`: lines whose edges nobody answers by moving the motor. Any other edge ends a read
        at the end of its SLOT_US, as if the loop had come by then. None: no edge does.
        """
        self._flowing = flowing
        self._wheel = wheel
        self._advance = wheel.advance
        self._permille = bridge.permille
        self._now_us: int = wheel.now_us
        self._called = False

    def call(self) -> None:
        """Something moved that is no edge, and the loop would see it at its next poll: a read ends
        with this SLOT_US."""
        self._called = True

    def now_us(self) -> int:
        """The wheel's time."""
        return self._now_us

    def read(self, until_us: int) -> Sequence[tuple[int, int, int]]:
        """All edges up to `until_us`, or to the end of a slot that ends the read: time then stands
        there."""
        now_us = self._now_us
        if until_us <= now_us:
            return ()
        permille = self._permille(now_us)
        flowing, advance = self._flowing, self._advance
        slot_us = now_us - now_us % SLOT_US + SLOT_US
        if until_us <= slot_us or flowing is None:
            self._now_us = until_us
            return advance(until_us, permille)
        edges: list[tuple[int, int, int]] = []
        self._called = False
        while True:
            # In the slots before somebody acts there are none but flowing edges.
            quiet_us = self._wheel.acts_us - 1
            if quiet_us > slot_us:
                slot_us = quiet_us - quiet_us % SLOT_US + SLOT_US
            if slot_us > until_us:
                slot_us = until_us
            found = advance(slot_us, permille)
            if found:
                edges += found
                for edge in found:
                    if edge[1] not in flowing:
                        self._now_us = slot_us
                        return edges
            if slot_us == until_us or self._called:
                self._now_us = slot_us
                return edges
            slot_us += SLOT_US


def _monotonic_us() -> int:
    return time.monotonic_ns() // 1000


class RealTimeWheel:
    """The wheel's time goes with CLOCK_MONOTONIC, the clock that stamps edges on a Pi."""

    def __init__(
        self,
        wheel: Table,
        bridge: Bridge,
        *,
        now_us: Callable[[], int] = _monotonic_us,
        sleep_us: Callable[[int], None] | None = None,
    ) -> None:
        """The wheel's present is now. Clock and sleep can be given: tests let them run faster."""
        self._wheel = wheel
        self._bridge = bridge
        self.now_us = now_us
        self._sleep_us = sleep_us or (lambda us: time.sleep(us / 1_000_000))
        self._start_us = now_us() - wheel.now_us
        self._permille = 0  # how hard the motor drove at the last visit

    def read(self, until_us: int) -> Sequence[tuple[int, int, int]]:
        """Waits until `until_us`; the edges up to then, and up to now where that is later: a late
        reader finds in the ring of a GPIO chip all that came meanwhile. One already past waits for
        nothing.

        After a pause the motor was off for most of it: without anybody who moves the enable, the
        charge pump let go soon after the pause began.
        """
        now_us = self.now_us()
        permille = self._bridge.permille(now_us)
        here_us = self._start_us + self._wheel.now_us  # when somebody was here last
        if now_us - here_us <= _PAUSE_US:
            self._permille = permille
            if until_us > now_us:
                self._sleep_us(until_us - now_us)
                here_us, now_us = until_us, self.now_us()
        if now_us - here_us > _PAUSE_US:
            return self._passed(now_us, here_us + PUMP_US)
        return self._advance(max(until_us, now_us), permille)

    def _passed(self, now_us: int, let_go_us: int) -> Sequence[tuple[int, int, int]]:
        """What came in a pause that ends now."""
        driven = self._advance(let_go_us, self._permille)
        return [*driven, *self._advance(now_us, 0)]

    def _advance(self, until_us: int, permille: int) -> list[tuple[int, int, int]]:
        start_us = self._start_us
        found = self._wheel.advance(max(until_us - start_us, self._wheel.now_us), permille)
        return [(at_us + start_us, line, level) for at_us, line, level in found]
