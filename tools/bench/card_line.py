"""A card table's line of a certain speed: seven seat terminals, a host of followers, displays; and
the figure of `make bench`: how long whoever asks waits for his answer there.

Time on the wire is that of tools/bench/busbench.py: pseudo-terminals enforce none.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import rules
from firmware.bus import slots
from firmware.bus.card_messages import Cards
from firmware.bus.card_terminal_host import CardTerminalHost
from firmware.bus.display_host import DisplayHost
from firmware.bus.follower_messages import FOLLOWERS_MAX, Follow, FollowerSignOn, TakeBackBehind
from firmware.bus.followers import FollowersHost
from firmware.bus.line import TableLine
from firmware.bus.terminal import Decided, Terminal
from firmware.bus.terminal_messages import Decide, SignOn, Stake, TakeBack
from firmware.stakes import card_kinds, card_round
from firmware.stakes.accounts import DESK, Accounts
from firmware.stakes.answers import YES
from firmware.stakes.card_book import Asked, CardBook
from firmware.stakes.terminal_book import account_key
from rules.cards.stakes import open_table
from tools.bench import busbench

SEATS = 7
FOLLOWERS = 8  # address of their host
FIRST_FOLLOWER = 11  # account; those of the seats are 1 to 7
FUNDS_CENTS = 10**8
STEP_US = 500  # so that the controller looks at its port in time
_SECRET = bytes(range(32))


def station_key(address: int) -> bytes:
    """The key of a terminal, or of the followers' host, of the bench."""
    return hashlib.sha256(b"terminal %d" % address).digest()


def accounts(followers: int, seats: int = SEATS) -> tuple[Accounts, dict[int, bytes]]:
    """Accounts of the seats' players and the followers, and their keys."""
    made = Accounts()
    last = FIRST_FOLLOWER + followers
    for n in range(1, last):
        body = made.open(f"p{n}", "claire")
        made.add_row("account", body)
        put_in = made.deposit(n, FUNDS_CENTS, terminal=DESK, who="claire")
        made.add_row("money", put_in)
    return made, {n: account_key(_SECRET, n) for n in range(1, last)}


