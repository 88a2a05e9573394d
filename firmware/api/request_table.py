"""Everything that may be asked over the socket, in one table."""

import datetime
from collections.abc import Callable
from typing import Any, NamedTuple

from firmware.api import values
from firmware.api.values import Claim, Refused
from firmware.config import table_limits
from firmware.config.season import gaming_day
from firmware.core.facts import (
    UNKNOWN,
    ActDone,
    ClearAsked,
    ConfirmAsked,
    CorrectionAsked,
    EmployeePresent,
    EntryAsked,
    ManualEntered,
    ServiceAsked,
    TurnAsked,
    UnseatAsked,
    VoidAsked,
)
from firmware.core.house import CROUPIER, DIRECTOR, MANAGEMENT, SUPERVISOR, TECHNICIAN
from firmware.lib.language import Message
from firmware.stakes.accounts import (
    ACCOUNT,
    CLOSING,
    DEPOSIT,
    DESK,
    PAYOUT,
    REDEEMED,
    RENEWED,
    REPRINTED,
)
from firmware.store import acts

STATUS = "status"
LOGIN = "login"
LOGOUT = "logout"
FIRST = "first"
GUIDE = "guide"
CALIBRATE = "calibrate"
PARTS = "parts"
EDGES = "edges"
# Where something is asked that is not asked everywhere.
WHEEL = "wheel"
CARDS = "cards"


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
    for what the socket answers itself. `at`: WHEEL or CARDS for what is
    asked there alone."""

    do: str
    event: Callable[[Request, Any], Any] | None
    keys: tuple[Key, ...] = ()
    signers: tuple[Signer, ...] = ()
    role: str | None = None
    at: str | None = None


def _manual(request: Request, _: str) -> ManualEntered:
    given, (croupier, management) = request.given, request.claims
    number, colour = given["number"], given.get("colour")
    return ManualEntered(0, number, colour, croupier.name, management.name, given["why"])


def _correct(request: Request, _: str) -> CorrectionAsked:
    given, (croupier, management) = request.given, request.claims
    what = (given["coup"], given["number"], given.get("colour"))
    return CorrectionAsked(0, *what, croupier.name, management.name, given["why"])


def _facts() -> Any:
    """The records of a card table, which a wheel never imports."""
    from firmware.core.cards import facts

    return facts


def _by_two(request: Request) -> tuple[str, str, str]:
    """Who asks, who of the management is there, and why."""
    croupier, management = request.claims
    return croupier.name, management.name, request.given["why"]


def _key(request: Request, _: str) -> Any:
    """The right to write here is its authority, as a keyboard's is that it is plugged in."""
    name, facts = request.given["key"], _facts()
    if name not in facts.KEYS:
        raise Refused(
            "wrong_value",
            Message("The croupier's keyboard has no such key."),
            Message("Send one of {names}.", names=", ".join(facts.KEYS)),
        )
    return facts.KeyPressed(0, name)


def _correct_round(request: Request, _: str) -> Any:
    given = request.given
    what = (given["round"], given["cards"], given.get("decisions"))
    return _facts().RoundCorrectionAsked(0, *what, *_by_two(request))


def _employee(request: Request, _: str) -> EmployeePresent:
    return EmployeePresent(0, request.claims[0].name, request.given["present"])


def _unseat(request: Request, _: str) -> UnseatAsked:
    return UnseatAsked(0, request.claims[0].name, request.given["terminal"], request.given["why"])


def _entry(what: str) -> Callable[[Request, Any], EntryAsked]:
    """Returns what makes an entry of the players' accounts of a request."""

    def make(request: Request, _: str) -> EntryAsked:
        given = dict(request.given)
        said = given.pop("what", what)
        if "secret" in given:
            given["key"] = given.pop("secret")
        return EntryAsked(0, said, given | {"who": request.claims[0].name})

    return make


def _deposit(request: Request, who: str) -> EntryAsked:
    asked = _entry(DEPOSIT)(request, who)
    return asked._replace(given=asked.given | {"terminal": DESK})


def _payout(request: Request, who: str) -> EntryAsked:
    """Without cents: all that does not lie."""
    asked = _entry(PAYOUT)(request, who)
    return asked._replace(given={"cents": 0} | asked.given)


def _closing(request: Request, who: str) -> EntryAsked:
    asked = _entry(CLOSING)(request, who)
    day = gaming_day(datetime.datetime.now())
    return asked._replace(given=asked.given | {"day": day})


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
    what, detail = given["what"], given.get("detail", "")
    if not detail and what in values.DETAILED_ACTS:
        raise Refused(
            "wrong_keys",
            Message("Such an act comes with what was done."),
            Message("Send detail."),
        )
    return ActDone(0, who.name, who.role, what, detail, given.get("sha256"))


def _acknowledge(request: Request, who: Any) -> ActDone:
    detail = f"{request.given['code']}: {request.given['why']}"
    return ActDone(0, who.name, who.role, acts.ACKNOWLEDGED, detail, None)


def _shift(request: Request, who: Any) -> ActDone:
    return ActDone(0, who.name, who.role, acts.SHIFT, str(request.given["croupier"]), None)


def _limits(request: Request, _: str) -> ActDone:
    given, (director,) = request.given, request.claims
    return ActDone(0, director.name, DIRECTOR, table_limits.ACT, given["why"], given["sha256"])


