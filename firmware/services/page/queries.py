"""What the page may be asked about the wheel and its past, without changing anything.

What has to do with the call (when it comes, what the wheel has learned of its drops) is for those
who are logged in, also of coups that are over: it would help to tell the next.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from microdot import Response

from firmware import config
from firmware.api import guarded
from firmware.client.line import Refused
from firmware.config.game import Game
from firmware.core.faults import FAULTS, FaultKind
from firmware.core.health.codes import ACKNOWLEDGED
from firmware.core.house import SUPERVISOR
from firmware.lib import order_folder
from firmware.lib.errors import Failure
from firmware.services.page import history, subprocesses, upkeep
from firmware.services.page.server import Question, Server
from firmware.services.page.translation import with_translations
from firmware.services.page.wheel import Wheel
from firmware.text.trace import line_names

_N_MAX = 2**53 - 1  # a whole number that a browser still knows exactly
# Threads that read the journal or make an export: one core is the controller's.
_READERS = asyncio.Semaphore(2)
_HISTORY = 300  # coups
_VERIFY_S = 1800.0  # of a year's journal it takes minutes
_BEYOND = "It takes too long here. Run cylindre journal verify at the wheel."
_NO_COUP = {"code": "no_such", "text": "There is no such coup.", "remedy": ""}
_NOTHING_KEPT = {
    "code": "nothing_kept",
    "text": "No edges were seen yet.",
    "remedy": "Open the oscilloscope, wait for edges, then export them.",
}


class Places(NamedTuple):
    """Where things lie that the page reads, or leaves for others."""

    journal: Path
    config: Path
    orders: Path
    keys: Path


class Reads:
    """Answers questions."""

    def __init__(
        self,
        wheel: Wheel,
        game: Game,
        places: Places,
        about: dict[str, str],
        *,
        has_expired: Callable[[float], bool] = lambda _: False,
        slots: Callable[[], dict[str, Any] | None] = lambda: None,
    ) -> None:
        """`about`: the wheel's name, and what tells this page and its program from others.

        `has_expired`: the certificate, as of a time in seconds since 1970.

        `slots`: how the slots of this machine stand, None where it has none.
        """
        self._has_expired = has_expired
        self._look = slots
        self._wheel = wheel
        self._game = game
        self._places = places
        self._verifying: asyncio.Task[Any] | None = None
        self._about = about

    def add_to(self, server: Server) -> None:
        """Adds them to the server."""
        for path, handler in (
            ("/api/wheel", self._wheel_itself),
            ("/api/coups", self._coups),
            ("/api/coup/<number>", self._coup),
            ("/api/faults", self._faults),
            ("/api/upkeep", self._upkeep),
        ):
            server.question(path, handler, anybody=True)
        for path, handler in (
            ("/api/history", self._history),
            ("/api/log", self._log),
            ("/api/parts", self._parts),
            ("/api/scope.vcd", self._vcd),
            ("/api/config", self._config),
            ("/api/config/keys", self._config_keys),
            ("/api/orders", self._orders),
            ("/api/update", self._slots),
            ("/api/verify", self._verify),
        ):
            server.question(path, handler)

    async def _wheel_itself(self, asked: Question) -> Any:
        """What does not change while the page runs."""
        board, rules = self._game.board, self._game.rules
        return {
            "board": board["name"],
            "title": board["title"],
            "apparatus": board["apparatus"],
            "driven": board["rotor"] == "driven",
            "lines": list(line_names(board)),
            "geometry": board["geometry"],
            "layout": list(rules["layout"]),
            "colours": list(rules["colours"]),
            "verified": bool(rules["layout_verified"]),
        } | self._about

    async def _coups(self, asked: Question) -> Any:
        before = asked.number("before", 1, _N_MAX)
        count = asked.number("n", 1, history.COUPS_MAX, 50)
        return {"coups": await self._list(history.coups, before, count)}

    async def _coup(self, asked: Question, number: str) -> Any:
        if not (number.isascii() and number.isdigit() and len(number) < 17 and int(number)):
            raise Refused(_NO_COUP)
        explains = asked.login is not None
        return await self._read(lambda path: history.coup(path, int(number), explains=explains))

    async def _faults(self, asked: Question) -> Any:
        """Every fault there is, and those of the last coups; `unread`: why they are not known."""
        found = {"kinds": [_kind(each) for each in FAULTS]}
        try:
            return found | {"told": await _translated(await self._told(asked))}
        except Failure as failure:  # the remedies are wanted most where much is broken
            return found | with_translations({"told": [], "unread": failure.sentence})

    async def _upkeep(self, asked: Question) -> Any:
        """What should be looked at before it fails."""
        found = await self._list(history.history, _HISTORY)
        status = None if asked.login is None else self._wheel.status
        told, expired = await self._told(asked), self._has_expired(time.time())
        notices = upkeep.notices(found, told, status, expired=expired)
        return {"notices": await _translated(notices)}

    async def _told(self, asked: Question) -> list[dict[str, Any]]:
        """The faults of the last coups, as whoever asks may know them. Raises Failure."""
        told = await self._list(history.faults, _HISTORY)
        if asked.login is None:
            return [each for each in map(guarded.public_told, told) if each is not None]
        if asked.login.role != SUPERVISOR:
            return [guarded.technicians_told(each) for each in told]
        return told

    async def _history(self, asked: Question) -> Any:
        count = asked.number("n", 1, history.HISTORY_MAX, _HISTORY)
        return {"coups": await self._list(history.history, count)}

    async def _log(self, asked: Question) -> Any:
        before = asked.number("before", 1, _N_MAX)
        count = asked.number("n", 1, history.LOG_MAX, 100)
        rows = await self._list(history.log, before, count)
        said = await _translated([row["said"] for row in rows])
        return {"rows": [row | {"said": each} for row, each in zip(rows, said, strict=True)]}

    async def _parts(self, asked: Question) -> Any:
        found = await self._wheel.ask(asked.person, {"do": "parts"}, used=False)
        parts = with_translations(found["parts"])
        if parts.get("journal"):
            parts["journal"] = with_translations(parts["journal"])
        return found | {"parts": parts}

    async def _vcd(self, asked: Question) -> Any:
        # Without a beginning all that joins: a trace to replay has no line in doubt.
        from_us = asked.number("from_us", 0, _N_MAX, self._wheel.kept.whole_us)
        to_us = asked.number("to_us", 0, _N_MAX, _N_MAX)
        assert from_us is not None and to_us is not None
        async with _READERS:  # four megabytes are read for each
            text = await asyncio.to_thread(self._wheel.kept.copy().vcd, from_us, to_us)
        if text is None:
            raise Refused(_NOTHING_KEPT)
        name = f"{self._game.board['name']}-{from_us}.vcd"
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Disposition": f'attachment; filename="{name}"',
        }
        return Response(text.encode(), 200, headers)

    async def _config(self, asked: Question) -> Any:
        path = self._places.config
        if not path.exists():
            return {"path": str(path), "text": None}
        try:
            text = (await asyncio.to_thread(config.read, path)).text
        except config.ConfigError as error:
            raise Refused(
                {"code": "unreadable", "text": error.sentences[0], "remedy": ""}
            ) from None
        return {"path": str(path), "text": text}

    async def _config_keys(self, asked: Question) -> Any:
        """Every key that a configuration may have."""
        return {"keys": config_keys()}

    async def _orders(self, asked: Question) -> Any:
        orders = await asyncio.to_thread(order_folder.state, self._places.orders)
        return {"orders": await _translated(orders)}

    async def _slots(self, asked: Question) -> Any:
        """The slots and what is in them; null where this machine has none."""
        look = await asyncio.to_thread(self._look)
        if look is not None:
            look = look | {"slots": await _translated(look["slots"])}
        return {"look": look}

    async def _verify(self, asked: Question) -> Any:
        """Whether the journal is as it was written: one run at a time, for all who ask."""
        if self._verifying is None or self._verifying.done():
            self._verifying = asyncio.create_task(_verified(self._places))
        return await asyncio.shield(self._verifying)

    async def _list(self, reader: Callable[..., Any], *arguments: Any) -> list[dict[str, Any]]:
        """As _read; of a wheel that has not yet begun its journal there is nothing."""
        if not self._places.journal.exists():
            return []
        found: list[dict[str, Any]] = await self._read(reader, *arguments)
        return found

    async def _read(self, reader: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of history.py finds. Raises Failure."""
        async with _READERS:
            return await asyncio.to_thread(reader, self._places.journal, *arguments)


