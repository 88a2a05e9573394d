"""What may be asked over the socket, and what each line from outside must be to be believed.

A request is one JSON object on one line of at most LINE_MAX bytes:

    {"do":"void"}  {"do":"confirm"}  {"do":"clear"}  {"do":"status"}
    {"do":"manual","number":17,"why":"sensor 2 dark",
     "croupier":{"name":"anna","pin":"…"},"management":{"name":"weber","pin":"…"}}
    {"do":"correct","coup":7,"number":17,"why":"seen on the film",
     "croupier":{"name":"anna","pin":"…"},"management":{"name":"weber","pin":"…"}}
    {"do":"employee","present":true,"employee":{"name":"anna","pin":"…"}}

The `number` of a correction is null where the coup is to be void. A request's form and its PINs are
judged here; whether it makes sense now, the core decides and nobody else.
"""

import json
import unicodedata
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from firmware.core.facts import (
    ClearAsked,
    ConfirmAsked,
    CorrectionAsked,
    EmployeePresent,
    ManualEntered,
    VoidAsked,
)
from firmware.core.house import CROUPIER, MANAGEMENT

# The two sockets of a controller, in one folder: roles are the permissions of these files.
CONTROL = "cylindre.sock"
STATUS_ONLY = "status.sock"
LINE_MAX = 2048  # bytes; names, PINs and a reason of the longest, in UTF-8, take 1.9 kB
WORD_MAX = 64  # no name and no PIN is longer (firmware/people.py)
WHY_MAX = 200
COUP_MAX = 2**32 - 1  # as in firmware/bus/record.py
STATUS = "status"
COLOURS = ("red", "black", "green", "yellow", "white")


class Refused(Exception):
    """A request that is not carried out: a code for programs, a text and a remedy for people."""

    def __init__(self, code: str, text: str, remedy: str, told: str | None = None) -> None:
        """`told`: whom a wrong PIN was given for, which is to be told as fault P12."""
        super().__init__(text)
        self.error = {"code": code, "text": text, "remedy": remedy}
        self.told = told


class Claim(NamedTuple):
    """Who says to be whom. Its PIN is for the check alone, and is not printed."""

    name: str
    pin: str

    def __repr__(self) -> str:
        return f"Claim({self.name!r})"


class Credentials(Protocol):
    """Who knows the people and their PINs (firmware/people.py)."""

    def check(self, name: str, pin: str) -> Any:
        """An object with `role`; where that is None, with `code`, `text`, `remedy`, `told`."""
        ...


class Request(NamedTuple):
    """A request whose form is right: `given` holds the values of its keys, `claims` its people."""

    do: str
    given: dict[str, Any]
    claims: tuple[Claim, ...] = ()


class Key(NamedTuple):
    """A key of a request. `check` takes its value and the wheel's highest number, gives what is
    believed, or raises Refused."""

    name: str
    check: Callable[[Any, int], Any]
    optional: bool = False


class Signer(NamedTuple):
    """A key of a request under which somebody signs, as {"name": ..., "pin": ...}."""

    name: str
    roles: tuple[str, ...]


class Kind(NamedTuple):
    """One thing that may be asked. `event` makes the core's event, at_us = 0, of the request and
    the socket's user; None for what the socket answers itself."""

    do: str
    event: Callable[[Request, str], Any] | None
    keys: tuple[Key, ...] = ()
    signers: tuple[Signer, ...] = ()


def _number(value: Any, number_max: int) -> int:
    if type(value) is not int or not 0 <= value <= number_max:
        raise Refused(
            "no_such_number",
            "This wheel has no such number.",
            f"Send a whole number from 0 to {number_max}.",
        )
    return value


def _number_or_void(value: Any, number_max: int) -> int | None:
    return None if value is None else _number(value, number_max)


def _coup(value: Any, _: int) -> int:
    if type(value) is not int or not 0 < value <= COUP_MAX:
        raise _wrong("coup", "the number of a coup")
    return value


def _colour(value: Any, _: int) -> str | None:
    if value is not None and value not in COLOURS:
        raise _wrong("colour", f"one of {', '.join(COLOURS)}")
    found: str | None = value
    return found


def _why(value: Any, _: int) -> str:
    return _text("why", value, WHY_MAX)


def _present(value: Any, _: int) -> bool:
    if type(value) is not bool:
        raise _wrong("present", "true or false")
    return value


def _text(key: str, value: Any, length_max: int) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not 0 < len(text) <= length_max or not text.isprintable():
        raise _wrong(key, f"a text of 1 to {length_max} printable characters")
    return text


def _wrong(key: str, wants: str) -> Refused:
    return Refused("wrong_value", f'"{key}" is not as it must be.', f"Send {wants}.")


def _manual(request: Request, _: str) -> ManualEntered:
    given, (croupier, management) = request.given, request.claims
    number, colour = given["number"], given.get("colour")
    return ManualEntered(0, number, colour, croupier.name, management.name, given["why"])


