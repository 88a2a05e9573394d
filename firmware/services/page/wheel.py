"""The wheel as the page knows it: how it stands, what happened last, who has it in service.

Asks the controller again and again, and tells the viewers what changed. A controller that goes is
told within 2 s: at once when it hangs up, else when it has not answered for STATUS_S. Who is not
logged in is told what is public (firmware/api/guarded.py), POLL_S by POLL_S: when something comes
says no more than what it says.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import traceback
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from firmware.api import guarded
from firmware.client.line import Line, Refused
from firmware.lib import web
from firmware.lib.errors import Failure
from firmware.services.page.edges import Kept
from firmware.services.page.line import Edges
from firmware.services.page.logins import Login, Logins
from firmware.services.page.translation import with_translations
from firmware.services.page.viewers import Viewer, Viewers

POLL_S = 0.2  # between two questions how the wheel stands: as quick as the eye takes it in
BEAT_S = 0.5  # told that often though nothing changed, so that a page knows that it is heard
STATUS_S = 1.0  # an answer takes some ms; a controller that needs longer has stopped
ANEW_S = 1.0  # before a task that a mistake of ours has ended begins anew
FACTS_KEPT = 60  # the last few coups
# Keys of the status that change without anything having happened.
_RESTLESS = ("loop_age_ms", "result_age_ms", "clients", "clients_dropped")
_SAFE_MODE = "S16"  # a code of firmware.core.faults: then nobody has the wheel
_SERVICE = {"service on": True, "service off": False}


class Wheel:
    """Told by the controller, asked by the server."""

    def __init__(
        self, folder: Path, logins: Logins, recalled: Callable[[], dict[str, Any] | None]
    ) -> None:
        """`folder`: of the controller's sockets. `recalled`: the journal's last act that took the
        wheel out of play or put it back; may raise Failure."""
        self._logins = logins
        self._recalled = recalled
        self.viewers = Viewers(logins.find)
        self.kept = Kept()
        self.line = Line(folder, self._hear)
        # Logins on a line of their own: what comes behind one waits until its PIN is hashed.
        self.pins = Line(folder, lambda _: None)
        self.edges = Edges(folder, self._looking, self._hear_edges, self._ended)
        self.status: dict[str, Any] | None = None
        self.service: dict[str, Any] | None = None  # the act that took it out of play
        self._facts: deque[bytes] = deque(maxlen=FACTS_KEPT)
        self._public: deque[bytes] = deque(maxlen=FACTS_KEPT)  # those that the public was told
        self._untold: list[bytes] = []  # those that it is yet to be told
        self._estimate: tuple[int, bytes] | None = None  # of which coup, and what was told
        self._changes: dict[str, Any] = {}

    async def run(self) -> None:
        """Runs until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for task in (self.line.run, self.pins.run, self.edges.run, self._watch):
                group.create_task(_again_and_again(task))

    def add(self, viewer: Viewer) -> None:
        """Adds a page that was opened, and tells it how everything stands."""
        self.viewers.add(viewer)
        logged_in = viewer.login is not None
        for fact in self._facts if logged_in else self._public:
            viewer.send(fact)
        viewer.send(self._standing(logged_in=logged_in))
        if logged_in and self._estimate is not None and self._is_now(self._estimate[0]):
            viewer.send(self._estimate[1])
        if viewer.edges and logged_in:
            if self.kept.lines:
                viewer.send(web.event("lines", self.kept.snapshot()))
            self.edges.want()

    def remove(self, viewer: Viewer) -> None:
        """Removes a page that was closed."""
        self.viewers.remove(viewer)
        if viewer.edges:
            self.edges.want()

    async def ask(
        self, login: Login, request: dict[str, Any], *, used: bool = True
    ) -> dict[str, Any]:
        """Asks the controller in somebody's name. Raises Refused; a session that has ended there
        ends here. `used`: this counts as somebody being there, as it does at the controller."""
        try:
            answer = await self.line.ask(request | {"session": login.token})
        except Refused as refused:
            if refused.error.get("code") == "no_session":
                self._logins.end(login.cookie)
                self._check_logins()
            raise
        if used:
            self._logins.used(login)
        return answer

    async def keep(self, login: Login) -> dict[str, Any]:
        """Keeps the session while somebody is there, though nothing is asked. Raises Refused.

        Asked with what changes nothing on this line, for no edges come on it.
        """
        return await self.ask(login, {"do": "edges", "on": False})

    async def _watch(self) -> None:
        """Asks how the wheel stands, and tells it."""
        loop = asyncio.get_running_loop()
        told_s = 0.0
        while True:
            changed = await self._look()
            self._tell_public()
            if changed or loop.time() - told_s >= BEAT_S:
                told_s = loop.time()
                own, public = self._standing(logged_in=True), self._standing(logged_in=False)
                self.viewers.broadcast(own, public)
            self._check_logins()
            await asyncio.sleep(POLL_S)

    async def _look(self) -> bool:
        """Whether something changed."""
        try:
            status = (await self.line.ask({"do": "status"}, STATUS_S))["status"]
        except Refused as refused:
            if refused.error.get("code") == "busy":  # many ask: that is no wheel that is gone
                return False
            gone = self.status is not None
            self.status, self._changes = None, {}
            self.kept.part()
            return gone
        if self.status is None:
            await self._check_sessions()
        if status["state"] != "SERVICE":
            self.service = None
        elif self.service is None and _SAFE_MODE not in status["faults"]:
            # This page was not there when somebody took it out of play.
            self.service = await self._who_has_it()
        changes = {key: value for key, value in status.items() if key not in _RESTLESS}
        changed = changes != self._changes
        self.status, self._changes = status, changes
        return changed

    async def _who_has_it(self) -> dict[str, Any] | None:
        """The act that took the wheel out of play, as the journal knows it."""
        try:
            act = await asyncio.to_thread(self._recalled)
        except Failure:  # there is none yet, or it cannot be read: the wheel is shown all the same
            return None
        return act if act is not None and _SERVICE[act["what"]] else None

    async def _check_sessions(self) -> None:
        """The controller is there again: ends the logins that it no longer knows.

        Asked with what does not count as use: a tablet that lies open stays nobody's.
        """
        for login in self._logins.all():
            with contextlib.suppress(Refused):
                await self.ask(login, {"do": "parts"}, used=False)

    def _standing(self, *, logged_in: bool) -> bytes:
        """Returns how the wheel stands, as somebody may know it."""
        status, service = self.status, self.service
        if not logged_in:
            status = None if status is None else guarded.public_status(status)
            service = guarded.public_service(service)
        told = {"status": status, "service": service, "viewers": len(self.viewers)}
        return web.event("status", web.compact(told))

    def _hear(self, fact: dict[str, Any]) -> None:
        """Something happened at the wheel; what only stands on the croupier's screen is his."""
        if guarded.FACTS.get(fact["event"]) is guarded.SCREEN:
            return
        if fact["event"] == "act" and fact.get("what") in _SERVICE:
            self.service = fact if _SERVICE[fact["what"]] else None
        if fact["event"] == "coup_started":
            self._estimate = None
        own, public = _fact(fact), guarded.public_fact(fact)
        self._facts.append(own)
        self.viewers.broadcast(own, None)
        if public is not None:
            self._untold.append(_fact(public))

    def _tell_public(self) -> None:
        """Tells who is not logged in what has happened since the last time."""
        told, self._untold = self._untold, []
        for fact in told:
            self._public.append(fact)
            self.viewers.broadcast(None, fact)

    def _hear_edges(self, line: bytes) -> None:
        found = self.kept.add_line(line)
        if found is not None:
            name, told = found
            data = web.event(name, told.decode())
            if name == "estimate":
                self._estimate = json.loads(told)["coup"], data
            self.viewers.tell_those(data, edges=True)

    def _is_now(self, coup: int) -> bool:
        """Returns whether no later coup has begun; that may have been missed."""
        return ((self.status or {}).get("coup") or 0) <= coup

    def _ended(self, token: str) -> None:
        """The controller knows that session no more."""
        for login in self._logins.all():
            if login.token == token:
                self._logins.end(login.cookie)
        self._check_logins()

    def _looking(self) -> str | None:
        """Returns the session of somebody who looks at edges."""
        return next((login.token for login in self.viewers.drawing()), None)

    def _check_logins(self) -> None:
        if self.viewers.close_ended(web.event("me", "null")):
            self.edges.want()


async def _again_and_again(task: Callable[[], Awaitable[None]]) -> None:
    """Runs a task; one that a mistake of ours ends begins anew: the others go on meanwhile."""
    told = ""
    while True:
        try:
            await task()
        except Exception as error:
            if repr(error) != told:  # once: it may come each second
                told = repr(error)
                traceback.print_exc(file=sys.stderr)
        await asyncio.sleep(ANEW_S)


def _fact(fact: dict[str, Any]) -> bytes:
    return web.event("fact", web.compact(with_translations(fact)))
