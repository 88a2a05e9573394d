"""Asks a running controller through its socket: one request, one answer."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import click

from tools.exits import FAILED, NO_DEVICE, USAGE, Failure

CONTROL = "cylindre.sock"
STATUS_ONLY = "status.sock"
STATE_FOLDER = Path("var")  # under it, one folder a board
PATIENCE_S = 3.0  # the controller answers within a period; a debugger may hold it

socket_option = click.option(
    "--socket",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the controller's sockets  [default: the one below var/]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="The answer as one JSON object.")


def ask(folder: Path | None, request: dict[str, Any], *, name: str = CONTROL) -> dict[str, Any]:
    """Sends `request`, returns the answer. Raises Failure if nobody answers, or it is refused."""
    path = (folder or _only_folder()) / name
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(PATIENCE_S)
        try:
            line.connect(str(path))
            line.sendall(json.dumps(request).encode() + b"\n")
            answer = _answer(line)
        except PermissionError:
            text = f"You may not use {path}. Become a member of its group."
            raise Failure(NO_DEVICE, text) from None
        except TimeoutError:
            text = f"The controller at {path} does not answer. Restart it."
            raise Failure(FAILED, text) from None
        except OSError:
            answer = None
    if answer is None:
        text = f"No controller is running at {path}. Start one with cylindre run."
        raise Failure(NO_DEVICE, text)
    error = answer.get("error")
    if error:
        raise Failure(FAILED, f"{error['text']} {error['remedy']}")
    return answer


def _answer(line: socket.socket) -> dict[str, Any] | None:
    """The first line that is an answer and no event; None if the other end closes before."""
    with line.makefile("rb") as lines:
        for text in lines:
            told: dict[str, Any] = json.loads(text)
            if "event" not in told:
                return told
    return None


def _only_folder() -> Path:
    found = sorted(path.parent for path in STATE_FOLDER.glob(f"*/{CONTROL}"))
    if not found:
        text = "No controller is running here. Start one with cylindre run, or give --socket DIR."
        raise Failure(NO_DEVICE, text)
    if len(found) > 1:
        names = ", ".join(str(path) for path in found)
        raise Failure(USAGE, f"Several controllers are here: choose one of {names} with --socket.")
    return found[0]
