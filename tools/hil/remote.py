"""The wheel of another process, as `cylindre run --wheel-port` plays on it: the port `Edges`.

Edges come stamped over a serial line, outputs go back over it (tools.hil.stage.wire). The other
process says how far it has told everything; until then a wait goes on, so that an empty answer
means what the port promises. Of a wheel that is silent nothing comes, and time goes on.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable, Sequence
from typing import Any

import serial

from firmware.core.facts import DOUBT
from firmware.shims.virtual import VirtualMachine
from tools.hil.stage import wire

HELLO_S = 20.0  # a busy machine starts the other process in seconds
# Longer than a process waits for a busy machine, shorter than a display waits for us (1 s).
SILENT_US = 500_000
_BAUD = 4_000_000  # where the line is a real one; a pty has no speed
_CHUNK = 65_536


def _monotonic_us() -> int:
    return time.monotonic_ns() // 1000


class RemoteWheel:
    """Timed edges from, and outputs to, the process at the other end of a serial line."""

    def __init__(
        self,
        path: str,
        board: dict[str, Any],
        machine: VirtualMachine,
        now_us: Callable[[], int] = _monotonic_us,
    ) -> None:
        """Opens the line and waits until the wheel answers. Raises OSError with a sentence."""
        self.now_us = now_us
        self._path = path
        self._machine = machine
        self._safety = [pin for _, pin in board["safety_inputs"]]
        self._pins = [pin for _, pin in board["outputs"]]
        self._outputs: list[int] = []  # as the wheel was told them
        self._lines = len(board["inputs"])
        self._unpacker = wire.Unpacker()
        self._edges: list[tuple[int, int, int]] = []
        self._told_us = 0  # all up to here has been told by the wheel
        self._promised_us = 0  # and nothing earlier may be told any more to the loop
        self._silent = False
        self._is_gone = False
        self._number = 0  # of the next frame
        self._nonce = os.urandom(8)
        self._levels: list[int] | None = None
        self._tty = serial.Serial(path, _BAUD, timeout=0, write_timeout=0, exclusive=True)
        self._shake_hands()

    def initial_levels(self) -> list[int]:
        """The level of every line when the wheel answered."""
        assert self._levels is not None
        return list(self._levels)

    def read(self, until_us: int) -> Sequence[tuple[int, int, int]]:
        """Waits for edges, no later than `until_us`, and until the wheel has told all up to then.

        One that comes after that promise was made without the wheel is a doubt about its line.
        """
        self._send_outputs()
        patience_us = 0 if self._silent else SILENT_US
        give_up_us = max(until_us, self.now_us()) + patience_us
        while not self._edges and self._told_us < until_us:
            left_us = max(0, give_up_us - self.now_us())
            if not self._hear(left_us) and not left_us:
                self._silent = True
                self._promised_us = until_us
                return ()
        found, self._edges = self._edges, []
        self._promised_us = max(self._promised_us, found[-1][0] if found else until_us)
        return found

    def close(self) -> None:
        """Gives the line back."""
        self._tty.close()

    # --- the line -----------------------------------------------------------------------------
    def _shake_hands(self) -> None:
        self._say(b"\0" + wire.pack(wire.HELLO, self._nonce))
        give_up_us = self.now_us() + int(HELLO_S * 1e6)
        while self._levels is None:
            left_us = give_up_us - self.now_us()
            if left_us <= 0:
                self.close()
                raise TimeoutError(0, f"No wheel answers on {self._path}. Start its process first.")
            self._hear(left_us)

    def _hear(self, wait_us: int) -> bool:
        """Takes what comes, waiting no longer than that; False if nothing came."""
        if self._is_gone:
            time.sleep(wait_us / 1e6)
            return False
        try:
            if not select.select([self._tty], [], [], wait_us / 1e6)[0]:
                return False
            data = self._tty.read(_CHUNK)
        except OSError:  # nobody holds the other end any more
            self._is_gone = True
            return False
        for said in self._unpacker.feed(data):
            self._take(said)
        return True

    def _say(self, data: bytes) -> None:
        """What there is no room for is lost; outputs are said again and again."""
        with contextlib.suppress(OSError):
            self._tty.write(data)

    def _take(self, said: list[Any]) -> None:
        kind, number, *values = said
        if kind == wire.BEGIN:
            if values[0] == self._nonce:
                _, self._told_us, self._levels, safety = values
                self._number = number + 1
                self._set_safety(safety)
            return
        if self._levels is None:  # meant for who had the line before us
            return
        if number != self._number:
            self._doubt_all()
        self._number = number + 1
        if kind == wire.SAFETY:
            self._set_safety(values[0])
        elif kind == wire.EDGES:
            self._silent = False
            self._told_us = values[0]
            for at_us, line, level in zip(values[1::3], values[2::3], values[3::3], strict=True):
                self._put(at_us, line, level)

    def _put(self, at_us: int, line: int, level: int) -> None:
        if at_us < self._promised_us:  # the time it came at is given away
            self._edges.append((self._promised_us, line, DOUBT))
            at_us = self._promised_us
        self._edges.append((at_us, line, level))

    def _doubt_all(self) -> None:
        """A frame was lost: any line may have moved."""
        at_us = max(self._told_us, self._promised_us)
        self._edges += [(at_us, line, DOUBT) for line in range(self._lines)]

    def _set_safety(self, levels: list[int]) -> None:
        for pin, level in zip(self._safety, levels, strict=True):
            self._machine.set_input(pin, level)

    def _send_outputs(self) -> None:
        """All of them when one has changed, as the enable does every period."""
        machine = self._machine
        stand = [x for pin in self._pins for x in (pin, machine.level(pin), machine.duty_u16(pin))]
        if stand != self._outputs:
            self._outputs = stand
            self._say(wire.pack(wire.OUT, *stand))
