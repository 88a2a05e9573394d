"""A short talk of controller and terminal about stakes, printed: the same lines on any Python.

Not a test by itself. test_terminal_script.py holds CPython to the golden lines, `make micropython`
the device's interpreter.
"""

import rules
from firmware.bus.frame import Deframer
from firmware.bus.terminal import Terminal
from firmware.bus.terminal_host import TerminalHost
from firmware.bus.terminal_messages import PutIn, SignOff, SignOn, Stake, TakeBack
from firmware.stakes.accounts import DESK, Accounts
from firmware.stakes.book import Book
from firmware.stakes.seal import canonical
from firmware.stakes.terminal_book import account_key

KEY = bytes(range(32))
ACCOUNT_KEY = account_key(KEY, 1)
# fmt: off
ASKS = (
    SignOn(1, KEY), SignOn(1, ACCOUNT_KEY), PutIn(1000),
    Stake(0, "rouge", 500, ()), Stake(0, "plein", 400, (7,)),
    Stake(0, "plein", 2000, (7,)), Stake(0, "cheval", 500, (1, 2)), TakeBack(2),
    Stake(0, "noir", 700, ()), Stake(0, "pair", 9000, ()), SignOff(),
)
# fmt: on
_GIVEN_BACK = ("terminal", "player", "given_back", "given_back_cents")


class Talk:
    """One controller, one terminal, and a line that takes no time."""

    def __init__(self):
        game = rules.load("vingt_trois_fr")
        money = Accounts()
        money.add_row("account", money.open("Zoë", "Léa"))
        money.add_row("money", money.deposit(1, 2000, terminal=DESK, who="Léa"))
        self.book = Book(
            game, minimum_cents=500, terminals=(1,), coup=7, money=money, keys={1: ACCOUNT_KEY},
            put_in=True,
        )  # fmt: skip
        self.host = TerminalHost(0x0102030405060708, {1: KEY}, self.book, baud=115200)
        self.deframer = Deframer()
        self.terminal = Terminal(1, KEY, 0x0A0B0C0D)
        self.now_us = 0

    def round(self):
        """One poll and its reply, in hexadecimal, and what came of it."""
        self.now_us += 150000
        poll = self.host.poll(self.now_us)
        reply = self.terminal.feed(poll, self.now_us)
        yield "> " + poll.hex()
        if reply:
            # One byte at a time, behind noise.
            for byte in b"\x05noise" + reply:
                for payload in self.deframer.feed(bytes([byte])):
                    self.host.feed(payload, self.now_us + 5000)
            for what, given in self.host.take_asked():  # as the core has it recorded
                kind, body = self.book.entry(what, given)
                self.book.entered(kind, body)
            yield "< " + reply.hex()
        for happened in self.terminal.take_events():
            yield plain(happened)


def plain(value):
    """A value in words: what `repr` makes of names and texts differs."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return "(" + ", ".join([plain(part) for part in value]) + ")"
    return str(value)


def lines():
    """The whole talk."""
    talk = Talk()
    talk.book.employee("Zoë", True)
    for ask in ASKS:
        talk.terminal.ask(ask)
    while not talk.terminal.idle:
        for line in talk.round():
            yield line
    record = talk.book.close(7)
    yield record["seal"]
    yield canonical(record).hex()
    talk.book.ended({"coup": 7, "number": 7, "colour": "black", "stakes": record["seal"]})
    for _ in range(3):
        for line in talk.round():
            yield line
    for ask in (SignOn(1, ACCOUNT_KEY), Stake(8, "rouge", 500, ())):
        talk.terminal.ask(ask)
    while not talk.terminal.idle:
        for line in talk.round():
            yield line
    for account in talk.book.money.all():
        yield plain(tuple(account))
    for address, meters in talk.book.money.meters():
        yield plain((address, meters))
    done = talk.book.unseat(1, "another's name")
    yield plain(tuple([done[key] for key in _GIVEN_BACK]))
    talk.terminal.ask(Stake(8, "noir", 500, ()))
    while not talk.terminal.idle:
        for line in talk.round():
            yield line


if __name__ == "__main__":
    for text in lines():
        print(text)