class CardBench(busbench.Bench):
    """One card table with its book, terminals, a host of followers, and displays on one wire."""

    def __init__(
        self,
        *,
        seats: int = SEATS,
        followers: int = 0,
        displays: int = 4,
        baud: int = 115_200,
        latency_us: int = 2_000,
        game: str = "blackjack_live",
    ) -> None:
        """`followers`: how many players have an account besides those of the seats."""
        self.limits = open_table(rules.load(game), minimum_cents=500)
        self.addresses = (*range(1, seats + 1), *([FOLLOWERS] if followers else []))
        self.followers = [FIRST_FOLLOWER + at for at in range(followers)]
        self.money, self.account_keys = accounts(followers, seats)
        self.book = self.new_book(1)
        self.terminals: list[Terminal] = []
        self.hosts: list[FollowersHost] = []
        self.happened: dict[int, list[Any]] = {}
        self.decides_us = 0  # so long the core takes for a decision
        self._judged: list[tuple[int, int]] = []
        super().__init__(
            displays,
            baud=baud,
            latency_us=latency_us,
            look_us=slots.CARD_LOOP_US,
            step_us=STEP_US,
        )
        for address in range(1, seats + 1):
            self.sit(address)
        if followers:
            self.plug_host()

    def new_book(self, coup: int) -> CardBook:
        """A book whose table an employee attends."""
        book = CardBook(
            self.limits,
            terminals=self.addresses,
            coup=coup,
            money=self.money,
            keys=self.account_keys,
            put_in=True,
            followers=FOLLOWERS if self.followers else None,
        )
        book.employee("claire", True)
        return book

    def start(self) -> None:
        """The controller starts, with another session than the last time."""
        self.starts += 1
        session = 2**63 + self.starts
        keys = {address: station_key(address) for address in self.addresses}
        self.host = CardTerminalHost(
            session, keys, self.book, baud=self.wire.baud, displays=len(self.keys)
        )
        self.display_host = DisplayHost(
            session,
            self.keys,
            self.ledger.record_of,
            game="blackjack",
            epoch=self.ledger.epoch,
            kid=self.ledger.signer.kid,
            baud=self.wire.baud,
            extra_us=self.host.extra_us,
            terminals=self.host.count,
            cards=True,
            **self.told,
        )
        self.line = TableLine(self.display_host, self.host)
        self.view(*self.last_view)
        self.show_hands(())
        self.came = b""

    def show_hands(self, hands: tuple[tuple[str, None, tuple[int, ...]], ...]) -> None:
        """The displays are told what lies on the cloth: place, and its cards."""
        self.display_host.set_cards(Cards(1, 1, False, False, False, None, hands, ()))

    def sit(self, address: int) -> Terminal:
        """Another terminal is switched on."""
        self.boots += 1
        terminal = Terminal(address, station_key(address), 1_000 + self.boots)
        self.terminals.append(terminal)
        self.happened[id(terminal)] = []
        return terminal

    def plug_host(self) -> FollowersHost:
        """Another host of followers is switched on."""
        self.boots += 1
        host = FollowersHost(FOLLOWERS, station_key(FOLLOWERS), 1_000 + self.boots)
        self.hosts.append(host)
        self.happened[id(host)] = []
        return host

    def view(self, *view: Any) -> None:
        """The controller shows a facts.View."""
        super().view(*view)
        self.host.set_state(view[0])

    def stations(self) -> list[Any]:
        """Whoever answers on the line."""
        return [*self.displays, *self.terminals, *self.hosts]

    def askers(self) -> list[Any]:
        """Whoever asks for a player."""
        return [*self.terminals, *self.hosts]

    def step(self) -> None:
        """So long as STEP_US."""
        super().step()
        for station in self.askers():
            self.happened[id(station)] += station.take_events()
        for terminal, _ in self.book.take_decisions():
            self._judged.append((self.now_us + self.decides_us, terminal))
        for at_us, terminal in list(self._judged):
            if at_us <= self.now_us:
                self._judged.remove((at_us, terminal))
                self.book.answer_decision(terminal, YES)

    def of(self, station: Any, kind: Any) -> list[Any]:
        """What happened there, of one kind."""
        return [one for one in self.happened[id(station)] if isinstance(one, kind)]

    def seat_on(self, address: int) -> SignOn:
        """The player of a seat signs on: his account has its number."""
        return SignOn(address, self.account_keys[address])

    def follower_on(self, n: int) -> FollowerSignOn:
        """A follower signs on."""
        return FollowerSignOn(n, self.account_keys[n])

    def settle(self, us: int = 30_000_000) -> None:
        """Lets time pass until all that was asked is decided."""
        if not self.run(us, lambda: all(one.idle for one in self.askers())):
            raise AssertionError("never decided")

    def seal(self) -> Any:
        """The call: what lies is sealed. Returns the row."""
        book = self.book
        body = card_round.body_of(self.limits, book.coup, book.stakes(), book.employees())
        book.add_row(card_kinds.STAKES, body)
        return body

    def void(self) -> Any:
        """The round ends, void. Returns the row."""
        body = {"round": self.book.coup, "reason": "croupier"}
        self.book.add_row(card_kinds.VOID, body)
        return body

    def ask_seats(self, kind: str, choices: tuple[str, ...], *, us: int = 15_000_000) -> None:
        """Something is due from each seat."""
        until_us = self.now_us + us
        self.book.show_asked(
            [Asked(kind, seat, 1, choices, (), 14, until_us, "14") for seat in range(1, SEATS + 1)]
        )


class Waits(NamedTuple):
    """How long so many askers waited for their answers, milliseconds."""

    answers: int
    p50: float
    p99: float
    most: float


def waits(found_us: list[int]) -> Waits:
    """Sums up so many waits."""
    ordered = sorted(found_us)
    at = [ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in (50, 99)]
    return Waits(len(ordered), at[0] / 1000, at[1] / 1000, ordered[-1] / 1000)


class _Watch:
    """Notes when each asked, and how long until he was answered."""

    def __init__(self, bench: CardBench) -> None:
        self.bench = bench
        self.seen = {key: len(found) for key, found in bench.happened.items()}
        self.asked_us: dict[int, list[int]] = {key: [] for key in bench.happened}
        self.seats_us: list[int] = []
        self.followers_us: list[int] = []

    def ask(self, station: Any, ask: Any) -> None:
        station.ask(ask)
        self.asked_us[id(station)].append(self.bench.now_us)

    def look(self) -> None:
        """Each is answered in the order in which he asked."""
        for station in self.bench.askers():
            found = self.bench.happened[id(station)]
            for one in found[self.seen[id(station)] :]:
                if isinstance(one, Decided):
                    waited_us = self.bench.now_us - self.asked_us[id(station)].pop(0)
                    is_seat = isinstance(station, Terminal)
                    (self.seats_us if is_seat else self.followers_us).append(waited_us)
            self.seen[id(station)] = len(found)

    @property
    def idle(self) -> bool:
        return not any(self.asked_us.values())

    def run(self, us: int, until: Callable[[], bool] = lambda: False) -> None:
        def watched() -> bool:
            self.look()
            return until()

        self.bench.run(us, watched)


def seated_bench(followers: int = FOLLOWERS_MAX, **more: Any) -> CardBench:
    """Everybody is signed on."""
    bench = CardBench(followers=followers, **more)
    for terminal, address in zip(bench.terminals, range(1, SEATS + 1), strict=False):
        terminal.ask(bench.seat_on(address))
    for n in bench.followers:
        bench.hosts[0].ask(bench.follower_on(n))
    bench.settle()
    bench.run(3_000_000)
    return bench


