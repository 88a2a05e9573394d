"""Kinds of the rows that a card table writes; firmware/stakes/card_round.py reads a round in them.

Apart from that, so that who only stores rows need not have the rules of a round.
"""

SHOE: str = "card_shoe"
# What its `what` may be.
SHOE_WHATS = ("loaded", "begun", "missed", "doubted", "cut", "ended", "confirmed", "counted")
ROUND: str = "card_round"
STAKES: str = "card_stakes"
CARD_ROW: str = "card"
CARD_BACK: str = "card_back"
HELD: str = "card_held"  # why the round is held, None: it goes on
ENGAGEMENT: str = "card_engagement"
RESULT: str = "card_result"
VOID: str = "card_void"
CORRECTION: str = "card_correction"
PAID: str = "card_paid"
CLEARED: str = "card_cleared"
# Of which accounts are folded (card_money.py).
MONEY = (STAKES, CARD_ROW, CARD_BACK, ENGAGEMENT, RESULT, VOID, CORRECTION, PAID)