async def _verified(places: Places) -> Any:
    """What `cylindre journal verify` says: of a year's it takes a while.

    It goes on when whoever asked has gone, for another may wait; it ends with the page. Raises
    Failure.
    """
    words = ("journal", "verify", places.journal, "--json", "--keys", places.keys)
    return json.loads(await subprocesses.cylindre(*words, limit_s=_VERIFY_S, beyond=_BEYOND))


async def _translated(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What of each is said to people in the other languages too; apart, for many take a second."""
    return await asyncio.to_thread(lambda: [*map(with_translations, rows)])


def config_keys() -> list[dict[str, Any]]:
    """Returns the keys of a configuration in the order of their table, as the editor lists them.

    `text`: what it decides; `note`: what it may be, unless it is one of `choices`. Both in the
    other languages as well. `default`: null where it depends.
    """
    return [
        with_translations(
            {
                "section": key.section,
                "key": key.name,
                "text": key.means,
                "note": key.wants,
                "choices": list(key.choices),
                "default": key.stands_for if key.default is None else key.default,
                "example": key.example,
            }
        )
        for key in config.KEYS
    ]


def _kind(kind: FaultKind) -> dict[str, Any]:
    """Returns a fault as the page has it, with whether a supervisor may acknowledge it."""
    return {**kind._asdict(), "acknowledged": kind.code in ACKNOWLEDGED}
