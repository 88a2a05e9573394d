"""A round of black jack: whose card or decision is next, and what each stake is paid.

Every reader asks `due`: the guide of the deal, the check of a round handed in, the settlement. The
hole card is not read before it is checked (an ace up) or turned.
"""

from rules.cards import blackjack_payments, deck
from rules.cards.due import (
    CARD,
    CHECK,
    DECISION,
    DECISIONS,
    DONE,
    DOUBLE,
    HIT,
    INSURANCE,
    INSURE,
    NO_INSURANCE,
    SPLIT,
    STAND,
    TURN,
    CardPayment,
    Due,
    refuse_card,
)
from rules.cards.errors import FORM, CardsError
from rules.cards.hands import MOST, DealtHands, Hand, Part, Seat
from rules.cards.stakes import SEATS, CardTable

DEALER = "d"
HOLE = "d*"
_STOPS_AT = 17

_ONE_CARD = "a split ace gets one card alone."
_DONE = Due(DONE, None, None, None, ())
_CHECK = Due(CHECK, HOLE, None, None, ())
_TURN = Due(TURN, HOLE, None, None, ())
_TO_DEALER = Due(CARD, DEALER, None, None, ())
_TO_HOLE = Due(CARD, HOLE, None, None, ())
# Of the first deal, by seat.
_TO_SEATS = tuple([Due(CARD, "s" + str(seat), None, None, ()) for seat in range(SEATS + 1)])


