"""Everything that may be asked over the socket, in one table."""

from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.api import values
from firmware.api.values import Claim, Refused
from firmware.core.facts import (
    UNKNOWN,
    ActDone,
    ClearAsked,
    ConfirmAsked,
    CorrectionAsked,
    EmployeePresent,
    ManualEntered,
    ServiceAsked,
    TurnAsked,
    UnseatAsked,
    VoidAsked,
)
from firmware.core.house import CROUPIER, MANAGEMENT, SUPERVISOR, TECHNICIAN
from firmware.lib.language import Message

STATUS = "status"
LOGIN = "login"
LOGOUT = "logout"
FIRST = "first"
CALIBRATE = "calibrate"
PARTS = "parts"
EDGES = "edges"


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
    who asks: the socket's user, or where a `role` is wanted the sessions.Person who has it. None
    for what the socket answers itself."""

    do: str
    event: Callable[[Request, Any], Any] | None
    keys: tuple[Key, ...] = ()
    signers: tuple[Signer, ...] = ()
    role: str | None = None


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


def _unseat(request: Request, _: str) -> UnseatAsked:
    return UnseatAsked(0, request.claims[0].name, request.given["terminal"], request.given["why"])


def _service(request: Request, who: Any) -> ServiceAsked:
    return ServiceAsked(0, who.name, who.role, request.given["on"], request.given["why"])


def _turn(request: Request, who: Any) -> TurnAsked:
    given = request.given
    if given["way"] == UNKNOWN:
        return TurnAsked(0, who.name, who.role, UNKNOWN, 0, 0)
    if not {"rpm", "for_s"} <= set(given):
        raise Refused(
            "wrong_keys",
            Message("A turn comes with its speed and time."),
            Message("Send rpm and for_s."),
        )
    how = (given["way"], given["rpm"], given["for_s"])
    return TurnAsked(0, who.name, who.role, *how)


def _act(request: Request, who: Any) -> ActDone:
    given = request.given
    what, detail = given["what"], given["detail"]
    return ActDone(0, who.name, who.role, what, detail, given.get("sha256"))


_BOTH = (Signer("croupier", (CROUPIER,)), Signer("management", (MANAGEMENT,)))
_SESSION = Key("session", values.session)
_ON = Key("on", values.on)
_WHY = Key("why", values.why)
_COLOUR = Key("colour", values.colour, optional=True)
# fmt: off
KINDS = (
    Kind(STATUS, None),
    Kind("confirm", lambda _, who: ConfirmAsked(0, who)),
    Kind("void", lambda _, who: VoidAsked(0, who)),
    # Art. 67-5: the croupier enters, a member of the management is present.
    Kind("manual", _manual,
         (Key("number", values.number), _COLOUR, _WHY),
         _BOTH),
    # DESIGN section 4: a correction is a new record by two authorised people.
    Kind("correct", _correct,
         (Key("coup", values.coup), Key("number", values.number_or_void), _COLOUR, _WHY),
         _BOTH),
    Kind("clear", lambda _, who: ClearAsked(0, who)),
    # Luxembourg art. 20-1: at least one employee at each coup of a semi-automatic game.
    Kind("employee", _employee,
         (Key("present", values.present),),
         (Signer("employee", (CROUPIER, MANAGEMENT)),)),
    # A terminal signs on as anybody: who is at the table sees who sits there.
    Kind("unseat", _unseat,
         (Key("terminal", values.terminal), _WHY),
         (Signer("employee", (CROUPIER, MANAGEMENT)),)),
    # Those who look after the wheel: docs/service.md.
    Kind(LOGIN, None,
         (Key("device", values.device, optional=True),),
         (Signer("person", (TECHNICIAN, SUPERVISOR)),)),
    Kind(LOGOUT, None, (_SESSION,), (), TECHNICIAN),
    Kind(FIRST, None, (Key("person", values.person),)),
    Kind("service", _service, (_SESSION, _ON, _WHY), (), SUPERVISOR),
    Kind("turn", _turn,
         (_SESSION, Key("way", values.way), Key("rpm", values.speed, optional=True),
          Key("for_s", values.for_us, optional=True)),
         (), SUPERVISOR),
    Kind("act", _act,
         (_SESSION, Key("what", values.what), Key("detail", values.detail),
          Key("sha256", values.sha256, optional=True)),
         (), TECHNICIAN),
    Kind(CALIBRATE, None, (_SESSION, Key("values", values.calibration)), (), SUPERVISOR),
    Kind(PARTS, None, (_SESSION,), (), TECHNICIAN),
    Kind(EDGES, None, (_SESSION, _ON), (), TECHNICIAN),
)
# fmt: on
