"""The page, for browsers of this machine alone: a few files, and a stream of scenes.

Bound to 127.0.0.1. Asked by another name (a foreign site whose name leads here), it refuses. It
answers GET and nothing else, and the page may load nothing from anywhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from microdot import Microdot, Request, Response

from firmware.lib import web
from firmware.lib.places import HOST
from firmware.services.display.page_json import told, vocabulary
from firmware.services.display.scene import Scene

PAGES_MAX = 16  # browsers: a table has few screens, and each costs 20 kB of the 25 MB of a bridge
BEAT_S = 0.25  # three may be lost before the page shows a dash
REQUEST_S = 5.0  # for a request to be complete
UNREAD_S = 2.0  # a page that takes nothing for so long is gone, or shows what is long over
_CONNECTIONS_MAX = 64  # at once: pages, and their files while they load
_FOLDER = Path(__file__).parent / "page"
_NAMES = (HOST, "localhost")


def _limits() -> web.Limits:
    return web.Limits(REQUEST_S, UNREAD_S, _CONNECTIONS_MAX)


class Server(web.Listener):
    """Serves the page and tells each that is open what `show` was given last."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock`: microseconds, monotonic."""
        self._clock = clock
        self._files = web.Files(_FOLDER)
        self._files.add_module("words.mjs", vocabulary())
        # Whoever serves another page tells the open ones to load it.
        self._build = zlib.crc32(b"".join(self._files.bodies.values()))
        self._scene: Scene | None = None
        self._text = ""
        self._stood_us = 0  # when it was last said to stand
        self._changed = asyncio.Event()
        self._open = 0  # streams
        super().__init__(self._routes(), _limits)

    @property
    def address(self) -> str:
        """Of the page, once started."""
        return f"http://{HOST}:{self.port}/"

    @property
    def pages(self) -> int:
        """How many are open."""
        return self._open

    async def start(self, port: int) -> None:
        """Listens on a port of this machine, 0: any that is free. Raises Failure."""
        await self.listen(HOST, port, "--page-port")

    def show(self, scene: Scene) -> None:
        """Tells every page a scene, at once. Call it again and again as long as the scene stands:
        what is not said to stand for SILENT_MS (stream.mjs) goes dark."""
        self._stood_us = self._clock()
        if scene is not self._scene:
            self._scene = scene
            self._text = json.dumps(told(scene), ensure_ascii=False, separators=(",", ":"))
            self._changed.set()
            self._changed = asyncio.Event()

    def _routes(self) -> Microdot:
        application = Microdot()
        application.before_request(web.only_names(_NAMES, f"This page is http://{HOST} alone."))
        application.after_request(web.protect)
        application.get("/")(self._file)
        application.get("/events")(self._events)
        application.get("/<name>")(self._file)
        return application

    # Every handler is a coroutine: microdot would give others a thread.
    async def _file(self, request: Request, name: str = "index.html") -> Any:
        return self._files.answer(request, name)

    async def _events(self, request: Request) -> Response:
        stream: Any = self._stream()  # microdot's types leave generators out
        return Response(stream, 200, {"Content-Type": web.STREAM})

    async def _stream(self) -> AsyncIterator[bytes]:
        """What one page is told, until it goes."""
        if self._open >= PAGES_MAX:
            yield _event("crowded", {})
            return
        self._open += 1
        try:
            yield _event("hello", {"t_ms": self._clock() / 1000, "build": self._build})
            shown = None
            while True:
                changed, stood = self._changed, {"t_ms": self._stood_us / 1000}
                if self._scene is None or self._scene is shown:
                    yield _event("beat", stood)
                else:
                    shown = self._scene
                    yield _event("scene", stood, self._text)
                if changed is self._changed:
                    await _either(changed, BEAT_S)
        finally:
            self._open -= 1


def _event(name: str, told: dict[str, Any], scene: str = "") -> bytes:
    """One event; `scene`: as JSON, which goes out to every page as it is."""
    data = json.dumps(told)
    return web.event(name, f'{data[:-1]},"scene":{scene}}}' if scene else data)


async def _either(changed: asyncio.Event, timeout_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            await changed.wait()