class BlackjackRound(DealtHands):
    """One round: `due` is what comes next; `deal`, `decide`, `check` and `turn` are what comes."""

    def __init__(self, table: CardTable, stakes: "list[dict[str, object]]") -> None:
        """`stakes`: accepted ones. Raises CardsError where no hand is staked."""
        DealtHands.__init__(self, table, stakes)
        self.cards: list[int] = []
        self.places: list[str] = []
        self.has_turned = not table.rules["hole_card"]
        self.checked_black_jack = False
        self._house = table.house
        self._rules = table.rules
        self._articles = table.rules["articles"]
        # The first deal: each hand, the dealer, each hand, and his hole card where he has one.
        first = [(_TO_SEATS[seat.number], seat.hands[0]) for seat in self.seats]
        self._order = first + [(_TO_DEALER, self.dealer)] + first
        if table.rules["hole_card"]:
            self._order.append((_TO_HOLE, self.dealer))
        self._dealt = 0
        self._asked: list[Seat] | None = None  # who has yet to answer of insurance; None: not asked
        self._must_check = False
        self._at = (0, 0)  # the seat and hand that is played
        self.due: Due = self._order[0][0]

    # --- what comes -----------------------------------------------------------------------------

    def deal(self, card: int) -> None:
        """Takes the card that is due. Raises CardsError where none is, or decks have no more."""
        refuse_card(self, card)
        to: str = self.due.to
        self.cards.append(card)
        self.places.append(to)
        if self._dealt < len(self._order):
            hand = self._order[self._dealt][1]
            hand.add_card(card)
            self._dealt += 1
            if self._dealt < len(self._order):
                self.due = self._order[self._dealt][0]
                return
            self._close_deal()
        elif to == DEALER:
            self.dealer.add_card(card)
        else:
            seat, hand = self._hand()
            hand.add_card(card)
            hand.wants_card = False
            if hand.is_bust:
                hand.is_over = True
                self.busts.append((seat, self._at[1]))
            elif hand.is_doubled:
                hand.is_over = True
        self._go_on()

    def decide(
        self,
        seat: int,
        hand: int,
        do: str,
        cents: "int | None" = None,
        funds: "dict[object, int] | None" = None,
    ) -> None:
        """Takes the decision that is due. Raises CardsError for another one.

        `cents`: of an insurance or a double for less, where the game has them; None for all.
        `funds`: what who bets behind that seat has at this moment, cents by player; of whom it
        does not name, what his stake said and he has not spent.
        """
        due = self.due
        if do not in DECISIONS:
            raise CardsError(FORM, f"a decision is one of {', '.join(DECISIONS)}.")
        if due.kind == INSURANCE:
            self._answer(seat, hand, do, cents, funds)
        elif due.kind == DECISION and (due.seat, due.hand) == (seat, hand):
            if do not in due.choices:
                raise CardsError(*self._why_not(do))
            self._play(do, cents, funds)
        elif due.kind == DECISION:
            raise CardsError(
                self._articles["play"],
                f"seat {due.seat}, hand {due.hand} decides now, and not seat {seat}, hand {hand}.",
            )
        else:
            raise CardsError(self._articles["play"], f"nobody decides now, so no {do} is taken.")
        self._go_on()

    def check(self) -> bool:
        """Looks under the dealer's ace (2.7.8); returns whether it is a Black Jack."""
        if self.due.kind != CHECK:
            raise CardsError(self._articles["play"], "the hole card is not looked at now.")
        self._must_check = False
        self.checked_black_jack = self.dealer_has_black_jack()
        self._go_on()
        return self.checked_black_jack

    def turn(self) -> None:
        """Turns the hole card up."""
        if self.due.kind != TURN:
            raise CardsError(self._articles["play"], "the hole card is not turned now.")
        self.has_turned = True
        self._go_on()

    # --- what is next ---------------------------------------------------------------------------

    def _close_deal(self) -> None:
        """Notes what the first cards mean: pairs, and whether insurance is asked."""
        for seat in self.seats:
            seat.pair = tuple(seat.hands[0].cards)
        if self.dealer.cards[0] % 13 != deck.ACE:
            return
        self._must_check = not self.has_turned
        self._asked = [
            seat
            for seat in self.seats
            if self._house["insure_black_jack"] or not self.is_black_jack(seat.hands[0])
        ]

    def _go_on(self) -> None:
        """Works out `due`."""
        if self._asked:
            choices = tuple([seat.number for seat in self._asked])
            self.due = Due(INSURANCE, None, None, 1, choices)
        elif self._must_check:
            self.due = _CHECK
        elif not self.checked_black_jack and self._player_due():
            return
        elif not self.has_turned:
            self.due = _TURN
        else:
            self.due = _TO_DEALER if self._dealer_draws() else _DONE

    def _player_due(self) -> bool:
        """Finds the next hand that wants a card or decides; returns False where none does."""
        at_seat, at_hand = self._at
        while at_seat < len(self.seats):
            seat = self.seats[at_seat]
            while at_hand < len(seat.hands):
                self._at = (at_seat, at_hand)
                hand = seat.hands[at_hand]
                if not hand.is_over and self._hand_due(seat, hand):
                    return True
                at_hand += 1
            at_seat, at_hand = at_seat + 1, 0
        self._at = (at_seat, 0)
        return False

    def _hand_due(self, seat: Seat, hand: Hand) -> bool:
        number = self._at[1] + 1
        if hand.wants_card or len(hand.cards) == 1:
            to = "s" + str(seat.number) + ("" if number == 1 else "." + str(number))
            self.due = Due(CARD, to, seat.number, number, ())
            return True
        choices = self._choices(seat, hand)
        if not choices:
            hand.is_over = True
            return False
        self.due = Due(DECISION, None, seat.number, number, choices)
        return True

    def _choices(self, seat: Seat, hand: Hand) -> "tuple[str, ...]":
        """Returns what a hand that is not over may do; empty where it stands by itself."""
        if self.is_black_jack(hand):
            return ()
        may_split = self._may_split(seat, hand)
        if hand.is_split and hand.cards[0] % 13 == deck.ACE:
            return (STAND, SPLIT) if may_split else ()  # one card alone
        if hand.points == MOST and self._house["stand_on_21"]:
            return ()
        found = [HIT, STAND]
        if self._may_double(hand):
            found.append(DOUBLE)
        if may_split:
            found.append(SPLIT)
        return tuple(found)

    def _may_double(self, hand: Hand) -> bool:
        """Returns whether the rules let this hand double (II.4, 2.6.6)."""
        if len(hand.cards) != 2 or (hand.is_split and not self._house["das"]):
            return False
        points = self._rules["double_points"]
        if points is None or hand.points in points:
            return True
        return hand.is_soft and self._house["soft_double"] and hand.hard in points

    def _may_split(self, seat: Seat, hand: Hand) -> bool:
        """Returns whether the rules let this hand be split (II.3, 2.6.7)."""
        if len(hand.cards) != 2:
            return False
        one, other = hand.cards
        if deck.POINTS[one] != deck.POINTS[other]:
            return False
        house = self._house
        if house["similar_only"] and one % 13 != other % 13:
            return False
        if house["max_hands"] and len(seat.hands) >= house["max_hands"]:
            return False
        return not hand.is_split or one % 13 != deck.ACE or bool(house["resplit_aces"])

    def _why_not(self, do: str) -> "tuple[str, str]":
        """Returns rule and sentence for a decision that the playing hand does not have."""
        seat, hand = self._hand()
        articles = self._articles
        if do in (INSURE, NO_INSURANCE):
            return articles["insure"], "insurance is not offered now."
        if do == DOUBLE:
            return articles["double"], self._why_no_double(hand)
        return articles["split"], self._why_no_split(seat, hand) if do == SPLIT else _ONE_CARD

    def _why_no_double(self, hand: Hand) -> str:
        points = self._rules["double_points"]
        if len(hand.cards) != 2:
            return "only the first two cards may be doubled."
        if hand.is_split and hand.cards[0] % 13 == deck.ACE:
            return _ONE_CARD
        if hand.is_split and not self._house["das"]:
            return "this house does not let a split hand double."
        words = ", ".join([str(each) for each in points])
        return f"a hand is doubled with {words} points, and this one has {hand.points}."

    def _why_no_split(self, seat: Seat, hand: Hand) -> str:
        if len(hand.cards) != 2:
            return "only the first two cards may be split."
        one, other = hand.cards
        if deck.POINTS[one] != deck.POINTS[other]:
            return "only two cards of the same value may be split."
        if self._house["similar_only"] and one % 13 != other % 13:
            return "this house lets only similar cards be split."
        if self._house["max_hands"] and len(seat.hands) >= self._house["max_hands"]:
            return f"a seat has {self._house['max_hands']} hands at most."
        return "aces are split once."

    def _dealer_draws(self) -> bool:
        """Returns whether the dealer, his cards open and all hands played, draws another."""
        dealer, house = self.dealer, self._house
        compared = [
            hand
            for seat in self.seats
            for hand in seat.hands
            if not hand.is_bust and not self.is_black_jack(hand)
        ]
        if not compared and house["stop_when_decided"]:
            return len(dealer.cards) == 1 and self._waits_for_second()
        if len(dealer.cards) < 2:
            return True
        if dealer.points == _STOPS_AT and dealer.is_soft:
            return bool(house["h17"])
        return dealer.points < _STOPS_AT

    def _waits_for_second(self) -> bool:
        """Returns whether the dealer's second card alone decides something."""
        if deck.POINTS[self.dealer.cards[0]] not in (1, 10):
            return False
        for seat in self.seats:
            # A hand that is not lost here is a Black Jack, and alone on its seat.
            if seat.insured_cents or not seat.hands[0].is_bust:
                return True
            for stake in self.side[seat.number]:
                if stake["bet"] != "perfect_pairs":
                    return True
        return False

    # --- decisions ------------------------------------------------------------------------------

    def _hand(self) -> "tuple[Seat, Hand]":
        seat = self.seats[self._at[0]]
        return seat, seat.hands[self._at[1]]

    def costs(self, number: int) -> "dict[str, tuple[int, int]]":
        """Returns what each decision that is due of a seat and lays money costs its player: the
        least and the most, cents.
        """
        due, seat = self.due, self.by_number[number]
        if seat is None:
            return {}
        if due.kind == INSURANCE and number in due.choices:
            return {INSURE: self._insurance_range(seat)}
        if due.kind != DECISION or due.seat != number:
            return {}
        _, hand = self._hand()
        found = {DOUBLE: self._double_range(hand), SPLIT: (hand.stake_cents, hand.stake_cents)}
        return {do: found[do] for do in found if do in due.choices}

    def _answer(
        self,
        number: int,
        hand: int,
        do: str,
        cents: "int | None",
        funds: "dict[object, int] | None",
    ) -> None:
        """Takes one seat's answer of insurance."""
        article = self._articles["insure"]
        asked = [each for each in self._asked or () if each.number == number]
        if do not in (INSURE, NO_INSURANCE):
            raise CardsError(article, f"insurance is answered first, so no {do} is taken.")
        if not asked or hand != 1:
            raise CardsError(article, f"seat {number}, hand {hand} is not asked for insurance.")
        seat = asked[0]
        if do == INSURE:
            self._insure(seat, cents, funds)
        elif cents is not None:
            raise CardsError(FORM, f"a {do} has no cents of its own.")
        self._asked = [each for each in self._asked or () if each is not seat]

    def _insurance_unit(self) -> int:
        return int(self._house["unit_cents"]) if self._rules["insurance_less"] else 1

    def _insurance_range(self, seat: Seat) -> "tuple[int, int]":
        unit = self._insurance_unit()
        most = -(-seat.hands[0].stake_cents // 2 // unit) * unit
        return unit if self._rules["insurance_less"] else most, most

    def _insure(self, seat: Seat, cents: "int | None", funds: "dict[object, int] | None") -> None:
        main, unit = seat.hands[0], self._insurance_unit()
        least, most = self._insurance_range(seat)
        if cents is None:
            cents = most
        if type(cents) is not int or not least <= cents <= most or cents % unit:
            words = _range(least, most)
            why = f"an insurance of seat {seat.number} is {words} cents."
            if unit > 1:
                why = f"an insurance of seat {seat.number} is {words} cents, in chips of {unit}."
            raise CardsError(self._articles["insure"], why)
        seat.insured_cents = cents
        _know_funds(seat, funds)
        for part in main.parts:
            if not self._house["follow_insured"]:
                continue
            share = part.stake_cents * cents // main.stake_cents
            if part.follower.pay(share):
                part.follower.insured_cents = share

    def _play(self, do: str, cents: "int | None", funds: "dict[object, int] | None") -> None:
        seat, hand = self._hand()
        if cents is not None and do != DOUBLE:
            raise CardsError(FORM, f"a {do} has no cents of its own.")
        if do == HIT:
            hand.wants_card = True
        elif do == STAND:
            hand.is_over = True
        elif do == DOUBLE:
            self._double(seat, hand, cents, funds)
        else:
            _know_funds(seat, funds)
            self._split(seat, hand)

    def _double_range(self, hand: Hand) -> "tuple[int, int]":
        most = hand.stake_cents
        return 1 if self._rules["double_less"] else most, most

    def _double(
        self, seat: Seat, hand: Hand, cents: "int | None", funds: "dict[object, int] | None"
    ) -> None:
        least, most = self._double_range(hand)
        added = most if cents is None else cents
        if type(added) is not int or not least <= added <= most:
            raise CardsError(
                self._articles["double"], f"a double adds {_range(least, most)} cents."
            )
        _know_funds(seat, funds)
        hand.added_cents = added
        hand.is_doubled = True
        hand.wants_card = True
        parts = []
        for part in hand.parts:
            share = part.stake_cents * added // hand.stake_cents
            follows = part.follower.follows and part.follower.pay(share)
            parts.append(Part(part.follower, part.stake_cents, share if follows else 0))
        hand.parts = parts

    def _split(self, seat: Seat, hand: Hand) -> None:
        """Splits: the right hand keeps the first card and is played first."""
        parts = [
            part
            for part in hand.parts
            if part.follower.follows and part.follower.pay(part.stake_cents)
        ]
        first, second = hand.cards
        right = Hand(hand.stake_cents, hand.parts, True)
        right.add_card(first)
        left = Hand(hand.stake_cents, parts, True)
        left.add_card(second)
        at = self._at[1]
        seat.hands[at : at + 1] = [right, left]

    # --- what is paid ---------------------------------------------------------------------------

    def payments(self) -> "list[CardPayment]":
        """Returns the payments in their order (rules/cards/round.py)."""
        return blackjack_payments.payments(self)

    def outcome(self) -> "dict[str, object]":
        """Returns what came: the dealer's cards and points, each hand with its result."""
        return blackjack_payments.outcome(self)


def _know_funds(seat: Seat, funds: "dict[object, int] | None") -> None:
    """Notes what who bets behind a seat has now. Its first hand has them all."""
    for part in seat.hands[0].parts if funds is not None else ():
        if part.follower.player in funds:  # type: ignore[operator]
            part.follower.funds_cents = funds[part.follower.player]  # type: ignore[index]


def _range(least: int, most: int) -> str:
    return str(most) if least == most else f"from {least} to {most}"
