"""What the pages of a wheel share: the table display's and the service page.

A few connections at a time, each with limits (Listener); files that load nothing from elsewhere, a
stream of server-sent events, and nothing for whoever asks by another name (Site). microdot finds
the handler of a request. TLS is its caller's choice: this module imports none of it.
"""

from __future__ import annotations

import asyncio
import binascii
import contextlib
import errno
import io
import json
import socket
from collections.abc import AsyncGenerator, Callable, Container
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from microdot import Microdot, Request, Response

from firmware.lib.errors import FAILED, Failure, cause

Told = AsyncGenerator[bytes, None]  # events, as they come
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
_HEAD_MAX = 8192  # bytes of a request's head
_UNREAD_MAX = 16384  # bytes that wait in the kernel and here; what is told at once has some 3000
_ACCEPT_TURNS = 8  # of the loop: asyncio lets somebody in, and closes his socket, in some four
_PACKED_MIN = 1400  # bytes: what fits one packet anyway is not made smaller
_TYPES = {
    "html": "text/html",
    "css": "text/css",
    "mjs": "text/javascript",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}


class Limits(NamedTuple):
    """What one who asks may take. Times in seconds."""

    request_s: float  # for a request to be complete
    unread_s: float  # who takes nothing for so long is gone
    connections_max: int
    rest_s: float = 0.0  # a connection may stay for the next request so long; 0: it is closed
    address_max: int | None = None  # connections that one address may have


class Listener:
    """Serves an application to connections, and hangs up on all of them when it is closed."""

    def __init__(self, application: Microdot, limits: Callable[[], Limits]) -> None:
        """`limits` is asked at each connection."""
        self._application = application
        self._limits = limits
        self._connections: dict[asyncio.Task[None], str] = {}  # with their address
        self._server: asyncio.Server | None = None
        self._tls: Any = None
        self._closed = False

    @property
    def port(self) -> int:
        """Returns where it listens, once started."""
        assert self._server is not None
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    async def listen(self, host: str, port: int, option: str, tls: Any = None) -> None:
        """Listens, port 0: any that is free; `option` chooses another. Raises Failure.

        `tls`: an ssl.SSLContext; nothing else is then answered.
        """
        self._tls = tls
        try:
            self._server = await asyncio.start_server(self._connected, host, port, limit=_HEAD_MAX)
        except OSError as error:
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            why = "in use or not yours" if taken else cause(error)
            raise Failure(
                FAILED,
                f"The page cannot be served on port {port}, which is {why}:"
                f" give another with {option}, or 0 for any.",
            ) from None

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
        limits = self._limits()
        address = (writer.get_extra_info("peername") or ("",))[0]  # None: it has gone again
        many = limits.address_max is not None and limits.address_max <= sum(
            each == address for each in self._connections.values()
        )
        if self._closed or many or len(self._connections) >= limits.connections_max:
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer, limits))
        self._connections[task] = address

        def ended(task: asyncio.Task[None]) -> None:
            # Not in the task itself: one cancelled before its first step runs none of its lines.
            self._connections.pop(task, None)
            writer.transport.abort()

        task.add_done_callback(ended)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits
    ) -> None:
        link: socket.socket = writer.get_extra_info("socket")
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNREAD_MAX)
        try:
            writer.transport.set_write_buffer_limits(high=0)  # a drain waits until all is taken
            if self._tls is not None:
                await writer.start_tls(self._tls, ssl_handshake_timeout=limits.request_s)
                # Above it as well; 1 stands for "any", for asyncio's TLS waits from there on.
                writer.transport.set_write_buffer_limits(high=1, low=0)
            wait_s = limits.request_s
            while await self._answer(reader, writer, limits, wait_s):
                wait_s = limits.rest_s
            async with asyncio.timeout(limits.unread_s):
                writer.close()
                await writer.wait_closed()
        except (OSError, EOFError, ValueError, IndexError, TimeoutError, asyncio.LimitOverrunError):
            pass  # it went away, does not read, or does not speak HTTP

    async def _answer(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: Limits,
        wait_s: float,
    ) -> bool:
        """Answers one request; True if another may follow on this connection."""
        async with asyncio.timeout(wait_s):
            head = await reader.readuntil(b"\r\n\r\n")
        async with asyncio.timeout(limits.request_s):
            asked: Any = _Asked(head, reader)  # all that microdot wants of a stream
            peer = writer.get_extra_info("peername")
            request: Any = await Request.create(self._application, asked, writer, peer)
        if request is None:
            return False
        response = await self._application.dispatch_request(request)
        stays = limits.rest_s > 0 and _is_read(request) and isinstance(response.body, bytes)
        await _send(response, writer, limits.unread_s, stays)
        return stays


class _Asked:
    """A request for microdot: its head is here, whole and not too long; its body may follow."""

    def __init__(self, head: bytes, rest: asyncio.StreamReader) -> None:
        self._head = io.BytesIO(head)
        self._rest = rest

    async def readline(self) -> bytes:
        """A line of the head."""
        return self._head.readline()

    async def readexactly(self, count: int) -> bytes:
        """So many bytes of the body."""
        return await self._rest.readexactly(count)

    async def read(self, count: int) -> bytes:
        """Some bytes of the body, `count` at most."""
        return await self._rest.read(count)


def _is_read(request: Request) -> bool:
    """Returns whether what comes next is the next request. Bodies in chunks are nobody's here."""
    small: bool = (request.content_length or 0) <= Request.max_body_length
    return small and "Transfer-Encoding" not in request.headers


