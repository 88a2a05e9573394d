"""Card tables as their displays know them: baccarat and black jack, dealt and recorded faster than
any house does."""

from __future__ import annotations

from random import Random
from typing import Any

from firmware.bus import card_record, record
from firmware.bus.card_messages import BACK, DASH, DEALER, ENDS, EVENTS, Cards
from firmware.core.facts import View
from rules.cards import deck, drawing
from tools.busfaults.house import Day, House
from tools.busfaults.oracle import Oracle

_HELD = 0.15  # of the cards are held, and then another
_SHOE = 9  # rounds


class CardHouse(House):
    """A table of baccarat. An outcome is made of the cards that lie there."""

    game = "baccarat"
    rules = "baccarat_live"
    places: tuple[str, ...] = ("P", "B")
    has_cards = True
    cards: Cards | None = None  # that lie there

    def start(self) -> None:
        """Begins, and tells what lies there."""
        super().start()
        self.view = self.view._replace(rotor=0)
        self.line.show_view(self.view)
        self.display_host.set_cards(self.cards)

    def lay(self, cards: Cards) -> None:
        """Shows what lies there."""
        self.cards = cards
        self.display_host.set_cards(cards)

    def about(self) -> dict[str, Any]:
        """What all its outcomes have."""
        return {"rules": self.rules}

    def confirm(self, number: int) -> View:
        """A result, recorded; `number` draws its cards, where nobody has dealt any."""
        read = {"authenticated": True, "verified": True}
        lying = {} if self.cards is None or self.cards.round != self.coup else _hands_of(self.cards)
        self._record("result", **self.dealt(Random(number), lying), **read)
        return View("CONFIRMED", self.coup, self.seq, 0, None, None, None)

    def void(self, reason: str) -> View:
        """A void, recorded."""
        return super().void("misdealt")._replace(rotor=0)

    def correct(self, number: int | None, back: int = 0) -> View:
        """Other cards, or a void, for a round that has ended."""
        coup = list(self._ended)[-1 - back]
        outcome: dict[str, Any] = {"reason": "croupier"}
        if number is not None:
            outcome = self.dealt(Random(number), {})
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

    def dealt(self, rng: Random, hands: dict[str, list[int]]) -> dict[str, Any]:
        """What a record says of these hands, dealt to their end; of others, where a card of them is
        not known."""
        player, banker = [list(hands.get(place, ())) for place in self.places]
        if DASH in player + banker:
            player, banker = [], []
        while (side := drawing.next_side(player, banker)) is not None:
            (player if side == drawing.PLAYER else banker).append(rng.randrange(52))
        firsts = [player[0], banker[0], player[1], banker[1]]
        cards = firsts + player[2:] + banker[2:]
        winner, ours, theirs = card_record.baccarat(cards) or ("", 0, 0)
        told = {"winner": winner, "player_points": ours, "banker_points": theirs}
        return {"seal": bytes(32), "decks": 8, "cards": bytes(cards), **told}


class BlackjackHouse(CardHouse):
    """A table of black jack. An outcome has the dealer's cards."""

    game = "blackjack"
    rules = "blackjack_live"
    places = ("s1", "s2", "s2.2", DEALER)

    def dealt(self, rng: Random, hands: dict[str, list[int]]) -> dict[str, Any]:
        """What a record says of the dealer's hand, drawn to its end."""
        dealer = list(hands.get(DEALER, ()))
        if BACK in dealer or DASH in dealer:
            dealer = []
        _draw(rng, dealer)
        points = card_record.dealer_points(dealer)
        told = {"seal": bytes(32), "decks": 8, "cards": bytes(dealer)}
        return {**told, "dealer_points": points}


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
        house = self._table
        lying = house.cards
        if lying is None or lying.round != view.coup:
            lying = self._nothing()
        cards = self._next(view.state, lying)
        if cards != house.cards:
            self._oracle.set_cards(cards, now_us)
            house.lay(cards)

    def _nothing(self) -> Cards:
        """A round without a card yet."""
        coup = self._table.coup
        hands = tuple((place, None, ()) for place in ("P", "B"))
        return Cards(coup, min(self._first, coup), False, False, False, None, hands, ())

    def _next(self, state: str, lying: Cards) -> Cards:
        """What lies there in this state, after that."""
        hands = _hands_of(lying)
        if state in ("DEALING", "DONE"):
            _deal(self._rng, hands, to_the_end=state == "DONE")
        told = tuple((place, None, tuple(faces)) for place, faces in hands.items())
        return lying._replace(hands=told)


