"""The service page's server: files, one stream a page, and a few questions as JSON.

Over TLS alone. It has no power of its own: every change goes to the controller with the session of
the person who asked. Whoever is not logged in may read what a table display shows, and the faults.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Awaitable, Callable, Container, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from microdot import Request, Response

from firmware.client.line import BUSY, WAITING_MAX, Refused
from firmware.lib import web
from firmware.lib.allowance import Allowance, client_of
from firmware.lib.errors import Failure
from firmware.lib.language import Message
from firmware.services.page.certificate import Identity
from firmware.services.page.logins import (
    COOKIE,
    DEVICE,
    DEVICE_S,
    Attempts,
    Login,
    Logins,
    device_of,
    is_same,
)
from firmware.services.page.translation import with_translations
from firmware.services.page.viewers import Viewer
from firmware.services.page.wheel import Wheel
from firmware.services.page.words import vocabulary

# A browser opens six connections; all who sit behind one translator of addresses are one address.
LIMITS = web.Limits(request_s=5.0, unread_s=5.0, connections_max=160, rest_s=20.0, address_max=64)
# What one may ask: a device that nobody is logged in at, and a person at all devices. A page that
# is opened takes some 30 files and 5 questions, another view 1 to 3; nothing is asked again
# and again but that somebody is there, every few minutes (docs/service-page.md).
QUESTION = 4.0  # what one counts; a file 1, for it lies in memory
STRANGERS_PER_S, STRANGERS_AT_ONCE = 60.0, 1200.0
PERSONS_PER_S, PERSONS_AT_ONCE = 120.0, 2400.0
# PINs that wait at the controller, of devices at which nobody has logged in: others find a place.
STRANGERS_PINS_MAX = WAITING_MAX // 2
TOKEN = "X-Cylindre-Token"  # the header that names the login's csrf token
_FOLDER = Path(__file__).parent / "static"
_STATUS = {
    "no_session": 401, "wrong_role": 403, "wrong_pin": 403, "crossed": 403, "too_soon": 429,
    "too_often": 429,
}  # fmt: skip
_LOGIN = {
    "code": "no_session",
    "text": Message("You are not logged in."),
    "remedy": Message("Log in first."),
}
_CROSSED = {
    "code": "crossed",
    "text": Message("This was not asked by the page itself."),
    "remedy": Message("Load the page again."),
}
Handler = Callable[..., Awaitable[Any]]


class Question(NamedTuple):
    """A request from the page, and who asks."""

    request: Request
    login: Login | None

    @property
    def person(self) -> Login:
        """Returns who is logged in. Raises Refused."""
        if self.login is None:
            raise Refused(_LOGIN)
        return self.login

    def body(self, **kinds: type) -> list[Any]:
        """Returns the values of these keys, None for one that is missing. Raises Refused."""
        found = self.request.json
        if not isinstance(found, dict):
            raise Refused(_wrong(Message("the body"), "a JSON object"))
        for key, kind in kinds.items():
            if found.get(key) is not None and type(found[key]) is not kind:
                raise Refused(_wrong(key, kind.__name__))
        return [found.get(key) for key in kinds]

    def number(self, key: str, low: int, high: int, usual: int | None = None) -> int | None:
        """Returns a whole number of the address. Raises Refused."""
        text = self.request.args.get(key)
        if text is None:
            return usual
        if not (text.isascii() and text.isdigit() and len(text) < 17 and low <= int(text) <= high):
            raise Refused(
                _wrong(key, Message("a whole number from {low} to {high}", low=low, high=high))
            )
        return int(text)


class Server(web.Site):
    """Serves the page; `question` adds what may be asked."""

    refusal = Message("The service page has another name.")

    def __init__(self, wheel: Wheel, logins: Logins, identity: Identity) -> None:
        super().__init__(_FOLDER, vocabulary(), lambda: LIMITS, packed=True)
        self._wheel = wheel
        self._logins = logins
        self._identity = identity
        self._attempts = Attempts()
        self._strangers = Allowance(STRANGERS_PER_S, STRANGERS_AT_ONCE)
        self._persons = Allowance(PERSONS_PER_S, PERSONS_AT_ONCE)
        self._strangers_pins = 0
        self.question("/api/me", self._me, anybody=True)
        self.question("/api/login", self._log_in, post=True, anybody=True)
        self.question("/api/logout", self._log_out, post=True)
        self.question("/api/first", self._first, post=True, anybody=True)

    def question(
        self, path: str, handler: Handler, *, post: bool = False, anybody: bool = False
    ) -> None:
        """Registers a question at `path`: the handler takes the Question, and what the path names.

        `anybody`: who is not logged in may ask it, too.
        """

        async def answer(request: Request, **named: Any) -> Any:
            login = self._login(request)
            try:
                if login is None and not anybody:
                    raise Refused(_LOGIN)
                if post:
                    self._check_own(request, login)
                found = await handler(Question(request, login), **named)
            except Refused as refused:
                return _refusal(refused.error)
            except Failure as failure:
                return _refusal({"code": "failed", "text": failure.sentence, "remedy": ""})
            except (ValueError, RecursionError):  # a body that is no JSON
                return _refusal(_wrong(Message("the body"), "a JSON object"))
            return found if isinstance(found, Response) else _json(found)

        (self.application.post if post else self.application.get)(path)(answer)

    def owner(self, request: Request) -> str | None:
        """Returns the name of somebody who is logged in."""
        login = self._login(request)
        return None if login is None else login.name

    def refusal_of(self, request: Request, owner: str | None) -> Response | None:
        """Refuses who asks too often, and what nobody who is not logged in has to send."""
        cost = QUESTION if request.path.startswith(("/api/", "/events")) else 1.0
        if owner is None:
            wait_s = self._strangers.wait_s(_address(request), cost)
        else:
            wait_s = self._persons.wait_s(owner, cost)
        if wait_s:
            return _too_often(math.ceil(wait_s))
        if owner is None and request.content_length > LIMITS.strangers_body_max:
            return _refusal(_LOGIN)
        return None

    def names(self, request: Request) -> Container[str]:
        """Returns those of the certificate, and the very address the request came to."""
        local: str = request.sock[1].get_extra_info("sockname")[0]
        return (*self._identity.names, local)

    @contextlib.contextmanager
    def visit(self, request: Request) -> Iterator[web.Told | None]:
        """Lets a page in: it is told how the wheel stands, as its person may know it."""
        viewer = Viewer(request.cookies.get(COOKIE), edges=request.args.get("edges") == "1")
        if not self._wheel.viewers.has_room(viewer.cookie):
            yield None
            return
        self._wheel.add(viewer)
        try:
            yield viewer.stream()
        finally:
            self._wheel.remove(viewer)

    def _login(self, request: Request) -> Login | None:
        return self._logins.find(request.cookies.get(COOKIE))

    def _check_own(self, request: Request, login: Login | None) -> None:
        """That the page itself asks, and no other site through somebody's browser."""
        own = request.headers.get("Origin") == f"https://{request.headers.get('Host')}"
        token = request.headers.get(TOKEN, "")
        if not own or not token or (login is not None and not is_same(token, login.csrf)):
            raise Refused(_CROSSED)

    # --- who is there ---------------------------------------------------------------------------
    async def _me(self, asked: Question) -> Any:
        login = asked.login
        if login is None:
            return {"name": None}
        told = {"name": login.name, "role": login.role, "token": login.csrf}
        return told | {"idle_s": login.idle_s}

    async def _log_in(self, asked: Question) -> Any:
        request = {"do": "login", "person": self._tried(asked), "device": _device(asked.request)}
        with self._place(asked):
            answer = await self._wheel.pins.ask(request)
        self._attempts.forget(_address(asked.request), answer["device"])
        if asked.login is not None:
            await self._leave(asked.login)
        login = self._logins.open(answer)
        response = _json({"name": login.name, "role": login.role, "token": login.csrf})
        response.headers["Set-Cookie"] = [
            _cookie(DEVICE, answer["device"], DEVICE_S),
            _cookie(COOKIE, login.cookie, answer["most_s"]),
        ]
        return response

    async def _log_out(self, asked: Question) -> Any:
        await self._leave(asked.person)
        response = _json({"name": None})
        response.headers["Set-Cookie"] = [_cookie(COOKIE, "", 0)]
        return response

    async def _leave(self, login: Login) -> None:
        """Ends a login here and at the controller, which may be gone."""
        self._logins.end(login.cookie)
        with contextlib.suppress(Refused):
            await self._wheel.line.ask({"do": "logout", "session": login.token})

    async def _first(self, asked: Question) -> Any:
        """The first supervisor: the answer says which button proves it, and how often it is to be
        pressed; this browser alone is told that. The event says what came of it."""
        request = {"do": "first", "person": self._tried(asked)}
        with self._place(asked):
            return await self._wheel.line.ask(request)

    @contextlib.contextmanager
    def _place(self, asked: Question) -> Iterator[None]:
        """Keeps a place at the controller for a PIN. Raises Refused if strangers have theirs."""
        if self._attempts.knows(_device(asked.request)):
            yield
            return
        if self._strangers_pins >= STRANGERS_PINS_MAX:
            raise Refused(BUSY)
        self._strangers_pins += 1
        try:
            yield
        finally:
            self._strangers_pins -= 1

    def _tried(self, asked: Question) -> dict[str, str]:
        """Name and PIN of a body, unless that address tried too often. Raises Refused."""
        name, pin = asked.body(name=str, pin=str)
        if not name or not pin:
            raise Refused(_wrong(Message("name and PIN"), "both"))
        wait_s = self._attempts.wait_s(_address(asked.request), _device(asked.request))
        if wait_s:
            text = Message(
                "Too many attempts from this device: none is heard for {wait_s} s.", wait_s=wait_s
            )
            raise Refused(
                {"code": "too_soon", "text": text, "remedy": Message("Wait, then try again.")}
            )
        return {"name": name, "pin": pin}


