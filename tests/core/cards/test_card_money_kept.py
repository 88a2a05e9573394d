"""No cent is made or lost at a card table: over anything that players, croupier and power may do.

Beside the accounts a purse for each player is kept here, out of the rules' own settlement of the
round as it was recorded, and of nothing that firmware/stakes knows of money. After each event

- the accounts that a restart folds from the rows are those that stand;
- in - out = balances + what lies sealed + (staked - won);
- nobody has less than nothing (art. 62);

and after each end of a round every balance is its purse.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from harness.card_place import ENDS
from harness.card_terminals import NAMES, TerminalPlace, accounts_of, adds_up
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.stakes import card_kinds
from rules.cards import deck
from rules.cards.due import CARD, CHECK, TURN
from rules.cards.round import next_card, open_round

CENTS = 2_600  # so that many lack what a double wants
RANKS = (0, 4, 5, 7, 9, 12)  # ace, 5, 6, 8, 10, roi
SIDES = {
    "blackjack_lu": ("perfect_pairs", "super_gold", "super_black", "behind"),
    "blackjack_live": (),
    "baccarat_live": (),
}


class Purses:
    """What each player has, by the settlement of the rules."""

    def __init__(self, names: tuple[str, ...], cents: int) -> None:
        self.cents = dict.fromkeys(names, cents)
        self.paid_out = 0
        self.settled: list[int] = []

    def settle(self, place: TerminalPlace, fact: Any) -> None:
        """Takes the end of a round: only what accounts have staked counts."""
        assert fact.round not in self.settled, "a round is settled once"
        self.settled.append(fact.round)
        rows = [body for kind, body in place.rows if kind == card_kinds.STAKES]
        stakes = rows[-1] if rows and rows[-1]["round"] == fact.round else None
        if stakes is None or isinstance(fact, facts.RoundVoid):
            return  # all came back
        for player, won in _won(place, stakes).items():
            if player in self.cents:
                self.cents[player] += won


def _won(place: TerminalPlace, stakes: Any) -> dict[str, int]:
    """Plays the recorded round through next_card, each follower's funds being what was his then."""
    number = stakes["round"]
    cards = {}
    for kind, body in place.rows:
        if kind == card_kinds.CARD_ROW and body["round"] == number:
            cards[body["k"]] = body["card"]
    said = [b for kind, b in place.rows if kind == card_kinds.ENGAGEMENT and b["round"] == number]
    held = [e for e in place.all(facts.RoundResult) if e.round == number][-1].held
    round_ = open_round(place.limits, [dict(stake) for stake in stakes["stakes"]])
    dealt = decided = 0
    while True:
        due = next_card(round_)
        if due.kind == CARD:
            dealt += 1
            round_.deal(deck.card_of(cards[dealt]))
        elif due.kind == CHECK:
            round_.check()
        elif due.kind == TURN:
            round_.turn()
        elif decided < len(said):
            row = said[decided]
            funds = place.funds_then[(number, row["n"])]
            round_.decide(row["seat"], row["hand"], row["do"], row["cents"], funds)
            decided += 1
        else:
            break
    won: dict[str, int] = {}
    for at, payment in enumerate(round_.payments()):
        gain = -payment.stake_cents if at in held and place.table.waits() else payment.won_cents
        won[payment.player] = won.get(payment.player, 0) + gain
    return won