class BlackjackDay(CardDay):
    """Two seats and a dealer with a card that lies face down: it is turned once the hands, one of
    them split now and then, are played. What falls beside them is told, and how each ended."""

    def _coup(self) -> list[View]:
        house, rng = self._table, self._rng
        house.coup += 1
        if house.coup % _SHOE == 1:
            self._first = house.coup
        states = ["BETS_OPEN", *["DEALING"] * 6, *["INSURANCE"] * (rng.random() < 0.2)]
        states += ["PLAYING"] * rng.randrange(5)
        states += ["HOLD"] * (rng.random() < 0.1)
        states += ["DEALER", "DONE", "CONFIRMED"] if rng.random() < 0.85 else ["VOID"]
        while rng.random() < 0.2:
            states += ["correction"]
        return [View(state, house.coup, 0, 0, None, None, None) for state in states]

    def _nothing(self) -> Cards:
        hands = tuple((place, None, ()) for place in ("s1", "s2", DEALER))
        return super()._nothing()._replace(hands=hands)

    def _next(self, state: str, lying: Cards) -> Cards:
        rng, hands, events = self._rng, _hands_of(lying), lying.events
        if state == "DEALING":
            least = min(len(faces) for faces in hands.values())
            place = next(place for place, faces in hands.items() if len(faces) == least)
            card = BACK if place == DEALER and least == 1 else rng.randrange(52)
            hands[place].append(card)
        elif state == "PLAYING":
            hands, events = self._played(hands, events)
        elif state in ("DEALER", "DONE", "CONFIRMED"):
            dealer = hands[DEALER]
            dealer[:] = [rng.randrange(52) if card in (BACK, DASH) else card for card in dealer]
            if state != "DEALER":
                _draw(rng, dealer)
        turn = rng.choice(list(hands)) if state in ("DEALING", "INSURANCE", "PLAYING") else None
        ends: dict[str, str | None] = dict.fromkeys(hands)
        if state == "CONFIRMED":
            ends |= {place: rng.choice(ENDS[1:])[1] for place in hands if place != DEALER}
        told = tuple((place, ends[place], tuple(faces)) for place, faces in hands.items())
        return lying._replace(turn=turn, hands=told, events=events)

    def _played(
        self, hands: dict[str, list[int]], events: tuple[tuple[str, str], ...]
    ) -> tuple[dict[str, list[int]], tuple[tuple[str, str], ...]]:
        """A hand draws, is split, or has something fall beside it; a held card has its place."""
        rng = self._rng
        place = rng.choice([place for place in hands if place != DEALER])
        if DASH in hands[place]:
            hands[place][hands[place].index(DASH)] = rng.randrange(52)
        elif place == "s2" and "s2.2" not in hands and len(hands[place]) == 2:
            split = {"s2.2": [hands[place].pop()]}
            hands = {"s1": hands["s1"], "s2": hands["s2"], **split, DEALER: hands[DEALER]}
        else:
            hands[place].append(DASH if rng.random() < _HELD else rng.randrange(52))
        if rng.random() < 0.3:
            events = (*events, (rng.choice(EVENTS)[1], place))[-8:]
        return hands, events


def _hands_of(cards: Cards) -> dict[str, list[int]]:
    """By place: what lies there."""
    return {place: list(faces or ()) for place, _, faces in cards.hands}


def _draw(rng: Random, dealer: list[int]) -> None:
    """The dealer's hand, to 17 or more."""
    while len(dealer) < 2 or card_record.dealer_points(dealer) < 17:
        card = rng.randrange(52)
        if deck.too_often([*dealer, card], 8) is None:
            dealer.append(card)


# By the game: its table, and how it is played.
CARD_GAMES: dict[str, tuple[type[CardHouse], type[CardDay]]] = {
    CardHouse.game: (CardHouse, CardDay),
    BlackjackHouse.game: (BlackjackHouse, BlackjackDay),
}


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
