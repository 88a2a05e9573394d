"""Players with accounts at a virtual card table: at terminals, and behind the hands of others.

They speak to the CardBook as a terminal does, without a line between: the line's own faults are
the bus's. What was accepted of them (`laid`), what they said, what they were told and answered is
noted here, and never comes from the table: a round with money is judged by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from firmware.bus.terminal_messages import Decide
from firmware.core import facts as core_facts
from firmware.core.cards import facts
from firmware.stakes import accounts
from firmware.stakes.answers import Answer
from rules.cards.due import DOUBLE, INSURANCE, INSURE, NO_INSURANCE
from tools.sim.card_players import BLACKJACK, SEATS, Players
from tools.sim.streams import stream
from tools.virtual.card_hands import WHO, players_of

if TYPE_CHECKING:
    from tools.virtual.card_table import VirtualCardTable

HOST = 8  # the followers' address
LAYS_US = (150_000, 2_600_000)  # from the opening of a round; the croupier calls meanwhile
DECIDES_US = (1_000_000, 4_000_000)  # so a card that was pulled meanwhile is out before
ASKS_US = 50_000  # until a terminal asks again what waits
TRIES = 400  # so often, a store is slow
SILENT_US = 2_000_000  # after so much silence a terminal's player is signed off
SERVES_US = 400_000  # an employee at the desk, from one player to the next
POOR_CENTS, RICH_CENTS = (3_000, 12_000), (60_000, 400_000)  # put in at once
LOW_CENTS = 2_500  # who has less puts money in
_BETWEEN = (facts.NEXT, facts.BURN_ALL, facts.LOAD)


class PaymentNotice(NamedTuple):
    """A round's payments as a player was told them. `terminal`: where he was."""

    at_us: int
    account: int
    terminal: int
    told: Any  # CardSettled


class Person:
    """Who has an account. `terminal`: where he sits, HOST: he bets behind hands."""

    def __init__(self, name: str, terminal: int, *, poor: bool) -> None:
        """He has not come yet."""
        self.name = name
        self.terminal = terminal
        self.poor = poor
        self.n = 0  # of his account
        self.is_dead = False  # his terminal
        self.boot = 1  # of it
        self.request = 0  # the last
        self.seen: Any = None  # what he has been asked to decide
        self.is_paying_in = False  # his acceptor holds notes until it is answered
        self.mute = 0  # so many decisions he does not make
        self.wants = ""  # what he decides next, if he may


