"""A guest at a terminal of a card table who plays by himself: `cylindre demo` starts him.

He types what a player does: a stake as a round opens, and what his hand does when it is asked.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import click

from firmware.bus.terminal import Terminal
from firmware.bus.terminal_messages import SignOn
from firmware.keys.folder import read_terminal
from firmware.keys.pin_entry import ask_pin
from firmware.lib.errors import INTERRUPTED, OK
from firmware.lib.language import echo
from firmware.lib.serial_line import Line
from firmware.lib.signal_fd import SIGINT, Wake
from firmware.services.terminal.commands import sign_on
from firmware.services.terminal.program import Player, now_us, serve
from firmware.services.terminal.text import as_words
from rules.cards.due import INSURANCE, INSURE, NO_INSURANCE
from tools.sim.card_players import BASIC, BLACKJACK, Players

THINKS_US = 1_500_000  # until he decides
MODULE = "tools.virtual.card_guest"


class Guest(Player):
    """Who plays by himself. What he does hangs on the table and his chance."""

    def __init__(
        self, terminal: Terminal, players: Players, seat: SignOn, *, address: int, family: str
    ) -> None:
        """`players`: how he plays; `seat`: by which he signs on; `family`: of the game."""
        placed: dict[int, Any] = {}

        def tell(told: Any) -> None:
            if text := as_words(told, placed):
                echo(text)

        Player.__init__(self, terminal, None, tell, placed, seat, address=address)
        self._players = players
        self._is_blackjack = family == BLACKJACK
        self._laid_for = 0  # the round
        self._asked: Any = None  # what he has been asked
        self._decides_us = 0

    def after_step(self) -> None:
        """Tells what happened, and does what is to be done."""
        Player.after_step(self)
        standing = self.terminal.standing
        if standing.open and standing.seated and standing.coup != self._laid_for:
            self._laid_for = standing.coup
            for stake in self._stakes_of_round():
                self.typed(f"{stake['bet']} {stake['cents']}")
        asked = standing.due and standing.due._replace(until_us=None, cents=0)
        if asked != self._asked:
            self._asked, self._decides_us = asked, now_us() + THINKS_US
        if asked is not None and self._decides_us and now_us() >= self._decides_us:
            self._decides_us = 0
            self.typed(self._decision(asked))

    def _stakes_of_round(self) -> list[dict[str, Any]]:
        if self._is_blackjack:
            return self._players.hand("guest", 1)
        return self._players.on_sides("guest")

    def _decision(self, due: Any) -> str:
        if due.kind == INSURANCE:
            return INSURE if INSURE in due.choices and self._players.insures() else NO_INSURANCE
        return self._players.decide(due.points, due.choices)


@click.command()
@click.option("--port", required=True)
@click.option("--keys", required=True, type=click.Path(path_type=Path))
@click.option("--address", required=True, type=int)
@click.option("--account", required=True, type=int)
@click.option("--pin-file", required=True, type=click.Path(path_type=Path))
@click.option("--family", required=True)
@click.option("--minimum-cents", required=True, type=int)
def main(
    port: str,
    keys: Path,
    address: int,
    account: int,
    pin_file: Path,
    family: str,
    minimum_cents: int,
) -> None:
    """Plays until he is stopped."""
    terminal = Terminal(address, read_terminal(keys, address), int.from_bytes(os.urandom(4)))
    players = Players(family, Random(), style=BASIC, bets=(), floor_cents=minimum_cents)
    seat = sign_on(account, ask_pin(str(account), pin_file))
    guest = Guest(terminal, players, seat, address=address, family=family)
    line = Line(port, 115200)
    line.open()
    try:
        with Wake() as wake:
            serve(line, guest, wake, None)
    finally:
        line.close()
    raise SystemExit(INTERRUPTED if wake.stopped_by == SIGINT else OK)


if __name__ == "__main__":
    main()
