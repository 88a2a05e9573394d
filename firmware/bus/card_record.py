"""What a record says of a round of cards, and whether that agrees with itself.

Cards are bytes, 0 to 51, as rules/cards/deck.py numbers them.
"""

from firmware.bus.messages import BACCARAT, BLACKJACK
from firmware.shims.typed import Any
from rules.cards import deck, drawing

# A dealer of black jack who draws to soft 17 has 13 at most: seven aces, a five, four aces, and
# one card more.
CARDS_MAX = 13
DECKS_MAX = 8
POINTS_MAX = 26  # of a dealer: a ten on 16
PLAYER, BANKER, TIE = "player", "banker", "tie"
WINNERS: "tuple[tuple[int, str], ...]" = ((1, PLAYER), (2, BANKER), (3, TIE))

# What the outcome of a round is, by its game.
_DEALT = ("seal", "decks", "cards")
OUTCOMES: "dict[str, tuple[str, ...]]" = {
    BACCARAT: _DEALT + ("winner", "player_points", "banker_points"),
    BLACKJACK: _DEALT + ("dealer_points",),
}
# How its cards were read.
READ: "tuple[str, ...]" = ("authenticated", "verified")
# What any outcome is, in the order of the keys.
OUTCOME = _DEALT + ("winner", "player_points", "banker_points", "dealer_points")


def are_cards(value: bytes) -> bool:
    """Tells whether these bytes are cards, one at least and no more than one hand has."""
    return 0 < len(value) <= CARDS_MAX and max(value) < deck.CARDS


def agrees(values: "dict[str, Any]") -> bool:
    """Tells whether the outcome of a round, if it is there, is whole, and what its cards make.

    `values`: fields of a record by name.
    """
    if values.get("verified") and "manual" in values:
        return False  # people or the shoe, never both
    there = [name for name in OUTCOMES[values["game"]] if name in values]
    if not there:
        return True
    if len(there) < len(OUTCOMES[values["game"]]):
        return False
    cards = list(values["cards"])
    if deck.too_often(cards, values["decks"]) is not None:
        return False
    if values["game"] == BLACKJACK:
        return bool(values["dealer_points"] == dealer_points(cards))
    told = (values["winner"], values["player_points"], values["banker_points"])
    return told == baccarat(cards)


def dealer_points(cards: "list[int]") -> int:
    """Gives the best points of a dealer's hand: one ace counts 11 where that is no more than 21."""
    points = [deck.POINTS[card] for card in cards]
    return sum(points) + 10 if 1 in points and sum(points) <= 11 else sum(points)


def baccarat(cards: "list[int]") -> "tuple[str, int, int] | None":
    """Gives the winner and the points of player and banker, of all cards in the order of the deal;
    None if a round does not end with them.
    """
    hands = drawing.hands_of(cards)
    if hands is None:
        return None
    player, banker = [drawing.points_of(hand) for hand in hands]
    if player == banker:
        return TIE, player, banker
    return PLAYER if player > banker else BANKER, player, banker