def _correct(request: Request, _: str) -> CorrectionAsked:
    given, (croupier, management) = request.given, request.claims
    what = (given["coup"], given["number"], given.get("colour"))
    return CorrectionAsked(0, *what, croupier.name, management.name, given["why"])


def _employee(request: Request, _: str) -> EmployeePresent:
    return EmployeePresent(0, request.claims[0].name, request.given["present"])


_BOTH = (Signer("croupier", (CROUPIER,)), Signer("management", (MANAGEMENT,)))
# fmt: off
KINDS = (
    Kind(STATUS, None),
    Kind("confirm", lambda _, who: ConfirmAsked(0, who)),
    Kind("void", lambda _, who: VoidAsked(0, who)),
    # Art. 67-5: the croupier enters, a member of the management is present.
    Kind("manual", _manual,
         (Key("number", _number), Key("colour", _colour, optional=True), Key("why", _why)),
         _BOTH),
    # DESIGN section 4: a correction is a new record by two authorised people.
    Kind("correct", _correct,
         (Key("coup", _coup), Key("number", _number_or_void), Key("colour", _colour, optional=True),
          Key("why", _why)),
         _BOTH),
    Kind("clear", lambda _, who: ClearAsked(0, who)),
    # Luxembourg art. 20-1: at least one employee at each coup of a semi-automatic game.
    Kind("employee", _employee,
         (Key("present", _present),),
         (Signer("employee", (CROUPIER, MANAGEMENT)),)),
)
# fmt: on
_BY_NAME = {kind.do: kind for kind in KINDS}
NAMES = tuple(_BY_NAME)


def parse(line: bytes, number_max: int) -> Request:
    """The request of one line. Raises Refused for anything that is not exactly one."""
    try:
        found = json.loads(line, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise Refused(
            "not_json", "The line is not JSON.", 'Send one object a line, as {"do":"status"}.'
        ) from None
    if not isinstance(found, dict) or not isinstance(found.get("do"), str):
        raise Refused(
            "no_command", 'The line has no command "do".', 'Send an object as {"do":"status"}.'
        )
    kind = _BY_NAME.get(found["do"])
    if kind is None:
        raise Refused("unknown_command", "There is no such command.", f"Use {', '.join(NAMES)}.")
    _check_keys(kind, set(found))
    given = {
        key.name: key.check(found[key.name], number_max) for key in kind.keys if key.name in found
    }
    return Request(kind.do, given, tuple(_claim(key.name, found[key.name]) for key in kind.signers))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused("wrong_keys", "A key stands twice in one object.", "Send each key once.")
    return found


def _check_keys(kind: Kind, there: set[str]) -> None:
    wanted = {"do"} | {key.name for key in kind.keys} | {key.name for key in kind.signers}
    optional = {key.name for key in kind.keys if key.optional}
    if not wanted - optional <= there <= wanted:
        may = f", and perhaps {', '.join(sorted(optional))}" if optional else ""
        raise Refused(
            "wrong_keys",
            f'"{kind.do}" does not come with these keys.',
            f"Send exactly {', '.join(sorted(wanted - optional))}{may}.",
        )


def _claim(key: str, value: Any) -> Claim:
    if not isinstance(value, dict) or set(value) != {"name", "pin"}:
        raise _wrong(key, '{"name": ..., "pin": ...}')
    # One form for one name, whichever way a keyboard makes its accents.
    name = unicodedata.normalize("NFC", _text(key, value["name"], WORD_MAX))
    return Claim(name, _text(key, value["pin"], WORD_MAX))


def signed(request: Request, people: Credentials | None) -> None:
    """Returns if everybody who signs is who he says, and may. Raises Refused.

    The one place where credentials are checked, some 50 ms each. One person cannot sign twice.
    """
    names = [claim.name for claim in request.claims]
    if len(set(names)) < len(names):
        raise Refused(
            "same_person",
            f"{names[0]} cannot be both.",
            "It takes two people, each with a PIN of their own.",
        )
    for signer, claim in zip(_BY_NAME[request.do].signers, request.claims, strict=True):
        if people is None:
            raise Refused(
                "no_people", "Nobody has a PIN here.", "Start the controller with a people file."
            )
        checked = people.check(claim.name, claim.pin)
        if checked.role is None:
            text = f"{claim.name}: {checked.text}"
            raise Refused(checked.code, text, checked.remedy, checked.told)
        if checked.role not in signer.roles:
            raise Refused(
                "wrong_role",
                f"{claim.name} is {checked.role}; {signer.name} must be another.",
                f"Let somebody sign whose role is {' or '.join(signer.roles)}.",
            )


def event(request: Request, who: str) -> Any:
    """The core's event of a request that is signed, at_us = 0; `who`: the socket's user."""
    make = _BY_NAME[request.do].event
    assert make is not None, request.do
    return make(request, who)
