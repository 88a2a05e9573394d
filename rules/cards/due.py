"""What is due next in a round, and what a round pays: the words that every reader shares."""

from collections import namedtuple

from rules.cards import deck
from rules.cards.errors import CardsError

CARD = "card"  # a card, to `to`
DECISION = "decision"  # of `seat` and `hand`, one of `choices`
INSURANCE = "insurance"  # of each seat in `choices`, in any order
CHECK = "check"  # the croupier looks under the dealer's ace
TURN = "turn"  # the hole card is turned up
DONE = "done"  # the round is to be settled

# What may be decided at black jack.
HIT = "hit"
STAND = "stand"
DOUBLE = "double"
SPLIT = "split"
INSURE = "insure"
NO_INSURANCE = "no_insurance"
DECISIONS = (INSURE, NO_INSURANCE, HIT, STAND, DOUBLE, SPLIT)

# `to`: where a card goes: "s3", "s3.2" (a second hand), "d", "d*" (the hole card), "P", "B".
Due = namedtuple("Due", ("kind", "to", "seat", "hand", "choices"))
# `won_cents`: the gain, negative for what is lost. `returned_cents`: what is returned in all.
# `seat`, `hand`: None at baccarat.
CardPayment = namedtuple(
    "CardPayment", ("player", "bet", "seat", "hand", "stake_cents", "won_cents", "returned_cents")
)


def refuse_card(round_, card: int) -> None:  # type: ignore[no-untyped-def]
    """Raises CardsError where no card is due, or where the decks have no such card any more."""
    articles = round_.table.rules["articles"]
    if round_.due.kind != CARD:
        raise CardsError(
            articles["draw"],
            f"no card is due after {len(round_.cards)} cards, so {deck.text_of(card)} is one too"
            " many.",
        )
    if round_.cards.count(card) >= round_.table.decks:
        raise CardsError(
            articles["cards"],
            f"{deck.text_of(card)} has come {round_.table.decks} times, and {round_.table.decks}"
            " decks have no more.",
        )
