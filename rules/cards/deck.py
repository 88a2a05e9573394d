"""Cards: 0 to 51, which is 13 * suit + rank; "TH" in files, "10♥" on screens.

Seeds 003, s. 2.5: "Un paquet de cartes [...] contient 52 cartes de quatre couleurs (cœur, carreau,
trèfle et pique)". There is no joker, and the cut card is no card.
"""

from rules.limits import WrongInput, quoted

RANKS = "A23456789TJQK"
SUITS = "SHDC"  # pique, cœur, carreau, trèfle
CARDS = 52
ACE = 0
TEN = 9  # the rank; valet, dame and roi follow
HEARTS = 1

# By card: ace 1, ten and figures 10 (s. 2.5).
POINTS = tuple([min(card % 13 + 1, 10) for card in range(CARDS)])
_FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R")
_FRENCH_SUITS = "♠♥♦♣"
_CODES = {}
for _card in range(CARDS):
    _CODES[RANKS[_card % 13] + SUITS[_card // 13]] = _card


def card_of(text: object) -> int:
    """Returns the card written as "TH". Raises WrongInput for what is no card."""
    found = _CODES.get(text) if isinstance(text, str) else None
    if found is None:
        raise WrongInput(
            f"there is no card {quoted(text)}: a card is a rank of {RANKS} and a suit of {SUITS},"
            ' as "TH" for the ten of hearts.'
        )
    return found


def text_of(card: int) -> str:
    """Returns a card as files have it: "TH"."""
    return RANKS[card % 13] + SUITS[card // 13]


def french(card: int) -> str:
    """Returns a card as screens have it: "10♥", "V♠"."""
    return _FRENCH_RANKS[card % 13] + _FRENCH_SUITS[card // 13]


def points_text(cards: "list[int]", blackjack: bool) -> str:
    """Returns the points of open cards as a screen has them: "7/17" where an ace is 1 or 11.

    Where it is not black jack, they are those of baccarat: the last digit.
    """
    hard = sum([POINTS[card] for card in cards])
    if not blackjack:
        return str(hard % 10)
    if hard > 11 or not [card for card in cards if card % 13 == ACE]:
        return str(hard)
    return "21" if hard == 11 and len(cards) > 1 else f"{hard}/{hard + 10}"


def rank_of(card: int) -> int:
    """Returns its rank: 0 the ace, 9 the ten, 12 the roi."""
    return card % 13


def suit_of(card: int) -> int:
    """Returns its suit: its place in SUITS."""
    return card // 13


def is_red(card: int) -> bool:
    """Returns whether it is a cœur or a carreau."""
    return card // 13 in (1, 2)


def too_often(cards: "list[int]", decks: int) -> "int | None":
    """Returns a card that is there more often than so many decks have it; None if none is."""
    if len(cards) <= decks:
        return None
    counts = [0] * CARDS
    for card in cards:
        counts[card] += 1
        if counts[card] > decks:
            return card
    return None
