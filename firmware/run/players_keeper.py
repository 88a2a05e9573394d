"""Keeps the keys of the players' accounts on the disk as they are made (firmware/keys/players.py).

The loop waits for no disk, so a thread of its own writes. An account whose key was lost on the way,
for the power failed, has none after the restart: an employee gives its player another PIN.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from firmware.core.facts import Entered, Trouble
from firmware.keys.players import Kept, players_file, read_players, write_players
from firmware.lib.errors import cause
from firmware.stakes.accounts import ACCOUNT, RENEWED
from firmware.stakes.book import Book

NOT_KEPT = "S15"  # a code of firmware.core.faults
RETRY_S = 0.5
_CLOSE_S = 1.0


class PlayersKeeper:
    """For the loop a FactListener and an EventSource."""

    def __init__(self, folder: Path, book: Book) -> None:
        """`book`: who knows the accounts and their keys. Raises Failure."""
        self._folder = folder
        self._book = book
        known = {one.n: (one.player, one.key) for one in book.money.all()}
        self._keys = read_players(folder, known)
        self._told: deque[Any] = deque()
        self._new: deque[tuple[int, Kept]] = deque()
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="players", daemon=True)
        self._thread.start()

    def take_fact(self, fact: Any) -> None:
        """Takes that an account was opened, or has another key."""
        if not isinstance(fact, Entered):
            return
        if fact.kind == ACCOUNT or fact.body.get("what") == RENEWED:
            account = self._book.money.account(fact.body["account"])
            kept = Kept(account.player, account.key, self._book.key(account.n))
            with self._changed:
                self._new.append((account.n, kept))
                self._changed.notify_all()

    def take_events(self) -> Sequence[Any]:
        """Returns what is newly wrong, at_us = 0."""
        found = []
        while self._told:
            found.append(self._told.popleft())
        return found

    def decided(self, refusal: str | None) -> None:
        """Does nothing: nobody waits for an answer."""

    def close(self) -> None:
        """Writes what waits, for a second at most."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(_CLOSE_S)

    def _work(self) -> None:
        told = ""
        while True:
            with self._changed:
                while not self._new and not self._closing:
                    self._changed.wait()
                if not self._new:
                    return
                new = list(self._new)
            try:
                write_players(self._folder, self._keys | dict(new))
            except OSError as error:
                why = f"{players_file(self._folder)}: {cause(error)}."
                if why != told:
                    self._told.append(Trouble(0, NOT_KEPT, why))
                told = why
                with self._changed:
                    if self._closing:
                        return
                    self._changed.wait(RETRY_S)
                continue
            self._keys |= dict(new)
            told = ""
            for _ in new:
                self._new.popleft()
