"""A bet at a card game, one row of its rules."""

from collections import namedtuple

# `pays`: n of n:1 as (n, 1), or what its own winning kinds pay, as Perfect Pairs. `grain_cents`:
# stakes are multiples of it, so that all that is paid is whole cents. `on`: the bet that the same
# player must have on the same seat, or None. `side`: the article by which a table takes it only
# where its house names it (Luxembourg art. 49-16: "Les jeux annexes peuvent être organisés [...]
# après agrément"); None where every table takes it.
CardBet = namedtuple("CardBet", ("name", "pays", "grain_cents", "on", "side", "article"))

# Names of bets as people write them; the others are called as in the rules.
_FRENCH = {
    "main": "mise",
    "behind": "derrière",
    "insurance": "assurance",
    "insurance_behind": "assurance derrière",
    "perfect_pairs": "Perfect Pairs",
    "super_black": "Super-Jack, Black Jack",
    "super_silver": "Super-Jack, Silver Jack",
    "super_gold": "Super-Jack, Gold Jack",
    "player": "joueur",
    "banker": "banquier",
    "tie": "égalité",
    "dragon_player": "Dragon Bonus, joueur",
    "dragon_banker": "Dragon Bonus, banquier",
}


def french(bet: str) -> str:
    """Returns a bet's name as people write it."""
    return _FRENCH.get(bet, bet)
