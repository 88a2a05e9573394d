"""What may be asked over the socket, and what each line from outside must be to be believed.

A request is one JSON object on one line of at most LINE_MAX bytes:

    {"do":"void"}  {"do":"confirm"}  {"do":"manual","number":17}  {"do":"clear"}  {"do":"status"}

Its form is judged here; whether it makes sense now, the core decides and nobody else.
"""

import json
from typing import Any, NamedTuple

from firmware.core.facts import ClearAsked, ConfirmAsked, ManualEntered, VoidAsked

# The two sockets of a controller, in one folder: roles are the permissions of these files.
CONTROL = "cylindre.sock"
STATUS_ONLY = "status.sock"
LINE_MAX = 512  # bytes; the longest request is a tenth of that
STATUS = "status"


class Refused(Exception):
    """A request that is not carried out: a code for programs, a text and a remedy for people."""

    def __init__(self, code: str, text: str, remedy: str) -> None:
        super().__init__(text)
        self.error = {"code": code, "text": text, "remedy": remedy}


class Request(NamedTuple):
    """A request whose form is right."""

    do: str
    number: int | None


NAMES = (STATUS, "confirm", "void", "manual", "clear")


def parse(line: bytes, number_max: int) -> Request:
    """The request of one line. Raises Refused for anything that is not exactly one."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise Refused(
            "not_json", "The line is not JSON.", 'Send one object a line, as {"do":"status"}.'
        ) from None
    if not isinstance(found, dict) or not isinstance(found.get("do"), str):
        raise Refused(
            "no_command", 'The line has no command "do".', 'Send an object as {"do":"status"}.'
        )
    do = found["do"]
    if do not in NAMES:
        raise Refused("unknown_command", "There is no such command.", f"Use {', '.join(NAMES)}.")
    keys = {"do", "number"} if do == "manual" else {"do"}
    if set(found) != keys:
        raise Refused(
            "wrong_keys",
            f'"{do}" does not come with these keys.',
            f"Send exactly {', '.join(sorted(keys))}.",
        )
    return Request(do, _number(found["number"], number_max) if do == "manual" else None)


def _number(value: Any, number_max: int) -> int:
    if type(value) is not int or not 0 <= value <= number_max:
        raise Refused(
            "no_such_number",
            "This wheel has no such number.",
            f"Send a whole number from 0 to {number_max}.",
        )
    return value


def event(request: Request, who: str) -> Any:
    """The core's event for a request, at_us = 0."""
    if request.do == "manual":
        assert request.number is not None
        return ManualEntered(0, request.number, who)
    kind = {"void": VoidAsked, "confirm": ConfirmAsked, "clear": ClearAsked}[request.do]
    return kind(0, who)
