"""The page, for browsers of this machine alone: a few files, and a stream of scenes.

Bound to 127.0.0.1. Asked by another name (a foreign site whose name leads here), it refuses. It
answers GET and nothing else, and the page may load nothing from anywhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any

from microdot import Request

from firmware.lib import web
from firmware.lib.places import HOST
from firmware.services.display.page_json import scene_fields, vocabulary
from firmware.services.display.scene import Scene

PAGES_MAX = 16  # browsers: a table has few screens, and each costs 20 kB of the 20 MB of a bridge
BEAT_S = 0.25  # three may be lost before the page shows a dash
REQUEST_S = 5.0  # for a request to be complete
UNREAD_S = 2.0  # a page that takes nothing for so long is gone, or shows what is long over
_CONNECTIONS_MAX = 64  # at once: pages, and their files while they load
_FOLDER = Path(__file__).parent / "page"
_NAMES = (HOST, "localhost")


def _limits() -> web.Limits:
    return web.Limits(REQUEST_S, UNREAD_S, _CONNECTIONS_MAX)


class Server(web.Site):
    """Serves the page and tells each that is open what `show_scene` was given last."""

    refusal = f"This page is http://{HOST} alone."

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock`: microseconds, monotonic."""
        super().__init__(_FOLDER, vocabulary(), _limits)
        self._clock = clock
        self._scene: Scene | None = None
        self._text = ""
        self._stood_us = 0  # when it was last said to stand
        self._changed = asyncio.Event()
        self._open = 0  # streams

    @property
    def address(self) -> str:
        """Returns that of the page, once started."""
        return f"http://{HOST}:{self.port}/"

    @property
    def pages(self) -> int:
        """Returns how many are open."""
        return self._open

    async def start(self, port: int) -> None:
        """Listens on a port of this machine, 0: any that is free. Raises Failure."""
        await self.listen(HOST, port, "--page-port")

    def show_scene(self, scene: Scene) -> None:
        """Tells every page a scene, at once. Call it again and again as long as the scene stands:
        what is not said to stand for SILENT_MS (stream.mjs) goes dark."""
        self._stood_us = self._clock()
        if scene is not self._scene:
            self._scene = scene
            self._text = web.compact(scene_fields(scene))
            self._changed.set()
            self._changed = asyncio.Event()

    def names(self, request: Request) -> Container[str]:
        """Returns this machine's own."""
        return _NAMES

    def greeting(self) -> dict[str, Any]:
        """Returns the time that events count in."""
        return {"t_ms": self._clock() / 1000}

    @contextlib.contextmanager
    def visit(self, request: Request) -> Iterator[web.Told | None]:
        """Lets a page in: it is told the scenes."""
        if self._open >= PAGES_MAX:
            yield None
            return
        self._open += 1
        try:
            yield self._scenes()
        finally:
            self._open -= 1

    async def _scenes(self) -> web.Told:
        """Each scene as it comes, and that the last one stands."""
        shown = None
        while True:
            changed, stood = self._changed, web.compact({"t_ms": self._stood_us / 1000})
            if self._scene is None or self._scene is shown:
                yield web.event("beat", stood)
            else:
                shown = self._scene
                # The scene is JSON already, and goes out to every page as it is.
                yield web.event("scene", f'{stood[:-1]},"scene":{self._text}}}')
            if changed is self._changed:
                await _either(changed, BEAT_S)


async def _either(changed: asyncio.Event, timeout_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            await changed.wait()
