"""A line to the controller that stays: requests and facts, by asyncio.

It comes back by itself: a wheel that is switched off and on again needs no restart of who asks it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.api.requests import LINE_MAX
from firmware.client import ask
from firmware.lib.places import CONTROL

RETRY_S = 0.25  # between two attempts to find the controller: it is there again within 0.3 s
# Requests that may wait at once: the controller hangs up on whoever has 32 waiting.
WAITING_MAX = 8
# Bytes of one line: 1000 edges take 20 kB, the largest round of a card table some 500 kB.
READ_MAX = 1024 * 1024
GONE = {
    "code": "no_controller",
    "text": "The controller does not answer.",
    "remedy": "See that the wheel is switched on; the page comes back by itself.",
}
BUSY = {
    "code": "busy",
    "text": "Too many people ask at once.",
    "remedy": "Ask again in a moment.",
}
LONG = {
    "code": "too_long",
    "text": "That is too long.",
    "remedy": "Say it shorter.",
}


class Refused(Exception):
    """What was asked is not done: `error` is {"code", "text", "remedy"}."""

    def __init__(self, error: dict[str, str]) -> None:
        super().__init__(error.get("text", ""))
        self.error = error


class Line:
    """Requests out, answers in their order; facts to whoever wants them."""

    def __init__(self, folder: Path, hear: Callable[[dict[str, Any]], None]) -> None:
        """`folder`: of the controller's sockets. `hear` is told each fact."""
        self._path = folder / CONTROL
        self._hear = hear
        self._writer: asyncio.StreamWriter | None = None
        self._waiting: deque[asyncio.Future[dict[str, Any]]] = deque()
        self.joined = 0  # how often a controller was found

    @property
    def is_open(self) -> bool:
        """Returns whether a controller is there."""
        return self._writer is not None

    async def run(self) -> None:
        """Keeps the line open, until it is cancelled."""
        while True:
            with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
                await self._attend()
            await asyncio.sleep(RETRY_S)

    async def ask(self, request: dict[str, Any], patience_s: float | None = None) -> dict[str, Any]:
        """Returns the answer to a request. Raises Refused: by the controller, or because it is
        gone. `patience_s` None: as long as such a request may take."""
        if self._writer is None:
            raise Refused(GONE)
        if len(self._waiting) >= WAITING_MAX:
            raise Refused(BUSY)
        data = encoded(request)
        if len(data) > LINE_MAX:  # the controller would hang up on everybody here
            raise Refused(LONG)
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting.append(answered)
        self._writer.write(data)
        try:
            async with asyncio.timeout(patience_s or ask.patience_s(request)):
                answer = await answered
        except TimeoutError:  # its answer may still come: then nobody waits for it
            raise Refused(GONE) from None
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    async def _attend(self) -> None:
        reader, writer = await asyncio.open_unix_connection(str(self._path), limit=READ_MAX)
        self._writer = writer
        self.joined += 1
        try:
            while line := await reader.readline():
                told = json.loads(line)
                if "event" in told:
                    self._hear(told)
                elif self._waiting:
                    answered = self._waiting.popleft()
                    if not answered.done():
                        answered.set_result(told)
        finally:
            self._writer = None
            writer.transport.abort()
            for answered in self._waiting:
                if not answered.done():
                    answered.set_result({"error": GONE})
            self._waiting.clear()


def encoded(request: dict[str, Any]) -> bytes:
    """Returns a request as a line.

    What is no text (half a character) the controller refuses by name.
    """
    return json.dumps(request, ensure_ascii=False).encode(errors="surrogatepass") + b"\n"
