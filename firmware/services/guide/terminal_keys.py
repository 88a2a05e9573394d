"""Keys of the terminal that draws the guide: the letters of the page, pressed there as on the page.

A key belongs to the scene that stood as it came. One that comes with others, as those of an arrow
or of a paste, means nothing: two at once are no key.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import termios
import tty
from collections.abc import Callable
from typing import Any

from firmware.lib.language import Message, current, translated
from firmware.services.guide import words
from firmware.services.guide.follower import NOTE_S, Follower, NotDone

# As the page has them (page/page.mjs).
SETTLED_US = 300_000  # nobody reads what is due, and presses a key for it, in less
BOUNCE_US = 300_000  # nobody confirms in less
SURE_US = 4_000_000  # what takes back what was played is pressed again within
_READ_MAX = 4096  # as many as a terminal holds: a paste is read at once
# How a key begins that is no letter, as an arrow; over a slow line the rest comes later.
_BEGUN = re.compile(rb"\x1b((\[\[?|O)[ -?]{0,16})?\Z")


class TerminalKeys:
    """Those of one terminal, from `__enter__` to `__exit__`."""

    def __init__(
        self,
        terminal: int,
        follower: Follower,
        clock: Callable[[], int],
        draw: Callable[[], None],
    ) -> None:
        """`terminal`: its file descriptor. `clock`: microseconds, monotonic. `draw` is called where
        `note` is another one."""
        self._terminal = terminal
        self._draw = draw
        self._follower = follower
        self._clock = clock
        self._scene: dict[str, Any] = {}
        self._since_us = 0  # when something else was due
        self._armed: tuple[str, int] | None = None  # what was pressed once, and when
        self._note: tuple[str, int] | None = None
        self._begun = b""  # of a key whose rest is still to come
        self._before: list[Any] = []
        self._asking: asyncio.Task[None] | None = None

    def __enter__(self) -> TerminalKeys:
        self._before = termios.tcgetattr(self._terminal)
        tty.setcbreak(self._terminal, termios.TCSAFLUSH)  # what was typed before is for nobody
        asyncio.get_running_loop().add_reader(self._terminal, self._read)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._terminal)
        with contextlib.suppress(termios.error):  # it hung up
            termios.tcsetattr(self._terminal, termios.TCSANOW, self._before)

    def take_scene(self, scene: dict[str, Any]) -> None:
        """Takes what stands on the terminal; empty: nothing that is read."""
        is_other = scene.get("n") != self._scene.get("n")
        self._scene = scene
        if is_other:
            self._since_us, self._armed = self._clock(), None
            if self.note:
                self._note = None
                self._draw()

    @property
    def note(self) -> str:
        """Returns what came of the last key, in the reader's language; empty: nothing to say."""
        if self._note is None or self._clock() - self._note[1] > NOTE_S * 1e6:
            return ""
        return self._note[0]

    def _read(self) -> None:
        try:
            typed = os.read(self._terminal, _READ_MAX)
        except OSError:
            typed = b""
        if not typed:  # the terminal hung up: the signal for that follows
            asyncio.get_running_loop().remove_reader(self._terminal)
            return
        typed = self._begun + typed
        begun = _BEGUN.search(typed)
        self._begun = b"" if begun is None else begun[0]
        if len(typed) == 1 and self._scene.get("stage") == "table":
            self._pressed(typed.decode("ascii", "ignore").upper())

    def _pressed(self, letter: str) -> None:
        cap = _lettered(self._scene["keys"], letter)
        ask = _lettered(self._scene["asks"], letter)
        now_us, n = self._clock(), self._scene["n"]
        if cap is None and ask is None:
            return
        if now_us - self._since_us < SETTLED_US:
            self._tell(words.CHANGED)
        elif self._asking is not None and not self._asking.done():
            self._tell(words.UNDER_WAY)
        elif ask is not None:
            if ask["fields"]:
                self._tell(words.BY_NAME)
            else:
                self._begin(self._follower.ask(ask["do"], n, {}))
        elif cap is not None and self._is_sure(cap, now_us):
            self._begin(self._follower.press(cap["key"], n))

    def _is_sure(self, cap: dict[str, Any], now_us: int) -> bool:
        """Returns whether it counts: what is final is pressed twice, and not by a bounce."""
        if not cap["is_final"]:
            return True
        if self._armed is not None and self._armed[0] == cap["key"]:
            age_us = now_us - self._armed[1]
            if age_us < BOUNCE_US:
                return False
            if age_us < SURE_US:
                self._armed = None
                return True
        self._armed = (cap["key"], now_us)
        self._tell(words.SURE_KEY)
        return False

    def _begin(self, asked: Any) -> None:
        self._note = None
        self._asking = asyncio.create_task(self._ask(asked))

    async def _ask(self, asked: Any) -> None:
        try:
            await asked
        except NotDone as refused:
            self._tell(refused.say[current()])

    def _tell(self, text: str) -> None:
        self._note = (translated(Message(text)), self._clock())
        self._draw()


def is_typed_at(terminal: int) -> bool:
    """Returns whether what is typed there comes here: a job in the background would be stopped."""
    if not os.isatty(terminal):
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:  # no shell controls jobs there
        return True


def _lettered(offered: list[dict[str, Any]], letter: str) -> dict[str, Any] | None:
    return next((each for each in offered if each["letter"] == letter), None)
