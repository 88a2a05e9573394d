"""No cent is made or lost at a card table: over anything that players, croupier and power may do.

Beside the accounts a purse for each player is kept here, out of the rules' own settlement of the
round as it was recorded, and of nothing that firmware/stakes knows of money. After each event

- the accounts that a restart folds from the rows are those that stand;
- in - out = balances + what lies sealed + (staked - won);
- nobody has less than nothing (art. 62), but who was paid out what a correction then took;

and after each end of a round, and each correction, every balance is its purse. What the walk comes
by is counted (`Anybody.reached`): a test holds that all of REACHED is among it.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from harness.card_place import ENDS
from harness.card_terminals import NAMES, TerminalPlace, accounts_of, adds_up
from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st

from firmware.core import facts as core_facts
from firmware.core.cards import facts, states
from firmware.core.cards.play import DEALER
from firmware.stakes import card_kinds, card_round
from firmware.stakes.accounts import DEPOSIT, MONEY, PAYOUT
from rules.cards import deck
from rules.cards.due import CARD, CHECK, TURN
from rules.cards.round import next_card, open_round

CENTS = 2_600  # so that many lack what a double wants
RANKS = (0, 4, 5, 7, 9, 12)  # ace, 5, 6, 8, 10, roi
# What the walk is to come by, at a black jack.
INSURED, INSURED_LESS = (
    "an insurance is followed",
    "an insurance for less is followed in proportion",
)
SPLIT, SPLIT_LACKS = "a split is followed", "a split is not followed: the money lacks"
DOUBLED, DOUBLED_LACKS = "a double is followed", "a double is not followed: the money lacks"
AFTER_SPLIT = "a split hand doubles, and is followed"
VOID_AFTER_SPLIT = "a round with a split is void"
KILLED, KILLED_DECISION = "killed in a round", "killed before a decision was durable"
LOST_ENTRY = "killed before money was durable"
UNSEATED, LEFT = "a player is unseated in the round", "a follower leaves in the round"
PAID_IN, PAID_OUT = "money comes in the round", "money goes in the round"
CORRECTED, OWES = "a round with money is corrected", "a correction takes what was paid out"
REACHED = (
    INSURED, INSURED_LESS, SPLIT, SPLIT_LACKS, DOUBLED, DOUBLED_LACKS, AFTER_SPLIT,
    VOID_AFTER_SPLIT, KILLED, KILLED_DECISION, LOST_ENTRY, UNSEATED, LEFT, PAID_IN, PAID_OUT,
    CORRECTED, OWES,
)  # fmt: skip
SIDES = {
    "blackjack_lu": ("perfect_pairs", "super_gold", "super_black", "behind"),
    "blackjack_live": (),
    "baccarat_live": (),
}


class Purses:
    """What each player has, by the settlement of the rules."""

    def __init__(self, names: tuple[str, ...], cents: int) -> None:
        self.cents = dict.fromkeys(names, cents)
        self.settled: list[int] = []
        self._won: dict[str, int] = {}  # of the last round

    def end(self, place: TerminalPlace, fact: Any) -> None:
        """Takes the end of a round: only what accounts have staked counts."""
        assert fact.round not in self.settled, "a round is settled once"
        self.settled.append(fact.round)
        self._won = {}
        stakes = _sealed(place, fact.round)
        if stakes is None or isinstance(fact, facts.RoundVoid):
            return  # all came back
        by_k = {}
        for kind, body in place.rows:
            if kind == card_kinds.CARD_ROW and body["round"] == fact.round:
                by_k[body["k"]] = body["card"]
        cards = [by_k[k] for k in sorted(by_k)]
        self._add(_won(place, stakes, cards, _decided(place, fact.round), fact.held))

    def correct(self, place: TerminalPlace, fact: Any) -> None:
        """Takes a correction of the last round, whose decisions stand."""
        self._add(self._won, -1)
        self._won = {}
        if fact.reason is None:
            _, body = [row for row in place.rows if row[0] == card_kinds.CORRECTION][-1]
            stakes = _sealed(place, fact.round)
            cards = [row["card"] for row in body["cards"]]
            self._add(_won(place, stakes, cards, _decided(place, fact.round), fact.held))

    def pay_held(self, fact: Any) -> None:
        """What waited for the management is paid."""
        for payment in fact.payments:
            self._add({payment.player: payment.returned_cents})

    def won_by(self, name: str) -> int:
        """What the last round has brought a player."""
        return self._won.get(name, 0)

    def _add(self, won: dict[str, int], times: int = 1) -> None:
        for player, cents in list(won.items()):
            if player in self.cents:
                self.cents[player] += times * cents
                if won is not self._won:
                    self._won[player] = self._won.get(player, 0) + cents


def _sealed(place: TerminalPlace, number: int) -> Any:
    """The stakes of a round; None where there were none."""
    rows = [body for kind, body in place.rows if kind == card_kinds.STAKES]
    return rows[-1] if rows and rows[-1]["round"] == number else None


def _decided(place: TerminalPlace, number: int) -> list[Any]:
    """The decisions of a round, as they were recorded first."""
    return [b for kind, b in place.rows if kind == card_kinds.ENGAGEMENT and b["round"] == number]


def _won(
    place: TerminalPlace, stakes: Any, cards: list[str], said: list[Any], held: Any
) -> dict[str, int]:
    """Plays a round through next_card, each follower's funds being what was his then. `held`: which
    payments are not made yet.
    """
    number = stakes["round"]
    round_ = open_round(place.limits, [dict(stake) for stake in stakes["stakes"]])
    dealt = decided = 0
    while True:
        due = next_card(round_)
        if due.kind == CARD:
            round_.deal(deck.card_of(cards[dealt]))
            dealt += 1
        elif due.kind == CHECK:
            round_.check()
        elif due.kind == TURN:
            round_.turn()
        elif decided < len(said):
            row = said[decided]
            funds = place.funds_then[(number, row["n"])]  # type: ignore[attr-defined]
            round_.decide(row["seat"], row["hand"], row["do"], row["cents"], funds)
            decided += 1
        else:
            break
    won: dict[str, int] = {}
    for at, payment in enumerate(round_.payments()):
        gain = -payment.stake_cents if at in held else payment.won_cents
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
                for kind, body in self.rows[len(self.rows) - len(self._tickets) :]:
                    if kind == MONEY and body["what"] == DEPOSIT:  # nobody's before it is durable
                        had[self.terminals.money.account(body["account"]).player] -= body["cents"]
                self.funds_then[(row["round"], row["n"])] = had
        return super().take(answer)


class Anybody:
    """Does anything that somebody at the table may do, at any moment."""

    def __init__(self, game: str, r: random.Random, *, is_slow: bool) -> None:
        self.r, self.game = r, game
        sides = SIDES[game]
        self.place: Watched = Watched(game, cents=CENTS, side_bets=sides, is_slow=is_slow)
        self.purses = Purses(NAMES, CENTS)
        self.reached: Counter[str] = Counter()
        self.seen = self.seen_rows = 0
        self.floors = dict.fromkeys(NAMES, 0)  # below which nobody comes but by a correction
        self.cards: list[int] = []
        self.place.write()
        self.open()

    def open(self) -> None:
        """Brings the table to where stakes may be laid, if nothing is played."""
        place = self.place
        if place.state == states.FAULT:
            place.tell(core_facts.ClearAsked, "weber")
        elif place.state == states.NO_SHOE:
            place.shoe()
            place.write()
            if place.guide[0] == facts.COUNT:
                place.tell(facts.CountConfirmed, "claire", "weber", "changed")
            if place.state == states.NO_SHOE and place.guide[0] != facts.BURNING:
                place.key(facts.KEY_START)
                self.cards = []
            while place.guide[0] == facts.BURNING:
                self.draw()
        elif place.state in (states.CONFIRMED, states.VOID) and not place.table.open:
            if place.table.waits():
                place.tell(facts.Acknowledged, "weber")
                place.write()
            if not place.table.shoe.count.is_trusted:
                place.tell(facts.CountConfirmed, "claire", "weber", "counted")
            place.key(facts.KEY_START)

    def draw(self) -> None:
        """Pulls a card of a shoe with many aces, tens and pairs."""
        if not self.cards:
            self.cards = [card for card in range(deck.CARDS) if card % 13 in RANKS]
            self.cards *= self.place.limits.decks
            self.r.shuffle(self.cards)
        wanted, r = None, self.r
        if self.game != "baccarat_live" and self.place.table.play is not None:
            hands = dict(self.place.table.play.hands())
            own = hands.get(self.place.due(), [])
            if self.place.due() == DEALER and not own and r.random() < 0.3:
                wanted = 0  # an ace
            elif len(own) == 1 and r.random() < 0.4:
                wanted = own[0] % 13  # a pair
            elif len(own) == 1 and r.random() < 0.3:
                wanted = (9 - own[0] % 13) % 13  # eleven
        found = [card for card in self.cards if card % 13 == wanted] or self.cards[-1:]
        self.cards.remove(found[-1])
        self.place.card(deck.text_of(found[-1]))

    def step(self) -> None:
        """Does one thing, and looks."""
        place, r = self.place, self.r
        code, args = place.guide
        what = r.randrange(40)
        terminal, name = r.randint(1, 7), r.choice(NAMES)
        if self.is_time_to_fail() and r.random() < 0.08:
            self.kill()
        elif self.has_split() and r.random() < 0.02:
            place.key(facts.KEY_VOID)
        elif code == facts.BETS and not place.terminals.stakes():
            self.crowd()
        elif what < 4 or (code == facts.BETS and what < 16):
            self.stake(terminal, name)
        elif what == 13 and r.random() < 0.5:
            self.leave(terminal, name)
        elif what == 17:
            self.put_in(name)
        elif what == 18 and r.random() < 0.3:
            self.pay_out(name)
        elif what == 19 and place.is_slow and r.random() < 0.2:
            self.put_in(name)
            self.kill()
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
            if r.random() < 0.3:
                self.correct()
                self.look()
            self.open()
        if r.random() < 0.5:
            place.write()
        self.look()

    def is_time_to_fail(self) -> bool:
        """Tells whether a decision or money is on its way to the journal."""
        pending = self.place.rows[len(self.place.rows) - len(self.place._tickets) :]
        return any(kind in (card_kinds.ENGAGEMENT, MONEY) for kind, _ in pending)

    def has_split(self) -> bool:
        """Tells whether a hand of the round was split."""
        play = self.place.table.play if self.place.table.playing() else None
        return play is not None and any(row["do"] == "split" for row in play.engagements)

    def bets(self) -> tuple[str, ...]:
        """What is staked on at a terminal."""
        if self.game == "baccarat_live":
            return ("player", "banker", "tie")
        return ("main", "main", *SIDES[self.game][:3])

    def crowd(self) -> None:
        """Two sit down and stake, some bet behind them with much or little of their money."""
        place, r = self.place, self.r
        book, seats = place.terminals, r.sample(range(1, 8), 2)
        for name in NAMES:
            book.behind.sign_off(place.number(name))
        for terminal in range(1, 8):
            book.sign_off(terminal)
        first, second, *others = r.sample(NAMES, 6)
        for seat, name in zip(seats, (first, second), strict=True):
            place.sit(seat, name)
            place.lay(seat, 200 * r.randint(1, 4), bet=self.bets()[0])
        for name in others if self.game != "baccarat_live" else ():
            free = book.free_cents(place.number(name))
            cents = 2 * max(100, int(free * r.choice((0.1, 0.3, 0.45, 0.6, 0.9))) // 2)
            place.follow(name, r.choice(seats), cents, double=r.random() < 0.8)
        if not book.stakes():  # nobody has money
            for name in NAMES:
                self.put_in(name)

    def stake(self, terminal: int, name: str) -> None:
        """Somebody sits down, stakes, or bets behind."""
        place, r = self.place, self.r
        if place.terminals.player(terminal) is None:
            place.sit(terminal, name)
        elif r.random() < 0.4 and self.game != "baccarat_live":
            place.follow(name, terminal, 2 * r.randint(100, 800), double=r.random() < 0.8)
        else:
            place.lay(terminal, 200 * r.randint(1, 6), bet=r.choice(self.bets()))

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
        in_round = self.place.table.play is not None and self.place.table.open
        if self.r.random() < 0.4 and book.player(terminal) is not None:
            self.place.tell(core_facts.UnseatAsked, "claire", terminal, "asked to go")
            self.place.turn()
            self.reached[UNSEATED] += in_round
        elif self.r.random() < 0.5:
            book.sign_off(terminal)
        else:
            number = self.place.number(name)
            self.reached[LEFT] += in_round and book.behind.is_signed_on(number)
            book.behind.sign_off(number)

    def put_in(self, name: str) -> None:
        """An employee counts money in."""
        self.place.deposit(name, 1000)
        self.purses.cents[name] += 1000
        self.reached[PAID_IN] += self.place.table.open

    def pay_out(self, name: str) -> None:
        """An employee pays out what is free."""
        before = self.place.terminals.money.total().out_cents
        self.place.pay_out(name)
        paid = self.place.terminals.money.total().out_cents - before
        self.purses.cents[name] -= paid
        self.reached[PAID_OUT] += self.place.table.open and paid > 0

    def correct(self) -> None:
        """Two people say that another card lay there, or that the last round does not count."""
        place, r = self.place, self.r
        last = place.table.last
        if last is None or last.stakes is None:
            return
        if r.random() < 0.8:
            self.pay_out(max(NAMES, key=lambda name: self.purses.won_by(name)))
        told = len(place.all(facts.RoundCorrection))
        for _ in range(8):
            cards: list[int] | None = [deck.card_of(row["card"]) for row in last.cards]
            if r.random() < 0.1 or not cards:
                cards = None
            else:
                cards[r.randrange(len(cards))] = r.choice(RANKS)
            given = (last.end["round"], cards, None, "claire", "weber", "film")
            place.tell(facts.RoundCorrectionAsked, *given)
            if place.table.correcting or len(place.all(facts.RoundCorrection)) > told:
                place.write()
                return

    def kill(self) -> None:
        """The power fails: what is not durable is lost, an employee's money too."""
        if self.r.random() < 0.3:
            self.place.write()
        self.look()
        place = self.place
        self.reached[KILLED] += place.table.open and place.table.play is not None
        for kind, body in place.rows[len(place.rows) - len(place._tickets) :]:
            if kind == MONEY:
                cents = {DEPOSIT: -body["cents"], PAYOUT: body["cents"]}[body["what"]]
                player = place.terminals.money.account(body["account"]).player
                self.purses.cents[player] += cents
                self.floors[player] += min(0, cents)  # who owed has no more of that
                self.reached[LOST_ENTRY] += 1
            self.reached[KILLED_DECISION] += kind == card_kinds.ENGAGEMENT
        self.place = place.kill()
        self.place.funds_then = place.funds_then
        self.place.n, self.place.drawn = place.n, place.drawn  # the shoe was on all the time
        self.seen, self.seen_rows = 0, len(self.place.rows)
        if place.asked is not None:  # the terminal asks it again, for it heard no answer
            said = self.place.terminals.decide(*place.asked)
            assert said is None or not said.accepted
        self.place.write()

    def look(self) -> None:
        """What holds after each thing."""
        place = self.place
        for fact in place.facts[self.seen :]:
            if isinstance(fact, ENDS) and fact.round not in self.purses.settled:
                self.purses.end(place, fact)
                self.note_end(fact)
            elif isinstance(fact, facts.RoundCorrection):
                self.purses.correct(place, fact)
                self.reached[CORRECTED] += 1
                self.floors = {name: min(0, place.cents(name)) for name in NAMES}
                self.reached[OWES] += min(self.floors.values()) < 0
            elif isinstance(fact, facts.HeldPaid):
                self.purses.pay_held(fact)
        self.seen = len(place.facts)
        for kind, body in place.rows[self.seen_rows :]:
            if kind == card_kinds.ENGAGEMENT:
                self.note_decision(body)
        self.seen_rows = len(place.rows)
        money = place.terminals.money
        assert adds_up(money)
        for name in NAMES:  # art. 62
            assert place.cents(name) >= self.floors[name], name
            self.floors[name] = min(0, place.cents(name))
        durable = accounts_of(place.rows[: len(place.rows) - len(place._tickets)])
        if not place._tickets:
            assert [tuple(one) for one in durable.all()] == [tuple(one) for one in money.all()]
            assert durable.meters() == money.meters()
        if not place.table.open and not place._tickets:
            lying = place.table.waits()
            for name in NAMES:
                assert place.cents(name) == self.purses.cents[name], (name, lying)

    # --- what it comes by -------------------------------------------------------------------------

    def note_decision(self, row: Any) -> None:
        """Counts what of REACHED a decision is."""
        stakes = [body for kind, body in self.place.rows if kind == card_kinds.STAKES][-1]
        behind = [
            one["player"]
            for one in stakes["stakes"]
            if (one["bet"], one["seat"]) == (card_round.BEHIND, row["seat"])
            and (row["do"] == "insure" or one["follow"] == "double")
        ]
        laid = [player for player, _, _ in row["lays"] if player in behind]
        split = [one["seat"] for one in _decided(self.place, row["round"]) if one["do"] == "split"]
        followed, lacks = {
            "insure": (INSURED, ""),
            "split": (SPLIT, SPLIT_LACKS),
            "double": (DOUBLED, DOUBLED_LACKS),
        }.get(row["do"], ("", ""))
        if not followed:
            return
        self.reached[followed] += bool(laid)
        if row["do"] == "insure":
            self.reached[INSURED_LESS] += bool(laid and row["cents"])
            return
        self.reached[lacks] += (
            row["hand"] == 1 and row["seat"] not in split[:-1] and (len(laid) < len(behind))
        )
        self.reached[AFTER_SPLIT] += row["do"] == "double" and row["seat"] in split and bool(laid)

    def note_end(self, fact: Any) -> None:
        """Counts what of REACHED an end is."""
        split = [one for one in _decided(self.place, fact.round) if one["do"] == "split"]
        self.reached[VOID_AFTER_SPLIT] += isinstance(fact, facts.RoundVoid) and bool(split)


@pytest.mark.parametrize("game", sorted(SIDES))
@given(seed=st.integers(0, 2**32), is_slow=st.booleans())
@settings(
    max_examples=6, deadline=None, phases=[Phase.reuse, Phase.generate]
)  # a seed is as good as another
def test_no_cent_is_made_or_lost(game: str, seed: int, is_slow: bool) -> None:
    anybody = Anybody(game, random.Random(seed), is_slow=is_slow)
    for _ in range(300):
        anybody.step()
    for what in REACHED:
        if anybody.reached[what]:
            event(what)
    assert anybody.place.terminals.money.total().in_cents >= CENTS * len(NAMES) // 2


def test_the_walk_comes_by_all_that_it_is_to_prove() -> None:
    reached: Counter[str] = Counter()
    for seed in range(4):
        for game in ("blackjack_live", "blackjack_lu"):
            anybody = Anybody(game, random.Random(seed), is_slow=seed % 2 == 0)
            for _ in range(300):
                anybody.step()
            reached += anybody.reached
    assert [what for what in REACHED if not reached[what]] == []
