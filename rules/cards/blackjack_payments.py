"""What a round of black jack pays, and what came: read once the round is over."""

from rules.cards import deck
from rules.cards.due import CardPayment
from rules.cards.hands import MOST, Cloth, Hand, Seat
from rules.cards.stakes import SEATS

# How a hand ends against the dealer.
BUST = "bust"
BLACK_JACK = "black_jack"
WINS = "wins"
EQUAL = "equal"
LOSES = "loses"
LOST_TO_BLACK_JACK = "lost_to_black_jack"


def result_of(cloth: Cloth, hand: Hand) -> str:
    """Returns how a hand ends against the dealer: BUST, BLACK_JACK, WINS ..."""
    dealer = cloth.dealer
    if hand.is_bust:
        return BUST
    has = cloth.is_black_jack(hand)
    if cloth.dealer_has_black_jack():
        equals = cloth.table.house.get("split_21_equals_black_jack", False)
        if has or (equals and hand.is_split and len(hand.cards) == 2 and hand.points == MOST):
            return EQUAL
        return LOST_TO_BLACK_JACK
    if has:
        return BLACK_JACK
    if dealer.is_bust or hand.points > dealer.points:
        return WINS
    return EQUAL if hand.points == dealer.points else LOSES


def _won(cloth: Cloth, result: str, number: int, hand: Hand, stake: int, added: int) -> int:
    """Returns what stake and addition on a hand win."""
    if result == WINS:
        return stake + added
    if result == EQUAL:
        return 0
    if result == BLACK_JACK:
        return stake * 3 // 2  # stakes are even
    if result == LOST_TO_BLACK_JACK:
        if hand.is_split and number > 1 and not cloth.table.house["dealer_bj_takes_split"]:
            return 0
        return -stake if cloth.table.rules["double_returned"] else -(stake + added)
    if (
        result == BUST
        and cloth.table.house.get("bust_double_returned")
        and (cloth.dealer_has_black_jack())
    ):
        return -stake
    return -(stake + added)


def payments(cloth: Cloth) -> "list[CardPayment]":
    """Returns the payments in their order (rules/cards/round.py)."""
    found = _pairs(cloth)
    for seat, at in cloth.busts:
        found.extend(_of_hand(cloth, seat, at))
    insured = _insurances(cloth)
    black_jack = cloth.dealer_has_black_jack()
    if not black_jack:
        found.extend(insured)
    empty = [stake for stake in cloth.stakes if _is_behind_empty(cloth, stake)]
    for number in range(SEATS, 0, -1):
        here = cloth.by_number[number]
        for at in range(len(here.hands) - 1, -1, -1) if here else ():
            assert here is not None
            if not here.hands[at].is_bust:
                found.extend(_of_hand(cloth, here, at))
        for stake in empty:
            if stake["seat"] == number:
                cents: int = stake["cents"]  # type: ignore[assignment]
                found.append(CardPayment(stake["player"], "behind", number, 1, cents, 0, cents))
    if black_jack:
        found.extend(insured)
    return found + _super_jack(cloth)


def _is_behind_empty(cloth: Cloth, stake: "dict[str, object]") -> bool:
    number: int = stake["seat"]  # type: ignore[assignment]
    return stake["bet"] == "behind" and cloth.by_number[number] is None


def _of_hand(cloth: Cloth, seat: Seat, at: int) -> "list[CardPayment]":
    """The seat's own stake on one hand, and those behind it."""
    hand, number = seat.hands[at], at + 1
    result = result_of(cloth, hand)
    rows = [(seat.player, "main", hand.stake_cents, hand.added_cents)]
    for part in hand.parts:
        rows.append((part.follower.player, "behind", part.stake_cents, part.added_cents))
    found = []
    for player, bet, stake, added in rows:
        won = _won(cloth, result, number, hand, stake, added)
        laid = stake + added
        found.append(CardPayment(player, bet, seat.number, number, laid, won, laid + won))
    return found


def _insurances(cloth: Cloth) -> "list[CardPayment]":
    """From the last seat to the first, each with its followers (II.1: "de droite à gauche")."""
    found = []
    pays = 2 if cloth.dealer_has_black_jack() else -1
    for at in range(len(cloth.seats) - 1, -1, -1):
        seat = cloth.seats[at]
        rows = [(seat.player, "insurance", seat.insured_cents)]
        for part in seat.hands[0].parts:
            rows.append((part.follower.player, "insurance_behind", part.follower.insured_cents))
        for player, bet, cents in rows:
            if cents:
                won = pays * cents
                found.append(CardPayment(player, bet, seat.number, 1, cents, won, cents + won))
    return found


def _pairs(cloth: Cloth) -> "list[CardPayment]":
    """Perfect Pairs, by seat: paid or lost at once."""
    found = []
    for seat in cloth.seats:
        for stake in cloth.stakes:
            if stake["bet"] == "perfect_pairs" and stake["seat"] == seat.number:
                cents: int = stake["cents"]  # type: ignore[assignment]
                won = cents * _pair_pays(cloth, seat.pair)
                found.append(
                    CardPayment(
                        seat.player, "perfect_pairs", seat.number, 1, cents, won, cents + won
                    )
                )
    return found


def _pair_pays(cloth: Cloth, pair: "tuple[int, ...]") -> int:
    one, other = pair
    perfect, coloured, mixed = cloth.table.bets["perfect_pairs"].pays
    if one == other:
        return int(perfect)
    by_rank = cloth.table.house["pair_by_rank"]
    if one % 13 != other % 13 if by_rank else deck.POINTS[one] != deck.POINTS[other]:
        return -1
    return int(coloured) if deck.is_red(one) == deck.is_red(other) else int(mixed)


def _super_jack(cloth: Cloth) -> "list[CardPayment]":
    """The line's losing pieces, then the winning ones, each from the last seat to the first."""
    lost: list[CardPayment] = []
    won: list[CardPayment] = []
    cards = cloth.dealer.cards
    has = cloth.dealer_has_black_jack()
    one_suit = has and cards[0] // 13 == cards[1] // 13
    wins = {
        "super_black": has,
        "super_silver": one_suit,
        "super_gold": one_suit and cards[0] // 13 == deck.HEARTS,
    }
    for number in range(SEATS, 0, -1):
        for stake in cloth.stakes:
            bet: str = stake["bet"]  # type: ignore[assignment]
            if bet not in wins or stake["seat"] != number:
                continue
            cents: int = stake["cents"]  # type: ignore[assignment]
            gain = -cents
            if wins[bet]:
                kept = cloth.table.house["super_jack_stake_kept"]
                gain = cents * (cloth.table.bets[bet].pays[0] - (0 if kept else 1))
            rows = won if wins[bet] else lost
            rows.append(CardPayment(stake["player"], bet, number, 1, cents, gain, cents + gain))
    return lost + won


def outcome(cloth: Cloth) -> "dict[str, object]":
    """Returns what came: the dealer's cards and points, each hand with its result."""
    dealer = cloth.dealer
    hands = []
    for seat in cloth.seats:
        for at in range(len(seat.hands)):
            hand = seat.hands[at]
            hands.append(
                {
                    "seat": seat.number,
                    "hand": at + 1,
                    "cards": [deck.text_of(card) for card in hand.cards],
                    "points": hand.points,
                    "black_jack": cloth.is_black_jack(hand),
                    "result": result_of(cloth, hand),
                }
            )
    return {
        "dealer": {
            "cards": [deck.text_of(card) for card in dealer.cards],
            "points": dealer.points,
            "black_jack": cloth.dealer_has_black_jack(),
        },
        "hands": hands,
    }
