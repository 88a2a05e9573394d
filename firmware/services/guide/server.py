"""The guide's page, for browsers of this machine alone (firmware/lib/scene_site.py).

Programs of other users are refused: who is paid a Gold Jack stands here by name. A key is pressed
by the page itself and by nobody else: asked of its own origin, with the token of this start, which
is in the page's files. A page of another site can neither read the token nor send the header.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from microdot import Request, Response

from firmware.lib import web
from firmware.lib.peer_user import user_of
from firmware.lib.places import HOST
from firmware.lib.scene_site import SceneSite
from firmware.services.guide import words
from firmware.services.guide.follower import Follower, NotDone

TOKEN = "X-Cylindre-Token"
_FOLDER = Path(__file__).parent / "page"


class Server(SceneSite):
    """Serves the page; `follower`, once it is set, takes what is pressed."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock`: microseconds, monotonic."""
        self.token = secrets.token_urlsafe(24)
        self.follower: Follower | None = None
        super().__init__(_FOLDER, words.vocabulary(), clock, token=self.token)
        self.application.post("/key")(self._key)
        self.application.post("/ask")(self._ask)

    def show_scene(self, scene: dict[str, Any], stood_us: int) -> None:
        """Tells every page a scene, which stood then."""
        self.stand(scene, lambda: scene, stood_us)

    def refusal_of(self, request: Request, owner: str | None) -> Response | None:
        """Refuses another user's programs, and whoever the kernel does not know: what stands here
        is the croupier's alone."""
        if user_of(request.client_addr, (HOST, self.port)) in (0, os.geteuid()):
            return None
        return Response("This page is another user's.", 403)

    async def _key(self, request: Request) -> Response:
        return await self._do(request, {"key": str, "n": int})

    async def _ask(self, request: Request) -> Response:
        return await self._do(request, {"do": str, "n": int, "given": dict})

    async def _do(self, request: Request, form: dict[str, type]) -> Response:
        """Does what a page asks, once it is known to be our own."""
        if not self._is_own(request):
            return _answer(words.in_each(words.CROSSED), 403)
        try:
            body = request.json
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict) or {key: type(body[key]) for key in body} != form:
            return _answer(words.in_each(words.WRONG_FORM), 400)
        assert self.follower is not None
        try:
            if "key" in form:
                await self.follower.press(body["key"], body["n"])
            else:
                await self.follower.ask(body["do"], body["n"], body["given"])
        except NotDone as refused:
            return _answer(refused.say, 200)
        return _answer(None, 200)

    def _is_own(self, request: Request) -> bool:
        headers = request.headers
        is_same = headers.get("Origin") == f"http://{headers.get('Host')}"
        token = headers.get(TOKEN, "").encode("utf-8", "replace")
        return is_same and hmac.compare_digest(token, self.token.encode())


def _answer(say: dict[str, str] | None, status: int) -> Response:
    told = {"ok": True} if say is None else {"say": say}
    return Response(web.compact(told), status, {"Content-Type": "application/json"})
