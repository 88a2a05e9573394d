"""What a round of black jack pays, and what came: read once the round is over."""

from rules.cards import deck
from rules.cards.due import CardPayment
from rules.cards.hands import MOST, DealtHands, Hand, Seat
from rules.cards.stakes import SEATS

# How a hand ends against the dealer.
BUST = "bust"
BLACK_JACK = "black_jack"
WINS = "wins"
EQUAL = "equal"
LOSES = "loses"
LOST_TO_BLACK_JACK = "lost_to_black_jack"


def result_of(dealt: DealtHands, hand: Hand) -> str:
    """Returns how a hand ends against the dealer: BUST, BLACK_JACK, WINS ..."""
    dealer = dealt.dealer
    if hand.is_bust:
        return BUST
    has = dealt.is_black_jack(hand)
    if dealt.dealer_has_black_jack():
        equals = dealt.table.house.get("split_21_equals_black_jack", False)
        if has or (equals and hand.is_split and len(hand.cards) == 2 and hand.points == MOST):
            return EQUAL
        return LOST_TO_BLACK_JACK
    if has:
        return BLACK_JACK
    if dealer.is_bust or hand.points > dealer.points:
        return WINS
    return EQUAL if hand.points == dealer.points else LOSES


def _wins(dealt: DealtHands, result: str, number: int, hand: Hand) -> "tuple[int, int]":
    """Returns how many halves of a stake on a hand are won, and of what was added to it."""
    if result == WINS:
        return 2, 2
    if result == EQUAL:
        return 0, 0
    if result == BLACK_JACK:
        return 3, 0  # stakes are even
    if result == LOST_TO_BLACK_JACK:
        if hand.is_split and number > 1 and not dealt.table.house["dealer_bj_takes_split"]:
            return 0, 0
        return -2, 0 if dealt.table.rules["double_returned"] else -2
    returned = dealt.table.house.get("bust_double_returned", False)
    if result == BUST and returned and dealt.dealer_has_black_jack():
        return -2, 0
    return -2, -2


def payments(dealt: DealtHands) -> "list[CardPayment]":
    """Returns the payments in their order (rules/cards/round.py)."""
    found = _pairs(dealt)
    for seat, at in dealt.busts:
        _add_hand(dealt, seat, at, found)
    insured = _insurances(dealt)
    black_jack = dealt.dealer_has_black_jack()
    if not black_jack:
        found.extend(insured)
    for number in range(SEATS, 0, -1):
        here = dealt.by_number[number]
        if here is not None:
            for at in range(len(here.hands) - 1, -1, -1):
                if not here.hands[at].is_bust:
                    _add_hand(dealt, here, at, found)
        for stake in dealt.behind_empty[number]:
            cents: int = stake["cents"]  # type: ignore[assignment]
            found.append(CardPayment(stake["player"], "behind", number, 1, cents, 0, cents))
    if black_jack:
        found.extend(insured)
    found.extend(_super_jack(dealt))
    return found


def _add_hand(dealt: DealtHands, seat: Seat, at: int, found: "list[CardPayment]") -> None:
    """Adds what a seat's own stake on one hand is paid, and those behind it."""
    hand, number = seat.hands[at], at + 1
    of_stake, of_added = _wins(dealt, result_of(dealt, hand), number, hand)
    stake, added, place = hand.stake_cents, hand.added_cents, seat.number
    laid, won = stake + added, (stake * of_stake + added * of_added) // 2
    found.append(CardPayment(seat.player, "main", place, number, laid, won, laid + won))
    for follower, stake, added in hand.parts:
        laid, won = stake + added, (stake * of_stake + added * of_added) // 2
        found.append(CardPayment(follower.player, "behind", place, number, laid, won, laid + won))