async def _send(response: Any, writer: asyncio.StreamWriter, unread_s: float, stays: bool) -> None:
    """Writes an answer. Raises ConnectionResetError if it is not taken."""
    response.complete()
    response.headers.update(_HEADERS)  # here: microdot's own refusals pass no handler
    lines = [f"HTTP/1.1 {response.status_code} {response.reason or 'OK'}"]
    for name, value in response.headers.items():
        for each in value if isinstance(value, list) else [value]:
            lines.append(f"{name}: {each}")
    lines.append(f"Connection: {'keep-alive' if stays else 'close'}")
    head = "\r\n".join([*lines, "", ""]).encode()
    if isinstance(response.body, bytes):
        await put(writer, head if response.is_head else head + response.body, unread_s)
        return
    async with contextlib.aclosing(response.body) as pieces:
        async for piece in pieces:  # the head goes with the first
            await put(writer, head + piece, unread_s)
            head = b""


async def put(writer: asyncio.StreamWriter, data: bytes, unread_s: float) -> None:
    """Sends to somebody who reads. Raises ConnectionResetError if it is not taken in time."""
    writer.write(data)
    try:
        async with asyncio.timeout(unread_s):
            await writer.drain()
    except TimeoutError:
        raise ConnectionResetError(errno.ECONNRESET, "it does not read") from None


class Files:
    """A folder of files, read once: nothing else can be asked for by any name."""

    def __init__(self, folder: Path) -> None:
        self.bodies: dict[str, bytes] = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix.removeprefix(".") in _TYPES
        }
        self._packed: dict[str, bytes] = {}

    def add_module(self, name: str, value: Any) -> None:
        """Adds a module whose default export is `value`."""
        self.bodies[name] = f"export default {compact(value)};\n".encode()

    def pack(self) -> None:
        """Keeps a small copy of each, for those who take it."""
        import gzip  # here: a table display packs nothing

        for name, body in self.bodies.items():
            if len(body) > _PACKED_MIN:
                self._packed[name] = gzip.compress(body, mtime=0)

    def answer(self, request: Request, name: str) -> Any:
        """Returns the file of that name, or 404."""
        if name not in self.bodies:
            return "There is no such file.", 404
        headers = {"Content-Type": f"{_TYPES[name.rpartition('.')[2]]}; charset=utf-8"}
        body = self.bodies[name]
        if name in self._packed and "gzip" in request.headers.get("Accept-Encoding", ""):
            body = self._packed[name]
            headers["Content-Encoding"] = "gzip"
        return Response(body, 200, headers)


class Site(Listener):
    """Serves one page: its files, its stream of events, and what is added to `application`.

    Who serves one says by which names it may be asked (`names`), and who is told what (`visit`).
    """

    refusal: ClassVar[str]  # what is told to whoever asks by another name

    def __init__(
        self, folder: Path, words: Any, limits: Callable[[], Limits], *, packed: bool = False
    ) -> None:
        """`words`: the default export of words.mjs. `packed`: files also go out compressed."""
        self.application = Microdot()
        super().__init__(self.application, limits)
        self._files = Files(folder)
        self._files.add_module("words.mjs", words)
        # Whoever serves another page tells the open ones to load it.
        self._build = binascii.crc32(b"".join(self._files.bodies.values()))
        if packed:
            self._files.pack()
        self.application.before_request(self._refuse)
        self.application.get("/")(self._file)
        self.application.get("/events")(self._events)

    def names(self, request: Request) -> Container[str]:
        """Returns by which names, without the port, this request may come: no foreign site's."""
        raise NotImplementedError

    def visit(self, request: Request) -> AbstractContextManager[Told | None]:
        """Lets a page in until it goes; yields its stream, or None where there is no room."""
        raise NotImplementedError

    def greeting(self) -> dict[str, Any]:
        """Returns what a page is told first, beside the build of its files."""
        return {}

    async def listen(self, host: str, port: int, option: str, tls: Any = None) -> None:
        """Listens as a Listener does. What may be asked is complete: files take every path that is
        left."""
        self.application.get("/<path:name>")(self._file)
        await super().listen(host, port, option, tls)

    # Every handler is a coroutine: microdot would give others a thread.
    async def _refuse(self, request: Request) -> Any:
        return None if _name_of(request) in self.names(request) else (self.refusal, 403)

    async def _file(self, request: Request, name: str = "index.html") -> Any:
        return self._files.answer(request, name)

    async def _events(self, request: Request) -> Response:
        stream: Any = self._stream(request)  # microdot's types leave generators out
        return Response(stream, 200, {"Content-Type": _STREAM})

    async def _stream(self, request: Request) -> Told:
        """What one page is told, until it goes."""
        # Let in before anything is sent: while one takes it, others ask for the same room.
        with self.visit(request) as told:
            if told is None:
                yield event("crowded", "{}")
                return
            yield event("hello", compact(self.greeting() | {"build": self._build}))
            async with contextlib.aclosing(told):
                async for data in told:
                    yield data


def compact(value: Any) -> str:
    """Returns a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def event(name: str, data: str) -> bytes:
    """Returns one server-sent event; `data`: a line of JSON, which goes out as it is."""
    return f"event: {name}\ndata: {data}\n\n".encode()


def _name_of(request: Request) -> str:
    """Returns by which name a page was asked, without the port."""
    host: str = request.headers.get("Host", "")
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host
