"""What may be asked over the socket, and what each line from outside must be to be believed.

A request is one JSON object on one line of at most LINE_MAX bytes:

    {"do":"void"}  {"do":"confirm"}  {"do":"clear"}  {"do":"status"}
    {"do":"manual","number":17,"why":"sensor 2 dark",
     "croupier":{"name":"anna","pin":"…"},"management":{"name":"weber","pin":"…"}}
    {"do":"correct","coup":7,"number":17,"why":"seen on the film",
     "croupier":{"name":"anna","pin":"…"},"management":{"name":"weber","pin":"…"}}
    {"do":"card","card":"TH","why":"its index is torn",
     "croupier":{"name":"anna","pin":"…"},"management":{"name":"weber","pin":"…"}}
    {"do":"correct_round","round":7,"cards":["TH","9S",…],"why":"seen on the film",
     "croupier":{"name":"anna","pin":"…"},"management":{"name":"weber","pin":"…"}}
    {"do":"employee","present":true,"employee":{"name":"anna","pin":"…"}}
    {"do":"unseat","terminal":3,"why":"another's name","employee":{"name":"anna","pin":"…"}}
    {"do":"limits","sha256":"…","why":"minimum_cents 1000","director":{"name":"klein","pin":"…"}}

What technicians ask, with a session, stands in docs/service.md and in `KINDS` here.
The `number` of a correction is null where the coup is to be void, as the `cards` of a round are. A
request's form and its PINs are judged here; whether it makes sense now, the core decides and nobody
else.
"""

import json
from typing import Any, Protocol

from boards import card_tables
from firmware.api import values
from firmware.api.request_table import CARDS, KINDS, Kind, Request
from firmware.api.values import Refused
from firmware.lib.language import Message

# Where a PIN is given that comes from a browser: its wrong ones slow nobody down at the table.
NETWORK = "@network"  # no user is called so
TABLE = "table"
# Bytes. Names, PINs and a reason of the longest, in UTF-8, take 1.9 kB; all the cards and decisions
# of a round 9 kB more.
LINE_MAX = 16_384


class Credentials(Protocol):
    """Who knows the people and their PINs (firmware/keys/people.py)."""

    def check(self, name: str, pin: str, channel: str, devices: str | None) -> Any:
        """Returns an object with `role`, and with `devices`, what the browser is to keep.

        Where that is None, with `code`, `text`, `remedy`, `told`. `channel`: where it is given.
        """
        ...

    def role_of(self, name: str) -> str | None:
        """Returns the role of the person of that name now, or None."""
        ...

    def unfit(self, name: str, pin: str) -> str | None:
        """Returns why nobody can have that name and that PIN, as a sentence; or None."""
        ...

    def has(self, role: str) -> bool:
        """Returns whether anybody has that role. Raises ValueError with a sentence."""
        ...

    def add(self, name: str, role: str, pin: str) -> Any:
        """Adds somebody. Raises ValueError with a sentence, or OSError."""
        ...


_BY_NAME = {kind.do: kind for kind in KINDS}
NAMES = tuple(_BY_NAME)


