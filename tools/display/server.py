"""The page, for browsers of this machine alone: a few files, and a stream of scenes.

Bound to 127.0.0.1. Asked by another name (a foreign site whose name leads here), it refuses. It
answers GET and nothing else, and the page may load nothing from anywhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import socket
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from microdot import Microdot, Request, Response

from tools.commands.display import HOST
from tools.display.scene import Scene
from tools.display.told import told, vocabulary
from tools.exits import FAILED, Failure

PAGES_MAX = 16  # browsers: a table has few screens, and each costs 20 kB of the 25 MB of a bridge
BEAT_S = 0.25  # three may be lost before the page shows a dash
REQUEST_S = 5.0  # for a request to be complete
UNREAD_S = 2.0  # a page that takes nothing for so long is gone, or shows what is long over
_REQUEST_MAX = 8192  # bytes of a request's head
_CONNECTIONS_MAX = 64  # at once: pages, and their files while they load
_UNREAD_MAX = 16384  # bytes that wait in the kernel and here; a scene has some 3000
_ACCEPT_TURNS = 8  # of the loop: asyncio lets somebody in, and closes his socket, in some four
_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "mjs": "text/javascript",
    "svg": "image/svg+xml",
}
_NAMES = (HOST, "localhost")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_STREAM = "text/event-stream; charset=utf-8"


class _Application(Microdot):
    """microdot, which reads a request only once its head is here, whole and not too long."""

    async def handle_request(self, reader: asyncio.StreamReader, writer: Any) -> None:
        """Answers one request; whoever does not ask properly is hung up on."""
        async with asyncio.timeout(REQUEST_S):
            head = await reader.readuntil(b"\r\n\r\n")
        whole = asyncio.StreamReader()
        whole.feed_data(head)
        whole.feed_eof()
        peer = writer.get_extra_info("peername")
        request = await Request.create(self, whole, writer, peer)
        if request is not None:
            response = await self.dispatch_request(request)
            await response.write(writer)


class Server:
    """Serves the page and tells each that is open what `show` was given last."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock`: microseconds, monotonic."""
        self._clock = clock
        self._application = _Application()
        self._files = {path.name: path.read_bytes() for path in sorted(_FOLDER.iterdir())}
        said = json.dumps(vocabulary(), ensure_ascii=False, separators=(",", ":"))
        self._files["words.mjs"] = f"export default {said};\n".encode()
        # Whoever serves another page tells the open ones to load it.
        self._build = zlib.crc32(b"".join(self._files.values()))
        self._scene: Scene | None = None
        self._text = ""
        self._stood_us = 0  # when it was last said to stand
        self._changed = asyncio.Event()
        self._pages: set[Any] = set()  # the tasks that have a stream
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._closed = False
        self._route()

    @property
    def address(self) -> str:
        """Of the page, once started."""
        assert self._server is not None
        return f"http://{HOST}:{self._server.sockets[0].getsockname()[1]}/"

    @property
    def pages(self) -> int:
        """How many are open."""
        return len(self._pages)

    async def start(self, port: int) -> None:
        """Listens on a port of this machine, 0: any that is free. Raises Failure."""
        try:
            self._server = await asyncio.start_server(
                self._connected, HOST, port, limit=_REQUEST_MAX
            )
        except OSError as error:
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            why = "in use or not yours" if taken else (error.strerror or str(error)).lower()
            raise Failure(
                FAILED,
                f"The page cannot be served on port {port}, which is {why}:"
                " give another with --page-port, or 0 for any.",
            ) from None

    def show(self, scene: Scene) -> None:
        """Tells every page a scene, at once. Call it again and again as long as the scene stands:
        what is not said to stand for SILENT_MS (stream.mjs) goes dark."""
        self._stood_us = self._clock()
        if scene is not self._scene:
            self._scene = scene
            self._text = json.dumps(told(scene), ensure_ascii=False, separators=(",", ":"))
            self._changed.set()
            self._changed = asyncio.Event()

    async def close(self) -> None:
        """Hangs up on everybody, also on who is just being let in."""
        self._closed = True
        listening = () if self._server is None else self._server.sockets
        for link in listening:  # asyncio would lose the sockets of those it is letting in
            asyncio.get_running_loop().remove_reader(link.fileno())
        for task in self._connections:
            task.cancel()
        try:
            await asyncio.gather(*self._connections, return_exceptions=True)
            for _ in range(_ACCEPT_TURNS):
                await asyncio.sleep(0)
        finally:
            if self._server is not None:
                self._server.close()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._closed or len(self._connections) >= _CONNECTIONS_MAX:
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._connections.add(task)

        def ended(task: asyncio.Task[None]) -> None:
            # Not in the task itself: one cancelled before its first step runs none of its lines.
            self._connections.discard(task)
            writer.transport.abort()

        task.add_done_callback(ended)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link: socket.socket = writer.get_extra_info("socket")
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNREAD_MAX)
        writer.transport.set_write_buffer_limits(high=0)  # a drain waits until all is taken
        try:
            await self._application.handle_request(reader, _Reads(writer))
            async with asyncio.timeout(UNREAD_S):
                writer.close()
                await writer.wait_closed()
        except (OSError, EOFError, ValueError, IndexError, TimeoutError, asyncio.LimitOverrunError):
            pass  # it went away, does not read, or does not speak HTTP
        finally:
            self._pages.discard(asyncio.current_task())

    def _route(self) -> None:
        application = self._application
        application.before_request(_refuse_names)
        application.after_request(_protect)
        application.get("/")(self._file)
        application.get("/events")(self._events)
        application.get("/<name>")(self._file)

    # Every handler is a coroutine: microdot would give others a thread.
    async def _file(self, request: Request, name: str = "index.html") -> Any:
        if name not in self._files:
            return "There is no such file.", 404
        kind = _TYPES[name.rpartition(".")[2]]
        return Response(self._files[name], 200, {"Content-Type": f"{kind}; charset=utf-8"})

    async def _events(self, request: Request) -> Response:
        stream = self._crowded()
        if len(self._pages) < PAGES_MAX:
            self._pages.add(asyncio.current_task())
            stream = self._stream()
        body: Any = stream  # microdot's types leave generators out
        return Response(body, 200, {"Content-Type": _STREAM})

    async def _crowded(self) -> AsyncIterator[bytes]:
        yield _event("crowded", {})

    async def _stream(self) -> AsyncIterator[bytes]:
        """What one page is told, until it goes."""
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


class _Reads:
    """A writer to somebody who reads, or who is hung up on."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def get_extra_info(self, name: str) -> Any:
        return self._writer.get_extra_info(name)

    async def awrite(self, data: bytes) -> None:
        """Sends. Raises ConnectionResetError if it is not taken."""
        self._writer.write(data)
        try:
            async with asyncio.timeout(UNREAD_S):
                await self._writer.drain()
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "it does not read") from None


def _event(name: str, told: dict[str, Any], scene: str = "") -> bytes:
    """One event; `scene`: as JSON, which goes out to every page as it is."""
    data = json.dumps(told)
    if scene:
        data = f'{data[:-1]},"scene":{scene}}}'
    return f"event: {name}\ndata: {data}\n\n".encode()


async def _either(changed: asyncio.Event, timeout_s: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            await changed.wait()


async def _refuse_names(request: Request) -> Any:
    """Refuses who asks by a name that is not this machine's own."""
    name = request.headers.get("Host", "").rpartition(":")[0] or request.headers.get("Host", "")
    if name not in _NAMES:
        return f"This page is http://{HOST} alone.", 403
    return None


async def _protect(request: Request, response: Response) -> Response:
    response.headers.update(_HEADERS)
    return response
