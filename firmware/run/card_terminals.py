"""The terminals of a card table: their book as `cylindre run` opens it, and what they decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from firmware.core.cards import facts
from firmware.core.cards.restart_state import RestartState
from firmware.lib.errors import CONFIGURATION, Failure
from firmware.lib.language import Message
from firmware.run.bus_line import BookMaker
from firmware.stakes.card_book import CardBook
from rules.cards.stakes import CardTable as Limits


def card_book_of(limits: Limits, restart_state: RestartState, followers: int | None) -> BookMaker:
    """Returns what makes the book of a table's terminals.

    `restart_state`: what the journal has of the last round; `followers`: the address of the host of
    who bets behind a hand, None: there is none.
    """

    def make(terminals: tuple[int, ...], money: dict[str, Any]) -> CardBook:
        if followers is not None and followers not in terminals:
            text = Message(
                "[cards] followers: there is no key of terminal {address}. Make one with cylindre"
                " provision, or name another.",
                address=followers,
            )
            raise Failure(CONFIGURATION, text)
        opened = restart_state.interrupted
        book = CardBook(
            limits,
            terminals=terminals,
            coup=restart_state.round + 1,
            followers=followers,
            **money,
        )
        if opened is not None:
            book.restore_open(opened.round, opened.stakes)
        elif restart_state.last is not None:
            book.restore(restart_state.last.stakes, restart_state.last.end)
        return book

    return make


class PlayedAtTerminals:
    """What players lay and decide at terminals, for the loop as an EventSource."""

    def __init__(self, book: CardBook) -> None:
        """`book`: which bus and table share; the table answers it."""
        self._book = book

    def take_events(self) -> Sequence[Any]:
        """Returns decisions, and that stakes are other than before, at_us = 0."""
        found: list[Any] = []
        if self._book.is_changed:
            self._book.is_changed = False
            found.append(facts.StakesChanged(0))
        for terminal, ask in self._book.take_decisions():
            said = (ask.seat, ask.hand, ask.do, ask.cents or None, ask.seen)
            found.append(facts.DecisionMade(0, *said, str(terminal)))
        return found

    def decided(self, refusal: str | None) -> None:
        """Does nothing: the table has answered the book."""
