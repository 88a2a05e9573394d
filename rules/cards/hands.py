"""Hands of black jack: their cards and points, what lies on them, who bets behind."""

from collections import namedtuple

from rules.cards import deck
from rules.cards.errors import CardsError
from rules.cards.stakes import SEATS, CardTable

MOST = 21

# A follower's part in one hand, in cents. `added_cents`: where he followed a double.
Part = namedtuple("Part", ("follower", "stake_cents", "added_cents"))


class Follower:
    """Who bets behind a seat: his stake, whether he follows, and what money he has left."""

    def __init__(self, stake: "dict[str, object]") -> None:
        """`stake`: one of bet behind, accepted."""
        self.player = stake["player"]
        self.cents: int = stake["cents"]  # type: ignore[assignment]
        self.follows = stake.get("follow") == "double"
        # What he has beside the stake; None where nobody says, and he has enough.
        self.funds_cents: int | None = stake.get("funds_cents")  # type: ignore[assignment]
        self.insured_cents = 0

    def pay(self, cents: int) -> bool:
        """Takes so much of his funds; returns False, and takes nothing, where they lack."""
        if self.funds_cents is None:
            return True
        if cents > self.funds_cents:
            return False
        self.funds_cents -= cents
        return True


class Hand:
    """One hand of a seat: its cards and what lies on it."""

    def __init__(self, stake_cents: int, parts: "list[Part]", is_split: bool) -> None:
        """Empty. `parts`: of the followers in it."""
        self.cards: list[int] = []
        self.hard = 0  # points with every ace 1
        self.has_ace = False
        self.stake_cents = stake_cents
        self.added_cents = 0
        self.parts = parts
        self.is_split = is_split
        self.is_doubled = False
        self.is_over = False  # nothing more happens to it
        self.wants_card = False

    def add_card(self, card: int) -> None:
        """Adds a card."""
        self.cards.append(card)
        points = deck.POINTS[card]
        self.hard += points
        if points == 1:
            self.has_ace = True

    @property
    def points(self) -> int:
        """Returns the best points: one ace counts 11 where that is no more than 21 (II.1, 2.5)."""
        return self.hard + 10 if self.has_ace and self.hard <= MOST - 10 else self.hard

    @property
    def is_soft(self) -> bool:
        """Returns whether an ace counts 11."""
        return self.has_ace and self.hard <= MOST - 10

    @property
    def is_bust(self) -> bool:
        """Returns whether it has more than 21."""
        return self.hard > MOST


class Seat:
    """A staked seat: its player, its hands from the right to the left, its insurance."""

    def __init__(self, number: int, player: object, hand: Hand) -> None:
        """`number`: 1 to 7 from the dealer's left."""
        self.number = number
        self.player = player
        self.hands = [hand]
        self.insured_cents = 0
        self.pair: tuple[int, ...] = ()  # its first two cards


class DealtHands:
    """What lies on the table in a round: stakes, the hands of the seats, the dealer's cards."""

    def __init__(self, table: CardTable, stakes: "list[dict[str, object]]") -> None:
        """`stakes`: accepted ones. Raises CardsError where no hand is staked."""
        self.table = table
        self.stakes = stakes
        self.dealer = Hand(0, [], False)
        self.busts: list[tuple[Seat, int]] = []  # as they fell: seat, place among its hands
        mains: list[dict[str, object]] = []
        behind: list[list[dict[str, object]]] = [[] for _ in range(SEATS + 1)]
        # Side bets by seat, each with its stake as it was laid.
        self.side: list[list[dict[str, object]]] = [[] for _ in range(SEATS + 1)]
        for stake in stakes:
            bet = stake["bet"]
            at: int = stake["seat"]  # type: ignore[assignment]
            if bet == "main":
                mains.append(stake)
            else:
                (behind if bet == "behind" else self.side)[at].append(stake)
        if not mains:
            article = table.rules["articles"]["play"]
            raise CardsError(article, "no seat has a main stake: no hand is dealt.")
        mains.sort(key=lambda stake: stake["seat"])  # type: ignore[arg-type, return-value]
        self.seats: list[Seat] = []
        self.by_number: list[Seat | None] = [None] * (SEATS + 1)
        for stake in mains:
            number: int = stake["seat"]  # type: ignore[assignment]
            parts = [Part(Follower(each), each["cents"], 0) for each in behind[number]]
            cents: int = stake["cents"]  # type: ignore[assignment]
            seat = Seat(number, stake["player"], Hand(cents, parts, False))
            self.seats.append(seat)
            self.by_number[number] = seat
        # Stakes behind seats that nobody plays.
        self.behind_empty: list[list[dict[str, object]]] = [
            [] if self.by_number[number] else behind[number] for number in range(SEATS + 1)
        ]

    def is_black_jack(self, hand: Hand) -> bool:
        """Returns whether a hand is 21 with two cards, and is no split one (II.3, 2.6.7)."""
        if len(hand.cards) != 2 or hand.hard != MOST - 10 or not hand.has_ace:
            return False
        if not hand.is_split:
            return True
        if hand.cards[0] % 13 == deck.ACE:
            return False
        return not self.table.house.get("split_ten_ace_is_21", True)

    def dealer_has_black_jack(self) -> bool:
        """Returns whether the dealer's two cards are a Black Jack."""
        return self.is_black_jack(self.dealer)
