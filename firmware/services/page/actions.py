"""What people do with the page. The controller decides and writes down; this passes on.

What the machine itself must do (another configuration, an update) is left as an order for the unit
that may: orders.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any

from firmware.client import director
from firmware.client.line import Refused
from firmware.config.table_limits import LimitsChange
from firmware.core.house import SUPERVISOR
from firmware.lib import order_folder
from firmware.lib.errors import Failure
from firmware.lib.language import N_, Message
from firmware.services.page.logins import Login
from firmware.services.page.providers import Providers
from firmware.services.page.queries import Places
from firmware.services.page.server import Question, Server
from firmware.services.page.translation import with_translations
from firmware.services.page.wheel import Wheel

_PIECE = 64 * 1024
_PIECE_S = 20.0  # for the next bytes of a bundle
_KEEP_S = 60.0  # so often whoever sends a bundle is there: a slow one takes longer than a session
_ROLE = {
    "code": "wrong_role",
    "text": Message("Only a supervisor may do that."),
    "remedy": Message("Let a supervisor log in."),
}
_BUSY = {
    "code": "busy",
    "text": Message("Somebody else leaves an order at this moment."),
    "remedy": Message("Try again in a minute."),
}
_EMPTY = {
    "code": "wrong_value",
    "text": Message("The bundle is empty."),
    "remedy": Message("Choose another file."),
}
_NO_WAY_BACK = {
    "code": "not_now",
    "text": Message("There is no slot to go back to now."),
    "remedy": Message("Look at how the slots stand."),
}
_MOVED = {
    "code": "not_now",
    "text": Message("The slots do not stand any more as they were shown."),
    "remedy": Message("Look again, then ask again."),
}


class Acts:
    """Passes on what is asked."""

    def __init__(
        self, wheel: Wheel, places: Places, board: str | None, providers: Providers
    ) -> None:
        """`board`: what the command line said, and a configuration cannot change."""
        self._wheel = wheel
        self._board = board
        self._providers = providers
        self._places = places
        self._ordering = asyncio.Lock()  # one order is made at a time

    def add_to(self, server: Server) -> None:
        """Adds them to the server."""
        for path, handler in (
            ("/api/service", self._service),
            ("/api/turn", self._turn),
            ("/api/act", self._act),
            ("/api/acknowledge", self._acknowledge),
            ("/api/alive", self._alive),
            ("/api/config/check", self._check),
            ("/api/config/apply", self._apply),
            ("/api/update", self._update),
            ("/api/update/rollback", self._rollback),
        ):
            server.question(path, handler, post=True)

    async def _service(self, asked: Question) -> Any:
        on, why, take = asked.body(on=bool, why=str, take=bool)
        if not (on and take):  # to take it over leaves it out of play
            self._check_holder(asked.person)
        return await self._wheel.ask(asked.person, {"do": "service", "on": on, "why": why})

    async def _turn(self, asked: Question) -> Any:
        way, rpm, for_s = asked.body(way=str, rpm=int, for_s=int)
        request: dict[str, Any] = {"do": "turn", "way": way}
        if way is not None:  # whoever sees that it must stop may stop it
            self._check_holder(asked.person)
            request |= {"rpm": rpm, "for_s": for_s}
        return await self._wheel.ask(asked.person, request)

    async def _act(self, asked: Question) -> Any:
        """Somebody records what was done; `detail`: None where `what` says all."""
        what, detail = asked.body(what=str, detail=str)
        request = {"do": "act", "what": what} | ({} if detail is None else {"detail": detail})
        return await self._wheel.ask(asked.person, request)

    async def _acknowledge(self, asked: Question) -> Any:
        code, why = asked.body(code=str, why=str)
        request = {"do": "acknowledge", "code": code, "why": why}
        return await self._wheel.ask(asked.person, request)

    async def _alive(self, asked: Question) -> Any:
        """Somebody is at the browser, though nothing is asked: the session goes on."""
        return await self._wheel.keep(asked.person)

    async def _check(self, asked: Question) -> Any:
        """Every mistake of a configuration, as it is typed; without one, whether a director signs:
        limits are new, and whether there were others."""
        (text,) = asked.body(text=str)
        mistakes = await asyncio.to_thread(self._mistakes, text or "")
        change = None if mistakes else await asyncio.to_thread(self._limits, text or "")
        limits = None if change is None else {"must": change.must}
        return {"mistakes": mistakes, "limits": limits}

    async def _apply(self, asked: Question) -> Any:
        """Leaves a configuration to be applied, if it has no mistake; a director signs its limits
        first, where they are others."""
        text, name, pin = asked.body(text=str, director=str, director_pin=str)
        person = _supervisor(asked)
        mistakes = await asyncio.to_thread(self._mistakes, text or "")
        if mistakes:
            why = Message("It has {count} mistakes.", count=len(mistakes))
            raise Refused(
                {"code": "mistakes", "text": why, "remedy": Message("Correct them first.")}
            )
        change = await asyncio.to_thread(self._limits, text or "")
        if change is not None:
            await self._sign(change, name, pin)
        return await self._order(person, order_folder.CONFIG, _whole((text or "").encode()))

    async def _sign(self, change: LimitsChange, name: str | None, pin: str | None) -> None:
        """Has a director sign new limits. Raises Refused."""
        if name and pin:
            request = director.request(change, name, pin)
            await self._wheel.pins.ask(request | {"device": ""})  # it comes from a browser
        elif change.must:
            remedy = Message("Let a director sign, with name and PIN.")
            why = director.unsigned(change)
            raise Refused({"code": "no_director", "text": why, "remedy": remedy})

    async def _update(self, asked: Question) -> Any:
        """Takes a bundle, and leaves it to be installed."""
        person = _supervisor(asked)
        if not asked.request.content_length:
            raise Refused(_EMPTY)
        return await self._order(person, order_folder.UPDATE, self._pieces(person, asked.request))

    async def _rollback(self, asked: Question) -> Any:
        """Leaves it to be gone back to the other slot, if that is still the one that was seen."""
        person = _supervisor(asked)
        seen = asked.body(slot=str, version=str)
        look = await asyncio.to_thread(self._providers.slots)
        back = None if look is None else self._providers.way_back(look)
        if back is None:
            raise Refused(_NO_WAY_BACK)
        if seen != [back.slot, back.version]:
            raise Refused(_MOVED)
        return await self._order(person, order_folder.ROLLBACK, _whole(back.order))

    async def _order(self, person: Login, what: str, pieces: AsyncIterator[bytes]) -> Any:
        """The file first, then the act of the person, then the order. Raises Refused."""
        if self._ordering.locked():
            raise Refused(_BUSY)
        async with self._ordering:
            draft = order_folder.Draft(self._places.orders, what)
            await order_folder.written(draft, pieces)
            try:
                detail = order_folder.detail(draft.path, draft.size)
                act = {"do": "act", "what": order_folder.ACTS[what], "detail": detail}
                await self._wheel.ask(person, act | {"sha256": draft.sha256})
                name = draft.order(person.name)
            except BaseException:  # also where whoever asked has gone
                draft.discard()
                raise
            return {"order": name, "sha256": draft.sha256}

    async def _pieces(self, person: Login, request: Any) -> AsyncIterator[bytes]:
        """The body of a request as it comes. Raises Failure if it ends before its end, Refused if
        the session does."""
        left = request.content_length
        kept_s = time.monotonic()
        while left:
            data = b""
            with contextlib.suppress(OSError):  # it went away, or sends nothing any more
                async with asyncio.timeout(_PIECE_S):
                    data = await request.stream.read(min(left, _PIECE))
            if not data:
                raise Failure(1, N_("The bundle did not arrive whole. Send it again."))
            left -= len(data)
            if time.monotonic() - kept_s >= _KEEP_S:
                kept_s = time.monotonic()
                await self._keep(person)
            yield data

    async def _keep(self, person: Login) -> None:
        try:
            await self._wheel.keep(person)
        except Refused as refused:
            if refused.error["code"] == "no_session":  # else its act is asked for at the end
                raise

    def _mistakes(self, text: str) -> list[dict[str, Any]]:
        """Returns every mistake of it, with those of the files beside it."""
        path = self._places.config
        return [
            with_translations(
                {"line": each.line if each.file == str(path) else 0, "text": each.text}
            )
            for each in self._providers.mistakes(path, text, self._board)
        ]

    def _limits(self, text: str) -> LimitsChange | None:
        return self._providers.limits(self._places.config, text, self._board)

    def _check_holder(self, person: Login) -> None:
        """Raises Refused if somebody else has the wheel in service."""
        holder = (self._wheel.service or {}).get("who")
        if holder not in (None, person.name):
            text = Message("{holder} has the wheel in service.", holder=holder)
            remedy = Message("Ask {holder}, or take it over.", holder=holder)
            raise Refused({"code": "held", "text": text, "remedy": remedy})


async def _whole(data: bytes) -> AsyncIterator[bytes]:
    yield data


def _supervisor(asked: Question) -> Login:
    if asked.person.role != SUPERVISOR:
        raise Refused(_ROLE)
    return asked.person
