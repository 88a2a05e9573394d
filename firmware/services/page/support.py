"""A support bundle, for whoever is logged in: `cylindre support-bundle` by a process of its own.

It holds what the page's user may read. Keys are not among that, so they are not searched for, and
logs stay out; the bundle says so itself. What the doctor would see from within the page's unit, a
machine without devices, is no finding.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import weakref
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO, Any

from microdot import Response

from firmware.client.line import Refused
from firmware.lib.language import Message
from firmware.services.page import subprocesses
from firmware.services.page.queries import Places
from firmware.services.page.server import Question, Server
from firmware.services.page.wheel import Wheel
from firmware.store.clock import utc

# Megabytes, unpacked. Packing the worst took 72 MiB and left a file of 12 (/tmp is memory); with
# the page's 53, and 45 of a journal that is verified meanwhile, that is below the unit's 192.
MOST_MB = 16
_PACKING_S = 1800.0  # all of a year's journal is verified, which takes minutes
_PIECE = 64 * 1024
_BEYOND = Message("It takes too long here. Try again while the wheel does not play.")


class Support:
    """Packs one bundle at a time, and hands it out."""

    def __init__(self, wheel: Wheel, board: str, sockets: Path, places: Places) -> None:
        """`sockets`: the folder of the controller's."""
        self._wheel = wheel
        self._board = board
        self._sockets = sockets
        self._places = places
        self._who: str | None = None  # is at it

    def add_to(self, server: Server) -> None:
        """Adds what may be asked. It is an act, so nothing that a link could ask for."""
        server.question("/api/support", self._pack, post=True)

    async def _pack(self, asked: Question) -> Any:
        person = asked.person
        if self._who is not None:
            text = Message("{who} is at it already.", who=self._who)
            raise Refused(
                {"code": "busy", "text": text, "remedy": Message("Wait, then try again.")}
            )
        self._who = person.name
        try:
            name = f"cylindre-support-{utc().replace(':', '').replace('-', '')}.tar.gz"
            with tempfile.TemporaryDirectory(prefix="cylindre-support-") as folder:
                path = Path(folder) / name
                told = await self._packed(path)
                # First: nothing leaves that is not in the journal.
                act = {"do": "act", "what": "support", "detail": name, "sha256": told["sha256"]}
                await self._wheel.ask(person, act)
                file = path.open("rb")
        except BaseException:  # also where the page stops
            self._who = None
            raise
        headers = {
            "Content-Type": "application/gzip",
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Length": str(told["bytes"]),
        }
        stream: Any = _pieces(file)
        # Also of one that nobody ever reads, for the tablet has gone meanwhile.
        weakref.finalize(stream, self._sent, file)
        return Response(stream, 200, headers)

    def _sent(self, file: IO[bytes]) -> None:
        file.close()
        self._who = None

    async def _packed(self, path: Path) -> dict[str, Any]:
        """Has it packed; what the command said of it. Raises Failure."""
        places = self._places
        words: list[str | Path] = ["--board", self._board, "--socket", self._sockets]
        words += ["--journal", places.journal, "--keys", places.keys]
        if places.config.exists():
            words += ["--config", places.config]
        words += ["--out", path, "--at-most", str(MOST_MB), "--json"]
        words += ["--unsearched", "--without", "doctor"]
        said = await subprocesses.cylindre(
            "support-bundle", *words, limit_s=_PACKING_S, beyond=_BEYOND
        )
        told: dict[str, Any] = json.loads(said)
        return told


async def _pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    """The file, as fast as it is taken; once it is let go the next may be packed."""
    while piece := await asyncio.to_thread(file.read, _PIECE):
        yield piece