_MANAGEMENT = Signer("management", (MANAGEMENT,))
_BOTH = (Signer("croupier", (CROUPIER,)), _MANAGEMENT)
_SESSION = Key("session", values.session)
_ON = Key("on", values.on)
_WHY = Key("why", values.why)
_EMPLOYEE = Signer("employee", (CROUPIER, MANAGEMENT))
_ACCOUNT = Key("account", values.account)
_CENTS = Key("cents", values.cents)
_REF = Key("ref", values.ref, optional=True)
_COLOUR = Key("colour", values.colour, optional=True)
# fmt: off
KINDS = (
    Kind(STATUS, None),
    Kind("confirm", lambda _, who: ConfirmAsked(0, who)),
    Kind("void", lambda _, who: VoidAsked(0, who)),
    # Art. 67-5: the croupier enters, a member of the management is present.
    Kind("manual", _manual,
         (Key("number", values.number), _COLOUR, _WHY),
         _BOTH, at=WHEEL),
    # DESIGN section 4: a correction is a new record by two authorised people.
    Kind("correct", _correct,
         (Key("coup", values.coup), Key("number", values.number_or_void), _COLOUR, _WHY),
         _BOTH, at=WHEEL),
    Kind("clear", lambda _, who: ClearAsked(0, who)),
    # At a card table: what the shoe could not say, two people say (as art. 67-5).
    Kind("card", lambda asked, _: _facts().CardEntered(0, asked.given["card"], *_by_two(asked)),
         (Key("card", values.card), _WHY),
         _BOTH, at=CARDS),
    Kind("burn", lambda asked, _: _facts().BurnAsked(0, *_by_two(asked)),
         (_WHY,),
         _BOTH, at=CARDS),
    Kind("count", lambda asked, _: _facts().CountConfirmed(0, *_by_two(asked)),
         (_WHY,),
         _BOTH, at=CARDS),
    Kind("rescan", lambda _, who: _facts().RescanAsked(0, who), at=CARDS),
    Kind("correct_round", _correct_round,
         (Key("round", values.round_number), Key("cards", values.cards_or_void),
          Key("decisions", values.decisions, optional=True), _WHY),
         _BOTH, at=CARDS),
    # The croupier's screen: his keys, and all that stands there.
    Kind("key", _key, (Key("key", values.key),), at=CARDS),
    Kind(GUIDE, None, at=CARDS),
    # House rule of Luxembourg's Super-Jack: the management knows of a Gold Jack before it is paid.
    Kind("pay", lambda asked, _: _facts().Acknowledged(0, asked.claims[0].name),
         (),
         (_MANAGEMENT,), at=CARDS),
    # Luxembourg art. 20-1: at least one employee at each coup of a semi-automatic game.
    Kind("employee", _employee,
         (Key("present", values.present),),
         (_EMPLOYEE,)),
    # A terminal signs on as anybody: who is at the table sees who sits there.
    Kind("unseat", _unseat,
         (Key("terminal", values.terminal), _WHY),
         (_EMPLOYEE,)),
    # Luxembourg art. 62: "argent comptant". What the players' accounts may have entered.
    Kind("account", _entry(ACCOUNT),
         (Key("player", values.player), Key("secret", values.secret), _REF),
         (_EMPLOYEE,)),
    Kind("renew", _entry(RENEWED),
         (_ACCOUNT, Key("secret", values.secret), _REF),
         (_EMPLOYEE,)),
    Kind("deposit", _deposit, (_ACCOUNT, _CENTS, _REF), (_EMPLOYEE,)),
    Kind("payout", _payout,
         (_ACCOUNT, _CENTS._replace(optional=True), _REF),
         (_EMPLOYEE,)),
    Kind("reprint", _entry(REPRINTED),
         (Key("receipt", values.receipt_number), _REF),
         (_EMPLOYEE,)),
    Kind("redeem", _entry(REDEEMED),
         (Key("receipt", values.receipt), _REF),
         (_EMPLOYEE,)),
    # Art. 20-3 c: the management withholds a payment, and bars a player.
    Kind("judge", _entry(""),
         (Key("what", values.judgement), _ACCOUNT, _WHY, _REF),
         (_MANAGEMENT,)),
    Kind("closing", _closing, (_REF,), (_MANAGEMENT,)),
    # Luxembourg art. 37-3: the director may change the limits, and nobody else.
    Kind(table_limits.ACT, _limits,
         (Key("sha256", values.sha256), _WHY, Key("device", values.device, optional=True)),
         (Signer("director", (DIRECTOR,)),), at=WHEEL),
    # Those who look after the wheel: docs/service.md.
    Kind(LOGIN, None,
         (Key("device", values.device, optional=True),),
         (Signer("person", (TECHNICIAN, SUPERVISOR)),)),
    Kind(LOGOUT, None, (_SESSION,), (), TECHNICIAN),
    Kind(FIRST, None, (Key("person", values.person),), at=WHEEL),
    Kind("service", _service, (_SESSION, _ON, _WHY), (), SUPERVISOR, at=WHEEL),
    Kind("turn", _turn,
         (_SESSION, Key("way", values.way), Key("rpm", values.speed, optional=True),
          Key("for_s", values.for_us, optional=True)),
         (), SUPERVISOR, at=WHEEL),
    Kind("act", _act,
         (_SESSION, Key("what", values.what), Key("detail", values.detail, optional=True),
          Key("sha256", values.sha256, optional=True)),
         (), TECHNICIAN),
    # That a notice of the wheel's health is known, and why it plays on.
    Kind("acknowledge", _acknowledge,
         (_SESSION, Key("code", values.acknowledged), _WHY),
         (), SUPERVISOR, at=WHEEL),
    Kind(acts.SHIFT, _shift,
         (_SESSION, Key("croupier", values.croupier)),
         (), SUPERVISOR, at=WHEEL),
    Kind(CALIBRATE, None, (_SESSION, Key("values", values.calibration)), (), SUPERVISOR, at=WHEEL),
    Kind(PARTS, None, (_SESSION,), (), TECHNICIAN),
    Kind(EDGES, None, (_SESSION, _ON), (), TECHNICIAN),
)
# fmt: on
