"""Our side of the wires, through gpiod 2.x: drives the wheel's inputs, reads its outputs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from firmware.shims.edges import find_chip
from firmware.shims.virtual import VirtualMachine
from tools.hil.rig.wiring import Wiring
from tools.sim.ports import Bridge

QUEUE = 1024  # edges the kernel holds for us: half a second of a motor's 1 kHz
PWM_HZ = 1000  # what the virtual pin is told; the duty alone counts
_U16 = 65_535


def monotonic_us() -> int:
    """CLOCK_MONOTONIC, which stamps our inputs."""
    return time.monotonic_ns() // 1000


class RigLines:
    """All wires of a rig. Signals by their names on the wheel's board."""

    def __init__(self, gpiod: Any, wiring: Wiring, levels: dict[str, int]) -> None:
        """Requests every line; each driven one begins at its level in `levels`, else at 0.

        Raises OSError if the chip is not there or somebody else has a line.
        """
        self._value = gpiod.line.Value
        self._rising = gpiod.EdgeEvent.Type.RISING_EDGE
        self._driven = wiring.driven
        self._watched = wiring.watched
        self._name = {pin: name for name, pin in self._watched.items()}
        chip = find_chip(gpiod, wiring.chip)
        output, line = gpiod.line.Direction.OUTPUT, gpiod.line
        self._out = gpiod.request_lines(
            chip,
            consumer="cylindre-rig",
            config={
                pin: gpiod.LineSettings(
                    direction=output, output_value=self._of(levels.get(name, 0))
                )
                for name, pin in self._driven.items()
            },
        )
        try:
            self._in = gpiod.request_lines(
                chip,
                consumer="cylindre-rig",
                event_buffer_size=QUEUE,
                config={
                    pin: gpiod.LineSettings(
                        direction=line.Direction.INPUT,
                        edge_detection=line.Edge.BOTH,
                        bias=line.Bias.PULL_DOWN,  # a wire that is cut reads 0
                        event_clock=line.Clock.MONOTONIC,
                    )
                    for pin in self._watched.values()
                },
            )
        except BaseException:
            self._out.release()
            raise

    def drive(self, signal: str, level: int) -> None:
        """Puts a level on the wire, now."""
        self._out.set_value(self._driven[signal], self._of(level))

    def levels(self) -> dict[str, int]:
        """What the wheel's outputs are now."""
        pins = list(self._watched.values())
        values = self._in.get_values(pins)
        return {
            self._name[pin]: int(value == self._value.ACTIVE)
            for pin, value in zip(pins, values, strict=True)
        }

    def edges(self) -> list[tuple[int, str, int]]:
        """What the outputs have done since this was asked last: (at_us, signal, level)."""
        found = []
        while self._in.wait_edge_events(0):
            found += [
                (
                    event.timestamp_ns // 1000,
                    self._name[event.line_offset],
                    int(event.event_type == self._rising),
                )
                for event in self._in.read_edge_events()
            ]
        return found

    def close(self) -> None:
        """Gives the lines back."""
        self._out.release()
        self._in.release()

    def _of(self, level: int) -> Any:
        return self._value.ACTIVE if level else self._value.INACTIVE


class Motor:
    """What the wheel's outputs make of its motor: PWM is averaged from its edges."""

    def __init__(
        self, board: dict[str, Any], lines: RigLines, now_us: Callable[[], int] = monotonic_us
    ) -> None:
        """Reads the outputs as they stand."""
        self._lines = lines
        self._now_us = now_us
        self._pins = dict(board["outputs"])
        self._machine = VirtualMachine()
        for _, pin in board["outputs"]:
            self._machine.Pin(pin, self._machine.Pin.OUT, value=0)
        self._bridge = Bridge(board, self._machine)
        self._level = lines.levels()
        self._since_us = now_us()

    def permille(self) -> int:
        """The drive since this was asked last, -1000..1000, ccw positive."""
        now_us = self._now_us()
        span_us = max(1, now_us - self._since_us)
        at_us, high_us = self._since_us, 0
        for edge_us, signal, level in self._lines.edges():
            if signal == "motor_pwm":
                high_us += (edge_us - at_us) * self._level[signal]
                at_us = edge_us
            self._level[signal] = level
        high_us += (now_us - at_us) * self._level.get("motor_pwm", 0)
        self._since_us = now_us
        for signal, level in self._level.items():
            if signal != "motor_pwm":
                self._machine.Pin(self._pins[signal]).value(level)
        duty = min(_U16, max(0, high_us * _U16 // span_us))
        self._machine.lines.pwm(self._pins["motor_pwm"], PWM_HZ, duty)
        return self._bridge.permille(now_us)
