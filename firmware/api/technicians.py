"""What the socket itself answers to those who look after the wheel: sessions, the first supervisor,
edges, parts, a calibration. What the core decides goes there.
"""

import time
from collections.abc import Callable
from typing import Any

from firmware.api import request_table
from firmware.api.connection import Client
from firmware.api.request_table import Request
from firmware.api.requests import Credentials
from firmware.api.scope import Scope
from firmware.api.sessions import Person, Sessions
from firmware.api.values import Claim, Refused
from firmware.core.facts import ActDone
from firmware.core.house import SUPERVISOR
from firmware.lib.language import Message

BUTTON = "btn_void"  # on every wheel; pressed while no coup is open it means nothing else
WITHIN_S = 60.0  # to walk around the table, not to find out how
NOBODY = Person("-", "-")


class Technicians:
    """Answers them; `tell` takes what is to be written down, as the core's events."""

    def __init__(
        self,
        people: Credentials | None,
        scope: Scope,
        tell: Callable[[Any], None],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`people`: who knows the PINs; without it nobody logs in."""
        self.parts: Callable[[], dict[str, Any]] = dict
        self.calibrate: Callable[[dict[str, Any], Person], str] | None = None
        self._people = people
        self._sessions = Sessions(people, clock_s)
        self._scope = scope
        self._tell = tell
        self._clock_s = clock_s
        self._first: tuple[Client, Claim, float] | None = None
        self._listens: dict[Client, str] = {}  # with which session

    def person(self, request: Request, role: str) -> Person:
        """Returns whose session a request has, if that is a `role`. Raises Refused.

        A view that lies open asks for the parts again and again: that keeps no session open.
        """
        used = request.do != request_table.PARTS
        person = self._sessions.person(request.given["session"], used=used)
        if not person.may(role):
            raise Refused(
                "wrong_role",
                f"{person.name} is {person.role}.",
                Message("Let a {role} do that.", role=role),
            )
        return person

    def answer(
        self, request: Request, client: Client, person: Person | None, *, idle: bool
    ) -> dict[str, Any]:
        """Returns the answer to what the core need not decide.

        `idle`: no coup is open. Raises Refused.
        """
        found: dict[str, Any] = {"ok": True, "do": request.do}
        if request.do == request_table.LOGIN:
            return found | self._login(request.claims[0])
        if request.do == request_table.FIRST:
            return found | self._ask_first(request.given["person"], client, idle=idle)
        assert person is not None, request.do
        session = request.given["session"]
        if request.do == request_table.LOGOUT:
            self._sessions.close(session)
            return found
        if request.do == request_table.PARTS:
            return found | {"parts": self.parts()}
        if request.do == request_table.CALIBRATE:
            return found | self._calibrate(request.given["values"], person)
        if not request.given["on"]:
            self._hush(client)
            return found
        self._listens[client] = session
        return found | self._scope.add(client)

    def refused(self, whom: str) -> None:
        """Has it written down that a wrong PIN was given for somebody."""
        self._write(NOBODY, "login refused", whom)

    def gone(self, client: Client) -> None:
        """Forgets a client that is gone."""
        self._hush(client)
        if self._first is not None and self._first[0] is client:
            self._first = None

    def _hush(self, client: Client) -> None:
        """It wants to hear no edges any more."""
        self._scope.remove(client)
        self._listens.pop(client, None)

    def ended(self) -> list[Client]:
        """Returns those who listen, and whose session has ended."""
        found = []
        for client, session in tuple(self._listens.items()):
            try:
                self._sessions.person(session, used=False)
            except Refused:
                self._hush(client)
                found.append(client)
        return found

    # --- the first supervisor ---------------------------------------------------------------------
    def pressed(
        self, edges: list[tuple[int, int, int]], *, idle: bool
    ) -> tuple[Client, dict[str, Any]] | None:
        """Judges by what was read of the lines whether the button proves who asked.

        Returns whom to tell what.

        `idle`: no coup is open. Once one is, the button means another thing, and proves nothing.
        """
        if self._first is None:
            return None
        client, claim, until_s = self._first
        told: dict[str, Any] = {"event": "first", "ok": False, "name": claim.name}
        if not idle or self._clock_s() > until_s:
            self._first = None
            return client, told
        button = self._scope.names.index(BUTTON)
        if not any(line == button and level == 1 for _, line, level in edges):
            return None
        self._first = None
        assert self._people is not None
        try:
            self._people.add(claim.name, SUPERVISOR, claim.pin)
        except (ValueError, OSError) as error:
            return client, told | {"why": str(error)}
        self._write(Person(claim.name, SUPERVISOR), "first supervisor", "proven by the button")
        return client, told | {"ok": True}

    @property
    def waits(self) -> bool:
        """Returns whether somebody is to press the button."""
        return self._first is not None

    def _ask_first(self, claim: Claim, client: Client, *, idle: bool) -> dict[str, Any]:
        if self._people is None or BUTTON not in self._scope.names:
            raise Refused(
                "no_people",
                Message("Nobody can have a PIN here."),
                Message("Give it a people file."),
            )
        try:
            there = self._people.has(SUPERVISOR)
        except ValueError as error:
            raise Refused(
                "bad_people", str(error).replace("\n", " "), Message("Then ask again.")
            ) from None
        if there:
            text, remedy = (
                Message("There is a supervisor already."),
                Message("Let a supervisor add people."),
            )
            raise Refused("not_now", text, remedy)
        if not idle:
            raise Refused(
                "not_now", Message("A coup is open."), Message("Wait until it has ended.")
            )
        if self._first is not None and self._clock_s() <= self._first[2]:
            # A press would not say whose it is.
            first, other, _ = self._first
            self._first = (first, other, self._clock_s() - 1.0)
            raise Refused(
                "busy", Message("Two ask for that at once."), Message("One of you ask again.")
            )
        why_not = self._people.unfit(claim.name, claim.pin)
        if why_not is not None:
            raise Refused("wrong_value", why_not, Message("Choose another."))
        self._first = (client, claim, self._clock_s() + WITHIN_S)
        return {"button": BUTTON, "within_s": round(WITHIN_S)}

    # --- the others -------------------------------------------------------------------------------
    def _login(self, claim: Claim) -> dict[str, Any]:
        assert self._people is not None  # it has just known the PIN
        person = Person(claim.name, self._people.role_of(claim.name) or "")
        self._write(person, "login", "")
        return self._sessions.open(person)

    def _calibrate(self, values: dict[str, Any], person: Person) -> dict[str, Any]:
        if self.calibrate is None:
            raise Refused(
                "not_now",
                Message("This wheel keeps no calibration."),
                Message("Start it with its keys."),
            )
        digest = self.calibrate(values, person)
        self._write(person, "calibration", "signed and kept; it holds from the next start", digest)
        return {"sha256": digest}

    def _write(self, who: Person, what: str, detail: str, sha256: str | None = None) -> None:
        self._tell(ActDone(0, who.name, who.role, what, detail, sha256))
