"""Somebody authorised at a running controller's socket, who clears a lock whose cause is gone."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

from firmware.core.faults import LOCK, find

CLEAR_US = 5_000_000  # so long after a lock was told; again as long after each refusal
ANSWER_US = 30_000_000  # of a controller on a busy machine; one that was killed answers never
_ASK = b'{"do":"clear"}\n'
_CHUNK = 65_536


class Clearer:
    """Listens to what is told, and asks for the clearing of locks. Waits for nobody: a line of
    displays is carried meanwhile."""

    def __init__(self, control: Path) -> None:
        """`control`: the controller's control socket."""
        self._control = control
        self._due_us: int | None = None
        self._asked: socket.socket | None = None  # there an answer is awaited, until due
        self._held = b""

    def read_fact(self, told: dict[str, Any], now_us: int) -> None:
        """One line of the controller."""
        if told["event"] == "fault" and find(told["code"]).grade == LOCK:
            self.close()
            self._due_us = now_us + CLEAR_US

    def step(self, now_us: int) -> None:
        """Asks when it is time, and hears whether it was done."""
        is_done = self._answer()
        if is_done is not None:
            self.close()
            self._due_us = None if is_done else now_us + CLEAR_US
        if self._due_us is not None and now_us >= self._due_us:
            self.close()
            self._due_us = now_us + (ANSWER_US if self._ask() else CLEAR_US)

    def close(self) -> None:
        """Whatever is answered now is not heard."""
        if self._asked is not None:
            self._asked.close()
        self._asked, self._held = None, b""

    def _ask(self) -> bool:
        """Whether somebody was there who could be asked."""
        client = socket.socket(socket.AF_UNIX)
        client.setblocking(False)
        try:
            client.connect(str(self._control))
            client.sendall(_ASK)
        except OSError:
            client.close()
            return False
        self._asked = client
        return True

    def _answer(self) -> bool | None:
        """Whether it was done; None as long as there is no answer. Facts come on the way, too."""
        if self._asked is None:
            return None
        try:
            data = self._asked.recv(_CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return False
        *lines, self._held = (self._held + data).split(b"\n")
        told = [each for each in map(json.loads, lines) if "event" not in each]
        if told:
            return bool(told[0].get("ok", False))
        return None if data else False
