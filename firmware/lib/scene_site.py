"""A page that shows one scene, for browsers of this machine alone: files, and a stream of scenes.

Bound to 127.0.0.1. Asked by another name (a foreign site whose name leads here), it refuses. The
page may load nothing from anywhere else. What is not said to stand any more goes dark within 1 s:
stream/link.mjs, which such a page imports, knows how old what it shows can be at most.
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

PAGES_MAX = 16  # browsers: a table has few screens, and each costs 20 kB of the 20 MB of a bridge
BEAT_S = 0.25  # three may be lost before the page shows a dash
REQUEST_S = 5.0  # for a request to be complete
UNREAD_S = 2.0  # a page that takes nothing for so long is gone, or shows what is long over
_CONNECTIONS_MAX = 64  # at once: pages, and their files while they load
_STREAM = Path(__file__).parent / "stream"
_NAMES = (HOST, "localhost")


def _limits() -> web.Limits:
    return web.Limits(REQUEST_S, UNREAD_S, _CONNECTIONS_MAX)


class SceneSite(web.Site):
    """Serves the page and tells each that is open what `stand` was given last."""

    refusal = f"This page is http://{HOST} alone."

    def __init__(self, folder: Path, words: Any, clock: Callable[[], int], **modules: Any) -> None:
        """`clock`: microseconds, monotonic. `modules`: further ones, by name, as `words`."""
        super().__init__(folder, words, _limits, shared=_STREAM, modules=modules)
        self._clock = clock
        self._scene: Any = None
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

    async def start(self, port: int, option: str) -> None:
        """Listens on a port of this machine, 0: any that is free. Raises Failure."""
        await self.listen(HOST, port, option)

    def stand(self, scene: Any, fields: Callable[[], Any], stood_us: int) -> None:
        """Tells every page a scene, at once. Call it again and again as long as it stands: what is
        not said to stand for SILENT_MS (stream.mjs) goes dark. `fields`: what the page is told of
        it; `stood_us`: when it stood for sure."""
        self._stood_us = stood_us
        if scene is not self._scene:
            self._scene = scene
            self._text = web.compact(fields())
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