def all_at_once(moments: int = 10, **more: Any) -> tuple[Waits, Waits]:
    """What seats and followers wait if all ask at once, at so many moments: a seat's terminal a
    stake, each follower a stake behind one of them; then all take it back."""
    bench = seated_bench(**more)
    watch = _Watch(bench)
    for turn in range(moments):
        bench.run(300_000 + 37_000 * turn)
        for take_back in (False, True):
            for terminal, seat in zip(bench.terminals, range(1, SEATS + 1), strict=True):
                last = max((one.request for one in bench.of(terminal, Decided)), default=0)
                ask: Any = TakeBack(last) if take_back else Stake(0, "main", 1_000, (seat,))
                watch.ask(terminal, ask)
            for n in bench.followers:
                seat = n % SEATS + 1
                ask = TakeBackBehind(n, seat) if take_back else Follow(n, 0, seat, True, 1_000)
                watch.ask(bench.hosts[0], ask)
            watch.run(10_000_000, lambda: watch.idle)
            bench.run(2_000_000 + 11_000 * turn)
    return waits(watch.seats_us), waits(watch.followers_us)


def steadily(seconds: int = 60, each_s: float = 10.0, **more: Any) -> tuple[Waits, Waits]:
    """What seats and followers wait if each asks once in so many seconds, at chance moments: they
    lay, and take back."""
    bench = seated_bench(**more)
    for terminal, seat in zip(bench.terminals, range(1, SEATS + 1), strict=True):
        terminal.ask(Stake(0, "main", 1_000, (seat,)))
    bench.settle()
    chance = random.Random(28)
    watch = _Watch(bench)
    lies: set[int] = set()
    end_us = bench.now_us + seconds * 1_000_000
    while bench.now_us < end_us:
        for n in bench.followers:
            if chance.random() < STEP_US / (each_s * 1e6):
                seat = n % SEATS + 1
                back = n in lies
                ask = TakeBackBehind(n, seat) if back else Follow(n, 0, seat, False, 1_000)
                lies ^= {n}
                watch.ask(bench.hosts[0], ask)
        for terminal, seat in zip(bench.terminals, range(1, SEATS + 1), strict=True):
            if terminal.idle and chance.random() < STEP_US / (each_s * 1e6):
                last = max(one.request for one in bench.of(terminal, Decided))
                lies ^= {seat}
                back = seat in lies
                bet = Stake(0, "perfect_pairs", 1_000, (seat,))
                watch.ask(terminal, bet if back else TakeBack(last))
        watch.run(STEP_US)
    watch.run(10_000_000, lambda: watch.idle)
    return waits(watch.seats_us), waits(watch.followers_us)


def deciding(rounds: int = 20, **more: Any) -> Waits:
    """What a seat waits for the answer to its decision: one behind the other, all cards shown, and
    the core takes 20 ms for it. The followers' stakes lie."""
    bench = seated_bench(**more)
    for terminal, seat in zip(bench.terminals, range(1, SEATS + 1), strict=True):
        terminal.ask(Stake(0, "main", 1_000, (seat,)))
    bench.settle()
    bench.seal()
    bench.decides_us = 20_000
    bench.view("PLAYING", 1, 0, 0, None, None, None)
    seats = tuple((f"s{seat}", None, (seat, seat + 13, seat + 26)) for seat in range(1, SEATS + 1))
    watch = _Watch(bench)
    for turn in range(rounds):
        for terminal, seat in zip(bench.terminals, range(1, SEATS + 1), strict=True):
            bench.show_hands((*seats, ("d", None, (turn % 52,))))
            bench.ask_seats("decision", ("hit", "stand"))
            bench.run(1_000_000 + 37_000 * turn + 5_000 * seat)
            watch.ask(terminal, Decide(0, seat, 1, "stand", 0, 14))
            watch.run(10_000_000, lambda: watch.idle)
    return waits(watch.seats_us)


@functools.cache
def figures() -> list[tuple[str, Waits]]:
    """What was measured, and how long they waited."""
    at_once, steady = all_at_once(), steadily()
    return [
        ("140 followers at once, and 7 seats", at_once[1]),
        ("7 seats at once, and 140 followers", at_once[0]),
        ("140 followers, each once in 10 s", steady[1]),
        ("7 seats, each once in 10 s", steady[0]),
        ("a seat decides, core 20 ms", deciding()),
    ]


if __name__ == "__main__":
    for name, found in figures():
        print(f"{name}: {found.answers} answers, p50 {found.p50:.0f} ms, p99 {found.p99:.0f} ms,"
              f" most {found.most:.0f} ms")  # fmt: skip