def parse(line: bytes, number_max: int) -> Request:
    """Returns the request of one line. Raises Refused for anything that is not exactly one.

    One person cannot sign twice.
    """
    try:
        found = json.loads(line, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise Refused(
            "not_json",
            Message("The line is not JSON."),
            Message('Send one object a line, as {"do":"status"}.'),
        ) from None
    if not isinstance(found, dict) or not isinstance(found.get("do"), str):
        raise Refused(
            "no_command",
            Message('The line has no command "do".'),
            Message('Send an object as {"do":"status"}.'),
        )
    kind = _BY_NAME.get(found["do"])
    if kind is None:
        raise Refused(
            "unknown_command",
            Message("There is no such command."),
            Message("Use {names}.", names=", ".join(NAMES)),
        )
    _check_keys(kind, set(found))
    given = {
        key.name: key.check(found[key.name], number_max) for key in kind.keys if key.name in found
    }
    claims = tuple(values.claim(key.name, found[key.name]) for key in kind.signers)
    names = [claim.name for claim in claims]
    if len(set(names)) < len(names):
        raise Refused(
            "same_person",
            Message("{names} cannot be both.", names=names[0]),
            Message("It takes two people, each with a PIN of their own."),
        )
    return Request(kind.do, given, claims)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused(
            "wrong_keys",
            Message("A key stands twice in one object."),
            Message("Send each key once."),
        )
    return found


def _check_keys(kind: Kind, there: set[str]) -> None:
    wanted = {"do"} | {key.name for key in kind.keys} | {key.name for key in kind.signers}
    optional = {key.name for key in kind.keys if key.optional}
    if not wanted - optional <= there <= wanted:
        may = (
            Message(", and perhaps {names}", names=", ".join(sorted(optional))) if optional else ""
        )
        raise Refused(
            "wrong_keys",
            Message('"{do}" does not come with these keys.', do=kind.do),
            Message(
                "Send exactly {names}{may}.", names=", ".join(sorted(wanted - optional)), may=may
            ),
        )


def signed(request: Request, people: Credentials | None, channel: str = TABLE) -> str | None:
    """Checks that everybody who signs is who he says, and may. Raises Refused.

    Returns what the browser that it came from is to keep, if it did. `channel`: where the PINs are
    given. The one place where credentials are checked, some 200 ms each.
    """
    devices: str | None = request.given.get("device")
    for signer, claim in zip(_BY_NAME[request.do].signers, request.claims, strict=True):
        if people is None:
            raise Refused(
                "no_people",
                Message("Nobody has a PIN here."),
                Message("Start the controller with a people file."),
            )
        checked = people.check(claim.name, claim.pin, channel, devices)
        if checked.role is None:
            text = Message("{}: {}", claim.name, Message(checked.text))
            raise Refused(checked.code, text, checked.remedy, checked.told)
        if checked.role not in signer.roles:
            raise Refused(
                "wrong_role",
                Message(
                    "{name} is {role}; {name_2} must be another.",
                    name=claim.name,
                    role=checked.role,
                    name_2=signer.name,
                ),
                Message(
                    "Let somebody sign whose role is {names}.", names=" or ".join(signer.roles)
                ),
            )
        devices = checked.devices
    return devices


def role_for(request: Request) -> str | None:
    """Returns the role that its session must have; None where it has none."""
    return _BY_NAME[request.do].role


def is_from_afar(request: Request, is_daemon: bool) -> bool:
    """Returns whether PINs come from a browser: a program by itself asks, or says so."""
    return is_daemon or "device" in request.given


def check_place(request: Request, game: str | None) -> None:
    """Raises Refused for what is asked of a wheel at a card table, or the other way round.

    `game`: the apparatus; None: nobody knows.
    """
    at = _BY_NAME[request.do].at
    if at is None or game is None or (at == CARDS) == (game in card_tables.NAMES):
        return
    if at == CARDS:
        raise Refused(
            "not_here",
            Message("No cards are dealt at a wheel."),
            Message("Ask the controller of a card table."),
        )
    raise Refused(
        "not_here",
        Message("That is asked of a wheel, and this is a card table."),
        Message("Use cylindre cards for a round, cylindre people for who may do what."),
    )


def takes_a_person(request: Request) -> bool:
    """Returns whether it reaches the core in nobody's name but that of the socket's user: so it is
    no matter of a program that runs on the machine by itself, as the service page does.
    """
    kind = _BY_NAME[request.do]
    return kind.event is not None and kind.role is None and not kind.signers


def event(request: Request, who: Any) -> Any:
    """Returns the core's event of a request that is signed, at_us = 0; None: the socket answers
    itself.

    `who`: the socket's user, or where a role is wanted the sessions.Person.
    """
    make = _BY_NAME[request.do].event
    return None if make is None else make(request, who)
