"""Neighbours who want the page for themselves: many connections, from many addresses, held open."""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any, Self

from patience import LAST_RESORT_S

from tools.bench.page.client import tls

AGAIN_S = 1.0  # whoever is hung up on comes again so soon
_LOOK_S = 1.0
_CLOSING_TURNS = 8  # of the loop: asyncio closes the socket of a TLS that was given up in some four
_BUFFER = 4096  # bytes that the kernel takes for one who does not read
# What each does with its connection, and for ever then.
IDLE = "idle"  # TLS, and not a word
SILENT = "silent"  # not even TLS
BODY = "body"  # begins a body as large as a configuration, and never ends it
READS = "reads"  # asks for the largest file, and takes none of it
LISTENS = "listens"  # opens a stream, and takes none of it
_BODY_SIZE = 400_000
_SAID = {
    IDLE: b"",
    BODY: (
        f"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {_BODY_SIZE}\r\n\r\n"
    ).encode()
    + b"x" * (_BODY_SIZE - 1),
    READS: b"GET /vendor/uPlot.esm.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    LISTENS: b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}


class Crowd:
    """Holds connections to a port of this machine, until it is left."""

    def __init__(
        self, port: int, wants: Sequence[tuple[str, str]], *, again_s: float = AGAIN_S
    ) -> None:
        """`wants`: for each connection its own address and what it does."""
        self.open: Counter[str] = Counter()  # connections that are, by what they do
        self.came = 0  # in all
        self._port = port
        self._wants = wants
        self._again_s = again_s
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: list[Any] = []

    def __enter__(self) -> Self:
        self._thread.start()
        for address, does in self._wants:
            each: Coroutine[Any, Any, None] = self._stays(address, does)
            self._tasks.append(asyncio.run_coroutine_threadsafe(each, self._loop))
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end)
        self._thread.join(LAST_RESORT_S)
        self._loop.close()

    def _end(self) -> None:
        async def ended() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            # A task that was ended while it shook hands has none to give up: asyncio's own list.
            for transport in list(self._loop._transports.values()):  # type: ignore[attr-defined]
                transport.abort()
            for _ in range(_CLOSING_TURNS):
                await asyncio.sleep(0)
            self._loop.stop()

        self._ending = self._loop.create_task(ended())

    async def _stays(self, address: str, does: str) -> None:
        while True:
            with contextlib.suppress(OSError, EOFError, ssl.SSLError, TimeoutError):
                await self._held(address, does)
            await asyncio.sleep(self._again_s)

    async def _held(self, address: str, does: str) -> None:
        """One connection, until it is hung up on."""
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        link.setblocking(False)
        writer = None
        try:
            link.bind((address, 0))
            await self._loop.sock_connect(link, ("127.0.0.1", self._port))
            with self._counted(does):
                if does == SILENT:
                    await self._loop.sock_recv(link, 1)
                    return
                reader, writer = await asyncio.open_connection(
                    sock=link, ssl=tls(), limit=1, server_hostname=""
                )
                writer.write(_SAID[does])
                if does in (READS, LISTENS):
                    writer.transport.pause_reading()  # type: ignore[attr-defined]
                    while not writer.is_closing():
                        await asyncio.sleep(_LOOK_S)
                else:
                    await reader.read(1)
        finally:
            link.close() if writer is None else writer.transport.abort()

    @contextlib.contextmanager
    def _counted(self, does: str) -> Iterator[None]:
        self.open[does] += 1
        self.came += 1
        try:
            yield
        finally:
            self.open[does] -= 1


def addresses(count: int) -> list[str]:
    """Returns so many of this machine's own, none of them a technician's."""
    return [f"127.0.{1 + at // 250}.{2 + at % 250}" for at in range(count)]
