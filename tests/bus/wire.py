"""The line of tools/bench/busbench.py with players' terminals and their book on it, too."""

from typing import Any

from players import money

import rules
from firmware.bus import slots
from firmware.bus.line import TableLine
from firmware.bus.terminal import Terminal
from firmware.bus.terminal_host import TerminalHost
from firmware.stakes.book import Book
from tools.bench import busbench

KEYS = {address: bytes([address]) * 32 for address in range(1, 33)}


def one_behind_the_other(bench: busbench.Bench) -> None:
    """Two that speak at once are both heard from now on, as over joined pseudo-terminals, or where
    one transceiver of the two is stronger."""
    say = bench.wire.send

    def queued(who: Any, data: bytes, now_us: int) -> None:
        ends = [one.end_us for one in bench.wire.spoken]
        say(who, data, max([now_us, *ends]))

    bench.wire.send = queued  # type: ignore[method-assign]


class Bench(busbench.Bench):
    """One controller with its book, terminals and a display on one wire."""

    def __init__(
        self,
        terminals: int = 2,
        *,
        displays: int | None = None,
        baud: int = 115_200,
        latency_us: int = 2_000,
        game: str = "roulette_lu",
    ) -> None:
        """`displays`: None for as many as fit, one at most."""
        self.addresses = tuple(range(1, terminals + 1))
        self.book = Book(
            rules.load(game), minimum_cents=500, terminals=self.addresses, coup=7, **money()
        )
        self.book.employee("claire", True)
        self.terminals: list[Terminal] = []
        self.happened: dict[int, list[Any]] = {}
        if displays is None:
            displays = min(1, slots.displays_max(baud, terminals))
        super().__init__(displays, baud=baud, latency_us=latency_us, terminals=terminals)
        for address in self.addresses:
            self.sit(address)

    def start(self, addresses: tuple[int, ...] | None = None) -> None:
        """The controller starts, with another session than the last time."""
        super().start()
        keys = {address: KEYS[address] for address in addresses or self.addresses}
        self.host = TerminalHost(
            2**63 + self.starts, keys, self.book, baud=self.wire.baud, displays=len(self.keys)
        )
        self.line = TableLine(self.display_host, self.host)
        self.view(*self.last_view)

    def sit(self, address: int) -> Terminal:
        """Another terminal is switched on."""
        self.boots += 1
        terminal = Terminal(address, KEYS[address], 1000 + self.boots)
        self.terminals.append(terminal)
        self.happened[id(terminal)] = []
        return terminal

    def view(self, *view: Any) -> None:
        super().view(*view)
        if hasattr(self, "host"):
            self.host.set_state(view[0])

    def stations(self) -> list[Any]:
        return [*self.displays, *self.terminals]

    def step(self) -> None:
        super().step()
        for terminal in self.terminals:
            self.happened[id(terminal)] += terminal.take_events()

    def of(self, terminal: Terminal, kind: Any) -> list[Any]:
        return [one for one in self.happened[id(terminal)] if isinstance(one, kind)]

    def asked(self, terminal: Terminal, ask: Any) -> Any:
        """Asks, and waits for the decision."""
        from firmware.bus.terminal import Decided

        before = len(self.of(terminal, Decided))
        terminal.ask(ask)
        assert self.run(20_000_000, lambda: len(self.of(terminal, Decided)) > before)
        return self.of(terminal, Decided)[-1]
