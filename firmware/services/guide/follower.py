"""Follows a card table's controller, asks it in the croupier's name, and says what stands.

A controller that goes or stands still is told within 1 s; it is followed again by itself as soon as
one is there.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boards
from firmware.client.line import Line, Refused
from firmware.config.this_wheel import left, name_of
from firmware.core.cards.lines import GUIDE
from firmware.lib.language import LANGUAGES, Message, translated, unpacked
from firmware.services.guide import keys, words
from firmware.services.guide.croupier_screen import CroupierScreen
from firmware.services.guide.scene import Table, gone, scene
from rules.limits import WrongInput

POLL_S = 0.2  # between two questions whether the controller is there
STATUS_S = 0.6  # an answer takes some ms; with POLL_S the screen is dark within 1 s
STILL_MS = 600  # the loop comes round every 10 ms
TOGETHER_S = 0.003  # what is heard within is drawn at once
# What a controller of another version says raises some of these.
_STRANGE = (LookupError, TypeError, ValueError, AttributeError, WrongInput)
NOTE_S = 8.0  # what was refused stands so long, if nothing else is due before


class NotDone(Exception):
    """What was asked is not done; `say` says why, by the code of a language."""

    def __init__(self, say: dict[str, str]) -> None:
        super().__init__(say["en"])
        self.say = say


class Follower:
    """One controller. `show` is told each scene, and when it stood for sure."""

    def __init__(
        self,
        sockets: Path,
        clock: Callable[[], int],
        show: Callable[[dict[str, Any], int], None],
    ) -> None:
        """`sockets`: the folder of its sockets. `clock`: microseconds, monotonic."""
        self._sockets = sockets
        self._clock = clock
        self._show = show
        self._line = Line(sockets, self._hear)
        # PINs on a line of their own: what comes behind one waits until it is hashed.
        self._pins = Line(sockets, lambda _: None)
        self._joined = 0  # which connection the screen is of
        self._screen: CroupierScreen | None = None
        self._numbers = itertools.count(1)  # of what is due: pages stay open from screen to screen
        self._early: list[dict[str, Any]] | None = None  # heard while what stands is asked for
        self._table: Table | None = None
        self._ahead_us = 0  # our clock less the controller's
        self._stood_us = clock()
        self._refused_us = 0
        self._scene: dict[str, Any] = {}
        self._busy = False  # a key is under way
        self._is_news = False  # that is not drawn yet

    async def run(self) -> None:
        """Runs until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for task in (self._line.run, self._pins.run, self._watch):
                group.create_task(task())

    async def press(self, key: str, n: int) -> None:
        """Presses a key that was seen on the scene `n`. Raises NotDone."""
        screen = self._seen(n)
        if key not in keys.keys_now(screen):
            raise NotDone(words.in_each(words.NOT_NOW))
        await self._ask(self._line, {"do": "key", "key": key})

    async def ask(self, do: str, n: int, given: dict[str, Any]) -> None:
        """Asks what people ask together. Raises NotDone."""
        screen = self._seen(n)
        if do not in keys.asks_now(screen) or set(given) != set(keys.FIELDS[do]):
            raise NotDone(words.in_each(words.NOT_NOW))
        if do == keys.CORRECT:
            end = screen.paid()
            given = given | {"round": 0 if end is None else end["round"]}
            if given["decisions"] is None:  # as they are recorded
                del given["decisions"]
        await self._ask(self._pins, {"do": do, **given})

    def _seen(self, n: int) -> CroupierScreen:
        """Returns what stands, if that is what was seen. Raises NotDone."""
        if self._screen is None or self._screen.guide is None:
            raise NotDone(words.in_each(words.GONE))
        if self._busy:
            raise NotDone(words.in_each(words.UNDER_WAY))
        if n != self._screen.n:
            raise NotDone(words.in_each(words.CHANGED))
        return self._screen

    async def _ask(self, line: Line, request: dict[str, Any]) -> None:
        self._busy = True
        try:
            await line.ask(request)
        except Refused as refused:
            raise NotDone(_said(refused.error)) from None
        finally:
            self._busy = False

    # --- what the controller says ----------------------------------------------------------------

    def _hear(self, told: dict[str, Any]) -> None:
        if self._early is not None:
            self._early.append(told)
        if self._screen is None or self._line.joined != self._joined:
            return  # what stands is asked for first
        try:
            self._take(self._screen, told)
        except _STRANGE:
            self._other_version()
            return
        if not self._is_news:  # what one card changes comes in several lines
            self._is_news = True
            asyncio.get_running_loop().call_later(TOGETHER_S, self._draw)

    def _take(self, screen: CroupierScreen, told: dict[str, Any]) -> None:
        screen.take_event(told)
        if told["event"] == GUIDE:
            self._ahead_us = self._clock() - told["t_us"]
        if screen.refused is told:
            self._refused_us = self._clock()

    def _other_version(self) -> None:
        self._screen = None
        self._tell(gone(self._table, words.OTHER_VERSION), self._clock())

    async def _watch(self) -> None:
        """Asks again and again whether the controller is there, and begins to follow it."""
        while True:
            why = await self._look()
            if why is not None:
                self._screen = None
                self._tell(gone(self._table, why), self._clock())
            else:
                self._draw()
            await asyncio.sleep(POLL_S)

    async def _look(self) -> str | None:
        """Returns why nothing is shown; None: what stands is known, and the controller there."""
        asked_us = self._clock()
        try:
            if self._screen is None or self._line.joined != self._joined:
                await self._begin()
            asked_us = self._clock()
            status = (await self._line.ask({"do": "status"}, STATUS_S))["status"]
        except Refused as refused:
            is_wheel = refused.error.get("code") == "not_here"
            return words.NO_CARDS if is_wheel else words.GONE
        except _STRANGE:
            return words.OTHER_VERSION
        age_ms = status["loop_age_ms"] or 0
        if age_ms > STILL_MS:
            return words.STILL
        self._stood_us = asked_us - age_ms * 1000
        return None if self._screen is not None and self._screen.guide else words.GONE

    async def _begin(self) -> None:
        """Asks for all that stands. Raises Refused."""
        self._table = await asyncio.to_thread(_table, self._sockets)
        status = (await self._line.ask({"do": "status"}, STATUS_S))["status"]
        self._table = self._table._replace(game=status["game"])
        joined = self._line.joined  # as this is asked: it may have come and gone before
        early = self._early = []  # some come right behind the answer
        try:
            answer = await self._line.ask({"do": "guide"}, STATUS_S)
        finally:
            self._early = None
        screen = CroupierScreen(status["game"], self._numbers)
        for told in answer["events"]:
            screen.take_event(told)
        self._ahead_us = self._clock() - answer["t_us"]
        for told in early:  # what came before the answer stands in it: taken twice, it is the same
            self._take(screen, told)
        self._screen, self._joined = screen, joined

    # --- what is shown ---------------------------------------------------------------------------

    def _draw(self) -> None:
        self._is_news = False
        screen, table = self._screen, self._table
        if screen is None or screen.guide is None or table is None:
            return
        now_us = self._clock()
        if screen.refused is not None and now_us - self._refused_us > NOTE_S * 1e6:
            screen.refused = None
        until_us, left_s = screen.guide["until_us"], None
        if until_us is not None:
            left_s = max(0, -(-(until_us + self._ahead_us - now_us) // 1_000_000))
        try:
            made = scene(table, screen, left_s)
        except _STRANGE:
            self._other_version()
        else:
            self._tell(made, self._stood_us)

    def _tell(self, made: dict[str, Any], stood_us: int) -> None:
        if made != self._scene:
            self._scene = made
        self._show(self._scene, stood_us)


def _table(sockets: Path) -> Table:
    started = left(sockets)
    is_simulated = None
    if started is not None:
        is_simulated = boards.load(started.board)["provider"] == "virtual"
    return Table(name_of(sockets), None, is_simulated)


def _said(error: dict[str, Any]) -> dict[str, str]:
    """Returns what the controller has refused with: one sentence of it, and what to do."""
    packed = error.get("said")
    packed = packed if isinstance(packed, dict) else {}
    texts = [unpacked(packed.get(key), error.get(key, "")) for key in ("text", "remedy")]
    return {
        language: " ".join(translated(Message(text), language) for text in texts if text)
        for language in LANGUAGES
    }
