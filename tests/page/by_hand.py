"""The page's server without a socket: requests go in as bytes, answers come out."""

import asyncio
from typing import Any, cast

from patience import LAST_RESORT_S
from test_mended import wheel

from firmware.lib.admission import Guest
from firmware.services.page.certificate import Identity
from firmware.services.page.logins import Logins
from firmware.services.page.server import LIMITS, Server

HANGS_S = 60.0  # nothing here waits for anything but its turn


class Taken:
    """A writer of whoever asks, who reads all and goes when a stream has begun."""

    transport: Any = None

    def __init__(self, address: str) -> None:
        self.data = b""
        self._known = {"sockname": ("127.0.0.1", 8443)}
        if address:  # else it has gone already
            self._known["peername"] = (address, 40_000)

    def get_extra_info(self, name: str) -> Any:
        return self._known.get(name)

    def write(self, data: bytes) -> None:
        self.data += bytes(data)

    async def drain(self) -> None:
        if b"event: hello" in self.data:
            raise ConnectionResetError


def served(logins: Logins) -> Server:
    """A server of a wheel that is not there."""
    return Server(wheel(logins), logins, Identity(cast(Any, None), "", ("localhost", "::1")))


def add_files(server: Server) -> None:
    """As when it listens: after all that may be asked."""
    server.application.get("/<path:name>")(server._file)


async def told(server: Server, data: bytes, address: str = "10.0.0.7") -> tuple[bytes, int]:
    """What was answered, nothing where it was hung up; and bytes that were not read."""
    reader = asyncio.StreamReader(limit=8192)
    reader.feed_data(data)
    reader.feed_eof()
    writer = Taken(address)
    try:
        async with asyncio.timeout(HANGS_S):
            await server._answer(
                reader, cast(Any, writer), LIMITS, Guest(address, 0.0), LAST_RESORT_S
            )
    except (OSError, EOFError, asyncio.LimitOverrunError):
        pass  # it is hung up on: what _serve takes
    return writer.data, len(await reader.read())
