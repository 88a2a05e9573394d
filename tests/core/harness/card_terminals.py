"""A card table whose players sit at terminals: who sits down, stakes, decides, bets behind.

place = TerminalPlace("blackjack_live")
place.sit(3, "anna"); place.lay(3, 1000); place.follow("bert", 3, 500)
place.play_to_call(); place.decide(3, "double")

Their money is entered as at a real table, by rows; `kill` begins anew with what is durable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from firmware.bus.terminal_messages import Decide
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.core.cards.fold import Fold
from firmware.core.cards.house import HOUSE
from firmware.run.card_terminals import PlayedAtTerminals, card_book_of
from firmware.stakes.accounts import ACCOUNT, DEPOSIT, DESK, FOLDED, PAYOUT, Accounts
from firmware.stakes.answers import Answer
from firmware.stakes.card_book import CardBook
from harness.card_place import CardPlace

FOLLOWERS = 8  # the address of their host
NAMES = ("anna", "bert", "carla", "dora", "emil", "fritz", "greta", "hugo", "ida", "jean")


class TerminalPlace(CardPlace):
    """One table; claire is present. Every player of `names` has `cents` in his account."""

    def __init__(
        self,
        game: str = "blackjack_live",
        *,
        cents: int = 100_000,
        names: Sequence[str] = NAMES,
        side_bets: tuple[str, ...] | None = None,
        is_slow: bool = False,
        rows: Sequence[tuple[str, Any]] = (),
    ) -> None:
        """`rows`: of a journal that is gone on with; then nobody's money is entered."""
        fold = Fold()
        for kind, body in rows:
            fold.add(kind, body)
        state = fold.state()
        self._given = (game, cents, names, side_bets)
        money, keys = accounts_of(rows), {}

        def make_book(limits: Any) -> CardBook:
            given = {"money": money, "keys": keys, "put_in": False}
            return card_book_of(limits, state, FOLLOWERS)(tuple(range(1, 9)), given)

        self.requests = 0
        self.asked: Any = None  # the last decision, as it was given to the book
        super().__init__(
            game,
            house=HOUSE,
            side_bets=side_bets,
            is_slow=is_slow,
            restart_state=state,
            make_book=make_book,
        )
        self.rows[:0] = list(rows)
        assert self.book is not None
        self.played = PlayedAtTerminals(self.book)
        self.tell(core_facts.EmployeePresent, "claire", True)
        for name in () if rows else names:
            self.tell(core_facts.EntryAsked, ACCOUNT, _account(name))
            if cents:
                self.deposit(name, cents)

    def kill(self) -> Self:
        """Cuts the power: a new controller has what was durable."""
        left = len(self.rows) - len(self._tickets)
        game, cents, names, side_bets = self._given
        return type(self)(
            game,
            cents=cents,
            names=names,
            side_bets=side_bets,
            is_slow=self.is_slow,
            rows=self.rows[:left],
        )

    # --- money ------------------------------------------------------------------------------------

    @property
    def terminals(self) -> CardBook:
        """The book."""
        assert self.book is not None
        return self.book

    def number(self, name: str) -> int:
        """The account of a player."""
        account = self.terminals.money.of_player(name)
        return int(account.n)

    def cents(self, name: str) -> int:
        """The balance of a player."""
        return int(self.terminals.money.account(self.number(name)).cents)

    def deposit(self, name: str, cents: int) -> None:
        """An employee counts money in."""
        given = {"account": self.number(name), "cents": cents, "terminal": DESK, "who": "claire"}
        self.tell(core_facts.EntryAsked, DEPOSIT, given)

    def pay_out(self, name: str, cents: int = 0) -> None:
        """And out; 0: all that is free."""
        given = {"account": self.number(name), "cents": cents, "who": "claire"}
        self.tell(core_facts.EntryAsked, PAYOUT, given)

    # --- players ----------------------------------------------------------------------------------

    def sit(self, terminal: int, name: str) -> Answer:
        """A player signs on at a seat's terminal."""
        return self.terminals.sign_on(terminal, self.number(name))

    def lay(
        self, terminal: int, cents: int, *, bet: str = "main", seat: int | None = None
    ) -> Answer:
        """Who sits there stakes; the core hears of it at its next turn."""
        self.requests += 1
        is_seated = self.limits.rules["family"] == "blackjack"
        on = (terminal if seat is None else seat,) if is_seated else ()
        book = self.terminals
        said = book.stake(terminal, self.requests, coup=book.coup, bet=bet, on=on, cents=cents)
        self.turn()
        return said

    def follow(self, name: str, seat: int, cents: int, *, double: bool = True) -> Answer:
        """A player signs on over the followers' host and bets behind a hand."""
        book, n = self.terminals, self.number(name)
        signed = book.behind.sign_on(n)
        if not signed.accepted:
            return signed
        self.requests += 1
        said = book.behind.follow(
            n, self.requests, coup=book.coup, seat=seat, double=double, cents=cents
        )
        self.turn()
        return said

    def decide(
        self,
        terminal: int,
        do: str,
        *,
        seat: int | None = None,
        hand: int | None = None,
        cents: int = 0,
        seen: int | None = None,
    ) -> Answer | None:
        """Who sits there decides; of his own hand that is due unless it is said otherwise. Returns
        the answer, once the core has judged it.
        """
        self.requests += 1
        due = self.terminals.due(terminal)
        own = (terminal, 1, self.table.play.seen) if due is None else (due.seat, due.hand, due.seen)
        ask = Decide(
            self.terminals.coup,
            own[0] if seat is None else seat,
            own[1] if hand is None else hand,
            do,
            cents,
            own[2] if seen is None else seen,
        )
        self.asked = (terminal, 1, self.requests, ask)
        said = self.terminals.decide(*self.asked)
        if said is not None:
            return said
        self.turn()
        return self.terminals.decide(*self.asked)

    def turn(self) -> None:
        """Lets the loop come round: the core hears what terminals asked."""
        for event in self.played.take_events():
            self.at_us += 100_000
            self.take(self.table.handle(event._replace(at_us=self.at_us)))


def accounts_of(rows: Sequence[tuple[str, Any]]) -> Accounts:
    """The accounts, folded from rows alone."""
    found = Accounts()
    for kind, body in rows:
        if kind in FOLDED:
            found.add_row(kind, body)
    return found


def _account(name: str) -> dict[str, Any]:
    return {"player": name, "key": name.encode(), "who": "claire"}


def adds_up(money: Accounts) -> bool:
    """Whether in - out = balances + what lies sealed + (staked - won), in whole cents."""
    total = money.total()
    balances = sum(one.cents for one in money.all())
    house = total.staked_cents - total.won_cents
    return total.in_cents - total.out_cents == balances + money.lying_cents() + house


def fact_payments(place: CardPlace) -> list[Any]:
    """The payments of the last result."""
    return list(place.last(facts.RoundResult).payments)


def opened(*seats: tuple[int, str], game: str = "blackjack_live", **more: object) -> TerminalPlace:
    """A table whose shoe is burned, with these players at these terminals."""
    place = TerminalPlace(game, **more)  # type: ignore[arg-type]
    place.open()
    for terminal, name in seats:
        assert place.sit(terminal, name).accepted
    return place


def ended(place: TerminalPlace, cards: str = "TS 9D 9H KC") -> TerminalPlace:
    """Calls and plays a round in which seat 3 stands."""
    place.call()
    place.cards(cards)
    place.decide(3, "stand")
    place.key(facts.KEY_TURNED)
    return place
