"""Rounds of every card game dealt, decided and paid, printed: the same lines on CPython and
MicroPython.

Not a test by itself: test_card_script.py runs it, `make micropython` on both interpreters.
"""

import rules
from rules.cards import deck
from rules.cards.errors import CardsError
from rules.cards.round import CARD, CHECK, DONE, INSURANCE, TURN, next_card, open_round, play
from rules.cards.stakes import accept, open_table

ROUNDS = 40
SIDE = ("perfect_pairs", "super_black", "super_silver", "super_gold")
# What no card table takes.
BAD = (
    17,
    {"player": "p1", "bet": "main", "seat": 0, "cents": 500},
    {"player": "p1", "bet": "main", "seat": 8, "cents": 500},
    {"player": "p1", "bet": "main", "cents": 500},
    {"player": "p1", "bet": "main", "seat": 1, "cents": 501},
    {"player": "p1", "bet": "banker", "seat": 1, "cents": 510},
    {"player": "p1", "bet": "plein", "on": [7], "cents": 500},
    {"player": "p1", "bet": "perfect_pairs", "seat": 1, "cents": 1500},
    {"player": "p9", "bet": "behind", "seat": 1, "cents": 500},
)


class Draws:
    """Whole numbers, the same on every machine."""

    def __init__(self):
        self.state = 7

    def below(self, most):
        """The next one, from 0 to below `most`."""
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % most


def staked(rules_, draws):
    """Stakes of a round: two seats in three, side bets and followers among them."""
    found = []
    if rules_["family"] == "baccarat":
        for bet in rules_["bets"]:
            found.append({"player": "p1", "bet": bet.name, "cents": 20 * (1 + draws.below(50))})
        return found
    names = [bet.name for bet in rules_["bets"]]
    for seat in range(1, 8):
        player = "p" + str(seat)
        if draws.below(3) or seat == 4:
            cents = 2 * (1 + draws.below(500))
            found.append({"player": player, "bet": "main", "seat": seat, "cents": cents})
            for bet in SIDE:
                if bet in names and draws.below(2):
                    found.append({"player": player, "bet": bet, "seat": seat, "cents": 1000})
        if "behind" in names and draws.below(2):
            stake = {"player": "f" + str(seat), "bet": "behind", "seat": seat}
            stake["cents"] = 2 * (1 + draws.below(300))
            stake["follow"] = ("double", "not")[draws.below(2)]
            stake["funds_cents"] = draws.below(1000)
            found.append(stake)
    return found


def dealt(round_, draws):
    """Deals a round out; returns the cards and the decisions that were drawn."""
    cards, decisions = [], []
    due = next_card(round_)
    while due.kind != DONE:
        if due.kind == CARD:
            card = draws.below(deck.CARDS)
            try:
                round_.deal(card)
                cards.append(deck.text_of(card))
            except CardsError:
                pass
        elif due.kind == CHECK:
            round_.check()
        elif due.kind == TURN:
            round_.turn()
        else:
            seat, hand, choices = due.seat, due.hand, due.choices
            if due.kind == INSURANCE:
                seat, hand, choices = due.choices[0], 1, ("insure", "no_insurance")
            do = choices[draws.below(len(choices))]
            if "split" in choices:
                do = "split"
            round_.decide(seat, hand, do)
            decisions.append({"seat": seat, "hand": hand, "do": do})
        due = next_card(round_)
    return cards, decisions


def lines():
    """Refusals, places, payments and spoilt rounds of each game."""
    draws = Draws()
    for game in rules.CARD_GAMES:
        table = open_table(rules.load(game))
        for refusal in accept(table, list(BAD))[1]:
            yield f"{game} refused: {refusal.rule}: {refusal.why}"
        for n in range(ROUNDS):
            accepted, _ = accept(table, staked(table.rules, draws))
            round_ = open_round(table, accepted)
            cards, decisions = dealt(round_, draws)
            yield f"{game} {n} {' '.join(cards)} {' '.join(round_.places)}"
            for payment in play(table, accepted, cards, decisions).payments():
                yield f"{game} {n} {tuple(payment)}"
            longer = list(cards)
            longer.append("2S")
            unknown = list(cards)
            unknown[0] = "1S"
            for some, decided in (
                (cards[:-1], decisions),
                (longer, decisions),
                (cards, decisions[:-1]),
                (unknown, decisions),
            ):
                try:
                    play(table, accepted, some, decided)
                except CardsError as error:
                    yield f"{game} {n} {error.rule}: {error.sentence}"


if __name__ == "__main__":
    for line in lines():
        print(line)
