"""Rounds of the four card games played through the machine, all that it says printed: the same
lines on CPython and MicroPython.

Not a test by itself: test_card_round_script.py runs it, `make micropython` on both interpreters.
"""

import rules
from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.table import CardTable
from firmware.stakes import card_round
from rules.cards.stakes import open_table

ROUNDS = 6
STAKES = {
    "blackjack_lu": (
        {"player": "anna", "seat": 1, "bet": "main", "cents": 2000},
        {"player": "anna", "seat": 1, "bet": "perfect_pairs", "cents": 1000},
        {"player": "bob", "seat": 5, "bet": "main", "cents": 1000},
        {"player": "bob", "seat": 5, "bet": "super_gold", "cents": 500},
        {"player": "zoe", "seat": 8, "bet": "main", "cents": 500},
    ),
    "blackjack_live": (
        {"player": "anna", "seat": 2, "bet": "main", "cents": 2000},
        {
            "player": "zoe",
            "seat": 2,
            "bet": "behind",
            "cents": 400,
            "follow": "double",
            "funds_cents": 900,
        },
    ),
    "baccarat_live": (
        {"player": "anna", "bet": "banker", "cents": 2000},
        {"player": "bob", "bet": "tie", "cents": 100},
    ),
    "punto_2000": (
        {"player": "anna", "bet": "player", "cents": 2000},
        {"player": "bob", "bet": "dragon_banker", "cents": 100},
    ),
}
DECISIONS = ("hit", "stand", "double", "split", "insure", "no_insurance")


class Draws:
    """Whole numbers, the same on every machine."""

    def __init__(self, state):
        self.state = state

    def below(self, most):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return (self.state >> 8) % most


def text(value):
    """Any value, told the same by every interpreter."""
    if isinstance(value, dict):
        return "{" + " ".join([key + "=" + text(value[key]) for key in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "(" + " ".join([text(each) for each in value]) + ")"
    return str(value)


def name_of(record):
    return type(record).__name__


class Player:
    """Follows the guide of one table, with a shuffled shoe."""

    def __init__(self, game):
        self.draws = Draws(len(game))
        self.limits = open_table(rules.load(game), None, None, 100, None, None)
        self.table = CardTable(self.limits)
        self.game = game
        self.cards = list(range(52)) * self.limits.decks
        for at in range(len(self.cards) - 1, 0, -1):
            other = self.draws.below(at + 1)
            self.cards[at], self.cards[other] = self.cards[other], self.cards[at]
        self.n = 0
        self.at_us = 0
        self.guide = None
        self.rows = []

    def lines(self):
        yield from self.told(self.table.begin_play(0))
        yield from self.tell(facts.ShoeLoaded, "ours", "17", self.limits.decks, 1, True, 0)
        yield from self.tell(core_facts.EmployeePresent, "anna", True)
        while self.table.round < ROUNDS or self.table.open:
            yield from self.step()
        for stakes, cards, engagements, end in card_round.collect(self.rows):
            for payment in card_round.payments(stakes, cards, engagements, end):
                yield self.game + " paid " + text(payment)

    def tell(self, kind, *given):
        self.at_us += 250_000
        yield from self.told(self.table.handle(kind(self.at_us, *given)))

    def told(self, answer):
        for fact in answer:
            yield self.game + " " + name_of(fact) + " " + text(fact)
            if name_of(fact) == "Guide" and fact.code != facts.GOLD_JACK_POSSIBLE:
                self.guide = fact
            if name_of(fact) == "Record":
                self.rows.append((fact.kind, fact.body))
        for fact in answer:
            if name_of(fact) == "Record":
                yield from self.tell(core_facts.Recorded, fact.ticket)
        yield self.game + " due " + str(self.table.timers.due_us) + " " + text(self.table.view())

    def step(self):
        code, args = self.guide.code, dict(self.guide.args)
        draw = self.draws.below(20)
        if code in (facts.BURNING, facts.DEAL, facts.LATE) or (code == facts.HELD and draw < 9):
            if draw == 19 and code == facts.DEAL:
                yield from self.tell(facts.CardRead, self.n + 1, None, "", facts.SHOE)
                self.n += 1
                return
            self.n += 1
            ident = "S17-" + str(self.n)
            yield from self.tell(facts.CardRead, self.n, self.cards.pop(), ident, facts.SHOE)
        elif code == facts.BETS and (draw < 10 or not self.table.stakes_laid()):
            yield from self.tell(facts.StakesLaid, STAKES[self.game])
        elif code == facts.BETS:
            yield from self.tell(facts.KeyPressed, facts.KEY_NO_MORE_BETS)
        elif code == facts.INSURE:
            do = DECISIONS[4 + draw % 2]
            seat = args["seats"][0]
            yield from self.tell(facts.DecisionMade, seat, 1, do, None, None, "2")
        elif code == facts.DECIDE:
            do = DECISIONS[draw % 4]  # refused where it is not offered
            said = (args["seat"], args["hand"], do, None, self.guide.seen, "2")
            yield from self.tell(facts.DecisionMade, *said)
        elif code == facts.TURN:
            yield from self.tell(facts.KeyPressed, facts.KEY_TURNED)
        elif code == facts.GOLD_JACK:
            yield from self.tell(facts.Acknowledged, "carl")
        elif code == facts.HELD and args["why"] == "unread" and args["to"] != "d*":
            said = (self.draws.below(52), "anna", "carl", "stained")
            yield from self.tell(facts.CardEntered, *said)
        elif code == facts.HELD:
            keys = (facts.KEY_CONFIRM, facts.KEY_BURN, facts.KEY_VOID)
            yield from self.tell(facts.KeyPressed, keys[draw % 3])
        else:
            yield from self.tell(facts.KeyPressed, facts.KEY_START)


def lines():
    """What every game says, and the table of states."""
    for state, happening in sorted(states.TRANSITIONS):
        yield "state " + state + " " + happening + " " + states.after(state, happening)
    for game in sorted(STAKES):
        yield from Player(game).lines()


if __name__ == "__main__":
    for line in lines():
        print(line)