def _insurances(dealt: DealtHands) -> "list[CardPayment]":
    """From the last seat to the first, each with its followers (II.1: "de droite à gauche")."""
    found: list[CardPayment] = []
    pays = 2 if dealt.dealer_has_black_jack() else -1
    for at in range(len(dealt.seats) - 1, -1, -1):
        seat = dealt.seats[at]
        cents = seat.insured_cents
        if not cents:
            continue
        number, won = seat.number, pays * cents
        found.append(CardPayment(seat.player, "insurance", number, 1, cents, won, cents + won))
        for part in seat.hands[0].parts:
            cents = part.follower.insured_cents
            if cents:
                won = pays * cents
                player = part.follower.player
                found.append(
                    CardPayment(player, "insurance_behind", number, 1, cents, won, cents + won)
                )
    return found


def _pairs(dealt: DealtHands) -> "list[CardPayment]":
    """Perfect Pairs, by seat: paid or lost at once."""
    found: list[CardPayment] = []
    for seat in dealt.seats:
        for stake in dealt.side[seat.number]:
            if stake["bet"] == "perfect_pairs":
                cents: int = stake["cents"]  # type: ignore[assignment]
                won = cents * _pair_pays(dealt, seat.pair)
                found.append(
                    CardPayment(
                        seat.player, "perfect_pairs", seat.number, 1, cents, won, cents + won
                    )
                )
    return found


def pair_of(dealt: DealtHands, pair: "tuple[int, ...]") -> "int | None":
    """Returns which Perfect Pair it is: 0 of one suit, 1 of one colour, 2 mixed; or None."""
    one, other = pair
    if one == other:
        return 0
    by_rank = dealt.table.house["pair_by_rank"]
    if one % 13 != other % 13 if by_rank else deck.POINTS[one] != deck.POINTS[other]:
        return None
    return 1 if deck.is_red(one) == deck.is_red(other) else 2


def _pair_pays(dealt: DealtHands, pair: "tuple[int, ...]") -> int:
    found = pair_of(dealt, pair)
    return -1 if found is None else int(dealt.table.bets["perfect_pairs"].pays[found])


def super_jacks(dealt: DealtHands) -> "tuple[str, ...]":
    """Returns the lines of the Super-Jack that the dealer's first two cards win."""
    if not dealt.dealer_has_black_jack():
        return ()
    one, other = dealt.dealer.cards
    if deck.suit_of(one) != deck.suit_of(other):
        return ("super_black",)
    if deck.suit_of(one) != deck.HEARTS:
        return ("super_black", "super_silver")
    return ("super_black", "super_silver", "super_gold")


def _super_jack(dealt: DealtHands) -> "list[CardPayment]":
    """The line's losing pieces, then the winning ones, each from the last seat to the first."""
    lost: list[CardPayment] = []
    won: list[CardPayment] = []
    wins = super_jacks(dealt)
    for number in range(SEATS, 0, -1):
        for stake in dealt.side[number]:
            bet: str = stake["bet"]  # type: ignore[assignment]
            if not bet.startswith("super_"):
                continue
            cents: int = stake["cents"]  # type: ignore[assignment]
            gain, rows = -cents, lost
            if bet in wins:
                kept = dealt.table.house["super_jack_stake_kept"]
                gain = cents * (dealt.table.bets[bet].pays[0] - (0 if kept else 1))
                rows = won
            rows.append(CardPayment(stake["player"], bet, number, 1, cents, gain, cents + gain))
    return lost + won


def outcome(dealt: DealtHands) -> "dict[str, object]":
    """Returns what came: the dealer's cards and points, each hand with its result."""
    dealer = dealt.dealer
    hands = []
    for seat in dealt.seats:
        for at in range(len(seat.hands)):
            hand = seat.hands[at]
            hands.append(
                {
                    "seat": seat.number,
                    "hand": at + 1,
                    "cards": [deck.text_of(card) for card in hand.cards],
                    "points": hand.points,
                    "black_jack": dealt.is_black_jack(hand),
                    "result": result_of(dealt, hand),
                }
            )
    return {
        "dealer": {
            "cards": [deck.text_of(card) for card in dealer.cards],
            "points": dealer.points,
            "black_jack": dealt.dealer_has_black_jack(),
        },
        "hands": hands,
    }
