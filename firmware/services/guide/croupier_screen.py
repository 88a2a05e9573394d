"""What stands at a card table, folded from the events of its control socket.

No clock, no I/O, no words. The hole card is in no event before it is turned, so it is not here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, takewhile
from typing import Any

from firmware.core.cards import facts
from firmware.core.cards.lines import CORRECTION, GUIDE, TYPED, VIEW

REFUSED = "P10"  # of a moment
# Faults that say what the guide says already: the round is held, a card is awaited.
_SAID = ("K10", "K14")
_TROUBLES_MAX = 3  # the newest are shown


class CroupierScreen:
    """One table. `n`: rises whenever something else is due."""

    def __init__(self, game: str | None = None, numbers: Iterator[int] | None = None) -> None:
        """`game`: the kind of table, of boards/card_tables.py. `numbers`: of what is due, rising
        over all screens that the same pages show."""
        self.game = game
        self._numbers = count(1) if numbers is None else numbers
        self.n = 0
        self.guide: dict[str, Any] | None = None
        self.view: dict[str, Any] | None = None
        self.typed: dict[str, Any] | None = None
        self.ended: list[dict[str, Any]] = []  # how the last round ended, and was paid or corrected
        self.troubles: list[dict[str, Any]] = []
        self.refused: dict[str, Any] | None = None  # since something was due
        self.checked: bool | None = None  # whether the hole card makes a Black Jack, as it is news
        self.is_gold_jack_possible = False
        self.decisions: list[dict[str, Any]] = []  # of the round, as a correction has them
        self.cards: dict[int, str] = {}  # of the round, by their number

    def take_event(self, told: dict[str, Any]) -> None:
        """Takes an event; one that does not stand on this screen changes nothing."""
        event = told["event"]
        if event == GUIDE:
            self._due(told)
        elif event == VIEW:
            self.view = told
            if self.is_gold_jack_possible and len(self.hands().get("d", ())) != 1:
                self.is_gold_jack_possible = False
        elif event == TYPED:
            self.typed = told if told["rank"] or told["suit"] else None
        elif event == "fault":
            self._fault(told)
        elif event == "fault_ended":
            self.troubles = [each for each in self.troubles if each["code"] != told["code"]]
        elif event == "round_started":
            self.troubles, self.cards, self.decisions = [], {}, []
            self.checked, self.is_gold_jack_possible = None, False
        elif event in ("card_dealt", "hole_turned"):
            self._dealt(told)
        elif event == "hole_checked":
            self.checked = told["is_black_jack"]
        elif event == "engaged":
            if told["n"] > len(self.decisions):  # one that is told twice is one
                self.decisions.append(_decision(told))
        elif event in ("round_result", "round_void"):
            self.ended = [told]
        elif event in ("held_paid", CORRECTION):
            self.ended = [*self.ended, told]

    def hands(self) -> dict[str, list[str]]:
        """Returns the cards of each place, in the order of the deal."""
        return {} if self.view is None else dict(self.view["hands"])

    def paid(self) -> dict[str, Any] | None:
        """Returns how the last round stands: its result, void, or correction; None: not known."""
        found = None
        for told in self.ended:
            if told["event"] != "held_paid":
                found = told
        return found

    def held(self) -> Sequence[int]:
        """Returns which payments of `paid` wait for the management, by their place."""
        found: Sequence[int] = ()
        for told in self.ended:
            found = () if told["event"] == "held_paid" else told.get("held", ())
        return found

    def recorded(self) -> tuple[list[str], list[dict[str, Any]]]:
        """Returns the cards and the decisions of the last round as it stands, in their order.

        Behind a card that was never shown, as the hole card of a void, none is in its order.
        """
        corrected = [told for told in self.ended if told["event"] == CORRECTION]
        if corrected:
            return corrected[-1]["cards"], [_decision(each) for each in corrected[-1]["decisions"]]
        shown = takewhile(self.cards.__contains__, count(1))
        return [self.cards[k] for k in shown], self.decisions

    def _due(self, told: dict[str, Any]) -> None:
        if told["code"] == facts.GOLD_JACK_POSSIBLE:
            self.is_gold_jack_possible = True
            return
        self.guide, self.refused = told, None
        self.n = next(self._numbers)

    def _fault(self, told: dict[str, Any]) -> None:
        if told["code"] == REFUSED:
            self.refused = told
        elif told["code"] not in _SAID:
            others = [each for each in self.troubles if each["text"] != told["text"]]
            self.troubles = [told, *others][:_TROUBLES_MAX]

    def _dealt(self, told: dict[str, Any]) -> None:
        if told["k"] == 1:
            self.cards = {}
        if told["card"] is not None:
            self.cards[told["k"]] = told["card"]
        if told["event"] == "card_dealt":
            self.checked = None


def _decision(told: dict[str, Any]) -> dict[str, Any]:
    said = {key: told[key] for key in ("seat", "hand", "do")}
    return said if told["cents"] is None else said | {"cents": told["cents"]}
