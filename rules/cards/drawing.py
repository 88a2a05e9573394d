"""The drawing of baccarat: whose the next card is, by the cards that lie. No table, no stakes.

Nobody may ask for or refuse a card: a third one is due, or there is none (seeds 003, s. 3.2).
"""

from rules.cards import deck

PLAYER = "P"
BANKER = "B"
_NATURAL = 8  # points of two cards, or 9: nobody draws (s. 3.2)
_PLAYER_STANDS = 6
# What the player's third card must be worth for the banker to draw, by the banker's points (3.3).
_BANKER_DRAWS = {
    3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
    4: (2, 3, 4, 5, 6, 7),
    5: (4, 5, 6, 7),
    6: (6, 7),
}
_FIRST = (PLAYER, BANKER, PLAYER, BANKER)


def points_of(cards: "list[int]") -> int:
    """Returns the last digit of their sum (s. 3.2: "5 + 5 + 5 = 15 = 5")."""
    return sum([deck.POINTS[card] for card in cards]) % 10


def banker_draws(points: int, third: "int | None") -> bool:
    """Returns whether the banker draws with so many points of two cards, nobody having a natural.

    `third`: points of the player's third card, 0 for a ten; None where he stood.
    """
    if points <= 2:
        return True
    if third is None:
        return points < _PLAYER_STANDS
    return third in _BANKER_DRAWS.get(points, ())


def next_side(player: "list[int]", banker: "list[int]") -> "str | None":
    """Returns whose card is next: PLAYER's or BANKER's; None where all are dealt."""
    count = len(player) + len(banker)
    if count < len(_FIRST):
        return _FIRST[count]
    if len(banker) > 2:
        return None
    if len(player) > 2:
        third: int | None = deck.POINTS[player[2]] % 10
    else:
        points = points_of(player)
        if points >= _NATURAL or points_of(banker) >= _NATURAL:
            return None
        if points < _PLAYER_STANDS:
            return PLAYER
        third = None
    return BANKER if banker_draws(points_of(banker), third) else None


def is_natural(player: "list[int]", banker: "list[int]") -> bool:
    """Returns whether the side that wins, or each in a tie, has 8 or 9 with two cards."""
    if len(player) + len(banker) != len(_FIRST):
        return False
    return max(points_of(player), points_of(banker)) >= _NATURAL


def hands_of(cards: "list[int]") -> "tuple[list[int], list[int]] | None":
    """Returns the hands of player and banker that a round's cards make, dealt in this order.

    None where a card is missing, or none was due.
    """
    player: list[int] = []
    banker: list[int] = []
    for card in cards:
        side = next_side(player, banker)
        if side is None:
            return None
        (player if side == PLAYER else banker).append(card)
    return None if next_side(player, banker) is not None else (player, banker)
