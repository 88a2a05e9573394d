"""A card table as its displays know it: baccarat, dealt and recorded faster than any house does."""

from __future__ import annotations

from random import Random
from typing import Any

from firmware.bus import card_record, record
from firmware.bus.card_messages import DASH, Cards
from firmware.core.facts import View
from rules.cards import drawing
from tools.busfaults.house import Day, House
from tools.busfaults.oracle import Oracle

_HELD = 0.15  # of the cards are held, and then another
_SHOE = 9  # rounds


class CardHouse(House):
    """A table of baccarat. An outcome is made of the cards that lie there."""

    game = "baccarat"
    has_cards = True

    def start(self) -> None:
        """Begins, and tells what lies there."""
        super().start()
        self.view = self.view._replace(rotor=0)
        self.line.show_view(self.view)
        self.display_host.set_cards(getattr(self, "cards", None))

    def lay(self, cards: Cards) -> None:
        """Shows what lies there."""
        self.cards = cards
        self.display_host.set_cards(cards)

    def about(self) -> dict[str, Any]:
        """What all its outcomes have."""
        return {"rules": "baccarat_live"}

    def confirm(self, number: int) -> View:
        """A result, recorded; `number` draws its cards, where nobody has dealt any."""
        read = {"authenticated": True, "verified": True}
        self._record("result", **dealt(Random(number), self._hands()), **read)
        return View("CONFIRMED", self.coup, self.seq, 0, None, None, None)

    def void(self, reason: str) -> View:
        """A void, recorded."""
        return super().void("misdealt")._replace(rotor=0)

    def correct(self, number: int | None, back: int = 0) -> View:
        """Other cards, or a void, for a round that has ended."""
        coup = list(self._ended)[-1 - back]
        outcome: dict[str, Any] = {"reason": "croupier"}
        if number is not None:
            outcome = dealt(Random(number), ([], []))
        told = {"coup": coup, "corrects": self._stands[coup], "manual": ("Anne", "Luc")}
        self._record("correction", **told, **outcome)
        if coup != self.coup or self.view.state not in ("CONFIRMED", "VOID"):
            return self.view._replace(seq=self.seq)
        state = "VOID" if number is None else "CONFIRMED"
        return View(state, coup, self.seq, 0, None, None, outcome.get("reason"))

    def end_of(self, coup: int) -> Any:
        """The record that stands for a round."""
        return record.parse(self.records[self._stands[coup]])

    @property
    def stands(self) -> dict[int, int]:
        """By round: seq of the record that stands for it."""
        return self._stands

    def _hands(self) -> tuple[list[int], list[int]]:
        lying: Cards | None = getattr(self, "cards", None)
        if lying is None or lying.round != self.coup or len(lying.hands) < 2:
            return [], []
        player, banker = (list(faces or ()) for _, _, faces in lying.hands)
        return (player, banker) if DASH not in player + banker else ([], [])


def dealt(rng: Random, hands: tuple[list[int], list[int]]) -> dict[str, Any]:
    """What a record says of these hands, dealt to their end."""
    player, banker = [list(hand) for hand in hands]
    while (side := drawing.next_side(player, banker)) is not None:
        (player if side == drawing.PLAYER else banker).append(rng.randrange(52))
    firsts = [player[0], banker[0], player[1], banker[1]]
    cards = firsts + player[2:] + banker[2:]
    winner, ours, theirs = card_record.baccarat(cards) or ("", 0, 0)
    told = {"winner": winner, "player_points": ours, "banker_points": theirs}
    return {"seal": bytes(32), "decks": 8, "cards": bytes(cards), **told}


class CardDay(Day):
    """Deals card after card while the views go by."""

    def __init__(self, rng: Random, house: CardHouse, oracle: Oracle) -> None:
        super().__init__(rng, house)
        self._table = house
        self._oracle = oracle
        self._first = 1
        self._told: dict[int, int] = {}  # by round: the seq that the oracle knows

    def step(self, now_us: int) -> View | None:
        """The view that begins now, and what lies there then."""
        view = super().step(now_us)
        if view is not None:
            self._lay(view, now_us)
            for coup, seq in self._table.stands.items():
                if self._told.get(coup) != seq:
                    self._told[coup] = seq
                    self._oracle.set_end(coup, self._table.end_of(coup), now_us)
        return view

    def _coup(self) -> list[View]:
        house, rng = self._table, self._rng
        house.coup += 1
        if house.coup % _SHOE == 1:
            self._first = house.coup
        states = ["BETS_OPEN"] + ["DEALING"] * rng.randrange(4, 9)
        states += ["DONE", "CONFIRMED"] if rng.random() < 0.85 else ["VOID"]
        while rng.random() < 0.2:
            states += ["correction"]
        return [View(state, house.coup, 0, 0, None, None, None) for state in states]

    def _lay(self, view: View, now_us: int) -> None:
        house, rng = self._table, self._rng
        lying = getattr(house, "cards", None)
        hands: dict[str, list[int]] = {"P": [], "B": []}
        if lying is not None and lying.round == view.coup:
            hands = {place: list(faces) for place, _, faces in lying.hands}
        if view.state in ("DEALING", "DONE"):
            _deal(rng, hands, to_the_end=view.state == "DONE")
        told = tuple((place, None, tuple(faces)) for place, faces in hands.items())
        cards = Cards(house.coup, min(self._first, house.coup), False, False, False, None, told, ())
        if cards != lying:
            self._oracle.set_cards(cards, now_us)
            house.lay(cards)


def _deal(rng: Random, hands: dict[str, list[int]], *, to_the_end: bool) -> None:
    """The next card, or a dash that another card takes the place of; or all that are due."""
    for faces in hands.values():
        if DASH in faces:
            faces[faces.index(DASH)] = rng.randrange(52)
            return
    while (side := drawing.next_side(hands["P"], hands["B"])) is not None:
        held = not to_the_end and rng.random() < _HELD
        hands[side].append(DASH if held else rng.randrange(52))
        if not to_the_end:
            return