class CardSeats:
    """All of them at one table. What they do hangs on the seed alone."""

    def __init__(self, table: VirtualCardTable, followers: int | None) -> None:
        """`table`: at which they play; nobody has come yet. `followers`: so many, and a terminal at
        each seat; None: some.
        """
        limits, seed = table.limits, table.setup.seed
        self.laid: list[dict[str, Any]] = []  # accepted for the round to come, or that is played
        self.cents: dict[tuple[int, int, int, bool], int] = {}  # of decisions for less
        self.notices: list[PaymentNotice] = []
        # Acceptors, by request: account and cents asked for, and cents taken in.
        self.asked_in: dict[tuple[int, int, int], tuple[int, int]] = {}
        self.taken_in: dict[tuple[int, int, int], int] = {}
        self.wrong: list[str] = []  # what must not have been answered so
        self._table = table
        self._rng = stream(seed, "seats")
        self._is_blackjack = limits.rules["family"] == BLACKJACK
        self._players: Players = players_of(limits, seed + 1, table.setup.style)
        most = SEATS if self._is_blackjack else 5
        terminals = most if followers is not None else self._rng.randint(2, most)
        self.terminals = sorted(self._rng.sample(range(1, most + 1), terminals))
        self.host = HOST if "behind" in limits.bets else None
        self._current = {at: self._person(at, 1) for at in self.terminals}
        count = 0
        if self.host is not None:
            count = self._rng.randint(2, 8) if followers is None else followers
        self.followers = [self._person(HOST, number) for number in range(1, count + 1)]
        self._visitors = 1  # so many have sat down at each terminal
        self._laying: Any = None  # the round that they lay stakes for, and until when

    def _person(self, terminal: int, number: int) -> Person:
        name = f"f{number}" if terminal == HOST else f"t{terminal}.{number}"
        return Person(name, terminal, poor=self._rng.random() < 0.5)

    def addresses(self) -> tuple[int, ...]:
        """Returns the addresses on the line."""
        return (*self.terminals, *([] if self.host is None else [self.host]))

    def free_seats(self) -> list[int]:
        """Returns the seats without a terminal."""
        return [seat for seat in range(1, SEATS + 1) if seat not in self.terminals]

    @property
    def _book(self) -> Any:
        """The book, a CardBook; None while the controller has no power."""
        return self._table.book

    @property
    def people(self) -> list[Person]:
        """Returns who is there: at terminals, then behind hands."""
        return [*self._current.values(), *self.followers]

    def at(self, terminal: int) -> Person:
        """Returns who sits at a terminal."""
        return self._current[terminal]

    def seated(self) -> list[Person]:
        """Returns who sits at terminals that work."""
        return [each for each in self._current.values() if each.n and not each.is_dead]

    def holder(self, seat: int) -> Person | None:
        """Returns whose main stake lies on a seat, if it was laid at a terminal."""
        for stake in self.laid:
            if stake["bet"] == "main" and stake["seat"] == seat:
                return next(each for each in self.people if each.n == stake["account"])
        return None

    # --- what happens at the table ----------------------------------------------------------------

    def begin_play(self) -> None:
        """The controller has started: nobody is signed on, and nothing unsealed lies."""
        self.laid, self._laying = [], None
        for each in self.people:
            each.n, each.seen = 0, None
        self._serve_later()

    def see(self, code: str) -> None:
        """Something has changed at the table; `code`: on the croupier's screen."""
        book = self._book
        if book is None:
            return
        for each in self.people:
            self._hear(each)
            if each.is_dead and each.terminal != HOST:
                book.sign_off(each.terminal)
        laying = (book.coup, self._table.until_us)  # anew where nobody laid anything
        if code == facts.BETS and self._laying != laying:
            self._laying, self.cents = laying, {}
            self._serve_later()
            for each in self.people:
                self._later(LAYS_US, lambda each=each: self._lay(each))  # type: ignore[misc]
        elif code in (facts.DECIDE, facts.INSURE):
            for each in self.seated():
                self._see_due(each)
        elif code in _BETWEEN:
            self._pause()

    def end_round(self) -> None:
        """A round has ended: nothing of it lies any more."""
        self.laid = []

    # --- what they do -----------------------------------------------------------------------------

    def sign_on(self, person: Person) -> bool:
        """He shows his key; returns whether he may play."""
        book = self._book
        if book is None or not person.n or person.is_dead:
            return False
        if person.terminal == HOST:
            return bool(self._checked(book.behind.sign_on(person.n)).accepted)
        return bool(self._checked(book.sign_on(person.terminal, person.n)).accepted)

    def stake(self, person: Person, stake: dict[str, Any]) -> bool:
        """Asks for a stake; sometimes twice, for the line repeats itself. Returns whether it
        lies.
        """
        book = self._book
        if book is None or not self.sign_on(person):
            return False
        person.request += 1
        for again in range(1 + (self._rng.random() < 0.1)):
            answer = self._checked(self._ask_stake(person, person.request, stake))
            if answer.accepted and not again:
                where = {"account": person.n, "terminal": person.terminal, "id": person.request}
                self.laid.append(stake | where)
        return bool(answer.accepted)

    def take_back(self, person: Person, stake: dict[str, Any]) -> None:
        """Asks for a stake of his back."""
        book = self._book
        if book is None or stake not in self.laid:
            return
        if person.terminal == HOST:
            answer = book.behind.take_back(person.n, stake["seat"])
        else:
            answer = book.take_back(person.terminal, stake["id"])
        if self._checked(answer).accepted:
            self.laid.remove(stake)

    def decide_now(self, person: Person) -> Decide | None:
        """He decides what is due of him, if anything is; returns what he says."""
        due, _ = self._due(person)
        if due is None:
            return None
        do, cents = self._choose(due, self._book.funds_cents(person.terminal))
        if person.wants in due.choices:
            do, cents = person.wants, 0
        person.wants = ""
        key = (due.seat, due.hand, due.seen, due.kind == INSURANCE)
        self._table.croupier.said[key] = do
        self.cents[key] = cents
        said = Decide(self._book.coup, due.seat, due.hand, do, cents, due.seen)
        self.ask(person, said)
        return said

    def ask(self, person: Person, ask: Decide, *, must_fail: str = "") -> None:
        """His terminal asks for a decision until it is answered. `must_fail`: why it must be
        refused.
        """
        person.request += 1
        self._ask_decision(person, (person.boot, person.request), ask, TRIES, must_fail)

    def put_in(self, person: Person, cents: int) -> None:
        """He puts notes into his terminal's acceptor, which keeps them once the answer is yes."""
        if person.is_paying_in:
            return
        person.request += 1
        person.is_paying_in = True
        self.asked_in[(person.terminal, person.boot, person.request)] = (person.n, cents)
        self._put_in(person, (person.boot, person.request), cents, TRIES)

    def enter(self, what: str, person: Person, **given: Any) -> None:
        """An employee has something entered in his account."""
        now_us = self._table.now_us
        given = {"account": person.n, "who": WHO[0], "terminal": accounts.DESK} | given
        self._table.ask(core_facts.EntryAsked(now_us, what, given))

    def unseat(self, person: Person) -> None:
        """An employee signs him off."""
        table, book = self._table, self._book
        if book is None or book.player(person.terminal) != person.name:
            return
        table.ask(core_facts.UnseatAsked(table.now_us, WHO[0], person.terminal, WHO[2]))
        self._given_back(person)

    def bar(self, person: Person, admit_us: int) -> None:
        """A member of the management bars him, and admits him after a while."""
        if self._book is None or not person.n:
            return
        self.enter(accounts.BARRED, person, why=WHO[2])
        self._given_back(person)
        admit = lambda: self.enter(accounts.ADMITTED, person, why=WHO[2])  # noqa: E731
        self._table.later(admit_us, admit)

    def die(self, person: Person, back_us: int) -> None:
        """His terminal loses its power; after a while it is there again, and he signs on anew."""
        person.is_dead = True
        self._table.later(SILENT_US, lambda: self._silent(person))
        self._table.later(back_us, lambda: self._revive(person))

    # --- within -----------------------------------------------------------------------------------

    def _later(self, between_us: tuple[int, int], what: Callable[[], None]) -> None:
        self._table.later(self._rng.randint(*between_us), what)

    def _checked(self, answer: Answer) -> Answer:
        """Notes a refusal that says nothing."""
        if not answer.accepted and not answer.why:
            self.wrong.append("a refusal says no word")
        return answer

    def _given_back(self, person: Person) -> None:
        """What he had laid is his again, before the call."""
        if not self._table.is_called:
            self.laid = [stake for stake in self.laid if stake["account"] != person.n]

    def _ask_stake(self, person: Person, number: int, stake: dict[str, Any]) -> Answer:
        book, cents = self._book, stake["cents"]
        if person.terminal == HOST:
            double = stake["follow"] == "double"
            where = {"coup": book.coup, "seat": stake["seat"]}
            found: Answer = book.behind.follow(
                person.n, number, double=double, cents=cents, **where
            )
        else:
            on = (stake["seat"],) if self._is_blackjack else ()
            found = book.stake(
                person.terminal, number, coup=book.coup, bet=stake["bet"], on=on, cents=cents
            )
        return found

    def _lay(self, person: Person) -> None:
        """He lays what he likes, if he is there in time; and may think better of it."""
        rng, name = self._rng, person.name
        if rng.random() < 0.15 or not self.sign_on(person):
            return
        if person.terminal == HOST:
            # Somebody plays there, mostly.
            seats = rng.sample(self.terminals, rng.choice((1, 1, 2)))
            stakes = [self._players.behind(name, seat) for seat in seats]
        elif self._is_blackjack:
            stakes = self._players.hand(name, person.terminal)
        else:
            stakes = self._players.on_sides(name)
        for stake in stakes:
            self.stake(person, stake)
        own = [stake for stake in self.laid if stake["account"] == person.n]
        if own and rng.random() < 0.1:
            self._later(LAYS_US, lambda: self.take_back(person, own[-1]))

    def _see_due(self, person: Person) -> None:
        due, key = self._due(person)
        if due is None or key == person.seen:
            return
        person.seen = key
        if person.mute:
            person.mute -= 1
            return
        self._later(DECIDES_US, lambda: self._decide(person, key))

    def _due(self, person: Person) -> tuple[Any, Any]:
        book = self._book
        due = None if book is None or person.is_dead else book.due(person.terminal)
        return due, None if due is None else (book.coup, due.kind, due.seat, due.hand, due.seen)

    def _decide(self, person: Person, key: Any) -> None:
        if self._due(person)[1] == key:
            self.decide_now(person)

    def _choose(self, due: Any, funds_cents: int) -> tuple[str, int]:
        """What a hand decides of what is due, and cents, 0: whole."""
        players, rng, rules = self._players, self._rng, self._table.limits.rules
        if due.kind == INSURANCE:
            do = INSURE if players.insures() and INSURE in due.choices else NO_INSURANCE
        else:
            do = players.decide(due.points, due.choices)
        takes_less = {DOUBLE: "double_less", INSURE: "insurance_less"}.get(do)
        if takes_less is None or not rules[takes_less]:
            return do, 0
        if funds_cents < due.cents:
            return do, funds_cents
        return do, rng.randint(1, due.cents) if rng.random() < 0.2 else 0

    def _ask_decision(
        self, person: Person, request: tuple[int, int], ask: Decide, tries: int, must_fail: str
    ) -> None:
        book = self._book
        if person.is_dead or person.boot != request[0]:
            return  # nobody asks any more
        answer = None if book is None else book.decide(person.terminal, *request, ask)
        if answer is None and not tries:
            self.wrong.append(f"a decision of terminal {person.terminal} was never answered")
        elif answer is None:
            again = lambda: self._ask_decision(person, request, ask, tries - 1, must_fail)  # noqa: E731
            self._table.later(ASKS_US, again)
        elif self._checked(answer).accepted and must_fail:
            self.wrong.append(f"{must_fail} was taken")

    def _put_in(self, person: Person, request: tuple[int, int], cents: int, tries: int) -> None:
        book = self._book
        if person.is_dead or person.boot != request[0]:
            person.is_paying_in = False  # the acceptor gives them back
            return
        answer = None if book is None else book.put_in(person.terminal, *request, cents)
        if answer is None and tries:
            again = lambda: self._put_in(person, request, cents, tries - 1)  # noqa: E731
            self._table.later(ASKS_US, again)
            return
        person.is_paying_in = False
        if answer is None:
            self.wrong.append(f"money in terminal {person.terminal} was never answered")
        elif self._checked(answer).accepted:
            self.taken_in[(person.terminal, *request)] = cents

    def _hear(self, person: Person) -> None:
        book = self._book
        if not person.n or person.is_dead or book is None:
            return
        if person.terminal == HOST:
            while (
                book.behind.is_signed_on(person.n) and (told := book.behind.settled(person.n)).paid
            ):
                self.notices.append(PaymentNotice(self._table.now_us, person.n, HOST, told))
                book.acknowledge(person.n, told.coup)
            return
        if book.player(person.terminal) != person.name:
            return
        while (told := book.settled(person.terminal)).paid:
            self.notices.append(PaymentNotice(self._table.now_us, person.n, person.terminal, told))
            book.acknowledge_payments(person.terminal, told.coup)

    def _silent(self, person: Person) -> None:
        if person.is_dead and self._book is not None:
            self._book.sign_off(person.terminal)

    def _revive(self, person: Person) -> None:
        if person not in self.people:
            return  # he has left
        person.is_dead, person.boot, person.seen = False, person.boot + 1, None
        self.sign_on(person)
        self._see_due(person)

    # --- between rounds, and at the desk ----------------------------------------------------------

    def _pause(self) -> None:
        """Between two rounds: some leave, others come, money goes in and out."""
        book, rng = self._book, self._rng
        for person in self.people:
            draw = rng.random()
            if not person.n or person.is_dead:
                continue
            if draw < 0.04:
                self.enter(accounts.PAYOUT, person, cents=0)
            elif draw < 0.10 and person.terminal == HOST:
                book.behind.sign_off(person.n)
            elif person.is_paying_in:
                continue
            elif draw < 0.10 and book.sign_off(person.terminal).accepted:
                person.is_dead = True  # he has left
                self._visitors += 1
                self._current[person.terminal] = self._person(person.terminal, self._visitors)
                self._current[person.terminal].boot = person.boot
                self._current[person.terminal].request = person.request
            elif draw < 0.15 and person.terminal != HOST and self.sign_on(person):
                self.put_in(person, 100 * rng.randint(5, 500))
        self._serve_later()

    def _serve_later(self) -> None:
        for place, person in enumerate(self.people):
            serve = lambda person=person: self._serve(person)  # noqa: E731
            self._table.later(SERVES_US * (place + 1), serve)

    def _serve(self, person: Person) -> None:
        """An employee opens his account, and takes what he brings."""
        book = self._book
        if book is None:
            return
        account = book.money.of_player(person.name)
        if account is None:
            key = person.name.encode()
            given = {"player": person.name, "key": key, "who": WHO[0]}
            self._table.ask(core_facts.EntryAsked(self._table.now_us, accounts.ACCOUNT, given))
            account = book.money.of_player(person.name)
        person.n = account.n
        if not self.laid_by(person) and account.cents < LOW_CENTS:
            least, most = POOR_CENTS if person.poor else RICH_CENTS
            cents = 100 * self._rng.randint(least // 100, most // 100)
            self.enter(accounts.DEPOSIT, person, cents=cents)

    def laid_by(self, person: Person) -> Sequence[dict[str, Any]]:
        """Returns what lies of him."""
        return [stake for stake in self.laid if stake["account"] == person.n]
