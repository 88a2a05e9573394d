"""What the pages of a wheel share: the table display's and the service page.

A few connections at a time, each with limits, and who gives way where there are no more
(Listener, admission.py); files that load nothing from elsewhere, a stream of server-sent events,
and nothing for whoever asks by another name (Site). http_head.py reads a request, microdot finds
its handler. TLS is its caller's choice: this module imports none of it.
"""

from __future__ import annotations

import asyncio
import binascii
import contextlib
import errno
import gc
import json
import socket
import time
from collections.abc import AsyncGenerator, Callable, Container, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from microdot import Microdot, Request, Response
from microdot.microdot import NoCaseDict

from firmware.lib import http_head
from firmware.lib.admission import BUSY, IDLE, SHAKING, WORKING, Guest, Places
from firmware.lib.allowance import client_of
from firmware.lib.errors import FAILED, Failure
from firmware.lib.language import N_, Message

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
# Bytes that come at once, as the kernel doubles it: TLS would take 256 kB of each in one piece.
_UNASKED_MAX = 16384
_TLS_BUFFER = 16384  # bytes that asyncio keeps for each connection, else 256 kB: a TLS record
# Connections that ended before what they leave is collected: asyncio's TLS refers to itself, and of
# each some 100 kB would lie there until Python has made objects enough to look.
_LEFT_MAX = 16
_PIECE = 16384  # bytes of an answer that are handed on at a time: a TLS record
_LINGER_MAX = 65536  # bytes of a refused body that are let pass, so that the refusal is read
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
    """What one who asks may take. Times in seconds, sizes in bytes."""

    request_s: float  # for a request to be complete
    unread_s: float  # who takes nothing for so long is gone
    connections_max: int
    rest_s: float = 0.0  # a connection may stay for the next request so long; 0: it is closed
    address_max: int | None = None  # connections that one address may have
    # The body of somebody's request who shows no cookie that is known: a name and a PIN.
    strangers_body_max: int = 2048
    # Bodies of requests and answers held at a time: of all who show one, and of all others.
    held_max: int = 16 * 1024 * 1024
    strangers_held_max: int = 8 * 1024 * 1024


class Held:
    """Bytes that are held for others at this moment, up to a limit."""

    def __init__(self) -> None:
        self.size = 0

    @contextlib.contextmanager
    def room(self, size: int, most: int) -> Iterator[bool]:
        """Holds so many until it is left; yields whether they fit: else none are held."""
        fits = self.size + size <= most
        held = size if fits else 0
        self.size += held
        try:
            yield fits
        finally:
            self.size -= held


def _not_listening(error: OSError | UnicodeError, host: str, port: int, option: str) -> Failure:
    """Returns why a page is not served: its port is another's, or its address no machine's here."""
    if isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES):
        return Failure(
            FAILED,
            Message(
                "The page cannot be served on port {port}, which is in use or not yours:"
                " give another with {option}, or 0 for any.",
                port=port,
                option=option,
            ),
        )
    known = isinstance(error, OSError) and not isinstance(error, socket.gaierror)
    why = N_("it is no address of this machine") if known else N_("nobody knows that address")
    return Failure(
        FAILED,
        Message(
            "The page cannot be served at {host}: {why}. Give an address of this machine,"
            " or 0.0.0.0 for all of them.",
            host=host,
            why=Message(why),
        ),
    )


