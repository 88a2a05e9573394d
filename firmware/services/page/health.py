"""How sound and fair the wheel is: what `cylindre health` says, in a process of its own.

To judge a year's journal takes a while: one run at a time, for all who ask. Who asks meanwhile is
told how long it has read.
"""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from firmware.api import guarded
from firmware.core.house import SUPERVISOR
from firmware.lib.language import N_
from firmware.services.page import subprocesses
from firmware.services.page.server import Question, Server
from firmware.services.page.translation import with_translations

_LIMIT_S = 3600.0
_BEYOND = N_(
    "It takes too long here. Run cylindre health at the wheel, or on a copy of its journal."
)
_KEPT_S = 60.0  # a coup or two: no more than that is behind what is shown
_FAILED_S = 5.0  # so long is told why it failed, to all who waited for it
_ANSWER_S = 10.0  # a page that waits is told that often that it does


class Health:
    """Answers how healthy the wheel is."""

    def __init__(self, journal: Path) -> None:
        """Has not read the journal yet."""
        self._journal = journal
        self._reading: asyncio.Task[dict[str, Any]] | None = None
        self._began_s = self._ended_s = 0.0

    def add_to(self, server: Server) -> None:
        """Adds the question to the server."""
        server.question("/api/health", self._health)

    async def _health(self, asked: Question) -> Any:
        """What is judged, for who is logged in; `anew=1`: the whole journal, verified."""
        if not self._journal.exists():
            return {"told": None}
        reading = self._read(anew=asked.number("anew", 0, 1, 0) == 1)
        await asyncio.wait((reading,), timeout=_ANSWER_S)
        if not reading.done():
            return {"reading_s": round(time.monotonic() - self._began_s)}
        told = reading.result()
        if asked.person.role != SUPERVISOR:
            told = guarded.technicians_health(told)
        return {"told": told, "age_s": round(time.monotonic() - self._began_s)}

    def _read(self, *, anew: bool) -> asyncio.Task[dict[str, Any]]:
        """Returns the run that there is, or begins one. It goes on when who asked has gone."""
        reading = self._reading
        if reading is not None and reading.done():
            kept_s = _KEPT_S if reading.exception() is None else _FAILED_S
            if anew or time.monotonic() - self._ended_s > kept_s:
                reading = None
        if reading is None:
            self._began_s = time.monotonic()
            reading = self._reading = asyncio.create_task(self._run(anew=anew))
        return reading

    async def _run(self, *, anew: bool) -> dict[str, Any]:
        try:
            return await _judged(self._journal, anew=anew)
        finally:
            self._ended_s = time.monotonic()


async def _judged(journal: Path, *, anew: bool) -> dict[str, Any]:
    """Returns the answer of `cylindre health`, in the other languages too. Raises Failure."""
    words = ("health", journal, "--json", "--charts", *(() if anew else ("--kept",)))
    said = await subprocesses.cylindre(*words, limit_s=_LIMIT_S, beyond=_BEYOND)
    told: dict[str, Any] = json.loads(said)
    return told | {"remarks": [*map(with_translations, told["remarks"])]}
