"""Somebody at the other end of the controller's sockets, and the loop at this one."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from patience import LAST_RESORT_S, Waiting, until

from firmware.api.server import Service
from firmware.core.facts import CW, View
from firmware.lib.places import CONTROL

PINS = {
    "anna": "246810", "béa": "sésame9", "weber": "135799", "tom": "314159", "sue": "271828",
    "thill": "161803",
}  # fmt: skip
ROLES = {
    "anna": "croupier", "béa": "croupier", "weber": "management", "tom": "technician",
    "sue": "supervisor", "thill": "director",
}  # fmt: skip
SERVICE = View("SERVICE", 3, 2, CW, None, None, None)
CONFIRMED = View("CONFIRMED", 3, 3, CW, 17, "black", None)
CALLED = View("NO_MORE_BETS", 3, 2, CW, None, None, None)


class Caller:
    """Somebody at the other end of a socket."""

    def __init__(self, folder: Path, name: str = CONTROL) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LAST_RESORT_S)
        self.socket.connect(str(folder / name))
        self._lines = self.socket.makefile("rb")

    def say(self, line: bytes) -> None:
        self.socket.sendall(line)

    def hear(self) -> dict[str, Any] | None:
        """The next line, or None if there is no more."""
        line = self._lines.readline()
        told: dict[str, Any] | None = json.loads(line) if line else None
        return told

    def ask(self, **request: Any) -> Any:
        self.say(json.dumps(request).encode() + b"\n")
        return self.hear()

    def close(self) -> None:
        self._lines.close()
        self.socket.close()


def signer(name: str, pin: str | None = None) -> dict[str, str]:
    """Somebody who signs, with his own PIN or another."""
    return {"name": name, "pin": PINS[name] if pin is None else pin}


def code(answer: Any) -> Any:
    assert set(answer["error"]) - {"said"} == {"code", "text", "remedy"}
    return answer["error"]["code"]


def taken(service: Service, count: int = 1) -> list[Any]:
    """As the loop does: takes events, here until `count` have come."""
    events: list[Any] = []
    until(lambda: events.extend(service.take_events()) or len(events) >= count, told=lambda: events)
    return events


def log_in(caller: Caller, name: str) -> str:
    told = caller.ask(do="login", person=signer(name))
    assert told["ok"], told
    return str(told["session"])


def decide(service: Service, asked: type[Any], refusal: str | None = None) -> Any:
    """As the loop does: takes events until one of that kind comes, decides each."""
    with Waiting(asked.__name__) as waiting:
        while True:
            (event,) = taken(service)
            service.decided(refusal if type(event) is asked else None)
            if type(event) is asked:
                return event
            waiting.on()


def hear(caller: Caller, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The next line that is wanted."""
    with Waiting("what is wanted") as waiting:
        while (told := caller.hear()) is not None:
            if wanted(told):
                return told
            waiting.on()
    raise AssertionError("it hung up")


def taken_in(service: Service) -> None:
    """Waits until the service's thread has all that the loop gave it."""
    until(lambda: not service.scope._batches)