class Watched(TerminalPlace):
    """Keeps what followers had at each decision, as the accounts before it say."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self.funds_then: dict[tuple[int, int], dict[str, int]] = {}
        super().__init__(*given, **more)

    def take(self, answer: Any) -> list[Any]:
        """Takes an answer, and looks at each decision in it."""
        for fact in answer:
            if isinstance(fact, core_facts.Record) and fact.kind == card_kinds.ENGAGEMENT:
                row = fact.body
                laid = {player: cents for player, _, cents in row["lays"]}
                had = {name: self.cents(name) + laid.get(name, 0) for name in NAMES}
                self.funds_then[(row["round"], row["n"])] = had
        return super().take(answer)


class Anybody:
    """Does anything that somebody at the table may do, at any moment."""

    def __init__(self, game: str, r: random.Random, *, is_slow: bool) -> None:
        self.r, self.game = r, game
        sides = SIDES[game]
        self.place: Watched = Watched(game, cents=CENTS, side_bets=sides, is_slow=is_slow)
        self.purses = Purses(NAMES, CENTS)
        self.seen = 0
        self.cards: list[int] = []
        self.place.write()
        self.open()

    def open(self) -> None:
        """Brings the table to where stakes may be laid, if nothing is played."""
        place = self.place
        if place.state == states.NO_SHOE:
            place.shoe()
            place.write()
            if place.state == states.NO_SHOE and place.guide[0] != facts.BURNING:
                place.key(facts.KEY_START)
            while place.guide[0] == facts.BURNING:
                self.draw()
        elif place.state in (states.CONFIRMED, states.VOID) and not place.table.open:
            if place.table.waits():
                place.tell(facts.Acknowledged, "weber")
                place.write()
                self.follow_paid()
            if not place.table.shoe.count.is_trusted:
                place.tell(facts.CountConfirmed, "claire", "weber", "counted")
            place.key(facts.KEY_START)

    def follow_paid(self) -> None:
        """What waited for the management is paid."""
        for payment in self.place.last(facts.HeldPaid).payments:
            if payment.player in self.purses.cents:
                self.purses.cents[payment.player] += payment.returned_cents

    def draw(self) -> None:
        """Pulls the next card of a shoe with many aces, tens and pairs."""
        if not self.cards:
            self.cards = [card for card in range(deck.CARDS) if card % 13 in RANKS]
            self.cards *= self.place.limits.decks
            self.r.shuffle(self.cards)
        self.place.card(deck.text_of(self.cards.pop()))

    def step(self) -> None:
        """Does one thing, and looks."""
        place, r = self.place, self.r
        code, args = place.guide
        what = r.randrange(40)
        terminal, name = r.randint(1, 7), r.choice(NAMES)
        if what < 4 or (code == facts.BETS and what < 24):
            self.stake(terminal, name)
        elif what == 13 and r.random() < 0.5:
            self.leave(terminal, name)
        elif what == 17:
            place.deposit(name, 1000)
            self.purses.cents[name] += 1000
        elif what == 18 and r.random() < 0.3:
            self.pay_out(name)
        elif what == 14 and r.random() < 0.1:
            place.key(facts.KEY_VOID)
        elif what == 15 and r.random() < 0.1:
            self.kill()
        elif what == 16 and code in (facts.DECIDE, facts.INSURE):
            place.wait()
        elif code in (facts.DEAL, facts.LATE):
            self.draw()
        elif code == facts.BETS:
            place.key(facts.KEY_NO_MORE_BETS)
        elif code in (facts.DECIDE, facts.INSURE):
            self.decide(args)
        elif code == facts.TURN:
            place.key(facts.KEY_TURNED)
        elif code == facts.HELD:
            place.key(facts.KEY_VOID)
        else:
            place.write()
            self.open()
        if r.random() < 0.5:
            place.write()
        self.look()

    def stake(self, terminal: int, name: str) -> None:
        """Somebody sits down, stakes, or bets behind."""
        place, r = self.place, self.r
        bets = ("main", "main", *SIDES[self.game][:3])
        if self.game == "baccarat_live":
            bets = ("player", "banker", "tie")
        if place.terminals.player(terminal) is None:
            place.sit(terminal, name)
        elif r.random() < 0.4 and self.game != "baccarat_live":
            place.follow(name, terminal, 2 * r.randint(100, 800), double=r.random() < 0.8)
        else:
            place.lay(terminal, 200 * r.randint(1, 6), bet=r.choice(bets))

    def decide(self, args: dict[str, Any]) -> None:
        """Whoever is asked answers, or somebody else does."""
        terminal = self.r.randint(1, 7) if self.r.random() < 0.2 else None
        for at in (*args.get("seats", ()), args.get("seat")) if terminal is None else (terminal,):
            due = None if at is None else self.place.terminals.due(at)
            if due is not None and due.choices:
                cents = self.r.choice((0, 0, 100)) if due.cents else 0
                dear = [do for do in due.choices if do in ("double", "split", "insure")]
                do = self.r.choice(dear if dear and self.r.random() < 0.7 else due.choices)
                self.place.decide(at, do, cents=cents)

    def leave(self, terminal: int, name: str) -> None:
        """A player goes, is signed off, or stops following."""
        book = self.place.terminals
        if self.r.random() < 0.4 and book.player(terminal) is not None:
            self.place.tell(core_facts.UnseatAsked, "claire", terminal, "asked to go")
            self.place.turn()
        elif self.r.random() < 0.5:
            book.sign_off(terminal)
        else:
            book.behind.sign_off(self.place.number(name))

    def pay_out(self, name: str) -> None:
        """An employee pays out what is free."""
        before = self.place.terminals.money.total().out_cents
        self.place.pay_out(name)
        self.purses.cents[name] -= self.place.terminals.money.total().out_cents - before

    def kill(self) -> None:
        """The power fails; entries are durable as they are told, rounds when they are."""
        self.place.write()
        self.look()
        self.place = self.place.kill()
        self.seen = 0
        self.cards = []
        self.place.write()

    def look(self) -> None:
        """What holds after each thing."""
        place = self.place
        told = place.all(ENDS)
        for fact in told[self.seen :]:
            if fact.round not in self.purses.settled:
                self.purses.settle(place, fact)
        self.seen = len(told)
        money = place.terminals.money
        assert adds_up(money)
        assert min(one.cents for one in money.all()) >= 0  # art. 62
        durable = accounts_of(place.rows[: len(place.rows) - len(place._tickets)])
        if not place._tickets:
            assert [tuple(one) for one in durable.all()] == [tuple(one) for one in money.all()]
            assert durable.meters() == money.meters()
        if not place.table.open and not place._tickets:
            lying = place.table.waits()
            for name in NAMES:
                assert place.cents(name) == self.purses.cents[name], (name, lying)


@pytest.mark.parametrize("game", sorted(SIDES))
@given(seed=st.integers(0, 2**32), is_slow=st.booleans())
@settings(max_examples=6, deadline=None)
def test_no_cent_is_made_or_lost(game: str, seed: int, is_slow: bool) -> None:
    anybody = Anybody(game, random.Random(seed), is_slow=is_slow)
    for _ in range(300):
        anybody.step()
    assert anybody.place.terminals.money.total().in_cents >= CENTS * len(NAMES)
