"""Reads the sensors behind I2C expanders, and merges their edges with those of the machine itself.

A transfer on I2C waits for the bus, so a thread of its own does it, when an interrupt line rises
and POLL_US after the last time; the loop takes the edges with the others. On a virtual bus, which
never waits, `inline` reads in the loop's place and time: no thread, and the same every time.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from boards import lines
from firmware.core.facts import DOUBT, Trouble
from firmware.expander.chip import PinLedger, Visit, Visitor, stamp
from firmware.shims.edge_ledger import Edge

POLL_US = 100_000  # a ball rests in a cup for seconds: without interrupts it is still seen
SLICE_US = 500  # how often the loop looks for an answer on its way: a read takes so long at 400 kHz
SILENT_US = 300_000  # three polls: then whoever reads is stuck, and nobody sees these lines
_CLOSE_S = 1.0  # the kernel gives up a stuck transfer after about a second
_START_S = 2.0  # two of those; a chip that answers does so in 5 ms

NO_ANSWER = "W25"
NO_INTERRUPT = "W26"
RESET = "W27"


class Source(Protocol):
    """What firmware.ports.Edges asks, of lines in the order of boards.lines.watched."""

    def read(self, until_us: int) -> Iterable[Edge]:
        """Waits for edges, no later than `until_us`."""
        ...

    def now_us(self) -> int:
        """Returns the time of the clock that stamps them. Any thread may ask."""
        ...


class _Chip:
    """One expander: who reads it, its lines, and what was said about it."""

    def __init__(self, driver: Any, name: str, pins: Sequence[tuple[int, int]]) -> None:
        self.name = name
        self.visitor = Visitor(driver)
        self.ledger = PinLedger(pins)
        self.rung_us: int | None = None  # an interrupt that no visit has begun to answer
        self.answering = False  # a visit has
        self.read_us = 0  # of the last reading
        self.owed_us: int | None = None  # a poll found a change that no interrupt told of, then
        self.said: dict[str, bool] = {}  # by code: the state lasts and is told


class ExpandedEdges:
    """The ports `Edges` and `EventSource`: all input lines of a board, behind expanders or not."""

    def __init__(
        self,
        board: dict[str, Any],
        inner: Source,
        drivers: Sequence[Any],
        *,
        levels: Sequence[int] = (),
        inline: bool = False,
    ) -> None:
        """Reads every chip once, or gives up waiting for them after two seconds.

        `inner`: the lines of boards.lines.watched; `levels`: theirs. `drivers`: one of
        drivers.expander_mcp23017 for each of the board's expanders.
        """
        self.now_us = inner.now_us
        self._inner = inner.read
        self._numbers = [number for number, _ in lines.watched(board)]
        self._first = len(board["inputs"])  # from here on lines are interrupts
        self._chips = [
            _Chip(driver, lines.chip_name(board, at), lines.of_chip(board, at))
            for at, driver in enumerate(drivers)
        ]
        self._is_inline = inline
        self._lock = threading.Lock()  # never held during a transfer
        self._found: list[Edge] = []  # of the chips, not yet given
        self._troubles: deque[Trouble] = deque()
        self._last_us = 0  # nothing before this may be given any more
        self._poll_at_us = 0
        self._visiting = self._chips[0]
        self._alive_us = self.now_us()
        self._wake = threading.Event()
        self._ready = threading.Event()
        self._closing = False
        self._reader = threading.Thread(target=self._go_round, name="expander", daemon=True)
        if inline:
            self._poll(self._alive_us)
        else:
            self._reader.start()
            self._ready.wait(_START_S)
        self.initial_levels = self._initial(levels)

    def read(self, until_us: int) -> Sequence[Edge]:
        """Waits for edges, no later than `until_us`; returns (at_us, line, level) in order of time.

        An edge of an expander bears the stamp of its interrupt, or that of the reading that found
        it; later where a later edge is given already. After a DOUBT comes the line's level.
        """
        while True:
            wait_us = self._wait_us(until_us)
            settled_us = wait_us
            given: list[Edge] = []
            for at_us, at, level in self._inner(wait_us):
                # An edge stamped between this one and now may still be on its way.
                settled_us = at_us
                number = self._numbers[at]
                if number < self._first:
                    given.append((at_us, number, level))
                elif level != 0:
                    self._ring(self._chips[number - self._first], at_us)
            if not self._is_inline:
                self._watch()
            elif settled_us >= self._poll_at_us:
                self._poll(settled_us)
            given = self._merged(given, settled_us)
            if given:
                self._last_us = given[-1][0]
                return given
            if settled_us >= until_us or self.now_us() >= until_us:
                self._last_us = max(self._last_us, until_us)
                return given

    def take_events(self) -> Sequence[Trouble]:
        """Returns what is newly wrong since the last call, at_us = 0."""
        found = []
        while self._troubles:
            found.append(self._troubles.popleft())
        return found

    def parts(self) -> dict[str, Any]:
        """Returns each expander, and what is wrong with it. May be called by another thread."""
        said = {
            chip.name: [code for code, lasts in tuple(chip.said.items()) if lasts]
            for chip in self._chips
        }
        return {"expanders": [{"name": name, "faults": codes} for name, codes in said.items()]}

    def decided(self, refusal: str | None) -> None:
        """Does nothing: troubles are never refused."""

    def close(self) -> None:
        """Ends the reading. A transfer that is stuck is left to itself."""
        self._closing = True
        self._wake.set()
        if not self._is_inline:
            self._reader.join(_CLOSE_S)

    # --- the loop's side: never waits for the bus -------------------------------------------------
    def _wait_us(self, until_us: int) -> int:
        """Returns how long to wait for the machine's edges: not past what the chips have to say."""
        if self._is_inline:
            return until_us
        with self._lock:
            if self._found:
                return min(until_us, min(at_us for at_us, _, _ in self._found))
            answer_due = any(chip.answering or chip.rung_us is not None for chip in self._chips)
        if answer_due and not self._silent(self.now_us()):
            return min(until_us, self.now_us() + SLICE_US)
        return until_us

    def _merged(self, given: list[Edge], settled_us: int) -> list[Edge]:
        last_us = self._last_us
        if not self._found and (not given or given[0][0] >= last_us):
            return given
        with self._lock:
            due = [edge for edge in self._found if edge[0] <= settled_us]
            self._found = [edge for edge in self._found if edge[0] > settled_us]
        edges = sorted(given + due, key=stamp)
        return [(max(at_us, last_us), line, level) for at_us, line, level in edges]

    def _ring(self, chip: _Chip, at_us: int) -> None:
        """An interrupt line rose, or may have."""
        with self._lock:
            chip.owed_us = None
            chip.said[NO_INTERRUPT] = False
            if chip.rung_us is None:
                chip.rung_us = at_us
        if self._is_inline:
            self._visit(chip, lambda: at_us, polled=False)
        else:
            self._wake.set()

    def _silent(self, now_us: int) -> bool:
        return now_us - self._alive_us > SILENT_US

    def _watch(self) -> None:
        """A reader that is stuck cannot say so itself. Meanwhile nobody sees any of the lines."""
        now_us = self.now_us()
        if not self._silent(now_us):
            return
        with self._lock:
            for chip in self._chips:
                self._found += chip.ledger.lose(now_us)
            self._say(self._visiting, NO_ANSWER)

    # --- the reader's side: the thread, or inline -------------------------------------------------
    def _go_round(self) -> None:
        while not self._closing:
            self._alive_us = now_us = self.now_us()
            if now_us >= self._poll_at_us:
                self._poll(now_us)
                self._ready.set()
            for chip in self._chips:
                if chip.rung_us is not None:
                    self._visit(chip, self.now_us, polled=False)
            self._wake.wait(max(0, self._poll_at_us - self.now_us()) / 1_000_000)
            self._wake.clear()

    def _poll(self, now_us: int) -> None:
        self._poll_at_us = now_us + POLL_US
        clock = (lambda: now_us) if self._is_inline else self.now_us
        for chip in self._chips:
            with self._lock:
                # The loop has been given all edges of that time, and this interrupt was not there.
                if chip.owed_us is not None and self._last_us > chip.owed_us:
                    self._say(chip, NO_INTERRUPT)
                    chip.owed_us = None
            self._visit(chip, clock, polled=True)

    def _visit(self, chip: _Chip, clock: Callable[[], int], *, polled: bool) -> None:
        """Reads a chip and works out what it means. Waits for the bus."""
        self._visiting = chip
        self._alive_us = clock()
        with self._lock:
            rung_us, chip.rung_us = chip.rung_us, None
            chip.answering = rung_us is not None
        visit = chip.visitor.visit(clock, polled=polled)
        with self._lock:
            self._digest(chip, visit, rung_us)
        self._alive_us = clock()

    def _digest(self, chip: _Chip, visit: Visit, rung_us: int | None) -> None:
        found, readings = self._found, visit.readings
        if visit.reset or visit.failed:
            self._say(chip, NO_ANSWER if visit.failed else RESET)
        if visit.reset:
            found += chip.ledger.lose(readings[0][0] if readings else self._alive_us)
        for at_us, reading in readings:
            # The first change came after the last reading, and not after this one.
            changed_us = at_us if rung_us is None else min(max(rung_us, chip.read_us), at_us)
            rung = rung_us is not None or chip.rung_us is not None or not chip.ledger.known
            edges = chip.ledger.edges_of(at_us, reading, changed_us)
            if edges and not rung and chip.owed_us is None:
                chip.owed_us = at_us
            found += edges
            chip.read_us = at_us
        if visit.failed:
            found += chip.ledger.lose(max(self._alive_us, chip.read_us))
        chip.said[NO_ANSWER] = visit.failed
        chip.said[RESET] = visit.reset
        chip.answering = False

    def _say(self, chip: _Chip, code: str) -> None:
        if not chip.said.get(code):
            self._troubles.append(Trouble(0, code, chip.name))
        chip.said[code] = True

    def _initial(self, levels: Sequence[int]) -> list[int]:
        """Returns the level of every line of the board now.

        Edges so far are where they start from.
        """
        found = [0] * self._first
        for at, level in enumerate(levels):
            if self._numbers[at] < self._first:
                found[self._numbers[at]] = level
        with self._lock:
            for _, line, level in self._found:
                if level != DOUBT:
                    found[line] = level
            doubted = [line for _, line, level in self._found if level == DOUBT]
            self._found = [edge for edge in self._found if edge[1] in doubted]
            for chip in self._chips:
                chip.owed_us = None
        return found


def expanded(
    board: dict[str, Any],
    machine: Any,
    edges: Source,
    driver: Callable[[Any, int], Any],
    *,
    levels: Sequence[int] = (),
    inline: bool = False,
) -> ExpandedEdges:
    """Returns the edges of a board that has expanders: each read by a `driver` on its bus of
    `machine`.

    Raises OSError if the machine lacks a bus; a chip that does not answer is a notice.
    """
    buses: dict[int, Any] = {}
    for bus, _, _, _ in board["expanders"]:
        number = board["buses"][bus][1]
        buses[number] = buses.get(number) or machine.I2C(number)
    drivers = [
        driver(buses[board["buses"][bus][1]], address) for bus, address, _, _ in board["expanders"]
    ]
    return ExpandedEdges(board, edges, drivers, levels=levels, inline=inline)
