"""One round as it is played: the rules' own round, the rows of its cards and its engagements.

Nothing of the hole card leaves here before it is turned (CARDS M3): `card_views` has BACK for it.
"""

from firmware.core.cards import facts
from firmware.shims.typed import TYPE_CHECKING, Any, Sequence
from firmware.stakes import card_round, card_seal
from rules.cards import deck
from rules.cards.blackjack_payments import pair_of, super_jacks
from rules.cards.due import CARD, DONE
from rules.cards.round import next_card, open_round

if TYPE_CHECKING:
    from rules.cards.due import Due

DEALER = "d"
HOLE = "d*"
_NINE = 8  # a card with which no first deal ends early


def first_places(table: Any, stakes: "Sequence[Any]") -> "list[str]":
    """Returns where the cards of the first deal go, in order: it hangs on the stakes alone."""
    trial = open_round(table, list(stakes))
    while next_card(trial).kind == CARD:
        trial.deal(_NINE + 13 * (len(trial.cards) % 4))
    return list(trial.places)


def may_be_gold(card: int) -> bool:
    """Returns whether the dealer's first card may become a Gold Jack: an ace or a ten of hearts."""
    return deck.suit_of(card) == deck.HEARTS and deck.POINTS[card] in (1, 10)


class Play:
    """A round from its call to its settlement. Its rows are dicts that the journal takes."""

    def __init__(self, table: Any, stakes: "dict[str, Any]") -> None:
        """`table`: of rules.cards.stakes; `stakes`: their sealed row."""
        self.stakes = stakes
        self.round: Any = open_round(table, stakes["stakes"])
        self.first = first_places(table, stakes["stakes"])
        self.cards: list[dict[str, Any]] = []  # the hole card's row too
        self.engagements: list[dict[str, Any]] = []
        self.seal: str = stakes["seal"]
        self.last_n = 0  # the reader's number of the last card
        self.decided_last = False  # a decision came after the last card
        self._told_before_paid = table.rules.get("told_before_paid", ())
        self._is_blackjack: bool = table.rules["family"] == "blackjack"

    @property
    def due(self) -> "Due":
        """Returns what is due next."""
        return next_card(self.round)

    @property
    def seen(self) -> int:
        """Returns how many cards of the round are accepted."""
        return len(self.cards)

    @property
    def is_hole_down(self) -> bool:
        """Returns whether the hole card lies face down."""
        return HOLE in self.round.places and not self.round.has_turned

    def is_dealt(self) -> bool:
        """Returns whether the first deal is over."""
        return len(self.cards) >= len(self.first)

    def then(self) -> str | None:
        """Returns where the card after the one that is due goes, while that is known."""
        after = len(self.cards) + 1
        return self.first[after] if after < len(self.first) else None

    def deal(self, card: int, *, ident: str, how: str, ordinal: int, n: int) -> "dict[str, Any]":
        """Deals the card that is due. Returns its row."""
        to: str = self.due.to
        self.round.deal(card)
        row = {
            "round": self.stakes["round"],
            "k": len(self.cards) + 1,
            "ordinal": ordinal,
            "card": deck.text_of(card),
            "id": ident,
            "to": to,
            "how": how,
        }
        self.cards.append(row)
        self.last_n = n
        self.decided_last = False
        return row

    def decide(
        self,
        seat: int,
        hand: int,
        do: str,
        cents: "int | None",
        by: str,
        funds: "dict[str, int] | None" = None,
    ) -> "dict[str, Any]":
        """Takes a decision. Returns its row, sealed onto those before. Raises CardsError.

        `funds`: what who bets behind that seat has now, cents by player; None where no accounts are
        kept, and no row says what was laid.
        """
        before = None if funds is None else card_round.laid_sums(self.round)
        self.round.decide(seat, hand, do, cents, funds)
        row: dict[str, Any] = {
            "round": self.stakes["round"],
            "n": len(self.engagements) + 1,
            "seen": len(self.cards),
            "seat": seat,
            "hand": hand,
            "do": do,
            "cents": cents,
            "by": by,
        }
        if before is not None:
            row["lays"] = card_round.lays(before, self.round)
        row["seal"] = card_seal.engagement_seal(self.seal, row)
        self.seal = row["seal"]
        self.engagements.append(row)
        self.decided_last = True
        return row

    def check(self) -> bool:
        """Returns whether the hole card makes a Black Jack, at the one time that this is asked."""
        return bool(self.round.check())

    def turn(self) -> "dict[str, Any]":
        """Turns the hole card up. Returns its row."""
        self.round.turn()
        return self.hole()

    def hole(self) -> "dict[str, Any]":
        """Returns the row of the hole card."""
        at: int = self.round.places.index(HOLE)
        return self.cards[at]

    def held(self) -> "list[int]":
        """Returns which payments of the round that is over wait for the management, as indices.

        Seeds 000, Super-Jack: "d'un gold-jack le chef de salle doit en être informé au préalable".
        """
        paid = self.round.payments()
        told = self._told_before_paid
        return [at for at in range(len(paid)) if paid[at].bet in told and paid[at].won_cents > 0]

    def take_back(self) -> "dict[str, Any]":
        """Takes the last card back, after which nothing was decided. Returns its row."""
        row = self.cards.pop()
        self.round = card_round.replay(self.stakes, self.cards, self.engagements)
        self.last_n = 0
        return row

    def hands(self) -> "list[tuple[str, list[int]]]":
        """Returns each place with its cards, the dealer's last; BACK for the hole card."""
        found: list[tuple[str, list[int]]] = []
        if not self._is_blackjack:
            return [(side, list(self.round.hands[side])) for side in ("P", "B")]
        for seat in self.round.seats:
            for at in range(len(seat.hands)):
                place = "s" + str(seat.number) + ("" if at == 0 else "." + str(at + 1))
                found.append((place, list(seat.hands[at].cards)))
        dealers = list(self.round.dealer.cards)
        if self.is_hole_down:
            dealers[1] = facts.BACK
        found.append((DEALER, dealers))
        return found

    def events(self) -> "list[tuple[str, str]]":
        """Returns what falls beside the hands, of bets that lie there: (facts.EVENTS, place)."""
        if self._is_blackjack:
            return self._pairs() + self._super_jack()
        if self.due.kind != DONE:
            return []
        margin = abs(self.round.points("P") - self.round.points("B"))
        what = facts.DRAGON_NATURAL if self.round.is_natural() else "dragon_" + str(margin)
        sides = (("dragon_player", "P"), ("dragon_banker", "B"))
        return [
            (what, place) for bet, place in sides if self._lies(bet) and self.round.wins_dragon(bet)
        ]

    def _lies(self, bet: str) -> bool:
        """Returns whether somebody has staked on it."""
        return bool([stake for stake in self.round.stakes if stake["bet"] == bet])

    def _pairs(self) -> "list[tuple[str, str]]":
        """Returns who is insured, and the Perfect Pairs, as soon as the second cards lie there."""
        found = []
        for seat in self.round.seats:
            place = "s" + str(seat.number)
            if seat.insured_cents:
                found.append((facts.INSURED, place))
            pair = seat.pair or tuple(seat.hands[0].cards)
            bets = [stake["bet"] for stake in self.round.side[seat.number]]
            if "perfect_pairs" in bets and len(pair) == 2:
                which = pair_of(self.round, pair)
                if which is not None:
                    found.append((facts.PAIRS[which], place))
        return found

    def _super_jack(self) -> "list[tuple[str, str]]":
        """Returns the lines of the Super-Jack that are won, or that a Gold Jack is possible."""
        if self.is_hole_down:
            return []
        cards = self.round.dealer.cards
        if len(cards) == 1 and may_be_gold(cards[0]) and self._lies("super_gold"):
            return [(facts.GOLD_JACK_POSSIBLE, DEALER)]
        return [(line, DEALER) for line in super_jacks(self.round) if self._lies(line)]

    def points(self) -> "list[tuple[str, str]]":
        """Returns the points of each place that has open cards."""
        found = []
        for place, cards in self.hands():
            open_cards = [card for card in cards if card >= 0]
            if open_cards:
                found.append((place, deck.points_text(open_cards, self._is_blackjack)))
        return found
