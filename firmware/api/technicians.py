"""What the socket itself answers to those who look after the wheel: sessions, the first supervisor,
edges, parts, a calibration. What the core decides goes there.
"""

import time
from collections.abc import Callable
from typing import Any

from firmware.api import request_table
from firmware.api.connection import Client
from firmware.api.first_supervisor import BUTTON, PAUSE_S, WITHIN_S, FirstSupervisor
from firmware.api.request_table import Request
from firmware.api.requests import Credentials
from firmware.api.scope import Scope
from firmware.api.sessions import Person, Sessions
from firmware.api.values import Claim, Refused
from firmware.core.facts import ActDone
from firmware.core.house import SUPERVISOR
from firmware.lib.errors import cause
from firmware.lib.language import Message

NOBODY = Person("-", "-")


# Does work beside the service's thread, and calls the other with what came of it.
Later = Callable[[Callable[[], Any], Callable[[Any], None]], None]


class Technicians:
    """Answers them; `tell` takes what is to be written down, as the core's events."""

    def __init__(
        self,
        people: Credentials | None,
        scope: Scope,
        tell: Callable[[Any], None],
        send: Callable[[Client, dict[str, Any]], None],
        later: Later,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`people`: who knows the PINs; without it nobody logs in. `send`: to one client. `later`:
        what takes long."""
        self.parts: Callable[[], dict[str, Any]] = dict
        self.calibrate: Callable[[dict[str, Any], Person], str] | None = None
        self._people = people
        self._sessions = Sessions(people, clock_s)
        self._scope = scope
        self._tell = tell
        self._send = send
        self._later = later
        self.first = FirstSupervisor(clock_s=clock_s)
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
        self,
        request: Request,
        client: Client,
        person: Person | None,
        *,
        idle: bool,
        devices: str | None = None,
    ) -> dict[str, Any]:
        """Returns the answer to what the core need not decide.

        `idle`: no coup is open. `devices`: what the browser of a login is to keep. Raises Refused.
        """
        found: dict[str, Any] = {"ok": True, "do": request.do}
        if request.do == request_table.LOGIN:
            kept = {} if devices is None else {"device": devices}
            return found | self._login(request.claims[0]) | kept
        if request.do == request_table.FIRST:
            return found | self._ask_first(request.given["person"], client, idle=idle)
        assert person is not None, request.do
        session = request.given["session"]
        if request.do == request_table.LOGOUT:
            self._sessions.close(session)
            self._write(person, "logout", "")
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
        self.first.forget(client)

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
    def pressed(self, edges: list[tuple[int, int, int]], *, idle: bool) -> None:
        """Judges by what was read of the lines whether the button proves who asked, and tells him.

        `idle`: no coup is open.
        """
        if BUTTON not in self._scope.names:
            return
        button = self._scope.names.index(BUTTON)
        presses = [(at_us, level) for at_us, line, level in edges if line == button]
        judged = self.first.judge(presses, idle=idle)
        if judged is None:
            return
        client, claim, why = judged
        if why is not None:
            self._tell_first(client, claim.name, why)
            return
        people = self._people
        assert people is not None

        def add() -> str | None:
            if people.has(SUPERVISOR):  # somebody was added to the file meanwhile
                return Message("There is a supervisor already.")
            people.add(claim.name, SUPERVISOR, claim.pin)
            return None

        def told(found: Any) -> None:
            if isinstance(found, Exception):
                found = _why(found)
            if found is None:
                person = Person(claim.name, SUPERVISOR)
                self._write(person, "first supervisor", "proven by the button")
            self._tell_first(client, claim.name, found)

        try:
            self._later(add, told)
        except Refused as refused:
            self._tell_first(client, claim.name, str(refused))

    def _tell_first(self, client: Client, name: str, why: str | None) -> None:
        if why is not None:
            self._write(NOBODY, "first refused", f"{name}: {why}")
        told = {"event": "first", "ok": why is None, "name": name}
        self._send(client, told if why is None else told | {"why": why})

    def _ask_first(self, claim: Claim, client: Client, *, idle: bool) -> dict[str, Any]:
        if self._people is None:
            raise Refused(
                "no_people",
                Message("Nobody can have a PIN here."),
                Message("Give it a people file."),
            )
        if BUTTON not in self._scope.names:
            raise Refused(
                "not_now",
                Message("The button that proves who asks is not read now."),
                Message("Ask again when the wheel plays, or use cylindre people on the wheel."),
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
        self.first.check_heard()
        why_not = self._people.unfit(claim.name, claim.pin)
        if why_not is not None:
            raise Refused("wrong_value", why_not, Message("Choose another."))
        presses = self.first.ask(client, claim)
        times = {"within_s": round(WITHIN_S), "pause_s": round(PAUSE_S)}
        return {"button": BUTTON, "presses": presses, **times}

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


def _why(error: Exception) -> str:
    """Returns in a sentence why somebody could not be added."""
    if isinstance(error, OSError):
        return Message("The file of people cannot be written: {why}.", why=cause(error))
    return str(error).replace("\n", " ")