class Listener:
    """Serves an application to connections, and hangs up on all of them when it is closed."""

    def __init__(self, application: Microdot, limits: Callable[[], Limits]) -> None:
        """`limits` is asked at each connection."""
        self._application = application
        self._limits = limits
        self._places = Places(0)
        self._connections: dict[asyncio.Task[None], Guest] = {}
        self._writers: dict[Guest, asyncio.StreamWriter] = {}
        self._held = Held()
        self._held_for_strangers = Held()
        self._server: asyncio.Server | None = None
        self._tls: Any = None
        self._closed = False
        self._ended = 0  # connections

    @property
    def port(self) -> int:
        """Returns where it listens, once started."""
        assert self._server is not None
        found: int = self._server.sockets[0].getsockname()[1]
        return found

    def owner(self, request: Request) -> str | None:
        """Returns whose request this is, by a secret that it shows; None: nobody's that is known.

        What belongs to somebody gives way to nothing that does not.
        """
        return None

    def refusal_of(self, request: Request, owner: str | None) -> Response | None:
        """Returns what is answered before anything is done, or read of a body; None: go on."""
        return None

    async def listen(self, host: str, port: int, option: str, tls: Any = None) -> None:
        """Listens, port 0: any that is free; `option` chooses another. Raises Failure.

        `tls`: an ssl.SSLContext; nothing else is then answered.
        """
        self._tls = tls
        if tls is not None:
            from asyncio.sslproto import SSLProtocol  # here: it loads OpenSSL

            SSLProtocol.max_size = _TLS_BUFFER
        try:
            self._server = await asyncio.start_server(self._connected, host, port, limit=_HEAD_MAX)
        except (OSError, UnicodeError) as error:
            raise _not_listening(error, host, port, option) from None
        for link in self._server.sockets:  # whoever is let in has it from there
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _UNASKED_MAX)

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
        self._places.most, self._places.of_address = limits.connections_max, limits.address_max
        now_s = time.monotonic()
        guest = Guest(client_of(_peer(writer)[0]), now_s, IDLE if self._tls is None else SHAKING)
        gone = None if self._closed else self._places.admit(guest, now_s)
        if self._closed or gone is guest:
            writer.transport.abort()
            return
        if gone is not None:
            self._hang_up(gone)
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer, limits, guest))
        self._connections[task] = guest
        self._writers[guest] = writer

        def ended(task: asyncio.Task[None]) -> None:
            # Not in the task itself: one cancelled before its first step runs none of its lines.
            self._connections.pop(task, None)
            self._writers.pop(guest, None)
            self._places.leave(guest)
            writer.transport.abort()
            self._ended += 1
            if self._tls is not None and self._ended % _LEFT_MAX == 0:
                gc.collect()

        task.add_done_callback(ended)

    def _hang_up(self, guest: Guest) -> None:
        self._writers[guest].transport.abort()
        for task, each in self._connections.items():
            if each is guest:
                task.cancel()

    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: Limits,
        guest: Guest,
    ) -> None:
        link: socket.socket = writer.get_extra_info("socket")
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNREAD_MAX)
        try:
            writer.transport.set_write_buffer_limits(high=0)  # a drain waits until all is taken
            if self._tls is not None:
                await writer.start_tls(self._tls, ssl_handshake_timeout=limits.request_s)
                # Above it as well; 1 stands for "any", for asyncio's TLS waits from there on.
                writer.transport.set_write_buffer_limits(high=1, low=0)
                guest.move(IDLE, time.monotonic())
            wait_s = limits.request_s
            while await self._answer(reader, writer, limits, guest, wait_s):
                guest.move(IDLE, time.monotonic())
                wait_s = limits.rest_s
            async with asyncio.timeout(limits.unread_s):
                writer.close()
                await writer.wait_closed()
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            pass  # it went away, does not read, or does not speak HTTP

    async def _answer(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: Limits,
        guest: Guest,
        wait_s: float,
    ) -> bool:
        """Answers one request; True if another may follow on this connection."""
        async with asyncio.timeout(wait_s):
            data = await reader.readuntil(b"\r\n\r\n")
        try:
            head = http_head.parse(data)
        except http_head.Refused as refused:
            told = Response(refused.text, refused.status)
            await _send(told, writer, limits.unread_s, stays=False)
            return False
        request = self._request(head, reader, writer)
        owner = self.owner(request)
        self._places.belongs(guest, owner)
        refusal = self.refusal_of(request, owner)
        if refusal is None and owner is None and head.length > limits.strangers_body_max:
            refusal = Response("The body is too large.", 413)
        if refusal is not None:
            return await self._refused(refusal, request, reader, writer, limits)
        # One that is too large to be kept is its handler's to read.
        kept = head.length if head.length <= Request.max_body_length else 0
        with self._room(kept, owner, limits) as fits:
            if not fits:
                return await self._refused(_full(), request, reader, writer, limits)
            async with asyncio.timeout(limits.request_s):
                if kept:
                    request._body = await reader.readexactly(kept)
            guest.move(WORKING, time.monotonic())
            response = await self._application.dispatch_request(request)
            request._body = b""
        guest.move(BUSY, time.monotonic())
        stays = limits.rest_s > 0 and kept == head.length and isinstance(response.body, bytes)
        with self._room(_held_size(response), owner, limits) as fits:
            await _send(response if fits else _full(), writer, limits.unread_s, stays)
        return stays

    def _request(
        self, head: http_head.Head, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Any:
        """Returns it as microdot has it, without its body, as that made no other sense of it."""
        return Request(
            self._application,
            _peer(writer),
            head.method,
            head.target,
            head.version,
            NoCaseDict(dict(head.headers)),
            body=b"",
            stream=reader if head.length > Request.max_body_length else None,
            sock=(reader, writer),
        )

    def _room(self, size: int, owner: str | None, limits: Limits) -> AbstractContextManager[bool]:
        if owner is None:
            return self._held_for_strangers.room(size, limits.strangers_held_max)
        return self._held.room(size, limits.held_max)

    async def _refused(
        self,
        answer: Response,
        request: Request,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: Limits,
    ) -> bool:
        """Answers it, and lets some of the body pass: who still sends would not hear why."""
        stays = limits.rest_s > 0 and not request.content_length
        await _send(answer, writer, limits.unread_s, stays)
        left = min(request.content_length, _LINGER_MAX)
        async with asyncio.timeout(limits.unread_s):
            while left > 0 and (data := await reader.read(min(left, _PIECE))):
                left -= len(data)
        return stays


def _peer(writer: asyncio.StreamWriter) -> tuple[str, int]:
    """Returns the address and port of the other end; of one that has gone again, none."""
    peer = writer.get_extra_info("peername") or ("", 0)
    return peer[0], peer[1]


def _full() -> Response:
    """Returns what is answered where too much is held for others."""
    return Response("The page is busy: ask again in a second.", 503, {"Retry-After": "1"})


def _held_size(response: Any) -> int:
    """Returns the bytes that an answer takes until it was taken; 0: of one that fits one piece,
    comes as it goes, or is held anyway. So what was done is always told."""
    if isinstance(response, _File) or not isinstance(response.body, bytes):
        return 0
    return len(response.body) if len(response.body) > _PIECE else 0


async def _send(response: Any, writer: asyncio.StreamWriter, unread_s: float, stays: bool) -> None:
    """Writes an answer. Raises ConnectionResetError if it is not taken."""
    response.complete()
    response.headers.update(_HEADERS)  # here: microdot's own refusals pass no handler
    reason = response.reason or ("OK" if response.status_code < 400 else "Refused")
    lines = [f"HTTP/1.1 {response.status_code} {reason}"]
    for name, value in response.headers.items():
        for each in value if isinstance(value, list) else [value]:
            lines.append(f"{name}: {each}")
    lines.append(f"Connection: {'keep-alive' if stays else 'close'}")
    head = "\r\n".join([*lines, "", ""]).encode()
    if isinstance(response.body, bytes):
        body = memoryview(b"" if response.is_head else response.body)
        first = _PIECE - len(head)  # the head goes with the first
        await put(writer, head + body[:first], unread_s)
        for at in range(first, len(body), _PIECE):
            await put(writer, body[at : at + _PIECE], unread_s)
        return
    async with contextlib.aclosing(response.body) as pieces:
        async for piece in pieces:
            await put(writer, head + piece, unread_s)
            head = b""


async def put(writer: asyncio.StreamWriter, data: bytes | memoryview, unread_s: float) -> None:
    """Sends to somebody who reads. Raises ConnectionResetError if it is not taken in time."""
    writer.write(data)
    try:
        async with asyncio.timeout(unread_s):
            await writer.drain()
    except TimeoutError:
        raise ConnectionResetError(errno.ECONNRESET, "it does not read") from None


class _File(Response):
    """An answer whose body is held anyway, once for all."""


class Files:
    """Folders of files, read once: nothing else can be asked for by any name."""

    def __init__(self, *folders: Path) -> None:
        self.bodies: dict[str, bytes] = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for folder in folders
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
        return _File(body, 200, headers)


class Site(Listener):
    """Serves one page: its files, its stream of events, and what is added to `application`.

    Who serves one says by which names it may be asked (`names`), and who is told what (`visit`).
    """

    refusal: ClassVar[str]  # what is told to whoever asks by another name

    def __init__(
        self,
        folder: Path,
        words: Any,
        limits: Callable[[], Limits],
        *,
        packed: bool = False,
        shared: Path | None = None,
        modules: Mapping[str, Any] | None = None,
    ) -> None:
        """`words`: the default export of words.mjs; `modules`: those of others, by name. `packed`:
        files also go out compressed. `shared`: a folder of files that several pages have."""
        self.application = Microdot()
        super().__init__(self.application, limits)
        self._files = Files(folder, *(() if shared is None else (shared,)))
        for name, value in {"words": words, **(modules or {})}.items():
            self._files.add_module(f"{name}.mjs", value)
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
