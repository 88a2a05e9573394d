"""A line of a certain speed, everybody on it, and time: what pseudo-terminals do not model.

A byte lasts its ten bits, whoever speaks while another does spoils both, and each hears all but
itself. The controller looks at its port once in 10 ms, as firmware/loop.py does.
"""

from collections.abc import Callable
from typing import Any

import rules
from firmware.bus.host import Host
from firmware.bus.line import TableLine
from firmware.bus.receiver import Receiver
from firmware.bus.sender import Talker
from firmware.bus.slots import wire_us
from firmware.bus.terminal import Terminal
from firmware.stakes.book import Book

PERIOD_US = 10_000
STEP_US = 1_000
KEYS = {address: bytes([address]) * 32 for address in range(1, 33)}
VIEW = ("BETS_OPEN", 7, 6, 1, None, None, None)


class Spoken:
    """Bytes that are, or were, on the line."""

    def __init__(self, who: Any, data: bytes, start_us: int, end_us: int) -> None:
        self.who, self.data, self.start_us, self.end_us = who, data, start_us, end_us
        self.spoiled = False


class Wire:
    """The line itself. `hurt` may change, drop, or repeat what is carried."""

    def __init__(self, baud: int) -> None:
        self.baud = baud
        self.spoken: list[Spoken] = []
        self.collisions = 0
        self.log: list[tuple[int, Any, bytes]] = []
        self.hurt: Callable[[Any, bytes], list[bytes]] = lambda who, data: [data]

    def say(self, who: Any, data: bytes, now_us: int) -> None:
        mine = [one.end_us for one in self.spoken if one.who is who]
        start_us = max([now_us, *mine])
        new = Spoken(who, data, start_us, start_us + wire_us(len(data), self.baud))
        for one in self.spoken:
            if one.who is not who and one.start_us < new.end_us and new.start_us < one.end_us:
                one.spoiled = new.spoiled = True
                self.collisions += 1
        self.spoken.append(new)

    def heard(self, now_us: int) -> list[tuple[Any, bytes]]:
        """What ended by now: (who said it, the bytes)."""
        done = [one for one in self.spoken if one.end_us <= now_us]
        self.spoken = [one for one in self.spoken if one.end_us > now_us]
        found = []
        for one in done:
            data = bytes(byte ^ 0x55 for byte in one.data) if one.spoiled else one.data
            self.log.append((one.start_us, one.who, data))
            found += [(one.who, part) for part in self.hurt(one.who, data)]
        return found


class Bench:
    """One controller with its book, terminals and a display on one wire."""

    def __init__(
        self,
        terminals: int = 2,
        *,
        baud: int = 115_200,
        latency_us: int = 2_000,
        game: str = "roulette_lu",
    ) -> None:
        self.now_us = 0
        self.wire = Wire(baud)
        self.latency_us = latency_us
        addresses = tuple(range(1, terminals + 1))
        self.book = Book(rules.load(game), minimum_cents=500, terminals=addresses, coup=7)
        self.book.employee("claire", True)
        self.terminals: list[Terminal] = []
        self.happened: dict[int, list[Any]] = {}
        self.due: list[tuple[int, Terminal, bytes]] = []
        self.display = Receiver()
        self.troubles: list[tuple[str, str]] = []
        self.lit: list[int] = []  # when the display was stale though the controller lived
        self.boots = 0
        for address in addresses:
            self.join(address)
        self.start(addresses)

    def start(self, addresses: tuple[int, ...]) -> None:
        """The controller starts, with another session than the last time."""
        self.boots += 1
        keys = {address: KEYS[address] for address in addresses}
        self.host = Host(2**63 + self.boots, keys, self.book, baud=self.wire.baud)
        self.talker = Talker(self.boots)
        self.line = TableLine(self.talker, self.host)
        self.view(*VIEW)
        self.came = b""

    def join(self, address: int) -> Terminal:
        """Another terminal is switched on."""
        self.boots += 1
        terminal = Terminal(address, KEYS[address], 1000 + self.boots)
        self.terminals.append(terminal)
        self.happened[id(terminal)] = []
        return terminal

    def view(self, *view: Any) -> None:
        self.talker.show(*view)
        self.host.show(view[0])

    def run(self, us: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Lets time pass; True as soon as `until` holds."""
        end_us = self.now_us + us
        while self.now_us < end_us:
            self.now_us += STEP_US
            self.step()
            if until():
                return True
        return False

    def step(self) -> None:
        for who, data in self.wire.heard(self.now_us):
            for terminal in self.terminals:
                if who is not terminal:
                    reply = terminal.feed(data, self.now_us)
                    if reply:
                        self.due.append((self.now_us + self.latency_us, terminal, reply))
            if who is self.line:
                self.display.feed(data, self.now_us)
            else:
                self.came += data
        for at_us, terminal, reply in list(self.due):
            if at_us <= self.now_us:
                self.due.remove((at_us, terminal, reply))
                self.wire.say(terminal, reply, self.now_us)
        self.display.tick(self.now_us)
        if self.now_us % PERIOD_US == 0:
            for sent in self.line.exchange(self.came, self.now_us):
                self.wire.say(self.line, sent, self.now_us)
            self.came = b""
            self.troubles += self.host.troubles()
        for terminal in self.terminals:
            terminal.tick(self.now_us)
            self.happened[id(terminal)] += terminal.take()

    def of(self, terminal: Terminal, kind: Any) -> list[Any]:
        return [one for one in self.happened[id(terminal)] if isinstance(one, kind)]

    def asked(self, terminal: Terminal, ask: Any) -> Any:
        """Asks, and waits for the decision."""
        from firmware.bus.terminal import Decided

        before = len(self.of(terminal, Decided))
        terminal.ask(ask)
        assert self.run(20_000_000, lambda: len(self.of(terminal, Decided)) > before)
        return self.of(terminal, Decided)[-1]
