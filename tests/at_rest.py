"""A wheel at rest: its croupier waits, and no coup is open."""

import json
import socket
from pathlib import Path
from typing import Any

from patience import LAST_RESORT_S, until

from firmware.lib.places import CONTROL
from tools.virtual.hand import HAND


def asked(folder: Path, request: dict[str, Any], name: str = CONTROL) -> dict[str, Any]:
    """What the controller whose sockets lie there answers, or the hand at its virtual wheel."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(LAST_RESORT_S)
        line.connect(str(folder / name))
        line.sendall(json.dumps(request).encode() + b"\n")
        came = b""
        while data := line.recv(65536):
            *lines, came = (came + data).split(b"\n")
            for text in lines:
                told: dict[str, Any] = json.loads(text)
                if "event" not in told:
                    return told
    raise AssertionError(f"{name} hung up: {request}")


def paused_in_a_coup(folder: Path) -> None:
    """The croupier takes the ball while a coup is open, and begins no other: no press is under way.

    Where that coup was over before he did, he goes on with the next.
    """

    def open_coup() -> int | None:
        status = asked(folder, {"do": "status"})["status"]
        return status["coup"] if status["open"] else None

    def pause(on: bool) -> None:
        request = {"do": "pause", "on": on}
        until(lambda: asked(folder, request, HAND).get("ok"), "the croupier's ear")

    while True:
        coup = until(open_coup, "an open coup")
        pause(True)
        if open_coup() == coup:
            return
        pause(False)


def rest(folder: Path) -> None:
    """The croupier takes the ball, and the coup that was open is void."""
    paused_in_a_coup(folder)
    asked(folder, {"do": "void"})  # refused, if it has ended by itself
    until(lambda: not asked(folder, {"do": "status"})["status"]["open"], "the end of the coup")
