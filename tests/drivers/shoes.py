"""A shoe at a table, over a line that may do anything to the bytes on it."""

from collections.abc import Callable
from typing import Any

from drivers import shoe_messages as messages
from drivers.shoe_end import ShoeEnd
from drivers.shoe_serial import ShoeSerial
from firmware.core.cards import facts

KEY = bytes(range(32))
SESSION = 0x5E55_0000_0000_0007
BOOT = 0xB007_0000_0000_0001
STEP_US = 10_000


def same(data: bytes) -> bytes:
    """A line that does nothing."""
    return data


class Wire:
    """Both ends, and what the table was told. Time goes in steps of 10 ms."""

    def __init__(
        self,
        key: bytes | None = KEY,
        table_key: bytes | None = None,
        session: int = SESSION,
        boot: int = BOOT,
    ) -> None:
        self.key = key
        self.now_us = 0
        self.table = ShoeSerial(session, 0, table_key or key)
        self.shoe = self.end(boot)
        self.told: list[Any] = []
        self.to_table: Callable[[bytes], bytes] = same
        self.to_shoe: Callable[[bytes], bytes] = same
        self.said: list[bytes] = []  # by the shoe, as it lay on the line before anything befell it
        self.answered: list[bytes] = []

    def end(self, boot: int) -> ShoeEnd:
        return ShoeEnd("virtual", "0001", 6, boot=boot, key=self.key)

    def start_again(self, boot: int) -> None:
        """The shoe loses its power, and all that it kept; its clock begins anew with its boot."""
        self.shoe = self.end(boot)

    def go(self, ms: int) -> list[Any]:
        """Lets time pass; gives what the table was told."""
        before = len(self.told)
        for _ in range(ms * 1000 // STEP_US):
            self.now_us += STEP_US
            out = self.shoe.take_bytes(self.now_us)
            self.said.append(out)
            self.told += self.table.receive(self.to_table(out), self.now_us)
            back = self.table.take_bytes()
            self.answered.append(back)
            self.shoe.receive(self.to_shoe(back), self.now_us)
        return self.told[before:]

    def meet(self) -> None:
        """Until the table believes the shoe."""
        self.go(500)
        assert self.told == [
            facts.ShoeLoaded(
                self.told[0].at_us, "virtual", "0001", 6, BOOT, self.key is not None, 0
            )
        ]
        self.told.clear()

    def pull(self, card: int, ident: str = "", out: bool = True) -> list[Any]:
        """Pulls a card as it should be pulled; gives what the table was told."""
        before = len(self.told)
        self.shoe.edge(messages.IN, self.now_us)
        self.go(100)
        self.shoe.card(card, ident, card, card, self.now_us)
        self.go(100)
        if out:
            self.shoe.edge(messages.OUT, self.now_us)
            self.go(100)
        return self.told[before:]


def cards(told: list[Any]) -> list[Any]:
    """The cards that were told, None for one that nobody knows."""
    return [fact.card for fact in told if isinstance(fact, facts.CardRead)]


def kinds(told: list[Any]) -> list[str]:
    """What was told, by name."""
    return [type(fact).__name__ for fact in told]
