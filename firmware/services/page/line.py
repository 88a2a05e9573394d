"""The page's line to the controller on which edges come; firmware/client/line.py is the other.

It comes back by itself. What the controller says of edges goes to the browsers as it came, neither
read nor written anew: twenty times a second for five viewers that would cost more than all the
rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from firmware.client.line import READ_MAX, RETRY_S, encoded
from firmware.lib.places import CONTROL


class Edges:
    """The line on which edges come while somebody who is logged in looks at them."""

    def __init__(
        self,
        folder: Path,
        session: Callable[[], str | None],
        hear: Callable[[bytes], None],
        ended: Callable[[str], None],
    ) -> None:
        """`session`: of somebody who looks now, asked again when one ends; None: nobody does.

        `hear` is told every line as it comes, first the answer that names the lines; `ended` the
        session that the controller does not know any more.
        """
        self._path = folder / CONTROL
        self._session = session
        self._hear = hear
        self._ended = ended
        self._wanted = asyncio.Event()

    def want(self) -> None:
        """Takes that somebody began to look, or stopped."""
        self._wanted.set()

    async def run(self) -> None:
        """Keeps the line open while it is wanted, until it is cancelled."""
        while True:
            self._wanted.clear()
            token = self._session()
            if token is None:
                await self._wanted.wait()
                continue
            with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
                await self._attend(token)
            await asyncio.sleep(RETRY_S)

    async def _attend(self, token: str) -> None:
        """Passes edges on until that session ends, nobody looks, or the controller goes."""
        reader, writer = await asyncio.open_unix_connection(str(self._path), limit=READ_MAX)
        unwanted = asyncio.create_task(self._until_unwanted())
        try:
            writer.write(encoded({"do": "edges", "session": token, "on": True}))
            reading = asyncio.create_task(self._read(reader, token))
            await asyncio.wait((reading, unwanted), return_when=asyncio.FIRST_COMPLETED)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        finally:
            unwanted.cancel()
            writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader, token: str) -> None:
        while line := await reader.readline():
            if line.startswith((b'{"error"', b'{"event":"session_ended"')):
                told = json.loads(line)
                if told.get("error", {}).get("code") in (None, "no_session"):
                    self._ended(token)
                return
            self._hear(line)

    async def _until_unwanted(self) -> None:
        while self._session() is not None:
            self._wanted.clear()
            await self._wanted.wait()