def _address(request: Request) -> str:
    """As whom the other end counts."""
    return client_of(request.client_addr[0])


def _device(request: Request) -> str:
    return device_of(request.cookies.get(DEVICE))


def _cookie(name: str, value: str, most_s: float) -> str:
    kept = f"Path=/; Max-Age={round(most_s)}; Secure; HttpOnly; SameSite=Strict"
    return f"{name}={value}; {kept}"


def _json(told: Any, status: int = 200) -> Response:
    return Response(
        web.compact(told).encode(), status, {"Content-Type": "application/json; charset=utf-8"}
    )


def _refusal(error: dict[str, str]) -> Response:
    return _json({"error": with_translations(error)}, _STATUS.get(error.get("code", ""), 409))


def _too_often(wait_s: int) -> Response:
    text = Message("Too much is asked from this device: ask again in {wait_s} s.", wait_s=wait_s)
    remedy = Message("Wait, then try again.")
    response = _refusal({"code": "too_often", "text": text, "remedy": remedy})
    response.headers["Retry-After"] = str(wait_s)
    return response


def _wrong(key: str, wants: str) -> dict[str, str]:
    text = Message("{key} is not as it must be.", key=key)
    return {"code": "wrong_value", "text": text, "remedy": Message("Send {wants}.", wants=wants)}
