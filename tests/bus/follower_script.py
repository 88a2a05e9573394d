"""A short talk at a card table: a seat and a host of followers, printed: the same lines on any
Python.

Not a test by itself. test_follower_script.py holds CPython to the golden lines, `make micropython`
the device's interpreter.
"""

import rules
from firmware.bus.card_terminal_host import CardTerminalHost
from firmware.bus.follower_messages import Follow, FollowerSignOff, FollowerSignOn, TakeBackBehind
from firmware.bus.followers import FollowersHost
from firmware.bus.frame import Deframer
from firmware.bus.terminal import Terminal
from firmware.bus.terminal_messages import Decide, SignOn, Stake
from firmware.stakes import card_kinds, card_round
from firmware.stakes.accounts import DESK, Accounts
from firmware.stakes.answers import YES
from firmware.stakes.card_book import Asked, CardBook
from firmware.stakes.terminal_book import account_key
from rules.cards.stakes import open_table

KEYS = {1: bytes(range(32)), 8: bytes(range(32, 64))}
ACCOUNT_KEYS = {n: account_key(KEYS[1], n) for n in (1, 2, 3)}
# fmt: off
SEAT_ASKS = (SignOn(1, ACCOUNT_KEYS[1]), Stake(0, "main", 1000, (1,)))
FOLLOWERS_ASKS = (
    FollowerSignOn(2, ACCOUNT_KEYS[2]), FollowerSignOn(3, KEYS[1]),
    FollowerSignOn(3, ACCOUNT_KEYS[3]), Follow(2, 0, 1, True, 600), Follow(3, 0, 1, False, 500),
    Follow(3, 0, 4, False, 500), Follow(2, 0, 5, True, 500), TakeBackBehind(3, 1),
    FollowerSignOff(3),
)
# fmt: on


class Talk:
    """One controller, a seat, a host of followers, and a line that takes no time."""

    def __init__(self):
        self.limits = open_table(rules.load("blackjack_live"), minimum_cents=500)
        money = Accounts()
        for name in ("Zoë", "Léa", "Ugo"):
            opened = money.open(name, "Ida")
            money.add_row("account", opened)
            put_in = money.deposit(opened["account"], 5000, terminal=DESK, who="Ida")
            money.add_row("money", put_in)
        self.book = CardBook(
            self.limits, terminals=(1, 8), coup=7, money=money, keys=ACCOUNT_KEYS, followers=8
        )
        self.book.employee("Ida", True)
        self.host = CardTerminalHost(0x0102030405060708, KEYS, self.book, baud=115200)
        self.deframer = Deframer()
        self.seat = Terminal(1, KEYS[1], 0x0A0B0C0D)
        self.followers = FollowersHost(8, KEYS[8], 0x0D0C0B0A)
        self.now_us = 0

    def round(self):
        """Polls and replies, in hexadecimal, and what came of them; one out of turn, too."""
        for extra in (False, False, True):
            self.now_us += 60000
            poll = self.host.poll_extra(self.now_us, 1000000) if extra else b""
            poll = poll or self.host.poll(self.now_us, 1000000)
            if not poll:
                continue
            yield "> " + poll.hex()
            for station in (self.seat, self.followers):
                reply = station.feed(poll, self.now_us)
                if reply:
                    yield "< " + reply.hex()
                for payload in self.deframer.feed(reply):
                    self.host.feed(payload, self.now_us + 5000)
                for happened in station.take_events():
                    yield plain(happened)

    def rounds(self):
        """Until all that was asked is decided."""
        while not (self.seat.idle and self.followers.idle):
            yield from self.round()


def plain(value):
    """A value in words: what `repr` makes of names and texts differs."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return "(" + ", ".join([plain(part) for part in value]) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join([key + " " + plain(value[key]) for key in sorted(value)]) + "}"
    return str(value)


def lines():
    """The whole talk."""
    talk = Talk()
    book = talk.book
    for ask in SEAT_ASKS:
        talk.seat.ask(ask)
    for ask in FOLLOWERS_ASKS:
        talk.followers.ask(ask)
    for line in talk.rounds():
        yield line
    body = card_round.body_of(talk.limits, 7, book.stakes(), book.employees())
    book.add_row(card_kinds.STAKES, body)
    yield body["seal"]
    book.show_asked([Asked("decision", 1, 1, ("hit", "stand"), (), 3, 9000000, "7/17")])
    for line in talk.round():
        yield line
    yield plain(talk.seat.standing)
    talk.seat.ask(Decide(0, 1, 1, "stand", 0, 3))
    for line in talk.round():
        yield line
    for terminal, ask in book.take_decisions():
        yield plain((terminal, tuple(ask)))
        book.answer_decision(terminal, YES)
    for line in talk.rounds():
        yield line
    book.add_row(card_kinds.VOID, {"round": 7, "reason": "croupier"})
    for _ in range(3):
        for line in talk.round():
            yield line
    yield plain(talk.followers.standing)
    for account in book.money.all():
        yield plain(tuple(account))


if __name__ == "__main__":
    for text in lines():
        print(text)
