"""Asks a running controller through its socket: one request, one answer."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from firmware.config.this_wheel import meant
from firmware.lib.errors import FAILED, NO_DEVICE, Failure
from firmware.lib.language import LANGUAGES, Message, choose, current, listed, unpacked
from firmware.lib.places import CONTROL, STATUS_ONLY

PATIENCE_S = 2.0  # the controller answers within a period of its loop, 10 ms
# With PINs: on a small board a hash takes a second, and some may wait before (PinWorker).
PINS_PATIENCE_S = 20.0
RECORDED_S = 10.0  # more, until what was accepted is durable: a worn card takes seconds
LOOP_AGE_MAX_MS = 1_000  # the loop comes round every 10 ms; one that is older stands still
_CHUNK = 4096
_ADDRESS_MAX = 107  # bytes: unix(7), without the zero at its end
_UNRECORDED = frozenset(("S16", "S10"))  # codes of firmware.core.faults: safe mode, and no journal
_UNKNOWN = Message(
    "Look at cylindre status before asking again, and restart it if that does not answer."
)


class Refusal(Failure):
    """A controller that answers has refused it; `code`: as in firmware/api/values.py."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(FAILED, sentence)
        self.code = code


socket_option = click.option(
    "--socket",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the controller's sockets  [default: of the wheel below var/, or a device's]",
)


def _chosen(context: click.Context, parameter: click.Parameter, value: str) -> str:
    choose(value)
    return value


lang_option = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=current,
    callback=_chosen,
    help="The language of what is said  [default: as CYLINDRE_LANG or LANG]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="The answer as one JSON object.")


def patience_s(request: dict[str, Any]) -> float:
    """Returns how long to wait for the answer to a request: longer where somebody signs it."""
    signs = any(isinstance(value, dict) and "pin" in value for value in request.values())
    return PINS_PATIENCE_S if signs else PATIENCE_S


def ask(folder: Path | None, request: dict[str, Any], *, name: str = CONTROL) -> dict[str, Any]:
    """Sends `request`, returns the answer. Raises Failure if nobody answers, or it is refused."""
    path = path_of(folder, name)
    patient_s = patience_s(request)
    end_s = time.monotonic() + patient_s
    with _connected(path) as line:
        try:
            # What is no text (half a character of an argument) the controller refuses by name.
            text = json.dumps(request, ensure_ascii=False)
            line.sendall(text.encode(errors="surrogatepass") + b"\n")
            answer = _answer(line, end_s)
        except TimeoutError:
            text = Message(
                "The controller at {path} has not answered in {patience_s:g} s.",
                path=path,
                patience_s=patient_s,
            )
            raise Failure(FAILED, Message("{} {}", text, _UNKNOWN)) from None
        except (OSError, ValueError):
            answer = None
    if answer is None:
        text = Message(
            "The controller at {path} hung up without an answer: it stopped, or is too busy.",
            path=path,
        )
        raise Failure(FAILED, Message("{} {}", text, _UNKNOWN))
    error = answer.get("error")
    if error:
        raise Refusal(error["code"], sentences(error))
    return answer


def ask_and_hear(folder: Path | None, request: dict[str, Any], event: str) -> dict[str, Any]:
    """As `ask`; returns the event of that name that tells what this request has made durable.

    Raises Failure.
    """
    path = path_of(folder, CONTROL)
    ref = secrets.token_hex(8)
    end_s = time.monotonic() + patience_s(request) + RECORDED_S
    with _connected(path) as line, contextlib.suppress(OSError, ValueError):  # TimeoutError too
        text = json.dumps(request | {"ref": ref}, ensure_ascii=False)
        line.sendall(text.encode(errors="surrogatepass") + b"\n")
        for told in _lines(line, end_s):
            if told.get("error"):
                raise Failure(FAILED, sentences(told["error"]))
            if told.get("event") == event and told.get("ref") == ref:
                return told
    text = Message("The controller at {path} has not said that it is recorded.", path=path)
    raise Failure(FAILED, Message("{} {}", text, _UNKNOWN))


def ask_status(folder: Path | None) -> dict[str, Any]:
    """Returns how the wheel stands: all of it to who may ask the control socket, else what is
    public. Raises Failure."""
    may = os.access(path_of(folder, CONTROL), os.W_OK)
    status: dict[str, Any] = ask(folder, {"do": "status"}, name=CONTROL if may else STATUS_ONLY)[
        "status"
    ]
    return status


def records_nothing(status: dict[str, Any]) -> bool:
    """Returns whether the wheel is in safe mode, and its journal is not written there either."""
    return set(status.get("faults", ())) >= _UNRECORDED


def sentences(error: dict[str, Any]) -> Message:
    """Returns what a controller has refused with, as it was said there: text and remedy."""
    said = error.get("said")
    known = said if isinstance(said, dict) else {}
    return listed((unpacked(known.get(key), error[key]) for key in ("text", "remedy")), " ")


def path_of(folder: Path | None, name: str) -> Path:
    """Returns where the socket of that name lies, by default of the wheel that is meant."""
    return meant(folder) / name


def events(folder: Path | None, *, name: str = CONTROL) -> Iterator[dict[str, Any]]:
    """Returns everything the controller tells, as it tells it, until it stops. Raises Failure."""
    path = path_of(folder, name)
    with _connected(path) as line:
        line.settimeout(None)
        came = b""
        while data := line.recv(_CHUNK):
            *lines, came = (came + data).split(b"\n")
            for text in lines:
                told: dict[str, Any] = json.loads(text)
                yield told


def _connected(path: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.settimeout(PATIENCE_S)
    try:
        line.connect(_address(path))
    except OSError as error:
        line.close()
        text = Message(
            "No controller is running at {path}. Start one with cylindre run.", path=path
        )
        if isinstance(error, PermissionError):
            text = Message("You may not use {path}. Become a member of its group.", path=path)
        raise Failure(NO_DEVICE, text) from None
    return line


def _address(path: Path) -> str:
    """Returns what to connect to: the path, or from here where that is too long. Raises OSError."""
    if len(os.fsencode(path)) <= _ADDRESS_MAX:
        return str(path)
    return os.path.relpath(os.path.join(os.path.realpath(path.parent), path.name))


def _answer(line: socket.socket, end_s: float) -> dict[str, Any] | None:
    """The first line that is an answer and no event; None if the other end closes before.

    Raises TimeoutError at `end_s`, however much is told meanwhile; ValueError if it is no JSON.
    """
    return next((told for told in _lines(line, end_s) if "event" not in told), None)


def _lines(line: socket.socket, end_s: float) -> Iterator[dict[str, Any]]:
    """Everything that comes, until the other end closes. Raises TimeoutError at `end_s`; ValueError
    if it is no JSON.
    """
    came = b""
    while True:
        left_s = end_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        line.settimeout(left_s)
        data = line.recv(_CHUNK)
        if not data:
            return
        *lines, came = (came + data).split(b"\n")
        for text in lines:
            told: dict[str, Any] = json.loads(text)
            yield told
