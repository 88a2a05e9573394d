"""The wheel's process at the end of a serial line: what `cylindre run --wheel-port` plays on.

    python -m tools.hil.stage.pty_wheel SCENARIO.toml BOARD HANDLE [TRACE.vcd]

HANDLE is an open file descriptor of the line.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

from firmware.config import Config
from firmware.config.game import choose
from firmware.run.app import PWM_HZ
from firmware.shims.virtual import VirtualMachine
from tools.hil import scenario_file
from tools.hil.stage import wheel, wire
from tools.hil.world import World
from tools.sim.ports import Bridge

_CHUNK = 65_536
# A controller that is stopped for half a minute leaves some 10 000 edges; each has 10 bytes.
_WAITING_MAX = 4 << 20


class SerialWires:
    """The port Wires over a serial line that never waits."""

    def __init__(self, handle: int, board: dict[str, Any]) -> None:
        """`handle`: of the line, raw."""
        os.set_blocking(handle, False)
        self._handle = handle
        self._unpacker = wire.Unpacker()
        self._waiting = bytearray()  # to be written
        self._number = 0
        self._nonce: bytes | None = None  # of a controller that waits for its answer
        self._is_met = False  # somebody is there who has been answered
        self._safety: list[int] = []  # as told
        self._machine = VirtualMachine()
        self._bridge = Bridge(board, self._machine)
        for _, pin in board["outputs"]:
            self._machine.Pin(pin, self._machine.Pin.OUT, value=0)

    def permille(self, now_us: int) -> int:
        """What the outputs have said so far."""
        self._hear(now_us)
        return self._bridge.permille(now_us)

    def send(self, edges: list[tuple[int, int, int]], world: World, until_us: int) -> None:
        """Tells edges, and safety inputs where they changed. What nobody reads yet waits here."""
        self._hear(until_us)
        safety = list(world.safety.values())
        if self._nonce is not None:
            # Whatever waits was for one who is gone. A zero ends what he read the beginning of.
            self._waiting[:] = b"\0"
            self._put(wire.BEGIN, self._nonce, until_us, list(world.shown), safety)
            self._nonce, self._is_met, self._safety = None, True, safety
        elif self._is_met:
            if safety != self._safety:
                self._safety = safety
                self._put(wire.SAFETY, safety)
            self._put(wire.EDGES, until_us, *(value for edge in edges for value in edge))
        self._flush()

    def _put(self, kind: str, *values: Any) -> None:
        """What finds no room is left out, and the number that is missing tells."""
        if len(self._waiting) < _WAITING_MAX:
            self._waiting += wire.pack(kind, self._number, *values)
        self._number += 1

    def _flush(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._waiting:
                del self._waiting[: os.write(self._handle, self._waiting)]

    def _hear(self, now_us: int) -> None:
        try:
            data = os.read(self._handle, _CHUNK)
        except BlockingIOError:
            return
        for kind, *values in self._unpacker.feed(data):
            if kind == wire.HELLO:
                self._nonce = values[0]
            elif kind == wire.OUT:
                self._set(values)
                self._bridge.permille(now_us)  # it sees the enable toggle

    def _set(self, values: list[int]) -> None:
        for pin, level, duty in zip(values[::3], values[1::3], values[2::3], strict=True):
            self._machine.Pin(pin).value(level)
            self._machine.lines.pwm(pin, PWM_HZ if duty else 0, duty)


def main(arguments: list[str]) -> None:
    """Plays one scenario."""
    path, name, handle, *trace = arguments
    game = choose(name, Config())
    wires = SerialWires(int(handle), game.board)
    where = Path(trace[0]) if trace else None
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        wheel.play(scenario_file.load(Path(path)), game, wires, where)


if __name__ == "__main__":
    main(sys.argv[1:])
