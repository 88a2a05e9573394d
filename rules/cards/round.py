"""A round of a card game, whichever it is: the one face of the engines, and a whole round played.

    table = open_table(rules.load("blackjack_lu"), decks=6)
    accepted, refused = accept(table, stakes)
    round_ = open_round(table, accepted)
    while next_card(round_).kind != DONE:
        ...  # round_.deal(card), round_.decide(seat, hand, do), round_.check(), round_.turn()
    round_.payments()

Guided dealing, the check of a round handed in and the settlement read `next_card` alike.

Order of payment: Perfect Pairs by seat; hands over 21 as they fell; insurances, where the dealer
has no Black Jack; hands from the last seat's last to the first, each with the stakes behind it;
insurances, where he has one; Super-Jack, losing then winning. Baccarat: losing, winning, then the
Dragon Bonus likewise.
"""

from rules.cards import deck
from rules.cards.baccarat import BaccaratRound
from rules.cards.blackjack import BlackjackRound
from rules.cards.due import CARD, CHECK, DECISION, DONE, INSURANCE, TURN, CardPayment, Due
from rules.cards.errors import FORM, CardsError
from rules.cards.stakes import CardTable
from rules.limits import WrongInput

__all__ = (
    "CARD",
    "CHECK",
    "DECISION",
    "DONE",
    "INSURANCE",
    "TURN",
    "CardPayment",
    "CardsError",
    "Due",
    "next_card",
    "open_round",
    "play",
)

_DECISION_KEYS = ("seat", "hand", "do", "cents")


def open_round(
    table: CardTable, stakes: "list[dict[str, object]]"
) -> "BlackjackRound | BaccaratRound":
    """Returns a round with these accepted stakes, before its first card.

    Raises CardsError where no hand is staked.
    """
    if table.rules["family"] == "baccarat":
        return BaccaratRound(table, stakes)
    return BlackjackRound(table, stakes)


def next_card(round_: "BlackjackRound | BaccaratRound") -> Due:
    """Returns what is due next: a card and its place, whose decision, or that all is done."""
    return round_.due


def play(
    table: CardTable,
    stakes: "list[dict[str, object]]",
    cards: "list[object]",
    decisions: "list[object]",
) -> "BlackjackRound | BaccaratRound":
    """Returns a round played to its end with cards as "TH" and decisions as contracts/commands.md
    has them.

    Raises CardsError for a card or decision too few or too many, unknown, or not due.
    """
    round_ = open_round(table, stakes)
    articles = table.rules["articles"]
    dealt = decided = 0
    while True:
        due = next_card(round_)
        if due.kind == CARD:
            if dealt == len(cards):
                raise CardsError(
                    articles["draw"],
                    f"after {dealt} cards the next one goes to {due.to}, and there is none.",
                )
            round_.deal(_card(cards[dealt]))
            dealt += 1
        elif due.kind in (DECISION, INSURANCE):
            if decided == len(decisions):
                raise CardsError(articles["play"], _missing(due, dealt))
            round_.decide(*_decision(decisions[decided]))
            decided += 1
        elif due.kind == CHECK:
            round_.check()
        elif due.kind == TURN:
            round_.turn()
        else:
            break
    if dealt < len(cards):
        raise CardsError(
            articles["draw"],
            f"the round ends after {dealt} cards, and {len(cards)} are given: {len(cards) - dealt}"
            " too many.",
        )
    if decided < len(decisions):
        raise CardsError(
            articles["play"],
            f"the round ends after {decided} decisions, and {len(decisions)} are given.",
        )
    return round_


def _card(text: object) -> int:
    try:
        return deck.card_of(text)
    except WrongInput as error:
        raise CardsError(FORM, error.sentence)


def _missing(due: Due, dealt: int) -> str:
    if due.kind == INSURANCE:
        seats = ", ".join([str(seat) for seat in due.choices])
        return f"after {dealt} cards seat {seats} is asked for insurance, and no answer is given."
    choices = ", ".join(due.choices)
    return (
        f"after {dealt} cards seat {due.seat}, hand {due.hand} decides ({choices}), and no decision"
        " is given."
    )


def _decision(given: object) -> "tuple[int, int, str, int | None]":
    if not isinstance(given, dict):
        raise CardsError(FORM, "a decision is an object with seat, hand and do.")
    for name in given:
        if name not in _DECISION_KEYS:
            raise CardsError(FORM, "a decision has seat, hand, do and cents alone.")
    seat, hand, do = given.get("seat"), given.get("hand"), given.get("do")
    cents = given.get("cents")
    if hand is None:
        hand = 1
    if type(seat) is not int or type(hand) is not int or type(do) is not str:
        raise CardsError(
            FORM,
            "a decision has a whole seat, a whole hand and a text do, as"
            ' {"seat": 4, "hand": 1, "do": "hit"}.',
        )
    if cents is not None and type(cents) is not int:
        raise CardsError(FORM, "cents of a decision must be a whole number.")
    return seat, hand, do, cents
