"""What a house chooses of a card table's round beside its rules: times, burned cards, who confirms.

CARDS section 2: the times are the house's own; none of them makes a card.
"""

from firmware.core.cards.facts import SHOE
from firmware.core.house import AUTO
from firmware.shims.typed import NamedTuple

# Times of firmware/core/coup/timers.py, by what they are for here.
BETS = 0  # stakes close by themselves
DECISION = 1  # a hand that does not decide stands
INSURANCE = 2  # who has not answered is not insured
CARD = 3  # the croupier is reminded of the card that is due

CardHouse = NamedTuple(
    "CardHouse",
    [
        ("confirm", str),  # who makes a round's result official: AUTO or CROUPIER
        ("bets_us", int),
        ("decision_us", int),
        ("insurance_us", int),
        ("card_us", int),
        ("burned", int),  # cards burned after a shuffle (Live 2.7.5: six)
        ("count_at_change", bool),  # what is left in a shoe is counted as it is changed
        ("reader", str),  # facts.SHOE, BARCODE; PEOPLE: the croupier types every card in
    ],
)
HOUSE = CardHouse(AUTO, 20_000_000, 15_000_000, 10_000_000, 30_000_000, 6, True, SHOE)
